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
import io.hdfsparity.ecupdate.protocol.ReplicaStatus;
import io.hdfsparity.ecupdate.storage.BlockEngine;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The descriptor of an updated replica is damaged, and its changes are in the log only. They are
 * kept, and take room there, until the replica is deleted or gone.
 */
class UnreadableDescriptorTest extends UpdateVolumeFixture {
  private static final long OTHER = BLOCK - (1 << 20);
  private ReplicaView replica;
  private Path descriptor;
  private UpdateVolumeHooks hooks;

  @BeforeEach
  void damage() throws Exception {
    scheme = "FL";
    replica = disk.replica(OneVolume.STORAGE, BLOCK);
    disk.add(OTHER, content);
    admit(DATA);
    volume.admit(OTHER, descriptor(DATA));
    swap(100, new byte[] {1, 2, 3});
    volume.close();
    descriptor = update(".replica");
    byte[] damaged = Files.readAllBytes(descriptor);
    damaged[40] ^= 1;
    Files.write(descriptor, damaged);
    startAgain();
    assertThat(volume.reads().withheld()).containsExactly(BLOCK);
  }

  private void startAgain() throws IOException {
    restart();
    hooks = new UpdateVolumeHooks(volume, () -> false);
  }

  private Path update(String suffix) {
    return root.resolve("ecupdate/BP-1/blk_" + BLOCK + suffix);
  }

  private void deleteFiles() throws IOException {
    Files.delete(replica.blockFile().toPath());
    Files.delete(replica.metaFile().toPath());
    disk.forget(BLOCK);
  }

  private SlotKey slot(long blockId) {
    return new SlotKey(new ReplicaKey(OneVolume.POOL, blockId), 0);
  }

  private void write(int times) throws Exception {
    BlockEngine engine = volume.engineOf(OTHER);
    for (int i = 0; i < times; i++) {
      Tid tid = new Tid(1, ++tids, 0);
      byte[] fresh = new byte[CELL_BYTES];
      fresh[0] = (byte) i;
      engine.handle(slot(OTHER), new Request.Swap(new Patch(0, Bytes.wrap(fresh)), tid)).get();
      engine.handle(slot(OTHER), new Request.GcRecent(List.of(tid))).get();
      engine.handle(slot(OTHER), new Request.GcOld(List.of(tid))).get();
    }
  }

  /** More than the log has room for, so its first changes have to go. */
  private void assertLogIsFree() throws Exception {
    write(1000);
  }

  @Test
  void anAdministratorSeesWhyAndWhatToDelete() {
    List<ReplicaStatus> listed = volume.status(blockId -> blockId == BLOCK).replicas();
    assertThat(listed).hasSize(1);
    assertThat(listed.get(0).toString())
        .contains(descriptor.toString(), replica.blockFile().toString(), "log");
  }

  @Test
  void itsChangesAreKeptUntilThen() throws Exception {
    volume.loseDeleted();
    assertThat(volume.reads().withheld()).containsExactly(BLOCK);
    assertThat(descriptor).exists();
    assertThatThrownBy(() -> write(1000)).hasStackTraceContaining("BP-1/" + BLOCK);
  }

  @Test
  void whenItIsDeletedTheLogIsFree() throws Exception {
    hooks.removing(OneVolume.POOL, replica.blockFile());
    assertThat(descriptor).doesNotExist();
    assertThat(update(".removed")).as("the block file may outlive a crash").exists();
    Files.delete(replica.blockFile().toPath());
    hooks.removing(OneVolume.POOL, replica.metaFile());
    Files.delete(replica.metaFile().toPath());
    disk.forget(BLOCK);
    assertThat(update(".removed")).doesNotExist();
    assertThat(volume.reads().withheld()).isEmpty();
    assertLogIsFree();
  }

  @Test
  void aDeletionThatWasCutShortLeavesNoReplica() throws Exception {
    hooks.removing(OneVolume.POOL, replica.blockFile());
    for (int life = 0; life < 2; life++) {
      disk.discarded.clear();
      startAgain();
      assertThat(volume.reads().withheld()).containsExactly(BLOCK);
      assertThat(disk.discarded).containsExactly(BLOCK);
      assertThatThrownBy(() -> open(ReadCaller.CLIENT)).isInstanceOf(FileNotFoundException.class);
    }
    deleteFiles();
    volume.changes().deleted(BLOCK);
    assertThat(update(".removed")).doesNotExist();
    assertLogIsFree();
  }

  /** The directory scanner notices it. */
  @Test
  void whenItIsGoneTheLogIsFree() throws Exception {
    Path aside = root.resolve("aside");
    Files.move(replica.blockFile().toPath(), aside);
    volume.changes().lost(BLOCK);
    disk.forget(BLOCK);
    assertThat(volume.reads().withheld()).isEmpty();
    assertThat(descriptor).doesNotExist();
    assertLogIsFree();
    Files.move(aside, replica.blockFile().toPath());
    assertThatThrownBy(() -> volume.changes().restored(BLOCK, replica.blockFile()))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(
            () ->
                volume
                    .changes()
                    .arriving(
                        BLOCK,
                        OneVolume.STAMP,
                        replica.blockFile(),
                        replica.metaFile(),
                        LENGTH_BYTES))
        .as("HDFS sends it again when the file is deleted")
        .isInstanceOf(IOException.class);
  }

  /** Nobody notices: HDFS had forgotten it before. */
  @Test
  void whenItIsFoundToBeGoneLaterTheLogIsFree() throws Exception {
    deleteFiles();
    volume.loseDeleted();
    assertThat(volume.reads().withheld()).isEmpty();
    assertLogIsFree();
  }

  @Test
  void whenItIsGoneAtAStartTheLogIsFree() throws Exception {
    deleteFiles();
    for (int life = 0; life < 2; life++) {
      startAgain();
      assertThat(volume.reads().withheld()).isEmpty();
      assertThat(descriptor).doesNotExist();
    }
    assertLogIsFree();
  }

  @Test
  void aCopyIsServedThen() throws Exception {
    deleteFiles();
    volume.loseDeleted();
    Path sent = Files.createDirectories(root.resolve("current/BP-1/tmp")).resolve("blk_" + BLOCK);
    hooks.finalizing(
        OneVolume.POOL, BLOCK, OneVolume.STAMP, sent.toFile(), replica.metaFile(), LENGTH_BYTES);
    disk.add(BLOCK, content);
    try (ReplicaSnapshot snapshot = open(ReadCaller.CLIENT)) {
      assertThat(read(snapshot)).isEqualTo(content);
    }
    assertThat(update(".removed")).doesNotExist();
  }
}
