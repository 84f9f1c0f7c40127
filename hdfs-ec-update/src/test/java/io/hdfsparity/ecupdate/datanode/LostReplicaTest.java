/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.datanode.DatasetAccess.ReplicaView;
import io.hdfsparity.bridge.datanode.ReadCaller;
import io.hdfsparity.bridge.datanode.ReplicaSnapshot;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import io.hdfsparity.ecupdate.storage.BlockEngine;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Block files that vanish and come back. The changes of the replica are in the log only: a file
 * that is read without them has older bytes.
 */
class LostReplicaTest extends UpdateVolumeFixture {
  private ReplicaView replica;
  private Path folder;
  private Path aside;

  @BeforeEach
  void keepChangesInTheLog() {
    scheme = "FL";
    replica = disk.replica(OneVolume.STORAGE, BLOCK);
    folder = replica.blockFile().toPath().getParent();
    aside = root.resolve("aside");
  }

  /** The folder of the replica is moved away. */
  private void moveAway() throws IOException {
    Files.move(folder, aside);
  }

  /** Something is in the way of whoever looks into the folder: here, a loop of links. */
  private void obstruct() throws IOException {
    Files.move(folder, aside);
    Files.createSymbolicLink(folder, folder.getFileName());
    assertThat(replica.blockFile().exists()).isFalse();
  }

  private void moveBack() throws IOException {
    Files.deleteIfExists(folder);
    Files.move(aside, folder);
  }

  /** As the directory scanner: the hooks are notified, then HDFS forgets the replica. */
  private void lose() throws IOException {
    volume.changes().lost(BLOCK);
    disk.forget(BLOCK);
  }

  /** As the directory scanner, when the file is there again. */
  private void scan() throws IOException {
    volume.changes().restored(BLOCK, replica.blockFile());
    disk.find(replica);
  }

  private void assertRefused() {
    assertThatThrownBy(this::scan)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("block=" + BLOCK)
        .hasMessageContaining("its block file was gone");
    assertThat(volume.reads().withheld()).containsExactly(BLOCK);
    disk.find(replica);
    assertThatThrownBy(() -> open(ReadCaller.CLIENT)).isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(() -> admit(DATA)).isInstanceOf(IOException.class);
    disk.forget(BLOCK);
  }

  private void assertContent() throws IOException {
    try (ReplicaSnapshot snapshot = open(ReadCaller.CLIENT)) {
      assertThat(read(snapshot)).isEqualTo(content);
    }
  }

  @Test
  void aFileThatWasGoneIsNotServedWithoutItsChanges() throws Exception {
    admit(DATA);
    swap(100, new byte[] {1, 2, 3});
    moveAway();
    lose();
    assertThat(volume.reads().withheld()).as("nothing is there to be withheld").isEmpty();
    moveBack();
    assertRefused();
    // HDFS finds it at the next start.
    disk.find(replica);
    restart();
    assertThat(volume.reads().withheld()).containsExactly(BLOCK);
    assertThatThrownBy(() -> open(ReadCaller.CLIENT)).isInstanceOf(FileNotFoundException.class);
    assertThat(disk.discarded).as("HDFS would refuse a copy beside it").containsExactly(BLOCK);
    // As HDFS does then.
    UpdateVolumeHooks hooks = new UpdateVolumeHooks(volume, () -> false);
    hooks.removing(OneVolume.POOL, replica.blockFile());
    Files.delete(replica.blockFile().toPath());
    hooks.removing(OneVolume.POOL, replica.metaFile());
    Files.delete(replica.metaFile().toPath());
    disk.forget(BLOCK);
    Files.delete(folder);
    assertThat(volume.reads().withheld()).isEmpty();
    receiveCopy();
    assertCopyIsServed();
  }

  @Test
  void theSameOfParity() throws Exception {
    admit(PARITY);
    add(100, new byte[] {1, 2, 3});
    moveAway();
    lose();
    moveBack();
    assertRefused();
  }

  @Test
  void theSameAfterRestartsWithoutIt() throws Exception {
    admit(DATA);
    swap(100, new byte[] {1, 2, 3});
    moveAway();
    lose();
    assertRefusedAfterRestartsWithoutIt();
  }

  @Test
  void theSameIfItWasGoneAtAStart() throws Exception {
    admit(DATA);
    swap(100, new byte[] {1, 2, 3});
    moveAway();
    disk.forget(BLOCK);
    assertRefusedAfterRestartsWithoutIt();
  }

  /** It would take room for ever; only that it was here is kept. */
  @Test
  void theStateOfAFileThatIsGoneIsDropped() throws Exception {
    admit(DATA);
    swap(100, new byte[] {1, 2, 3});
    moveAway();
    lose();
    try (Stream<Path> files = Files.list(root.resolve("ecupdate/BP-1"))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .contains("blk_" + BLOCK + ".removed")
          .noneMatch(name -> name.endsWith(".replica") || name.endsWith(".state"));
    }
  }

  /** HDFS deletes the checksum file of a block file that it does not find. */
  @Test
  void itStaysRefusedWhenItsChecksumFileIsDeleted() throws Exception {
    admit(DATA);
    swap(100, new byte[] {1, 2, 3});
    Files.move(replica.blockFile().toPath(), aside);
    lose();
    new UpdateVolumeHooks(volume, () -> false).removing(OneVolume.POOL, replica.metaFile());
    Files.move(aside, replica.blockFile().toPath());
    assertRefused();
  }

  @Test
  void aFileThatCannotBeAccessedKeepsItsChanges() throws Exception {
    admit(DATA);
    swap(100, new byte[] {1, 2, 3});
    obstruct();
    lose();
    moveBack();
    scan();
    assertContent();
    admit(DATA);
    swap(200, new byte[] {4, 5, 6});
    restart();
    assertContent();
  }

  /** HDFS deletes files of a folder that it cannot look into: for it they are deleted then. */
  @Test
  void aDeletedFileThatCannotBeAccessedIsNotServedAfterwards() throws Exception {
    admit(DATA);
    swap(100, new byte[] {1, 2, 3});
    UpdateVolumeHooks hooks = new UpdateVolumeHooks(volume, () -> false);
    obstruct();
    hooks.removing(OneVolume.POOL, replica.blockFile());
    hooks.removing(OneVolume.POOL, replica.metaFile());
    disk.forget(BLOCK);
    moveBack();
    assertThatThrownBy(this::scan)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("its deletion has begun");
    disk.find(replica);
    restart();
    assertThat(volume.reads().withheld()).containsExactly(BLOCK);
  }

  /** As after umount -l: the log stays open, and what is noted there must fit the rest. */
  @Test
  void nothingIsDroppedWhereTheDiskIsUnmounted() throws Exception {
    admit(DATA);
    swap(100, new byte[] {1, 2, 3});
    List<String> names = List.of("current", "ecupdate");
    Files.createDirectory(aside);
    for (String name : names) {
      Files.move(root.resolve(name), aside.resolve(name));
    }
    assertThatThrownBy(() -> volume.changes().lost(BLOCK))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is the disk mounted?")
        .hasMessageContaining("blk_" + BLOCK + ".replica");
    for (String name : names) {
      Files.move(aside.resolve(name), root.resolve(name));
    }
    assertContent();
    restart();
    assertThat(volume.reads().withheld()).isEmpty();
    assertContent();
  }

  /** HDFS has rebuilt it, perhaps on the same disk: the copy is complete, and takes no updates. */
  @Test
  void aCopyOfALostReplicaIsServed() throws Exception {
    admit(DATA);
    swap(100, new byte[] {1, 2, 3});
    moveAway();
    lose();
    receiveCopy();
    assertCopyIsServed();
  }

  /** As the log says: HDFS had forgotten it before, and notices nothing. */
  @Test
  void aCopyIsServedIfTheFileThatHadComeBackWasDeleted() throws Exception {
    admit(DATA);
    swap(100, new byte[] {1, 2, 3});
    moveAway();
    lose();
    moveBack();
    assertRefused();
    delete(folder);
    receiveCopy();
    assertCopyIsServed();
  }

  @Test
  void aCopyIsServedIfAFileThatCouldNotBeAccessedWasDeleted() throws Exception {
    admit(DATA);
    swap(100, new byte[] {1, 2, 3});
    obstruct();
    lose();
    Files.delete(folder);
    receiveCopy();
    assertCopyIsServed();
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }

  /** Another DataNode has rebuilt it. */
  private void receiveCopy() throws IOException {
    Path sent = Files.createDirectories(root.resolve("current/BP-1/tmp"));
    Path block = sent.resolve(replica.blockFile().getName());
    Path meta = sent.resolve(replica.metaFile().getName());
    Files.write(block, content);
    Files.write(meta, TestReplica.meta(content));
    new UpdateVolumeHooks(volume, () -> false)
        .finalizing(
            OneVolume.POOL, BLOCK, OneVolume.STAMP, block.toFile(), meta.toFile(), LENGTH_BYTES);
    Files.createDirectory(folder);
    Files.move(meta, replica.metaFile().toPath());
    Files.move(block, replica.blockFile().toPath());
    disk.find(replica);
  }

  private void assertRefusedAfterRestartsWithoutIt() throws Exception {
    for (int life = 0; life < 2; life++) {
      restart();
      assertThat(volume.reads().withheld()).isEmpty();
    }
    moveBack();
    assertRefused();
  }

  private void assertCopyIsServed() throws IOException {
    for (int life = 0; life < 2; life++) {
      assertThat(volume.reads().withheld()).isEmpty();
      assertContent();
      assertThatThrownBy(() -> admit(DATA)).isInstanceOf(ReplicaRetiredException.class);
      restart();
    }
  }

  /** Nobody notices: HDFS had forgotten it before. Its changes would fill the log. */
  @Test
  void changesOfAFileThatWasDeletedWhileItCouldNotBeAccessedAreDropped() throws Exception {
    long other = BLOCK - (1 << 20);
    disk.add(other, content);
    admit(DATA);
    volume.admit(other, descriptor(DATA));
    swap(100, new byte[] {1, 2, 3});
    obstruct();
    lose();
    volume.loseDeleted();
    assertThat(volume.admitted()).as("it may be there").containsExactlyInAnyOrder(BLOCK, other);
    Files.delete(folder);
    volume.loseDeleted();
    assertThat(volume.admitted()).containsExactly(other);
    fillLog(other);
    moveBack();
    assertRefused();
  }

  /** Writes more than the log has room for. */
  private void fillLog(long blockId) throws Exception {
    SlotKey slot = new SlotKey(new ReplicaKey(OneVolume.POOL, blockId), 0);
    for (int i = 0; i < 1000; i++) {
      Tid tid = new Tid(1, ++tids, 0);
      byte[] fresh = new byte[CELL_BYTES];
      fresh[0] = (byte) i;
      BlockEngine engine = volume.engineOf(blockId);
      engine.handle(slot, new Request.Swap(new Patch(0, Bytes.wrap(fresh)), tid)).get();
      engine.handle(slot, new Request.GcRecent(List.of(tid))).get();
      engine.handle(slot, new Request.GcOld(List.of(tid))).get();
    }
  }

  /** A copy that arrives over a file that has come back is not known to have got there. */
  @Test
  void aCopyThatMeetsALostFileIsGarbageUntilItIsRecovered() throws Exception {
    admit(DATA);
    swap(100, new byte[] {1, 2, 3});
    moveAway();
    lose();
    moveBack();
    volume
        .changes()
        .arriving(BLOCK, OneVolume.STAMP, replica.blockFile(), replica.metaFile(), LENGTH_BYTES);
    disk.find(replica);
    for (int life = 0; life < 2; life++) {
      try (ReplicaSnapshot copy = open(ReadCaller.CLIENT)) {
        assertThatThrownBy(() -> read(copy)).hasMessageContaining("INIT");
      }
      restart();
    }
  }

  /** What was made from it is still there. */
  @Test
  void aCopiedReplicaThatWasGoneTakesNoUpdates() throws Exception {
    volume.changes().copyArrived(BLOCK);
    moveAway();
    lose();
    moveBack();
    scan();
    assertThatThrownBy(() -> admit(DATA)).isInstanceOf(ReplicaRetiredException.class);
    assertContent();
  }

  /** HDFS keeps two files of a block, and takes the one that it finds first at each start. */
  @Test
  void aReplicaThatHdfsDoesNotUseKeepsItsChanges() throws Exception {
    admit(DATA);
    swap(100, new byte[] {1, 2, 3});
    disk.forget(BLOCK);
    for (int life = 0; life < 2; life++) {
      restart();
      assertThat(volume.reads().withheld()).containsExactly(BLOCK);
    }
    disk.find(replica);
    restart();
    assertThat(volume.reads().withheld()).isEmpty();
    assertContent();
  }
}
