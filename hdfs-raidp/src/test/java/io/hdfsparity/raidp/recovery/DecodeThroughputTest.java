/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prints how fast a superchunk is decoded from memory, beside the same copies, XORs and CRCs in bare loops. */
@Tag("full")
class DecodeThroughputTest {
  private static final int UNITS = 64;
  private static final int BLOCK_UNITS = 16;

  @TempDir Path dir;

  @Test
  void decodeReachesMostOfWhatTheMachineCan() throws Exception {
    SimCluster cluster = SimCluster.full(new Random(1), LstorGeometry.of(3, UNITS, 1 << 20), 4);
    for (SimCluster.Superchunk superchunk : cluster.superchunks) {
      for (int unit = 0; unit < UNITS; unit += BLOCK_UNITS) {
        cluster.addBlock(superchunk, List.of(new Run(unit, BLOCK_UNITS)), (long) BLOCK_UNITS << 20, false);
      }
    }
    for (SimCluster.Disk disk : cluster.disks) {
      disk.rows.replaceAll(row -> SimCluster.row(row.frameIndex(), row.blockId(), row.generationStamp(), row.runs(),
          row.coveredBytes(), true, 2, 512, row.state()));
    }
    cluster.computeParity();
    SimCluster.Superchunk lost = cluster.superchunks.get(0);
    double bare = 0;
    double best = 0;
    for (int round = 0; round < 4; round++) {
      bare = Math.max(bare, bareLoops(cluster, lost));
      System.out.printf("bare loops, 2 threads: %.0f MB/s of recovered data%n", bare);
      for (int chunk : new int[] {1 << 20, 4 << 20, 64 << 20}) {
        for (LockScope scope : LockScope.values()) {
          double rate = decode(cluster, lost, new DecodeOptions(chunk, scope, 512L << 20, 4, 2));
          best = Math.max(best, rate);
          System.out.printf("decode, chunk %2d MiB, lock %-10s: %.0f MB/s (%.0f %%)%n", chunk >> 20, scope, rate,
              100 * rate / bare);
        }
      }
    }
    assertThat(best).isGreaterThan(bare / 3);
  }

  private double decode(SimCluster cluster, SimCluster.Superchunk lost, DecodeOptions options) throws IOException {
    CancelToken cancel = new CancelToken();
    SuperchunkDecoder decoder = new SuperchunkDecoder(options, Kernels.best(),
        new Throttle(0, Clock.system(), cancel), cancel, Optional.of(dir));
    List<DeadDisk> disks = List.of(fast(cluster, lost.a(), lost), fast(cluster, lost.b(), lost));
    long start = System.nanoTime();
    DecodeReport report = decoder.decode(new SuperchunkJob(disks, List.of()), new BlockInstaller() {
      @Override
      public boolean holds(long blockId, long generationStamp, long lengthBytes) {
        return false;
      }

      @Override
      public void install(VerifiedBlock block, long generationStamp) {
        // Writing is measured by others; here only what leads to a verified block counts.
        assertThat(block.lengthBytes()).isPositive();
      }
    }, DecodeListener.NONE);
    long nanos = System.nanoTime() - start;
    assertThat(report.isComplete()).isTrue();
    return report.bytesInstalled() * 1e3 / nanos;
  }

  /** The twin's disk with its images computed beforehand. */
  private static DeadDisk fast(SimCluster cluster, SimCluster.Disk disk, SimCluster.Superchunk lost) {
    java.util.Map<SlotEntry, byte[][]> images = new java.util.HashMap<>();
    disk.rows.forEach(row -> images.put(row,
        new byte[][] {cluster.image(ParityKind.DATA, row), cluster.image(ParityKind.META, row)}));
    MirrorSource mirrors = (row, kind, position, dst) ->
        dst.put(images.get(row)[kind.ordinal()], (int) position, dst.remaining());
    assertThat(disk.dead(Set.of(lost.a(), lost.b()), 0).parity().diskId()).isEqualTo(disk.id);
    return new DeadDisk(disk.paritySource(), mirrors, lost.frameOn(disk));
  }

  private static double bareLoops(SimCluster cluster, SimCluster.Superchunk lost) throws Exception {
    Kernel kernel = Kernels.best();
    byte[] parity = lost.a().dataParity;
    int step = 4 << 20;
    long start = System.nanoTime();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 2; t++) {
      int first = t;
      threads.add(new Thread(() -> {
        ByteBuffer accumulator = ByteBuffer.allocateDirect(step);
        ByteBuffer scratch = ByteBuffer.allocateDirect(step);
        byte[] out = new byte[step];
        CRC32C crc = new CRC32C();
        for (int at = first * step; at < parity.length; at += 2 * step) {
          accumulator.clear().put(parity, at, step).flip();
          for (int other = 0; other < 2; other++) {
            scratch.clear().put(parity, at, step).flip();
            kernel.xor(accumulator, scratch);
          }
          for (int i = 0; i < step; i += 512) {
            crc.reset();
            crc.update(accumulator.duplicate().limit(i + 512).position(i));
          }
          accumulator.get(out);
        }
      }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(cluster.superchunks).contains(lost);
    return parity.length * 1e3 / (System.nanoTime() - start);
  }
}
