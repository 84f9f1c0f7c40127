/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.caso.workload.Workload;
import io.hdfsparity.caso.workload.WorkloadGenerator;
import io.hdfsparity.core.trace.ByteRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CasoShapeTest {
  @TempDir Path dir;

  /** Writes of it that reach over the end would be refused. */
  @Test
  void theTraceFitsTheVolume() {
    WorkloadGenerator trace =
        new WorkloadGenerator(
            Workload.named(CasoShape.WORKLOAD).orElseThrow(),
            CasoShape.REQUESTS,
            1,
            CasoShape.TRACE_BYTES);
    long requests = 0;
    for (Optional<ByteRequest> next = trace.next(); next.isPresent(); next = trace.next()) {
      assertThat(next.get().offsetBytes() + next.get().sizeBytes())
          .isLessThanOrEqualTo(CasoShape.VOLUME_BYTES);
      requests++;
    }
    assertThat(requests).isEqualTo(CasoShape.REQUESTS);
  }

  @Test
  void roomIsForVolumesAndTheirCopies() {
    assertThat(CasoShape.maxBytes(List.of()) - UpdateShape.maxBytes(List.of()))
        .isGreaterThan(4L * CasoShape.VOLUME_BYTES * 5 / 3);
  }

  @Test
  void noFileOfTheUserGetsReservedSpace() {
    List<SourceFile> files =
        Collections.nCopies(80_000, new SourceFile(Path.of("x"), "x", 5000, 0));
    assertThat(CasoShape.maxBytes(files) - CasoShape.maxBytes(List.of()))
        .isEqualTo(80_000L * 3 * (12 << 10));
  }

  @Test
  void aWindowIsAMillisecondWithAWrite() throws Exception {
    Path trace =
        Files.writeString(
            dir.resolve("t.csv"),
            """
            Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime
            10000,h,0,Write,0,512,0
            19999,h,0,Write,4096,1024,0
            20000,h,0,Write,8192,512,0
            30000,h,0,Read,0,4096,0
            50000,h,0,Write,512,512,0
            """);
    WriteWindows windows = WriteWindows.read(trace);
    assertThat(windows.windows()).extracting(List::size).containsExactly(2, 1, 1);
    assertThat(windows.secondHalf().windows()).extracting(List::size).containsExactly(1, 1);
    assertThat(windows.secondHalf().writes()).isEqualTo(2);
    assertThat(windows.windows().get(0).get(1).offsetBytes()).isEqualTo(4096);
  }

  @Test
  void aVolumeHoldsWhatWasWritten() {
    Volume volume = new Volume(1000, 7);
    Volume other = volume.copy();
    byte[] before = volume.read(0, 1000);
    volume.write(990, new byte[] {1, 2, 3});
    byte[] after = volume.read(990, 10);
    assertThat(after).startsWith(1, 2, 3);
    assertThat(after[3]).isEqualTo(before[993]);
    assertThat(other.read(990, 10)).startsWith(before[990], before[991], before[992]);
    assertThat(volume.lengthBytes()).isEqualTo(1000);
  }
}
