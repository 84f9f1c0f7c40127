/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.datanode.DatasetAccess.ReplicaView;
import io.hdfsparity.bridge.datanode.ReadCaller;
import io.hdfsparity.bridge.datanode.ReplicaSnapshot;
import io.hdfsparity.bridge.datanode.SnapshotReads;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.storage.ShrinkMode;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Files of an updated replica: what HDFS may do to them, restarts, and damage. */
class UpdateVolumeFilesTest extends UpdateVolumeFixture {
  /** Behind the engine's back; from trash a rollback would bring it back without its changes. */
  @Test
  void hdfsDoesNotChangeTheFilesOfWhatIsUpdated() throws Exception {
    UpdateVolumeHooks hooks = new UpdateVolumeHooks(volume, () -> true);
    ReplicaView replica = disk.replica(OneVolume.STORAGE, BLOCK);
    File block = replica.blockFile();
    File meta = replica.metaFile();
    Map<String, ThrowingCallable> changes =
        Map.of(
            "change a replica",
            () ->
                hooks.finalizing(
                    OneVolume.POOL, BLOCK, OneVolume.STAMP + 1, block, meta, LENGTH_BYTES),
            "reopen a replica",
            () -> hooks.reopening(OneVolume.POOL, BLOCK, block, meta, LENGTH_BYTES + 1),
            "truncate a replica",
            () -> hooks.truncating(OneVolume.POOL, BLOCK, block, meta, LENGTH_BYTES - 1),
            "move a replica to trash",
            () -> hooks.removing(OneVolume.POOL, block));
    for (ThrowingCallable each : changes.values()) {
      assertThatCode(each).doesNotThrowAnyException();
    }
    admit(0);
    changes.forEach(
        (doing, change) ->
            assertThatThrownBy(change)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(doing)
                .hasMessageContaining("block=" + BLOCK)
                .hasMessageContaining("updated in place"));
    swap(100, new byte[] {1, 2, 3});
    try (ReplicaSnapshot snapshot = open(ReadCaller.CLIENT)) {
      assertThat(read(snapshot)).isEqualTo(content);
    }
  }

  /** A rollback of the upgrade brings it back; what was made from it is still there. */
  @Test
  void whatGoesToTrashStaysCopied() throws Exception {
    File block = disk.replica(OneVolume.STORAGE, BLOCK).blockFile();
    volume.changes().copyArrived(BLOCK);
    new UpdateVolumeHooks(volume, () -> true).removing(OneVolume.POOL, block);
    assertThatThrownBy(() -> admit(0)).isInstanceOf(ReplicaRetiredException.class);
    new UpdateVolumeHooks(volume, () -> false).removing(OneVolume.POOL, block);
    admit(0);
  }

  @Test
  void aBlockFileOfAnotherLengthIsNotTheOneThatIsUpdated() throws Exception {
    File other = root.resolve("other").toFile();
    Files.write(other.toPath(), new byte[LENGTH_BYTES - 1]);
    // Of one that nobody has updated HDFS judges by itself.
    volume.changes().restored(BLOCK, other);
    admit(0);
    assertThatThrownBy(() -> volume.changes().restored(BLOCK, other))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("block=" + BLOCK)
        .hasMessageContaining("lengthBytes=" + (LENGTH_BYTES - 1));
    volume.changes().restored(BLOCK, disk.place(BLOCK));
  }

  @Test
  void poolsThatHaveUpdatesAndReplicasAreKnown() throws Exception {
    Files.createDirectories(root.resolve("ecupdate/BP-gone"));
    Files.createDirectories(root.resolve("current/BP-plain"));
    assertThat(volume.pools()).containsExactly(OneVolume.POOL);
  }

  @Test
  void changesOutliveARestart() throws Exception {
    admit(0);
    swap(100, new byte[] {1, 2, 3});
    restart();
    assertThat(volume.reads().withheld()).isEmpty();
    try (ReplicaSnapshot snapshot = open(ReadCaller.CHECKSUM)) {
      assertThat(read(snapshot)).isEqualTo(content);
    }
    swap(200, new byte[] {1, 2, 3});
  }

  /** Section 4.2.2 of the PLR paper, beside the thread that moves deltas. */
  @Test
  void reservedSpaceThatIsNotUsedGoesBackAtTheEndOfPeriods() throws Exception {
    scheme = "PLR";
    admit(PARITY);
    add(100, new byte[] {1, 2, 3});
    Path space = root.resolve("ecupdate/BP-1/blk_" + BLOCK + ".plr");
    await().until(() -> Files.exists(space) && Files.size(space) > 0);
    long reservedBytes = Files.size(space);
    UpdateVolume open = volume;
    try (ReservedPeriods periods =
        ReservedPeriods.start(() -> List.of(open), 5, ShrinkMode.SHRINK_AND_MERGE, 3)) {
      await().until(() -> Files.size(space) < reservedBytes / 2);
      add(300, new byte[] {4, 5, 6});
      await().until(() -> Arrays.equals(Files.readAllBytes(disk.place(BLOCK).toPath()), content));
    }
    long leftBytes = Files.size(space);
    try (ReservedPeriods none =
        ReservedPeriods.start(() -> List.of(open), 0, ShrinkMode.SHRINK_ONLY, 3)) {
      add(500, new byte[] {7});
    }
    restart();
    assertThat(Files.size(space)).isEqualTo(leftBytes);
    volume.engineOf(BLOCK).merge(new ReplicaKey(OneVolume.POOL, BLOCK));
    assertThat(Files.readAllBytes(disk.place(BLOCK).toPath())).isEqualTo(content);
  }

  @Test
  void withoutItsLogAReplicaIsWithheld() throws Exception {
    admit(0);
    swap(100, new byte[] {1, 2, 3});
    volume.close();
    Files.delete(root.resolve("ecupdate/BP-1/update.log"));
    restart();
    assertThat(volume.reads().withheld()).containsExactly(BLOCK);
    assertThatThrownBy(() -> open(ReadCaller.CLIENT))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("update.log");
    disk.add(BLOCK - 16, new byte[100]);
    assertThatThrownBy(() -> volume.admit(BLOCK - 16, descriptor(0)))
        .isInstanceOf(IOException.class);
  }

  @Test
  void withADamagedDescriptorItIsWithheldAndItsChangesAreKept() throws Exception {
    scheme = "FL"; // which leaves changes in the log
    admit(0);
    swap(100, new byte[] {1, 2, 3});
    Path file = root.resolve("ecupdate/BP-1/blk_" + BLOCK + ".replica");
    byte[] descriptor = Files.readAllBytes(file);
    byte[] damaged = descriptor.clone();
    damaged[40] ^= 1;
    volume.close();
    Files.write(file, damaged);
    restart();
    assertThat(volume.reads().withheld()).containsExactly(BLOCK);
    assertThatThrownBy(() -> open(ReadCaller.CLIENT)).isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(() -> admit(0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("one whose changes are known");
    volume.close();
    Files.write(file, descriptor);
    restart();
    try (ReplicaSnapshot snapshot = open(ReadCaller.CLIENT)) {
      assertThat(read(snapshot)).isEqualTo(content);
    }
  }

  @Test
  void aDeletionThatWasCutShortLeavesNoReplica() throws Exception {
    admit(0);
    swap(100, new byte[] {1, 2, 3});
    volume.changes().deleting(BLOCK);
    assertThatThrownBy(() -> open(ReadCaller.CLIENT)).isInstanceOf(FileNotFoundException.class);
    restart();
    assertThat(volume.reads().withheld()).containsExactly(BLOCK);
    assertThatThrownBy(() -> open(ReadCaller.CLIENT)).isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(() -> volume.changes().restored(BLOCK, disk.place(BLOCK)))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> admit(0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("its deletion has begun");
    Files.delete(disk.place(BLOCK).toPath());
    disk.forget(BLOCK);
    volume.changes().deleted(BLOCK);
    assertThat(volume.reads().withheld()).isEmpty();
    restart();
    assertThat(volume.reads().withheld()).isEmpty();
    // A block of that name that comes now is another one.
    new Random(3).nextBytes(content);
    disk.add(BLOCK, content);
    try (ReplicaSnapshot plain = open(ReadCaller.DATANODE)) {
      assertThat(read(plain)).isEqualTo(content);
    }
  }

  /** As after a write error; what the log has of it goes when it is opened next. */
  @Test
  void aReplicaIsDeletedThoughTheEngineHasStopped() throws Exception {
    admit(0);
    swap(100, new byte[] {1, 2, 3});
    Files.createDirectory(root.resolve("ecupdate/BP-1/blk_" + BLOCK + ".state.tmp"));
    assertThatThrownBy(() -> volume.running().convert(new ReplicaKey(OneVolume.POOL, BLOCK), "FO"))
        .hasMessageContaining("reopen the engine");
    assertThatThrownBy(() -> swap(0, new byte[] {5})).hasMessageContaining("reopen the engine");
    volume.changes().deleting(BLOCK);
    Files.delete(disk.place(BLOCK).toPath());
    disk.forget(BLOCK);
    volume.changes().deleted(BLOCK);
    restart();
    assertThat(volume.reads().withheld()).isEmpty();
  }

  /** Else reads of it would be refused as well, until the DataNode is restarted. */
  @Test
  void anEngineThatHasStoppedAdmitsNothing() throws Exception {
    long other = BLOCK - 32;
    ReplicaView plain = disk.add(other, content);
    admit(0);
    Files.createDirectory(root.resolve("ecupdate/BP-1/blk_" + BLOCK + ".state.tmp"));
    assertThatThrownBy(() -> volume.running().convert(new ReplicaKey(OneVolume.POOL, BLOCK), "FO"))
        .hasMessageContaining("reopen the engine");
    int copies = disk.roomAsked.get();
    assertThatThrownBy(() -> volume.admit(other, descriptor(0)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("reopen the engine");
    assertThat(disk.roomAsked).as("its files are not copied").hasValue(copies);
    assertThat(volume.isAdmitted(other)).isFalse();
    assertThat(root.resolve("ecupdate/BP-1/blk_" + other + ".replica")).doesNotExist();
    try (ReplicaSnapshot snapshot =
        volume
            .reads()
            .open(
                new SnapshotReads.Request(
                    OneVolume.POOL,
                    other,
                    plain.generationStamp(),
                    plain.lengthBytes(),
                    plain.blockFile(),
                    plain.metaFile(),
                    ReadCaller.CLIENT))) {
      assertThat(read(snapshot)).isEqualTo(content);
    }
  }

  /** On some file systems the one does not follow from the other: a crash brings the file back. */
  @Test
  void aDeletionIsRememberedUntilTheNameOfTheBlockFileIsDurablyGone() throws Exception {
    admit(0);
    swap(100, new byte[] {1, 2, 3});
    volume.changes().deleting(BLOCK);
    disk.forget(BLOCK);
    Path folder = disk.place(BLOCK).getParentFile().toPath();
    Path aside = root.resolve("aside");
    Files.move(folder, aside);
    Files.createSymbolicLink(folder, root.resolve("nowhere"));
    // Its folder cannot be opened to be forced.
    assertThatThrownBy(() -> volume.changes().deleted(BLOCK)).isInstanceOf(IOException.class);
    Path marker = root.resolve("ecupdate/BP-1/blk_" + BLOCK + ".removed");
    assertThat(marker).exists();
    Files.delete(folder);
    Files.move(aside, folder);
    Files.delete(disk.place(BLOCK).toPath());
    volume.changes().deleted(BLOCK);
    assertThat(marker).doesNotExist();
  }

  /** Blocks that were never updated are served all the same. */
  @Test
  void aLogThatIsTooSmallForWhatIsConfiguredStopsNoVolume() throws Exception {
    admit(0);
    swap(100, new byte[] {1, 2, 3});
    disk.add(BLOCK - 32, content);
    volume.close();
    logBytes = "64M";
    recordBytes = "4M";
    restart();
    assertThat(volume.reads().withheld()).containsExactly(BLOCK);
    assertThatThrownBy(() -> admit(0)).hasMessageContaining("record.max.bytes");
    volume.close();
    logBytes = "1M";
    recordBytes = "64K";
    restart();
    assertThat(volume.reads().withheld()).isEmpty();
  }

  @Test
  void aCopyUnderTheNameOfOneThatHadUpdatesIsGarbageUntilItIsRecovered() throws Exception {
    admit(0);
    swap(100, new byte[] {1, 2, 3});
    ReplicaView replica = disk.replica(OneVolume.STORAGE, BLOCK);
    volume.changes().deleting(BLOCK);
    arrive(replica);
    for (int life = 0; life < 2; life++) {
      assertThat(volume.reads().withheld()).isEmpty();
      try (ReplicaSnapshot copy = open(ReadCaller.CLIENT)) {
        assertThatThrownBy(() -> read(copy))
            .isInstanceOf(FileNotFoundException.class)
            .hasMessageContaining("INIT");
      }
      restart();
    }
  }

  /** HDFS deletes what it could not finalize, and may send it again. */
  @Test
  void aCopyThatArrivesOnAFullDiskIsRefusedAlone() throws Exception {
    long other = BLOCK - 16;
    disk.add(other, content);
    admit(0);
    volume.admit(other, descriptor(0));
    ReplicaView replica = disk.replica(OneVolume.STORAGE, BLOCK);
    volume.changes().deleting(BLOCK);
    Path full = root.resolve("ecupdate/BP-1/blk_" + BLOCK + ".state.tmp");
    Files.createSymbolicLink(full, Path.of("/dev/full"));
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> arrive(replica))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("No space left on device")
          .hasMessageContaining("make room on the disk");
      assertThat(volume.reads().withheld()).containsExactly(BLOCK);
      assertThat(volume.running().status().failure()).isEmpty();
      volume.running().openReader(new ReplicaKey(OneVolume.POOL, other)).close();
    }
    Files.delete(full);
    arrive(replica);
    assertThat(volume.reads().withheld()).isEmpty();
    try (ReplicaSnapshot copy = open(ReadCaller.CLIENT)) {
      assertThatThrownBy(() -> read(copy)).hasMessageContaining("INIT");
    }
  }

  /** HDFS has queued the file of the first one for deletion, and the DataNode is killed before. */
  @Test
  void aCopyThatIsRefusedDoesNotBringBackTheOneBefore() throws Exception {
    admit(0);
    swap(100, new byte[] {1, 2, 3});
    ReplicaView replica = disk.replica(OneVolume.STORAGE, BLOCK);
    volume.changes().deleting(BLOCK);
    Path full = root.resolve("ecupdate/BP-1/blk_" + BLOCK + ".state.tmp");
    Files.createSymbolicLink(full, Path.of("/dev/full"));
    assertThatThrownBy(() -> arrive(replica)).hasMessageContaining("No space left on device");
    Files.delete(full);
    for (int life = 0; life < 2; life++) {
      restart();
      assertThat(volume.reads().withheld()).containsExactly(BLOCK);
    }
    arrive(replica);
    restart();
    assertThat(volume.reads().withheld()).isEmpty();
    try (ReplicaSnapshot copy = open(ReadCaller.CLIENT)) {
      assertThatThrownBy(() -> read(copy)).hasMessageContaining("INIT");
    }
  }

  private void arrive(ReplicaView replica) throws IOException {
    volume
        .changes()
        .arriving(BLOCK, OneVolume.STAMP, replica.blockFile(), replica.metaFile(), LENGTH_BYTES);
  }
}
