/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FallocateTest {
  private static final int SIZE_BYTES = 8 << 20;

  /** No file system has so much. */
  private static final long TOO_MUCH = 1L << 60;

  @TempDir Path directory;

  /** As the file system counts it. */
  private static long takenBytes(Path file) throws IOException, InterruptedException {
    Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
    String blocks = new String(stat.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(stat.waitFor()).isZero();
    return Long.parseLong(blocks.trim()) * 512;
  }

  @Test
  void aFullStoreHasItsSpaceAndZeros() throws Exception {
    Path full = directory.resolve("full");
    Path sparse = directory.resolve("sparse");
    MappedByteStore.create(full, SIZE_BYTES, Allocation.FULL).close();
    MappedByteStore.create(sparse, SIZE_BYTES, Allocation.SPARSE).close();
    assertThat(Files.size(full)).isEqualTo(SIZE_BYTES);
    assertThat(takenBytes(full)).isGreaterThanOrEqualTo(SIZE_BYTES);
    assertThat(takenBytes(sparse)).isLessThan(SIZE_BYTES);
    assertThat(Files.readAllBytes(full)).isEqualTo(new byte[SIZE_BYTES]);
  }

  @Test
  void whatTheFileHasStays() throws IOException {
    Path file = directory.resolve("file");
    byte[] bytes = {1, 2, 3};
    Files.write(file, bytes);
    Fallocate.reserve(file, SIZE_BYTES);
    assertThat(Files.readAllBytes(file)).isEqualTo(Arrays.copyOf(bytes, SIZE_BYTES));
  }

  @Test
  void aFullDeviceLeavesNoFile() {
    Path file = directory.resolve("file");
    assertThatThrownBy(() -> MappedByteStore.create(file, TOO_MUCH, Allocation.FULL))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("sizeBytes=" + TOO_MUCH)
        .hasMessageContaining(file.toString());
    assertThat(file).doesNotExist();
  }
}
