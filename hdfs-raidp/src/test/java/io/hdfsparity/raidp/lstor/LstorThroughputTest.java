/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.store.Allocation;
import io.hdfsparity.core.store.MappedByteStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Prints what covering costs on a mapped store. Not a gate. */
@Tag("full")
class LstorThroughputTest {
  private static final int BLOCK_BYTES = 128 << 20;

  /**
   * Bytes in memory, so that the Lstor's own cost shows; the checksum bytes need not be CRCs for
   * that.
   */
  private record MemoryImage(ByteBuffer data) implements BlockImage {
    @Override
    public void readData(long position, ByteBuffer dst) {
      int count = dst.remaining();
      dst.put(dst.position(), data, (int) position, count).position(dst.position() + count);
    }

    @Override
    public void readMeta(long prefixBytes, long position, ByteBuffer dst) {
      int count = dst.remaining();
      dst.put(dst.position(), data, (int) position, count).position(dst.position() + count);
    }
  }

  @Test
  void coverAndClear() throws IOException {
    Path shm = Path.of("/dev/shm");
    Path folder =
        Files.createTempDirectory(
            Files.isWritable(shm) ? shm : Path.of(System.getProperty("java.io.tmpdir")), "lstor");
    Path file = folder.resolve("lstor-x");
    LstorGeometry geometry = LstorGeometry.of(4, 512, 1 << 20);
    ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCK_BYTES);
    Random random = new Random(1);
    while (bytes.hasRemaining()) {
      bytes.putLong(random.nextLong());
    }
    MemoryImage image = new MemoryImage(bytes.clear());
    try (MappedByteStore store =
        MappedByteStore.create(
            file, Lstor.requiredBytes(geometry, 16 << 20, 1000), Allocation.FULL)) {
      Lstor.format(store, geometry, LstorModel.IDENTITY, 16 << 20, 1000);
      try (Lstor lstor = Lstor.open(store, LstorModel.EXPECTATION)) {
        for (int round = 0; round < 5; round++) {
          print(lstor, round, image);
        }
        assertThat(lstor.entries()).isEmpty();
      }
    } finally {
      Files.delete(file);
      Files.delete(folder);
    }
  }

  private static void print(Lstor lstor, int round, MemoryImage image) throws IOException {
    ChecksumSpec checksum = new ChecksumSpec(2, 512);
    long coverNanos = 0;
    long clearNanos = 0;
    for (int frame = 0; frame < 4; frame++) {
      lstor.reserve(frame, 1, List.of(new Run(frame * 10, 128)), 1);
      long start = System.nanoTime();
      lstor.setCoverage(frame, 1, 1, checksum, BLOCK_BYTES, image);
      coverNanos += System.nanoTime() - start;
    }
    for (int frame = 0; frame < 4; frame++) {
      long start = System.nanoTime();
      lstor.clearCoverage(frame, 1, image);
      clearNanos += System.nanoTime() - start;
      lstor.remove(frame, 1, SlotCause.MOVED_OUT);
    }
    System.out.printf(
        "round %d: cover %.1f ms, clear %.1f ms a 64 MiB; %s%n",
        round, coverNanos / 8e6, clearNanos / 8e6, lstor.stats());
  }
}
