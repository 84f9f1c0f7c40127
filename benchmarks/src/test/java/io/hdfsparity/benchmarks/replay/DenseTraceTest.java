/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.trace.Access;
import io.hdfsparity.core.trace.ByteRequest;
import io.hdfsparity.core.trace.MsrTrace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DenseTraceTest {
  private static final long EXTENT = DenseTrace.EXTENT_BYTES;

  private static ByteRequest request(Access access, long offset, long size) {
    return new ByteRequest(0, access, offset, size);
  }

  @Test
  void whatIsNotAccessedIsLeftOutAndOrderStays() {
    List<ByteRequest> requests =
        List.of(
            request(Access.WRITE, 1000 * EXTENT + 5, 100),
            request(Access.READ, 3 * EXTENT, 10),
            request(Access.WRITE, 7 * EXTENT + EXTENT - 1, 2),
            request(Access.WRITE, 1000 * EXTENT, EXTENT));
    DenseTrace dense = DenseTrace.of("t", requests, 100);
    assertThat(dense.volumeBytes()).as("extents 3, 7, 8 and 1000").isEqualTo(4 * EXTENT);
    assertThat(dense.writes())
        .extracting(ByteRequest::offsetBytes)
        .containsExactly(3 * EXTENT + 5, 2 * EXTENT - 1, 3 * EXTENT);
    assertThat(dense.writtenBytes()).isEqualTo(102 + EXTENT);
  }

  @Test
  void theFirstWritesAreTaken() {
    List<ByteRequest> requests = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      requests.add(request(Access.WRITE, i * EXTENT, 1));
    }
    DenseTrace dense = DenseTrace.of("t", requests, 4);
    assertThat(dense.writes()).hasSize(4);
    assertThat(dense.volumeBytes()).isEqualTo(4 * EXTENT);
  }

  @Test
  void partsAreTheWholeInOrder() throws Exception {
    DenseTrace dense = DenseTrace.generated("proj0", 101, 1);
    List<ByteRequest> all = new ArrayList<>();
    for (int client = 0; client < 3; client++) {
      DenseTrace part = dense.part(client, 3);
      assertThat(part.volumeBytes()).isEqualTo(dense.volumeBytes());
      all.addAll(part.writes());
    }
    assertThat(all).isEqualTo(dense.writes());
    MsrTrace lines = dense.lines();
    for (ByteRequest write : dense.writes()) {
      assertThat(lines.next()).isEqualTo(write);
    }
    assertThat(lines.next()).isNull();
  }

  @Test
  void aTraceFileIsReadAndNamedWithoutItsFolder(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("vol_1.csv");
    Files.writeString(file, "5,host,1,Write,65536,4096,9\n6,host,1,Read,0,10,9\n");
    DenseTrace dense = DenseTrace.read(file, 10);
    assertThat(dense.name()).isEqualTo("vol_1");
    assertThat(dense.writes()).containsExactly(new ByteRequest(5, Access.WRITE, 65536, 4096));
  }

  @Test
  void nothingIsReadBehindTheWritesThatAreTaken(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("vol.csv");
    Files.writeString(file, "5,host,1,Write,0,4096,9\nnot a line\n");
    assertThat(DenseTrace.read(file, 1).writes()).hasSize(1);
    assertThatThrownBy(() -> DenseTrace.read(file, 2))
        .hasMessageStartingWith("Cannot read a trace: ")
        .hasMessageContaining("file=" + file);
  }
}
