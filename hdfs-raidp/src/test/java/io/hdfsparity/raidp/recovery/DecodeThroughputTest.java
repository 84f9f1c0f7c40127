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

/**
 * Prints how fast a superchunk is decoded from memory, beside the same copies, XORs and CRCs in
 * bare loops.
 */
@Tag("full")
class DecodeThroughputTest {
  private static final int UNITS = 32;
  private static final int BLOCK_UNITS = 16;
  private static final int REPEATS = 12;
  private static final int ROUNDS = 5;

  @TempDir Path dir;

  @Test
  void decodeReachesMostOfWhatTheMachineCan() throws Exception {
    SimCluster cluster = SimCluster.full(new Random(1), LstorGeometry.of(3, UNITS, 1 << 20), 4);
    for (SimCluster.Superchunk superchunk : cluster.superchunks) {
      for (int unit = 0; unit < UNITS; unit += BLOCK_UNITS) {
        cluster.addBlock(
            superchunk, List.of(new Run(unit, BLOCK_UNITS)), (long) BLOCK_UNITS << 20, false);
      }
    }
    for (SimCluster.Disk disk : cluster.disks) {
      disk.rows.replaceAll(
          row ->
              SimCluster.row(
                  row.frameIndex(),
                  row.blockId(),
                  row.generationStamp(),
                  row.runs(),
                  row.coveredBytes(),
                  true,
                  2,
                  512,
                  row.state()));
    }
    cluster.computeParity();
    SimCluster.Superchunk lost = cluster.superchunks.get(0);
    for (int chunk : new int[] {1 << 20, 4 << 20, 64 << 20}) {
      for (LockScope scope : LockScope.values()) {
        List<Double> shares = new ArrayList<>();
        double bare = 0;
        double rate = 0;
        // In turns, as other work on the machine comes and goes.
        for (int round = 0; round < ROUNDS; round++) {
          bare = bareLoops(cluster, lost);
          rate = decode(cluster, lost, new DecodeOptions(chunk, scope, 256L << 20, 4, 2));
          shares.add(rate / bare);
        }
        shares.sort(null);
        System.out.printf(
            "chunk %2d MiB, lock %-10s: decode %.0f MB/s, bare loops %.0f MB/s, share median %.0f %% of %s%n",
            chunk >> 20,
            scope,
            rate,
            bare,
            100 * shares.get(ROUNDS / 2),
            shares.stream().map(share -> Math.round(100 * share)).toList());
        assertThat(shares.get(ROUNDS - 1)).isGreaterThan(0.2);
      }
    }
  }

  /**
   * Decodes all blocks of the superchunk several times over with one decoder, as a superchunk of
   * gigabytes would.
   */
  private double decode(SimCluster cluster, SimCluster.Superchunk lost, DecodeOptions wish)
      throws Exception {
    DecodeOptions options = wish.forImagesUpTo((long) BLOCK_UNITS << 20);
    CancelToken cancel = new CancelToken();
    List<DecodeSource> sources =
        List.of(
            new DecodeSource(fast(cluster, lost.a(), lost)),
            new DecodeSource(fast(cluster, lost.b(), lost)));
    List<SlotEntry> rows =
        lost.a().rows.stream().filter(row -> row.frameIndex() == lost.frameA()).toList();
    java.util.concurrent.atomic.AtomicInteger next =
        new java.util.concurrent.atomic.AtomicInteger();
    java.util.concurrent.atomic.AtomicLong bytes = new java.util.concurrent.atomic.AtomicLong();
    try (BlockDecoder decoder =
        new BlockDecoder(
            options,
            Kernels.best(),
            new Throttle(0, Clock.system(), cancel),
            cancel,
            Optional.of(dir))) {
      long start = System.nanoTime();
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 2; t++) {
        threads.add(
            new Thread(
                () -> {
                  for (int i = next.getAndIncrement();
                      i < REPEATS * rows.size();
                      i = next.getAndIncrement()) {
                    SlotEntry row = rows.get(i % rows.size());
                    List<BlockDecoder.Candidate> candidates =
                        sources.stream()
                            .map(
                                source ->
                                    new BlockDecoder.Candidate(
                                        source, source.rows(row.blockId()).get(0)))
                            .toList();
                    try (VerifiedBlock block = decoder.decode(candidates, sources, more -> {})) {
                      bytes.addAndGet(block.lengthBytes());
                    } catch (IOException e) {
                      throw new java.io.UncheckedIOException(e);
                    }
                  }
                }));
      }
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(bytes).hasValue((long) REPEATS * UNITS << 20);
      return bytes.get() * 1e3 / (System.nanoTime() - start);
    }
  }

  /** The twin's disk with its images computed beforehand. */
  private static DeadDisk fast(
      SimCluster cluster, SimCluster.Disk disk, SimCluster.Superchunk lost) {
    java.util.Map<SlotEntry, byte[][]> images = new java.util.HashMap<>();
    disk.rows.forEach(
        row ->
            images.put(
                row,
                new byte[][] {
                  cluster.contents.get(row.blockId()).get(row.generationStamp()),
                  cluster.image(ParityKind.META, row)
                }));
    MirrorSource mirrors =
        (row, kind, position, dst) ->
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
      threads.add(
          new Thread(
              () -> {
                ByteBuffer accumulator = ByteBuffer.allocateDirect(step);
                ByteBuffer scratch = ByteBuffer.allocateDirect(step);
                byte[] out = new byte[step];
                CRC32C crc = new CRC32C();
                for (int at = first * step; at < REPEATS * parity.length; at += 2 * step) {
                  int from = at % parity.length;
                  accumulator.clear().put(parity, from, step).flip();
                  for (int other = 0; other < 2; other++) {
                    scratch.clear().put(parity, from, step).flip();
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
    return (double) REPEATS * parity.length * 1e3 / (System.nanoTime() - start);
  }
}
