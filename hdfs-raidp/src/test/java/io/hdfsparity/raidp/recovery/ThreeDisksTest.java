/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.Clock;
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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Three dead disks and what their Lstors give together, against {@link SimCluster}. */
class ThreeDisksTest {
  private static LstorGeometry geometry(Random random, int frames) {
    return LstorGeometry.of(frames, 6 + random.nextInt(10), 65536);
  }

  private static DecodeReport decode(
      Superchunk lost, Set<Disk> dead, Set<Disk> withLstor, RecordingInstaller installer)
      throws IOException {
    List<DeadDisk> sources = new ArrayList<>();
    for (Disk disk : dead) {
      if (withLstor.contains(disk)) {
        boolean holds = disk == lost.a() || disk == lost.b();
        sources.add(disk.dead(dead, holds ? lost.frameOn(disk) : DeadDisk.NO_FRAME));
      }
    }
    CancelToken cancel = new CancelToken();
    return new SuperchunkDecoder(
            DecodeOptions.of(1 << 20, LockScope.RANGE),
            Kernels.best(),
            new Throttle(0, Clock.system(), cancel),
            cancel,
            Optional.empty())
        .decode(new SuperchunkJob(sources, List.of()), installer, DecodeListener.NONE);
  }

  /** Rows of a superchunk by block: the one that its dead disks decode. */
  private static Map<Long, SlotEntry> rows(Superchunk lost, Set<Disk> withLstor) {
    Map<Long, SlotEntry> rows = new TreeMap<>();
    for (Disk disk : List.of(lost.a(), lost.b())) {
      if (withLstor.contains(disk)) {
        disk.rows.stream()
            .filter(row -> row.frameIndex() == lost.frameOn(disk))
            .forEach(row -> rows.merge(row.blockId(), row, ThreeDisksTest::better));
      }
    }
    return rows;
  }

  private static SlotEntry better(SlotEntry x, SlotEntry y) {
    if (x.metaCovered() != y.metaCovered()) {
      return x.metaCovered() ? x : y;
    }
    if (x.generationStamp() != y.generationStamp()) {
      return x.generationStamp() > y.generationStamp() ? x : y;
    }
    return x.coveredBytes() >= y.coveredBytes() ? x : y;
  }

  private static void assertRight(SimCluster cluster, SlotEntry row, RecordingInstaller installer) {
    RecordingInstaller.Replica replica = installer.replicas.get(row.blockId());
    assertThat(replica).as("block %d", row.blockId()).isNotNull();
    assertThat(replica.data()).isEqualTo(cluster.image(ParityKind.DATA, row));
    assertThat(replica.meta()).isEqualTo(cluster.image(ParityKind.META, row));
  }

  private static List<Superchunk> lost(SimCluster cluster, Set<Disk> dead) {
    return cluster.superchunks.stream()
        .filter(s -> dead.contains(s.a()) && dead.contains(s.b()))
        .toList();
  }

  /** Decodes all that is lost with these disks, and requires every byte. */
  private static void assertAllComesBack(SimCluster cluster, Set<Disk> dead) throws IOException {
    for (Superchunk superchunk : lost(cluster, dead)) {
      RecordingInstaller installer = new RecordingInstaller();
      DecodeReport report = decode(superchunk, dead, dead, installer);
      assertThat(report.failures()).isEmpty();
      rows(superchunk, dead).values().forEach(row -> assertRight(cluster, row, installer));
    }
  }

  @Test
  void everyTripleOfDisksComesBack() {
    SeededRuns.of(4)
        .check(
            random -> {
              SimCluster cluster = SimCluster.full(random, geometry(random, 4), 5);
              cluster.fill(0.4 + random.nextDouble() * 0.6, false);
              for (int a = 0; a < 5; a++) {
                for (int b = a + 1; b < 5; b++) {
                  for (int c = b + 1; c < 5; c++) {
                    assertAllComesBack(
                        cluster,
                        Set.of(cluster.disks.get(a), cluster.disks.get(b), cluster.disks.get(c)));
                  }
                }
              }
            });
  }

  /** Also the two in which each disk has one side times 2 and one times 1. */
  @Test
  void everyOrientationOfThreeSuperchunksIsSolved() throws IOException {
    for (int orientation = 0; orientation < 8; orientation++) {
      SimCluster cluster = new SimCluster(new Random(orientation), LstorGeometry.of(2, 4, 65536));
      List<Disk> disks = List.of(cluster.addDisk(), cluster.addDisk(), cluster.addDisk());
      for (int side = 0; side < 3; side++) {
        int first = 1 + (orientation >> side & 1);
        Superchunk made =
            cluster.pair(disks.get(side), first, disks.get((side + 1) % 3), 3 - first);
        cluster.addBlock(made, List.of(new Run(0, 2)), 100_000 + 1000L * side, false);
        cluster.addBlock(made, List.of(new Run(3, 1)), 65536, false);
      }
      cluster.computeParity();
      assertAllComesBack(cluster, new HashSet<>(disks));
    }
  }

  /** Rows that lag, are in limbo or of an older stamp: fewer equations, and never a wrong byte. */
  @Test
  void sidesThatDifferGiveNoWrongByte() {
    SeededRuns.of(20)
        .check(
            random -> {
              SimCluster cluster = SimCluster.full(random, geometry(random, 3), 4);
              cluster.fill(0.3 + random.nextDouble() * 0.6, true);
              Set<Disk> dead = new HashSet<>(cluster.disks.subList(0, 3));
              int blocks = 0;
              int right = 0;
              for (Superchunk superchunk : lost(cluster, dead)) {
                RecordingInstaller installer = new RecordingInstaller();
                DecodeReport report = decode(superchunk, dead, dead, installer);
                Map<Long, SlotEntry> rows = rows(superchunk, dead);
                installer
                    .replicas
                    .keySet()
                    .forEach(block -> assertRight(cluster, rows.get(block), installer));
                assertThat(report.failures())
                    .allSatisfy(failure -> assertThat(failure.reason()).contains("not tell apart"));
                blocks += rows.size();
                right += installer.replicas.size();
              }
              assertThat(right).isGreaterThan(blocks / 4);
            });
  }

  @Test
  void withOneOfTheThreeLstorsLostWhatCanBeSolvedIsSolved() {
    SeededRuns.of(20)
        .check(
            random -> {
              SimCluster cluster = SimCluster.full(random, geometry(random, 3), 4);
              cluster.fill(0.3 + random.nextDouble() * 0.4, false);
              List<Disk> disks = cluster.disks.subList(0, 3);
              Set<Disk> dead = new HashSet<>(disks);
              Set<Disk> withLstor = new HashSet<>(disks.subList(0, 2));
              for (Superchunk superchunk : lost(cluster, dead)) {
                RecordingInstaller installer = new RecordingInstaller();
                DecodeReport report = decode(superchunk, dead, withLstor, installer);
                Map<Long, SlotEntry> rows = rows(superchunk, withLstor);
                installer
                    .replicas
                    .keySet()
                    .forEach(block -> assertRight(cluster, rows.get(block), installer));
                Set<Long> solvable = solvableOneByOne(dead, withLstor);
                assertThat(report.failures())
                    .noneMatch(failure -> solvable.contains(failure.blockId()));
              }
            });
  }

  /** The Lstor that is tried first cannot be read: the two others still give what they can. */
  @Test
  void anLstorThatCannotBeReadIsDoneWithout() throws IOException {
    for (int unreadable = 0; unreadable < 2; unreadable++) {
      SimCluster cluster = SimCluster.full(new Random(3), LstorGeometry.of(2, 4, 65536), 3);
      Superchunk ab = cluster.superchunks.get(0);
      Superchunk bc = cluster.superchunks.get(2);
      long target = cluster.addBlock(ab, List.of(new Run(0, 2)), 100_000, false);
      cluster.addBlock(bc, List.of(new Run(0, 2)), 90_000, false);
      cluster.computeParity();
      Set<Disk> dead = new HashSet<>(cluster.disks);
      cluster.deadLstors.add((unreadable == 0 ? ab.a() : bc.b()).id);
      RecordingInstaller installer = new RecordingInstaller();
      DecodeReport report = decode(ab, dead, dead, installer);
      assertThat(report.failures()).isEmpty();
      assertRight(cluster, rows(ab, dead).get(target), installer);
    }
  }

  /** Plain XOR: what whole blocks one after the other can reach is reached. */
  @Test
  void byXorAtLeastChainsAreSolved() {
    SeededRuns.of(15)
        .check(
            random -> {
              SimCluster cluster = SimCluster.fullByXor(random, geometry(random, 3), 4);
              cluster.fill(0.3 + random.nextDouble() * 0.4, false);
              Set<Disk> dead = new HashSet<>(cluster.disks.subList(0, 3));
              Superchunk superchunk = lost(cluster, dead).get(0);
              RecordingInstaller installer = new RecordingInstaller();
              DecodeReport report = decode(superchunk, dead, dead, installer);
              Map<Long, SlotEntry> rows = rows(superchunk, dead);
              installer
                  .replicas
                  .keySet()
                  .forEach(block -> assertRight(cluster, rows.get(block), installer));
              Set<Long> solvable = solvableOneByOne(dead, dead);
              assertThat(report.failures())
                  .noneMatch(failure -> solvable.contains(failure.blockId()));
            });
  }

  /** Dumb fixpoint over whole blocks of the dead disks, cycles left out. */
  private static Set<Long> solvableOneByOne(Set<Disk> dead, Set<Disk> withLstor) {
    Set<Long> known = new HashSet<>();
    boolean grown = true;
    while (grown) {
      grown = false;
      for (Disk disk : withLstor) {
        for (SlotEntry row : disk.rows) {
          boolean solvable =
              disk.rows.stream()
                  .filter(other -> other.frameIndex() != row.frameIndex() && other.metaCovered())
                  .filter(
                      other ->
                          other.runs().stream()
                              .anyMatch(x -> row.runs().stream().anyMatch(x::overlaps)))
                  .allMatch(
                      other ->
                          known.contains(other.blockId())
                              || !dead.contains(disk.frames[other.frameIndex()].other(disk)));
          grown |= solvable && known.add(row.blockId());
        }
      }
    }
    return known;
  }

  @Test
  void whatCannotBeSolvedIsNamed() throws IOException {
    SimCluster cluster = SimCluster.fullByXor(new Random(9), LstorGeometry.of(2, 4, 65536), 3);
    Superchunk ab = cluster.superchunks.get(0);
    Superchunk ac = cluster.superchunks.get(1);
    Superchunk bc = cluster.superchunks.get(2);
    long target = cluster.addBlock(ab, List.of(new Run(0, 1)), 60_000, false);
    long overA = cluster.addBlock(ac, List.of(new Run(0, 2)), 100_000, false);
    cluster.addBlock(bc, List.of(new Run(0, 1)), 50_000, false);
    cluster.computeParity();
    Set<Disk> dead = new HashSet<>(cluster.disks);
    RecordingInstaller installer = new RecordingInstaller();
    DecodeReport stuck = decode(ab, dead, dead, installer);
    assertThat(stuck.failures()).extracting(DecodeReport.Failure::blockId).containsExactly(target);
    assertThat(stuck.failures().get(0).reason())
        .contains("contributor block=" + overA)
        .contains("disk-0", "disk-1");
    assertThat(installer.replicas).isEmpty();

    ac.b().rows.removeIf(row -> row.frameIndex() == bc.frameB());
    cluster.computeParity();
    DecodeReport solved = decode(ab, dead, dead, installer);
    assertThat(solved.failures()).isEmpty();
    assertRight(cluster, rows(ab, dead).get(target), installer);
  }
}
