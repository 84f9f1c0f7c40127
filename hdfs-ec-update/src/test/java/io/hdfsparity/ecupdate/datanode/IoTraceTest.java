/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.store.Allocation;
import io.hdfsparity.core.store.ByteStore;
import io.hdfsparity.core.store.FileByteStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IoTraceTest {
  @TempDir Path dir;

  private List<String> lines() throws IOException {
    return Files.readAllLines(dir.resolve("io/DS-1.io")).stream()
        .map(line -> line.substring(line.indexOf(' ') + 1))
        .toList();
  }

  @Test
  void notesEachAccessOfAStore() throws IOException {
    Path file = dir.resolve("log");
    try (IoTrace trace = IoTrace.open(dir.resolve("io"), "DS-1");
        ByteStore store = trace.around(FileByteStore.create(file, 64, Allocation.SPARSE))) {
      store.write(8, ByteBuffer.wrap(new byte[] {1, 2, 3}));
      store.sync(0, 64);
      ByteBuffer read = ByteBuffer.allocate(3);
      store.read(8, read);

      assertThat(read.array()).containsExactly(1, 2, 3);
      assertThat(store.sizeBytes()).isEqualTo(64);
    }
    assertThat(lines()).containsExactly("W 8 3 " + file, "F 0 0 " + file, "R 8 3 " + file);
  }

  @Test
  void notesReservedSpaceAndState() throws IOException {
    LocalReplicaFiles files =
        new LocalReplicaFiles(
            dir.resolve("blk"), dir.resolve("meta"), dir.resolve("state"), dir.resolve("plr"));
    try (IoTrace trace = IoTrace.open(dir.resolve("io"), "DS-1")) {
      ReplicaFiles traced = trace.around(files);
      traced.writeState(new byte[5]);
      traced.reserve(4096).write(16, ByteBuffer.allocate(4));
      traced.reserved().orElseThrow().force();

      assertThat(traced.readState()).hasSize(5);
    }
    assertThat(lines())
        .containsExactly(
            "W 0 5 " + files.state(),
            "F 0 0 " + files.state(),
            "W 16 4 " + files.reservedSpace(),
            "F 0 0 " + files.reservedSpace(),
            "R 0 5 " + files.state());
  }
}
