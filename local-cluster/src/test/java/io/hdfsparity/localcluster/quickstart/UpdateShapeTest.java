/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import org.junit.jupiter.api.Test;

class UpdateShapeTest {
  private static SourceFile file(String name, long lengthBytes) {
    return new SourceFile(Path.of(name), name, lengthBytes, 0);
  }

  @Test
  void thePolicyIsHadoopsOwn() {
    ErasureCodingPolicy policy =
        SystemErasureCodingPolicies.getPolicies().stream()
            .filter(each -> each.getName().equals(UpdateShape.POLICY))
            .findFirst()
            .orElseThrow();
    assertThat(policy.getNumDataUnits()).isEqualTo(UpdateShape.DATA_UNITS);
    assertThat(policy.getNumParityUnits()).isEqualTo(UpdateShape.PARITY_UNITS);
    assertThat(UpdateShape.NODES).isGreaterThan(UpdateShape.DATA_UNITS + UpdateShape.PARITY_UNITS);
  }

  @Test
  void theLargestFilesAreUpdated() {
    List<SourceFile> files = new ArrayList<>();
    for (int i = 1; i <= 9; i++) {
      files.add(file("f" + i, i * 3000L));
    }
    assertThat(UpdateShape.updated(files))
        .extracting(SourceFile::name)
        .containsExactly("f9", "f8", "f7", "f6", "f5", "f4");
    assertThat(UpdateShape.updated(List.of(file("small", 4095)))).isEmpty();
  }

  @Test
  void roomIsForUnitsChecksumsLogsAndReservedSpace() {
    long empty = UpdateShape.maxBytes(List.of());
    assertThat(empty).isEqualTo(6L * (64 << 20));
    // A full stripe: three cells of data, two of parity, each with 8 KiB of checksums and their
    // header; reserved space for two units.
    long unit = (1L << 20) + (12L << 10);
    assertThat(UpdateShape.maxBytes(List.of(file("a", 3L << 20))) - empty)
        .isEqualTo(5 * unit + (2L << 20));
  }

  @Test
  void onlyFilesThatAreUpdatedGetReservedSpace() {
    List<SourceFile> files = new ArrayList<>();
    for (int i = 0; i < 80_000; i++) {
      files.add(file("f" + i, 5000));
    }
    // A data unit and two parity units of 8 KiB, with 4 KiB of checksums each.
    long taken = UpdateShape.maxBytes(files) - UpdateShape.maxBytes(List.of());
    assertThat(taken).isEqualTo(80_000L * 3 * (12 << 10) + 6L * 2 * (1 << 20));
    assertThat(UpdateShape.unchangedBytes(files) - UpdateShape.unchangedBytes(List.of()))
        .isEqualTo(80_000L * 3 * (12 << 10));
  }
}
