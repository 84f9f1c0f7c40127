/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.datanode.DatasetAccess.ReplicaView;
import io.hdfsparity.bridge.datanode.SnapshotReads;
import io.hdfsparity.bridge.datanode.VolumeHooks;
import io.hdfsparity.ecupdate.config.StorageKey;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The disk of a replica with changes is away, HDFS rebuilds the replica on another disk of the
 * DataNode, and the disk returns. HDFS uses one of the two files, and deletes the other.
 */
class ReturnedReplicasTest extends UpdateVolumeFixture {
  private static final String OTHER = "DS-2";
  @TempDir Path otherRoot;
  private OneVolume other;
  private ReplicaView returned;
  private ReplicaView rebuilt;

  @BeforeEach
  void changeAndRebuild() throws Exception {
    scheme = "FL";
    other = new OneVolume(otherRoot);
    returned = disk.replica(OneVolume.STORAGE, BLOCK);
    admit(DATA);
    swap(100, new byte[] {1, 2, 3});
    volume.close();
  }

  @Override
  void configure(Configuration conf) {
    conf.set(StorageKey.QUIET.key(), "1ms");
  }

  private TwoVolumes node(boolean isReturnedThere) throws IOException {
    return isReturnedThere
        ? new TwoVolumes(Map.of(OneVolume.STORAGE, disk, OTHER, other), conf())
        : new TwoVolumes(Map.of(OTHER, other), conf());
  }

  /** A file comes to the other disk, from another DataNode or disk. */
  private ReplicaView arrive(TwoVolumes node) throws IOException {
    ReplicaView view = other.add(BLOCK, content);
    File sent =
        Files.createDirectories(otherRoot.resolve("current/BP-1/tmp"))
            .resolve(view.blockFile().getName())
            .toFile();
    node.hooks(OTHER)
        .finalizing(OneVolume.POOL, BLOCK, OneVolume.STAMP, sent, view.metaFile(), LENGTH_BYTES);
    return view;
  }

  private void rebuild() throws IOException {
    try (TwoVolumes node = node(/* isReturnedThere= */ false).start()) {
      rebuilt = arrive(node);
    }
  }

  private Path update(String suffix) {
    return root.resolve("ecupdate/BP-1/blk_" + BLOCK + suffix);
  }

  private static void assertNotDeleted(TwoVolumes node, String storageId, ReplicaView replica) {
    for (File file : new File[] {replica.blockFile(), replica.metaFile()}) {
      assertThatThrownBy(() -> node.hooks(storageId).removing(OneVolume.POOL, file))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("block=" + BLOCK);
    }
  }

  private void assertRebuiltIsServed(TwoVolumes node) throws IOException {
    assertThat(node.hooks(OTHER).snapshotReads().withheld()).isEmpty();
    try (var snapshot = node.hooks(OTHER).snapshotReads().open(TwoVolumes.request(rebuilt))) {
      assertThat(read(snapshot)).isEqualTo(content);
    }
    assertThat(other.discarded).isEmpty();
  }

  /** HDFS has the returned one in its map, and could not delete the rebuilt one. */
  private void useReturned() {
    other.keep(BLOCK);
    other.isUsedElsewhere = disk::isUsed;
  }

  private void assertRebuiltIsUsedOnceTheReturnedOneIsDeleted(TwoVolumes node) throws IOException {
    assertThat(disk.discarded).containsExactly(BLOCK);
    assertThat(other.isUsed(BLOCK)).isFalse();
    disk.forget(BLOCK);
    Files.delete(returned.blockFile().toPath());
    assertThat(node.hooks(OneVolume.STORAGE).removing(OneVolume.POOL, returned.metaFile()))
        .isFalse();
    Files.delete(returned.metaFile().toPath());
    await("HDFS uses the rebuilt one").until(() -> other.isUsed(BLOCK));
    assertRebuiltIsServed(node);
  }

  @Test
  void theRebuiltReplicaThatHdfsUsesStaysInUse() throws Exception {
    rebuild();
    disk.forget(BLOCK);
    for (int life = 0; life < 2; life++) {
      try (TwoVolumes node = node(/* isReturnedThere= */ true).start()) {
        assertRebuiltIsServed(node);
        assertThat(node.hooks(OneVolume.STORAGE).snapshotReads().withheld()).isEmpty();
      }
      assertThat(returned.blockFile()).doesNotExist();
      assertThat(returned.metaFile()).doesNotExist();
      assertThat(update(".replica")).doesNotExist();
      assertThat(update(".removed")).doesNotExist();
    }
  }

  /** Whose changes may be unreadable, and nobody would have the unit then. */
  @Test
  void theRebuiltReplicaIsNotDeletedForTheReturnedOne() throws Exception {
    rebuild();
    useReturned();
    for (int life = 0; life < 2; life++) {
      disk.discarded.clear();
      try (TwoVolumes node = node(/* isReturnedThere= */ true)) {
        assertNotDeleted(node, OTHER, rebuilt);
        node.start();
        // It is cut short before HDFS deletes the files.
        assertThat(disk.discarded).containsExactly(BLOCK);
        assertThat(node.hooks(OneVolume.STORAGE).snapshotReads().withheld()).containsExactly(BLOCK);
        assertRebuiltIsServed(node);
      }
      assertThat(update(".replica")).doesNotExist();
      assertThat(update(".removed")).exists();
    }
    disk.discarded.clear();
    try (TwoVolumes node = node(/* isReturnedThere= */ true)) {
      assertNotDeleted(node, OTHER, rebuilt);
      node.start();
      assertRebuiltIsUsedOnceTheReturnedOneIsDeleted(node);
    }
    assertThat(update(".removed")).doesNotExist();
  }

  /** HDFS deletes it later, and has it in its map until then. */
  @Test
  void theRebuiltReplicaIsUsedOnceTheReturnedOneIsDeleted() throws Exception {
    rebuild();
    useReturned();
    try (TwoVolumes node = node(/* isReturnedThere= */ true)) {
      assertNotDeleted(node, OTHER, rebuilt);
      node.start();
      assertRebuiltIsUsedOnceTheReturnedOneIsDeleted(node);
    }
  }

  /** Its block file had been gone, and is back: it does not count, whatever HDFS uses. */
  @Test
  void theRebuiltReplicaIsNotDeletedForOneThatWasLost() throws Exception {
    restart();
    Path aside = root.resolve("aside");
    Files.move(returned.blockFile().toPath(), aside);
    volume.changes().lost(BLOCK);
    volume.close();
    rebuild();
    Files.move(aside, returned.blockFile().toPath());
    useReturned();
    try (TwoVolumes node = node(/* isReturnedThere= */ true)) {
      assertNotDeleted(node, OTHER, rebuilt);
      node.start();
      assertRebuiltIsUsedOnceTheReturnedOneIsDeleted(node);
    }
  }

  /** Nobody would have the unit: the returned one cannot be read. */
  @Test
  void theRebuiltReplicaIsNotDeletedForOneWhoseDescriptorIsDamaged() throws Exception {
    rebuild();
    byte[] damaged = Files.readAllBytes(update(".replica"));
    damaged[40] ^= 1;
    Files.write(update(".replica"), damaged);
    useReturned();
    try (TwoVolumes node = node(/* isReturnedThere= */ true)) {
      assertNotDeleted(node, OTHER, rebuilt);
      node.start();
      assertRebuiltIsUsedOnceTheReturnedOneIsDeleted(node);
    }
    assertThat(update(".replica")).doesNotExist();
  }

  /** A move copies the file as it is: nobody knows which of the two is the later one. */
  @Test
  void whatWasMovedFromAnotherDiskIsNotTakenForRebuilt() throws Exception {
    long moved = BLOCK - 16;
    disk.add(moved, content);
    try (TwoVolumes node = node(/* isReturnedThere= */ true).start()) {
      ReplicaView view = other.add(moved, content);
      File sent = otherRoot.resolve("current/BP-1/tmp/" + view.blockFile().getName()).toFile();
      try (VolumeHooks.Move move = node.hooks(OneVolume.STORAGE).moving(OneVolume.POOL, moved)) {
        node.hooks(OTHER)
            .finalizing(
                OneVolume.POOL, moved, OneVolume.STAMP, sent, view.metaFile(), LENGTH_BYTES);
      }
    }
    assertThat(UpdateDirectory.isReceived(otherRoot, OneVolume.POOL, moved)).isFalse();
    assertThat(UpdateDirectory.open(otherRoot, OneVolume.POOL).isCopied(moved)).isTrue();
  }

  @Test
  void aRebuiltReplicaThatIsShorterIsNotUsed() throws Exception {
    rebuild();
    disk.forget(BLOCK);
    Files.write(rebuilt.blockFile().toPath(), new byte[LENGTH_BYTES - 1]);
    try (TwoVolumes node = node(/* isReturnedThere= */ true).start()) {
      assertThat(node.hooks(OneVolume.STORAGE).snapshotReads().withheld()).containsExactly(BLOCK);
      assertThat(returned.blockFile()).exists();
    }
  }

  /** The disk of the rebuilt one was away, too, and returns later. */
  @Test
  void theOneThatIsServedIsNotReplaced() throws Exception {
    rebuild();
    try (TwoVolumes node =
        new TwoVolumes(Map.of(OneVolume.STORAGE, disk, OTHER, other), conf(), OTHER)) {
      node.start();
      node.add(OTHER);
      assertThat(node.hooks(OTHER).removing(OneVolume.POOL, rebuilt.metaFile())).isFalse();
      other.forget(BLOCK);
      node.added(OTHER);
      SnapshotReads reads = node.hooks(OneVolume.STORAGE).snapshotReads();
      assertThat(reads.withheld()).isEmpty();
      try (var snapshot = reads.open(TwoVolumes.request(returned))) {
        assertThat(read(snapshot)).isEqualTo(content);
      }
    }
  }
}
