/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.ManualClock;
import io.hdfsparity.raidp.lstor.FrameRow;
import io.hdfsparity.raidp.lstor.Lstor;
import io.hdfsparity.raidp.lstor.LstorException;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.recovery.SimCluster;
import io.hdfsparity.raidp.wire.message.ImageKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServedLstorTest {
  private static final long LEASE_MS = 5000;

  @TempDir Path dir;
  private final ManualClock clock = new ManualClock();
  private SimCluster cluster;
  private SimCluster.Disk disk;
  private LstorDirectory daemon;

  @BeforeEach
  void makeLstor() throws IOException {
    cluster = SimCluster.full(new Random(77), LstorGeometry.of(3, 12, 65536), 4);
    cluster.fill(0.8, true);
    disk = cluster.disks.get(0);
    SimLstors.fill(dir, cluster, disk);
    daemon = new LstorDirectory(List.of(dir, dir.resolve("not-there")), LEASE_MS, clock);
    daemon.rescan();
  }

  private ServedLstor served() {
    return daemon.all().iterator().next();
  }

  @Test
  void servesExactlyTheParityOfTheTwin() throws IOException {
    assertThat(daemon.all()).hasSize(1);
    assertThat(daemon.info(disk.id).frames())
        .hasSize(3)
        .allSatisfy(frame -> assertThat(frame.pairing()).isPresent());
    assertThat(daemon.entries(disk.id, OptionalInt.empty()))
        .extracting(SlotEntry::blockId)
        .containsExactlyInAnyOrderElementsOf(disk.rows.stream().map(SlotEntry::blockId).toList());
    assertThat(daemon.entries(disk.id, OptionalInt.of(1)))
        .allSatisfy(row -> assertThat(row.frameIndex()).isOne());
    byte[] data = daemon.readParity(disk.id, ImageKind.DATA, 0, disk.dataParity.length);
    byte[] meta = daemon.readParity(disk.id, ImageKind.META, 0, disk.metaParity.length);
    assertThat(java.util.Arrays.equals(data, disk.dataParity)).isTrue();
    assertThat(java.util.Arrays.equals(meta, disk.metaParity)).isTrue();
    assertThat(daemon.readParity(disk.id, ImageKind.DATA, 70_001, 5))
        .isEqualTo(java.util.Arrays.copyOfRange(disk.dataParity, 70_001, 70_006));
  }

  @Test
  void refusesWhileTheDataNodeHoldsTheLockAndServesAfterwards() throws Exception {
    try (ChildProcess dataNode =
        ChildProcess.start(
            LstorLockTest.LockHolder.class, SimLstors.file(dir, disk.id).toString())) {
      dataNode.expect("HELD");
      assertThat(daemon.info(disk.id).locked()).isTrue();
      assertThat(daemon.info(disk.id).clusterId()).isEqualTo(SimLstors.CLUSTER);
      assertThat(daemon.info(disk.id).geometry()).isEqualTo(cluster.geometry);
      assertThatThrownBy(() -> daemon.readParity(disk.id, ImageKind.DATA, 0, 1))
          .isInstanceOf(LstorInUseException.class)
          .hasMessageContaining("holder=child DataNode")
          .hasMessageContaining(disk.id);
      assertThatThrownBy(() -> daemon.entries(disk.id, OptionalInt.empty()))
          .isInstanceOf(LstorInUseException.class);
      dataNode.kill();
      org.awaitility.Awaitility.await().until(() -> !daemon.info(disk.id).locked());
    }
    assertThat(daemon.readParity(disk.id, ImageKind.DATA, 0, 3))
        .isEqualTo(java.util.Arrays.copyOf(disk.dataParity, 3));
  }

  @Test
  void letsGoWhenIdleAndAtOnceWhenWanted() throws Exception {
    daemon.readParity(disk.id, ImageKind.DATA, 0, 1);
    assertThat(served().isOpen()).isTrue();
    clock.advance(LEASE_MS - 1);
    daemon.yieldIfDue();
    assertThat(served().isOpen()).isTrue();
    daemon.readParity(disk.id, ImageKind.DATA, 0, 1);
    clock.advance(LEASE_MS - 1);
    daemon.yieldIfDue();
    assertThat(served().isOpen()).as("a read renews the lease").isTrue();
    clock.advance(1);
    daemon.yieldIfDue();
    assertThat(served().isOpen()).isFalse();

    daemon.readParity(disk.id, ImageKind.DATA, 0, 1);
    try (ChildProcess dataNode =
        ChildProcess.start(
            LstorLockTest.LockHolder.class, SimLstors.file(dir, disk.id).toString())) {
      dataNode.expect("WAITING");
      org.awaitility.Awaitility.await()
          .until(
              () -> {
                daemon.yieldIfDue();
                return !served().isOpen();
              });
      dataNode.expect("HELD");
      assertThatThrownBy(() -> daemon.readParity(disk.id, ImageKind.DATA, 0, 1))
          .isInstanceOf(LstorInUseException.class);
    }
  }

  @Test
  void countsWhoElseHasHeldItAndNotItself() throws Exception {
    long takes = daemon.takes(disk.id);
    clock.advance(LEASE_MS + 1);
    daemon.yieldIfDue();
    assertThat(served().isOpen()).isFalse();
    daemon.info(disk.id);
    assertThat(daemon.takes(disk.id)).as("open again").isEqualTo(takes);
    clock.advance(LEASE_MS + 1);
    daemon.yieldIfDue();
    LstorLock.acquire(SimLstors.file(dir, disk.id), "DataNode", 120_000).close();
    long more = daemon.takes(disk.id);
    assertThat(more).isGreaterThan(takes);
    clock.advance(LEASE_MS + 1);
    daemon.yieldIfDue();
    LstorDirectory later = new LstorDirectory(List.of(dir), LEASE_MS, clock);
    later.rescan();
    assertThat(later.takes(disk.id)).as("of a daemon that was restarted").isGreaterThan(more);
    clock.advance(LEASE_MS + 1);
    later.yieldIfDue();
  }

  @Test
  void seesWhatTheDataNodeDidWhileItHeldTheLock() throws Exception {
    assertThat(daemon.info(disk.id).frames().get(0).pairing().orElseThrow().epoch()).isEqualTo(1);
    FrameRow changed;
    try (LstorLock held = LstorLock.acquire(SimLstors.file(dir, disk.id), "DataNode", 120_000);
        Lstor lstor = SimLstors.open(dir, disk.id)) {
      FrameRow row = lstor.frames().get(0);
      changed =
          new FrameRow(
              row.frameIndex(),
              row.storageId(),
              row.superchunkId(),
              9,
              row.partnerStorageId(),
              row.partnerNodeUuid(),
              row.coefficient());
      lstor.setFrame(changed);
      assertThat(held.takeCount()).isPositive();
    }
    assertThat(daemon.info(disk.id).frames().get(0).pairing().orElseThrow().epoch()).isEqualTo(9);
    assertThat(served().isOpen()).as("a look at it does not keep it").isFalse();
  }

  @Test
  void replaysTheJournalOfAKilledDataNode() throws Exception {
    try (ChildProcess dataNode = ChildProcess.start(KilledWriter.class, dir.toString(), disk.id)) {
      dataNode.expect("DONE");
      dataNode.kill();
    }
    org.awaitility.Awaitility.await().until(() -> !daemon.info(disk.id).locked());
    assertThat(daemon.info(disk.id).frames().get(2).pairing().orElseThrow().epoch())
        .isEqualTo(KilledWriter.EPOCH);
    assertThat(
            java.util.Arrays.equals(
                daemon.readParity(disk.id, ImageKind.DATA, 0, disk.dataParity.length),
                disk.dataParity))
        .isTrue();
  }

  /** A DataNode that changes the Lstor and never checkpoints it. */
  static final class KilledWriter {
    static final long EPOCH = 41;

    public static void main(String[] args) throws Exception {
      Path dir = Path.of(args[0]);
      LstorLock lock = LstorLock.acquire(SimLstors.file(dir, args[1]), "writer", 120_000);
      Lstor lstor = SimLstors.open(dir, args[1]);
      FrameRow row = lstor.frames().get(2);
      lstor.setFrame(
          new FrameRow(
              row.frameIndex(),
              row.storageId(),
              row.superchunkId(),
              EPOCH,
              row.partnerStorageId(),
              row.partnerNodeUuid(),
              row.coefficient()));
      System.out.println("DONE " + lock.takeCount());
      System.in.read();
      lstor.close();
    }
  }

  @Test
  void hostileArgumentsAreRefusedByName() {
    String id = disk.id;
    assertThatThrownBy(() -> daemon.readParity(id, ImageKind.DATA, -1, 10))
        .isInstanceOf(LstorException.Refused.class)
        .hasMessageContaining("position=-1");
    assertThatThrownBy(() -> daemon.readParity(id, ImageKind.DATA, 0, -5))
        .isInstanceOf(LstorException.Refused.class)
        .hasMessageContaining("count=-5");
    assertThatThrownBy(() -> daemon.readParity(id, ImageKind.DATA, 0, 0))
        .isInstanceOf(LstorException.Refused.class);
    assertThatThrownBy(() -> daemon.readParity(id, ImageKind.META, 0, Integer.MAX_VALUE))
        .isInstanceOf(LstorException.Refused.class)
        .hasMessageContaining("count=2147483647");
    assertThatThrownBy(() -> daemon.readParity(id, ImageKind.META, Long.MAX_VALUE, 10))
        .isInstanceOf(LstorException.Refused.class)
        .hasMessageContaining("position=9223372036854775807");
    assertThatThrownBy(() -> daemon.readParity(id, ImageKind.META, disk.metaParity.length - 4, 5))
        .isInstanceOf(LstorException.Refused.class);
    assertThatThrownBy(() -> daemon.entries(id, OptionalInt.of(3)))
        .isInstanceOf(LstorException.Refused.class)
        .hasMessageContaining("frame=3");
    assertThatThrownBy(() -> daemon.entries(id, OptionalInt.of(-1)))
        .isInstanceOf(LstorException.Refused.class);
    for (String unknown : List.of("", "nope", "../" + id, id + ".lock")) {
      assertThatThrownBy(() -> daemon.info(unknown))
          .isInstanceOf(UnknownLstorException.class)
          .hasMessageContaining("disk=" + unknown);
    }
  }

  @Test
  void aDamagedParityByteIsRefusedNotServed() throws Exception {
    daemon.close();
    Path file = SimLstors.file(dir, disk.id);
    int hit = flipOne(file, disk.dataParity);
    assertThatThrownBy(() -> daemon.readParity(disk.id, ImageKind.DATA, hit, 1))
        .isInstanceOf(LstorException.CorruptParity.class);
    daemon.close();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThat(LstorFileCheck.run(List.of(file.toString()), new PrintStream(out)))
        .isEqualTo(LstorFileCheck.UNSOUND);
    assertThat(out.toString()).contains("ERROR");
  }

  /**
   * Finds the parity region in the file by its content and damages a byte of it; answers where in
   * the region.
   */
  private static int flipOne(Path file, byte[] parity) throws IOException {
    byte[] all = Files.readAllBytes(file);
    int needle = 0;
    while (parity[needle] == 0) {
      needle++;
    }
    byte[] piece = java.util.Arrays.copyOfRange(parity, needle, needle + 64);
    for (int at = all.length - 64; at >= 0; at--) {
      if (java.util.Arrays.equals(all, at, at + 64, piece, 0, 64)) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.write(ByteBuffer.wrap(new byte[] {(byte) (all[at] ^ 1)}), at);
        }
        return needle;
      }
    }
    throw new AssertionError("parity not found in file");
  }

  @Test
  void theOfflineCheckSaysSoundAndKeepsOffALstorInUse() throws Exception {
    Path file = SimLstors.file(dir, disk.id);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThat(LstorFileCheck.run(List.of(file.toString()), new PrintStream(out)))
        .isEqualTo(LstorFileCheck.SOUND);
    assertThat(out.toString()).contains("sound, rows=" + disk.rows.size());
    try (LstorLock held = LstorLock.acquire(file, "DataNode", 120_000)) {
      assertThat(LstorFileCheck.run(List.of(file.toString()), new PrintStream(out)))
          .isEqualTo(LstorFileCheck.UNSOUND);
      assertThat(held.takeCount()).isPositive();
    }
    assertThat(out.toString()).contains("holder=DataNode");
    assertThat(LstorFileCheck.run(List.of(), new PrintStream(out))).isEqualTo(LstorFileCheck.USAGE);
    assertThat(
            LstorFileCheck.run(List.of(dir.resolve("lstor-none").toString()), new PrintStream(out)))
        .isEqualTo(LstorFileCheck.UNSOUND);
  }

  @Test
  void readsInFlightEndBeforeTheLstorIsClosed() throws Exception {
    ExecutorService readers = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> futures = new java.util.ArrayList<>();
      for (int i = 0; i < 4; i++) {
        futures.add(
            readers.submit(
                () -> {
                  for (int round = 0; round < 50; round++) {
                    byte[] data =
                        daemon.readParity(disk.id, ImageKind.DATA, 0, disk.dataParity.length);
                    assertThat(java.util.Arrays.equals(data, disk.dataParity)).isTrue();
                  }
                  return null;
                }));
      }
      while (!futures.stream().allMatch(Future::isDone)) {
        clock.advance(LEASE_MS);
        daemon.yieldIfDue();
      }
      for (Future<?> future : futures) {
        future.get();
      }
    } finally {
      readers.shutdownNow();
    }
  }

  @Test
  void aFileThatIsNoLstorIsReportedWithTheReason() throws IOException {
    Files.write(dir.resolve("lstor-junk"), new byte[100_000]);
    daemon.rescan();
    ServedLstor junk =
        daemon.all().stream().filter(l -> l.diskId().equals("junk")).findFirst().orElseThrow();
    assertThat(LstorReporter.describe(junk, "h", 1).failure()).isPresent();
    assertThatThrownBy(() -> daemon.entries("junk", OptionalInt.empty()))
        .isInstanceOf(LstorException.class);
    assertThat(ParityKind.values()).hasSize(2);
  }
}
