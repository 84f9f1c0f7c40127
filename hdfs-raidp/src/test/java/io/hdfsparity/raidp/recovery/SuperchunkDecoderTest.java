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
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.recovery.DecodeReport.Origin;
import io.hdfsparity.raidp.recovery.SimCluster.Disk;
import io.hdfsparity.raidp.recovery.SimCluster.Superchunk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Decodes against {@link SimCluster}, the dumb twin. */
class SuperchunkDecoderTest {
  private static final int[] CHUNKS = {65536, 131072, 200_000, 1 << 20, 4 << 20, 64 << 20};

  @TempDir Path spill;

  private static LstorGeometry geometry(Random random, int frames) {
    return LstorGeometry.of(frames, 6 + random.nextInt(10), 65536 * (1 + random.nextInt(2)));
  }

  private static DecodeOptions options(Random random) {
    return new DecodeOptions(
        CHUNKS[random.nextInt(CHUNKS.length)],
        LockScope.values()[random.nextInt(2)],
        random.nextInt(3) * (8L << 20),
        1 + random.nextInt(8),
        1 + random.nextInt(4));
  }

  private DecodeReport decode(DecodeOptions options, SuperchunkJob job, BlockInstaller installer)
      throws IOException {
    CancelToken cancel = new CancelToken();
    return decoder(options, cancel).decode(job, installer, DecodeListener.NONE);
  }

  private SuperchunkDecoder decoder(DecodeOptions options, CancelToken cancel) {
    return new SuperchunkDecoder(
        options,
        Kernels.best(),
        new Throttle(0, Clock.system(), cancel),
        cancel,
        Optional.of(spill));
  }

  private static SuperchunkJob job(Superchunk lost, Set<Disk> dead, Disk... helpers) {
    List<DeadDisk> disks = new ArrayList<>();
    disks.add(lost.a().dead(dead, lost.frameA()));
    disks.add(lost.b().dead(dead, lost.frameB()));
    for (Disk helper : helpers) {
      disks.add(helper.dead(dead, DeadDisk.NO_FRAME));
    }
    return new SuperchunkJob(disks, List.of());
  }

  /** The rows of a lost superchunk by block, the better one first. */
  private static Map<Long, List<SlotEntry>> lostRows(Superchunk lost) {
    Map<Long, List<SlotEntry>> rows = new TreeMap<>();
    for (Disk disk : List.of(lost.a(), lost.b())) {
      disk.rows.stream()
          .filter(row -> row.frameIndex() == lost.frameOn(disk))
          .forEach(row -> rows.computeIfAbsent(row.blockId(), id -> new ArrayList<>()).add(row));
    }
    rows.values()
        .forEach(
            list ->
                list.sort(
                    (x, y) -> {
                      int byCover = Boolean.compare(y.metaCovered(), x.metaCovered());
                      int byStamp = Long.compare(y.generationStamp(), x.generationStamp());
                      return byCover != 0
                          ? byCover
                          : byStamp != 0
                              ? byStamp
                              : Long.compare(y.coveredBytes(), x.coveredBytes());
                    }));
    return rows;
  }

  private static void assertRight(SimCluster cluster, SlotEntry row, RecordingInstaller installer) {
    RecordingInstaller.Replica replica = installer.replicas.get(row.blockId());
    assertThat(replica).as("block %d", row.blockId()).isNotNull();
    assertThat(replica.data())
        .as("data of block %d", row.blockId())
        .matches(
            bytes -> java.util.Arrays.equals(bytes, cluster.image(ParityKind.DATA, row)),
            "equals the twin's");
    assertThat(replica.meta())
        .as("checksums of block %d", row.blockId())
        .isEqualTo(cluster.image(ParityKind.META, row));
    assertThat(replica.generationStamp()).isEqualTo(row.generationStamp());
  }

  @Test
  void everyBlockOfEveryLostPairComesBackWhenAllMirrorsServe() {
    SeededRuns.of(25)
        .check(
            random -> {
              SimCluster cluster = SimCluster.full(random, geometry(random, 3), 4);
              cluster.fill(random.nextDouble(), true);
              for (Superchunk lost : cluster.superchunks) {
                RecordingInstaller installer = new RecordingInstaller();
                DecodeReport report =
                    decode(options(random), job(lost, Set.of(lost.a(), lost.b())), installer);
                assertThat(report.failures()).isEmpty();
                assertThat(report.isComplete()).isTrue();
                Set<Long> expected = new HashSet<>();
                lostRows(lost)
                    .forEach(
                        (blockId, rows) -> {
                          if (rows.stream()
                              .anyMatch(
                                  row -> row.state() != SlotState.LIMBO && row.metaCovered())) {
                            expected.add(blockId);
                            assertRight(cluster, rows.get(0), installer);
                          }
                        });
                assertThat(installer.replicas.keySet()).isEqualTo(expected);
                assertThat(Files.list(spill)).isEmpty();
              }
            });
  }

  @Test
  void wrongAndMissingMirrorsNeverYieldAWrongByteAndNothingDecodableIsGivenUp() {
    SeededRuns.of(40)
        .check(
            random -> {
              SimCluster cluster = SimCluster.full(random, geometry(random, 3), 4);
              cluster.fill(0.5 + random.nextDouble() / 2, random.nextBoolean());
              Superchunk lost = cluster.superchunks.get(random.nextInt(cluster.superchunks.size()));
              double faults = random.nextDouble() * 0.7;
              for (Disk disk : List.of(lost.a(), lost.b())) {
                for (SlotEntry row : disk.rows) {
                  if (random.nextDouble() < faults) {
                    (random.nextBoolean() ? cluster.unavailable : cluster.corrupt)
                        .add(SimCluster.key(disk, row.blockId()));
                  }
                }
              }
              if (random.nextInt(6) == 0) {
                cluster.deadLstors.add((random.nextBoolean() ? lost.a() : lost.b()).id);
              }
              RecordingInstaller installer = new RecordingInstaller();
              DecodeReport report =
                  decode(options(random), job(lost, Set.of(lost.a(), lost.b())), installer);
              Map<Long, List<SlotEntry>> lostRows = lostRows(lost);
              assertThat(report.installed())
                  .containsExactlyInAnyOrderElementsOf(installer.replicas.keySet());
              for (long blockId : report.installed()) {
                assertRight(cluster, lostRows.get(blockId).get(0), installer);
              }
              Set<Long> failed = new HashSet<>();
              report.failures().forEach(failure -> failed.add(failure.blockId()));
              for (long blockId : failed) {
                assertThat(decodableWhole(cluster, lost, lostRows.get(blockId).get(0)))
                    .as("block %d", blockId)
                    .isFalse();
              }
              lostRows.forEach(
                  (blockId, rows) -> {
                    if (rows.stream()
                        .anyMatch(row -> row.state() != SlotState.LIMBO && row.metaCovered())) {
                      assertThat(installer.replicas.containsKey(blockId) ^ failed.contains(blockId))
                          .isTrue();
                    }
                  });
            });
  }

  /**
   * Whether one Lstor alone gives the block: it has this image on record and all that overlap it
   * are served right.
   */
  private static boolean decodableWhole(SimCluster cluster, Superchunk lost, SlotEntry best) {
    for (Disk disk : List.of(lost.a(), lost.b())) {
      Optional<SlotEntry> mine =
          disk.rows.stream().filter(row -> Images.same(row, best)).findFirst();
      if (mine.isEmpty() || cluster.deadLstors.contains(disk.id)) {
        continue;
      }
      boolean clean =
          disk.rows.stream()
              .filter(row -> row.frameIndex() != mine.get().frameIndex() && row.metaCovered())
              .filter(
                  row ->
                      row.runs().stream()
                          .anyMatch(x -> mine.get().runs().stream().anyMatch(x::overlaps)))
              .map(row -> SimCluster.key(disk, row.blockId()))
              .noneMatch(key -> cluster.unavailable.contains(key) || cluster.corrupt.contains(key));
      if (clean) {
        return true;
      }
    }
    return false;
  }

  /** A full disk of the receiver says nothing of the sources. */
  @Test
  void aReceiverThatCannotHoldLargeBlocksHasFailedItself() throws IOException {
    SimCluster cluster = SimCluster.full(new Random(5), LstorGeometry.of(2, 8, 65536), 3);
    cluster.fill(1, false);
    Superchunk lost = cluster.superchunks.get(0);
    DecodeOptions inFiles = new DecodeOptions(65536, LockScope.RANGE, 0, 1, 1);
    Path file = Files.createFile(spill.resolve("file"));
    CancelToken cancel = new CancelToken();
    DecodeReport report =
        new SuperchunkDecoder(
                inFiles,
                Kernels.best(),
                new Throttle(0, Clock.system(), cancel),
                cancel,
                Optional.of(file))
            .decode(
                job(lost, Set.of(lost.a(), lost.b())),
                new RecordingInstaller(),
                DecodeListener.NONE);
    assertThat(report.installed()).isEmpty();
    assertThat(report.failures())
        .isNotEmpty()
        .allSatisfy(
            failure -> {
              assertThat(failure.origin()).isEqualTo(Origin.RECEIVER);
              assertThat(failure.reason()).contains("Cannot hold recovered block", "dir=" + file);
            });
  }

  @Test
  void anErrorWhileASourceIsReadIsTheReceiversOwn() throws IOException {
    SimCluster cluster = SimCluster.full(new Random(5), LstorGeometry.of(2, 8, 65536), 3);
    cluster.fill(1, false);
    Superchunk lost = cluster.superchunks.get(0);
    MirrorSource outOfMemory =
        (row, kind, position, dst) -> {
          throw new OutOfMemoryError("simulated");
        };
    DecodeReport report =
        decode(
            DecodeOptions.of(65536, LockScope.RANGE),
            new SuperchunkJob(
                List.of(
                    new DeadDisk(lost.a().paritySource(), outOfMemory, lost.frameA()),
                    new DeadDisk(lost.b().paritySource(), outOfMemory, lost.frameB())),
                List.of()),
            new RecordingInstaller());
    assertThat(report.failures())
        .isNotEmpty()
        .allSatisfy(
            failure -> {
              assertThat(failure.origin()).isEqualTo(Origin.RECEIVER);
              assertThat(failure.reason()).contains("OutOfMemoryError");
            });
  }

  @Test
  void rangesOfOneBlockMayComeFromDifferentLstors() throws IOException {
    SimCluster cluster = SimCluster.full(new Random(3), LstorGeometry.of(2, 8, 65536), 3);
    Disk a = cluster.disks.get(0);
    Disk b = cluster.disks.get(1);
    Disk c = cluster.disks.get(2);
    Superchunk lost = cluster.superchunks.get(0);
    long block = cluster.addBlock(lost, List.of(new Run(0, 8)), 8 * 65536, false);
    long overFirst =
        cluster.addBlock(cluster.superchunks.get(1), List.of(new Run(4, 1)), 65536, false);
    long overLast =
        cluster.addBlock(cluster.superchunks.get(2), List.of(new Run(7, 1)), 65536, false);
    cluster.computeParity();
    cluster.unavailable.add(SimCluster.key(a, overFirst));
    // Only the data half of this one is missing: checksums come from b, data of unit 4 too, data of
    // unit 7 only from a.
    MirrorSource ofB = b.mirrorSource(Set.of(a, b));
    MirrorSource dataMissing =
        (row, kind, position, dst) -> {
          if (row.blockId() == overLast && kind == ParityKind.DATA) {
            throw new IOException("gone");
          }
          ofB.readImage(row, kind, position, dst);
        };
    RecordingInstaller installer = new RecordingInstaller();
    DecodeReport report =
        decode(
            DecodeOptions.of(65536, LockScope.RANGE),
            new SuperchunkJob(
                List.of(
                    a.dead(Set.of(a, b), lost.frameA()),
                    new DeadDisk(b.paritySource(), dataMissing, lost.frameB())),
                List.of()),
            installer);
    assertThat(report.failures()).isEmpty();
    assertRight(cluster, lostRows(lost).get(block).get(0), installer);
    assertThat(c.rows).hasSize(2);
  }

  @Test
  void bothLstorsGiveAboutHalf() throws IOException {
    SimCluster cluster = SimCluster.full(new Random(5), LstorGeometry.of(3, 32, 65536), 4);
    cluster.fill(1, false);
    Superchunk lost = cluster.superchunks.get(0);
    DecodeReport report =
        decode(
            DecodeOptions.of(65536, LockScope.RANGE),
            job(lost, Set.of(lost.a(), lost.b())),
            new RecordingInstaller());
    long half = report.bytesInstalled() / 2;
    assertThat(report.bytesByDisk().values())
        .hasSize(2)
        .allSatisfy(bytes -> assertThat(bytes).isBetween(half - 2 * 65536, half + 2 * 65536));
  }

  @Test
  void theNameNodesRecordDecides() throws IOException {
    SimCluster cluster = SimCluster.full(new Random(4), LstorGeometry.of(2, 16, 65536), 3);
    Superchunk lost = cluster.superchunks.get(0);
    long right = cluster.addBlock(lost, List.of(new Run(0, 1)), 1000, false);
    long stale = cluster.addBlock(lost, List.of(new Run(1, 1)), 1000, false);
    long open = cluster.addBlock(lost, List.of(new Run(2, 1)), 1000, false);
    long shorter = cluster.addBlock(lost, List.of(new Run(3, 1)), 1000, false);
    long unasked = cluster.addBlock(lost, List.of(new Run(4, 1)), 1000, false);
    cluster.computeParity();
    Map<Long, List<SlotEntry>> rows = lostRows(lost);
    long gsOpen = rows.get(open).get(0).generationStamp();
    List<WantedBlock> wanted =
        List.of(
            new WantedBlock(open, gsOpen + 7, false, OptionalLong.empty()),
            new WantedBlock(
                right, rows.get(right).get(0).generationStamp(), true, OptionalLong.of(1000)),
            new WantedBlock(
                stale, rows.get(stale).get(0).generationStamp() + 1, true, OptionalLong.of(1000)),
            new WantedBlock(
                shorter, rows.get(shorter).get(0).generationStamp(), true, OptionalLong.of(1001)),
            new WantedBlock(777, 1, true, OptionalLong.of(5)),
            new WantedBlock(778, 1, false, OptionalLong.empty()));
    RecordingInstaller installer = new RecordingInstaller();
    SuperchunkJob all = job(lost, Set.of(lost.a(), lost.b()));
    DecodeReport report =
        decode(
            DecodeOptions.of(65536, LockScope.SUPERCHUNK),
            new SuperchunkJob(all.disks(), wanted),
            installer);
    assertThat(installer.replicas.keySet()).containsExactlyInAnyOrder(open, right);
    assertThat(installer.replicas.get(open).generationStamp()).isEqualTo(gsOpen + 7);
    assertThat(report.failures())
        .filteredOn(DecodeReport.Failure::required)
        .extracting(DecodeReport.Failure::blockId)
        .containsExactlyInAnyOrder(stale, shorter, 777L);
    assertThat(report.failures())
        .filteredOn(f -> !f.required())
        .extracting(DecodeReport.Failure::blockId)
        .containsExactly(778L);
    assertThat(report.failures().toString())
        .contains("generationStamp=")
        .contains("coveredBytes=1000")
        .contains("no Lstor has a row");
    assertThat(unasked).isNotZero();
  }

  @Test
  void aBlockWithoutChecksumsIsReportedNotGuessed() throws IOException {
    SimCluster cluster = SimCluster.full(new Random(4), LstorGeometry.of(2, 4, 65536), 3);
    Superchunk lost = cluster.superchunks.get(0);
    long block = cluster.addBlock(lost, List.of(new Run(0, 1)), 1000, false);
    for (Disk disk : List.of(lost.a(), lost.b())) {
      disk.rows.replaceAll(
          row ->
              SimCluster.row(
                  row.frameIndex(),
                  row.blockId(),
                  row.generationStamp(),
                  row.runs(),
                  row.coveredBytes(),
                  true,
                  0,
                  512,
                  row.state()));
    }
    lost.a().dataParity = new byte[4 * 65536];
    lost.b().dataParity = new byte[4 * 65536];
    RecordingInstaller installer = new RecordingInstaller();
    DecodeReport report =
        decode(
            DecodeOptions.of(65536, LockScope.RANGE),
            job(lost, Set.of(lost.a(), lost.b())),
            installer);
    assertThat(installer.replicas).isEmpty();
    assertThat(report.failures())
        .singleElement()
        .satisfies(
            failure -> {
              assertThat(failure.blockId()).isEqualTo(block);
              assertThat(failure.reason()).contains("checksumType=0");
            });
  }

  @Test
  void aCancelledDecodeIsResumedWithoutDoingWorkTwice() throws IOException {
    SimCluster cluster = SimCluster.full(new Random(8), LstorGeometry.of(3, 24, 65536), 4);
    cluster.fill(1, false);
    Superchunk lost = cluster.superchunks.get(0);
    Set<Disk> dead = Set.of(lost.a(), lost.b());
    RecordingInstaller installer = new RecordingInstaller();
    CancelToken cancel = new CancelToken();
    installer.afterInstall =
        () -> {
          if (installer.replicas.size() >= 3) {
            cancel.cancel();
          }
        };
    DecodeOptions one = new DecodeOptions(65536, LockScope.RANGE, 4 << 20, 4, 1);
    DecodeReport first =
        decoder(one, cancel).decode(job(lost, dead), installer, DecodeListener.NONE);
    assertThat(first.cancelled()).isTrue();
    assertThat(first.isComplete()).isFalse();
    assertThat(first.failures()).isEmpty();
    assertThat(installer.replicas).hasSize(3);

    installer.afterInstall = () -> {};
    DecodeReport second = decode(one, job(lost, dead), installer);
    assertThat(second.alreadyHeld()).containsExactlyInAnyOrderElementsOf(first.installed());
    assertThat(second.installed()).doesNotContainAnyElementsOf(first.installed());
    lostRows(lost).forEach((block, rows) -> assertRight(cluster, rows.get(0), installer));
  }

  @Test
  void progressEndsAtTheTotalAndTakesBackWhatFailed() throws IOException {
    SimCluster cluster = SimCluster.full(new Random(2), LstorGeometry.of(3, 16, 65536), 4);
    cluster.fill(1, false);
    Superchunk lost = cluster.superchunks.get(0);
    RecordingInstaller installer = new RecordingInstaller();
    long refused = lostRows(lost).keySet().iterator().next();
    installer.refuses.add(refused);
    CountingListener listener = new CountingListener();
    CancelToken cancel = new CancelToken();
    DecodeReport report =
        decoder(DecodeOptions.of(65536, LockScope.RANGE), cancel)
            .decode(job(lost, Set.of(lost.a(), lost.b())), installer, listener);
    long refusedBytes = lostRows(lost).get(refused).get(0).coveredBytes();
    assertThat(listener.decoded.get()).isEqualTo(listener.total.get() - refusedBytes);
    assertThat(report.bytesInstalled()).isEqualTo(listener.decoded.get());
    assertThat(listener.done.get()).isEqualTo(listener.blocks.get() - 1);
    assertThat(report.failures())
        .singleElement()
        .satisfies(
            f -> {
              assertThat(f.reason()).contains("no space left");
              assertThat(f.origin()).isEqualTo(Origin.RECEIVER);
            });
  }

  @Test
  void aSlotTableWithOverlappingRowsIsRefused() {
    SimCluster cluster = SimCluster.full(new Random(2), LstorGeometry.of(3, 16, 65536), 4);
    Superchunk lost = cluster.superchunks.get(0);
    cluster.addBlock(lost, List.of(new Run(0, 3)), 1000, false);
    cluster.addBlock(lost, List.of(new Run(2, 3)), 1000, false);
    cluster.computeParity();
    org.assertj.core.api.Assertions.assertThatThrownBy(
            () ->
                decode(
                    DecodeOptions.of(65536, LockScope.RANGE),
                    job(lost, Set.of(lost.a(), lost.b())),
                    new RecordingInstaller()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no overlap with block 1");
  }

  @Test
  void oneRowOfOneLstorDecodesAlone() throws IOException {
    SimCluster cluster = SimCluster.full(new Random(12), LstorGeometry.of(3, 16, 65536), 4);
    cluster.fill(1, false);
    Superchunk lost = cluster.superchunks.get(2);
    CancelToken cancel = new CancelToken();
    try (BlockDecoder decoder =
        new BlockDecoder(
            DecodeOptions.of(65536, LockScope.RANGE),
            Kernels.best(),
            new Throttle(0, Clock.system(), cancel),
            cancel,
            Optional.empty())) {
      DeadDisk disk = lost.a().dead(Set.of(lost.a()), lost.frameA());
      for (SlotEntry row : lost.a().rows) {
        try (VerifiedBlock block = decoder.decode(disk, row)) {
          byte[] want = cluster.image(ParityKind.DATA, row);
          java.nio.ByteBuffer got = java.nio.ByteBuffer.allocate(want.length);
          block.copyData(got::put);
          assertThat(got.array()).isEqualTo(want);
          assertThat(block.checksumFile()).isEqualTo(cluster.image(ParityKind.META, row));
        }
      }
    }
  }
}
