/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.recovery.SimCluster.Disk;
import io.hdfsparity.raidp.recovery.SimCluster.Superchunk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Any range of a lost block is right or refused, against {@link SimCluster}. */
class RangeDecoderTest {
  private static final int MAX_BYTES = 1 << 20;
  private static final RangeDecoder DECODER = new RangeDecoder(MAX_BYTES, 4, Kernels.best());

  @AfterAll
  static void close() {
    DECODER.close();
  }

  private static SimCluster cluster(Random random, int disks) {
    LstorGeometry geometry = LstorGeometry.of(disks - 1, 6 + random.nextInt(10), 65536);
    SimCluster cluster = SimCluster.full(random, geometry, disks);
    cluster.fill(0.4 + random.nextDouble() * 0.6, true);
    return cluster;
  }

  private static List<IndexedDisk> indexed(Set<Disk> dead) throws IOException {
    List<IndexedDisk> disks = new ArrayList<>();
    for (Disk disk : dead) {
      disks.add(IndexedDisk.of(disk.dead(dead, DeadDisk.NO_FRAME)));
    }
    return disks;
  }

  /** The NameNode has exactly this row on record. */
  private static WantedBlock wanted(SlotEntry row) {
    return new WantedBlock(
        row.blockId(), row.generationStamp(), true, OptionalLong.of(row.coveredBytes()));
  }

  private static List<SlotEntry> lostRows(SimCluster cluster, Set<Disk> dead) {
    List<SlotEntry> rows = new ArrayList<>();
    for (Superchunk each : cluster.superchunks) {
      if (dead.contains(each.a()) && dead.contains(each.b())) {
        each.a().rows.stream()
            .filter(row -> row.frameIndex() == each.frameA() && row.coveredBytes() > 0)
            .forEach(rows::add);
      }
    }
    return rows;
  }

  /**
   * Reads random ranges of all lost blocks: at their ends, across chunks and units, of one byte.
   */
  private static int readRanges(SimCluster cluster, Set<Disk> dead, Random random, boolean mayFail)
      throws IOException {
    List<IndexedDisk> disks = indexed(dead);
    int read = 0;
    for (SlotEntry row : lostRows(cluster, dead)) {
      byte[] image = cluster.image(ParityKind.DATA, row);
      for (int i = 0; i < 4; i++) {
        int offset = i == 0 ? 0 : random.nextInt(image.length);
        int most = Math.min(MAX_BYTES, image.length - offset);
        int length = i == 1 ? most : 1 + random.nextInt(i == 2 ? Math.min(most, 2000) : most);
        try {
          Optional<RangeDecoder.Range> range = DECODER.decode(disks, wanted(row), offset, length);
          assertThat(range.orElseThrow().bytes())
              .as("%s offset=%d length=%d", row, offset, length)
              .isEqualTo(Arrays.copyOfRange(image, offset, offset + length));
          read++;
        } catch (UndecodableException e) {
          if (!mayFail) {
            throw e;
          }
        }
      }
    }
    return read;
  }

  @Test
  void anyRangeOfABlockThatTwoDisksHad() {
    SeededRuns.of(6)
        .check(
            random -> {
              SimCluster cluster = cluster(random, 5);
              Set<Disk> dead = Set.of(cluster.disks.get(0), cluster.disks.get(1));
              assertThat(readRanges(cluster, dead, random, false)).isPositive();
            });
  }

  @Test
  void anyRangeOfABlockThatThreeDisksHad() {
    SeededRuns.of(6)
        .check(
            random -> {
              SimCluster cluster = cluster(random, 5);
              Set<Disk> dead = Set.copyOf(cluster.disks.subList(1, 4));
              // Rows that lag behind on one side may leave more unknowns than equations.
              assertThat(readRanges(cluster, dead, random, true)).isPositive();
            });
  }

  @Test
  void whatIsAwayOrDamagedGivesNoWrongByte() {
    SeededRuns.of(10)
        .check(
            random -> {
              SimCluster cluster = cluster(random, 5);
              Set<Disk> dead = Set.of(cluster.disks.get(0), cluster.disks.get(1));
              for (Disk disk : dead) {
                for (SlotEntry row : disk.rows) {
                  int fault = random.nextInt(12);
                  if (fault == 0) {
                    cluster.unavailable.add(SimCluster.key(disk, row.blockId()));
                  } else if (fault == 1) {
                    cluster.corrupt.add(SimCluster.key(disk, row.blockId()));
                  }
                }
                if (random.nextInt(4) == 0) {
                  cluster.deadLstors.add(disk.id);
                }
                if (random.nextInt(3) == 0) {
                  disk.dataParity[random.nextInt(disk.dataParity.length)] ^= 0x20;
                  disk.metaParity[random.nextInt(disk.metaParity.length)] ^= 0x20;
                }
              }
              readRanges(cluster, dead, random, true);
            });
  }

  /** With one Lstor gone, or a mirror away, the other disk's Lstor still tells the bytes. */
  @Test
  void oneLstorIsEnough() {
    SeededRuns.of(4)
        .check(
            random -> {
              SimCluster cluster =
                  SimCluster.full(random, LstorGeometry.of(4, 8 + random.nextInt(8), 65536), 5);
              cluster.fill(0.8, false);
              Set<Disk> dead = Set.of(cluster.disks.get(2), cluster.disks.get(4));
              cluster.deadLstors.add(cluster.disks.get(2).id);
              assertThat(readRanges(cluster, dead, random, false)).isPositive();
            });
  }

  @Test
  void rangesOutsideAreRefused() throws Exception {
    SimCluster cluster = SimCluster.full(new Random(3), LstorGeometry.of(3, 40, 65536), 4);
    long id =
        cluster.addBlock(cluster.superchunks.get(0), List.of(new Run(0, 20)), 1_200_001, false);
    cluster.computeParity();
    Superchunk lost = cluster.superchunks.get(0);
    Set<Disk> dead = new HashSet<>(List.of(lost.a(), lost.b()));
    SlotEntry row = lost.a().rows.get(0);
    List<IndexedDisk> disks = indexed(dead);
    long[][] ranges = {
      {-1, 10},
      {0, 0},
      {0, -5},
      {0, MAX_BYTES + 1},
      {1_200_000, 2},
      {1_200_001, 1},
      {Long.MAX_VALUE, 1},
      {Long.MIN_VALUE, 1},
      {Long.MAX_VALUE - 5, Integer.MAX_VALUE}
    };
    for (long[] range : ranges) {
      assertThatThrownBy(() -> DECODER.decode(disks, wanted(row), range[0], (int) range[1]))
          .as(Arrays.toString(range))
          .hasMessageContaining("expected 1.." + MAX_BYTES + " bytes inside the block")
          .hasMessageContaining("block=" + id);
    }
  }

  /** An older or a longer block is not what the reader asked for. */
  @Test
  void onlyTheBlockThatTheNameNodeKnows() throws Exception {
    SimCluster cluster = SimCluster.full(new Random(4), LstorGeometry.of(3, 20, 65536), 4);
    Superchunk lost = cluster.superchunks.get(0);
    cluster.addBlock(lost, List.of(new Run(3, 2)), 100_000, false);
    cluster.computeParity();
    SlotEntry row = lost.a().rows.get(0);
    List<IndexedDisk> disks = indexed(Set.of(lost.a(), lost.b()));
    WantedBlock newer =
        new WantedBlock(
            row.blockId(), row.generationStamp() + 1, true, OptionalLong.of(row.coveredBytes()));
    WantedBlock longer =
        new WantedBlock(
            row.blockId(), row.generationStamp(), true, OptionalLong.of(row.coveredBytes() + 1));
    for (WantedBlock other : List.of(newer, longer)) {
      assertThatThrownBy(() -> DECODER.decode(disks, other, 0, 10))
          .isInstanceOf(UndecodableException.class)
          .hasMessageContaining("as the NameNode has it for a complete block");
    }
    WantedBlock unknown = new WantedBlock(4711, 1, true, OptionalLong.of(10));
    assertThat(DECODER.decode(disks, unknown, 0, 10)).isEmpty();
  }
}
