/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge;

import static io.hdfsparity.bridge.BridgeCluster.BLOCK_BYTES;
import static io.hdfsparity.bridge.BridgeCluster.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.RecordingHooks.Event;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager.LockLevel;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a hook refuses is not done, and what is refused for it. */
@Tag("full")
class HookRefusalTest extends HookFixture {
  @Test
  void aPacketThatTheHookRefusesIsNotAcknowledged() throws Exception {
    c.script.packets = true;
    FSDataOutputStream out =
        c.fs.create(new org.apache.hadoop.fs.Path("/nopacket"), true, 4096, (short) 2, BLOCK_BYTES);
    c.script.failing.add("written");
    assertThatThrownBy(
            () -> {
              out.write(bytes(1_000, 23));
              out.hflush();
            })
        .isInstanceOf(java.io.IOException.class);
    c.script.failing.clear();
  }

  @Test
  void movesInsideADataNodeAreRefused() throws Exception {
    c.write("/move", bytes(100, 19), 2);
    DataNode dn = c.cluster.getDataNodes().get(0);
    try (var volumes = dn.getFSDataset().getFsVolumeReferences()) {
      FsVolumeSpi other = volumes.get(1);
      assertThatThrownBy(() -> dn.getFSDataset().moveBlockAcrossVolumes(c.block("/move"), other))
          .hasMessageContaining("Cannot move replica")
          .hasMessageContaining("DiskBalancer");
      assertThatThrownBy(
              () ->
                  dn.getFSDataset()
                      .moveBlockAcrossStorage(c.block("/move"), other.getStorageType(), ""))
          .hasMessageContaining("Cannot move replica");
    }
    assertThatThrownBy(() -> dn.getFSDataset().addBlockPool("BP-2-127.0.0.1-1", dn.getConf()))
        .hasMessageContaining("Cannot add block pool");
  }

  /** BlockReceiver cleans up after a refused copy; a failure of that would hide the reason. */
  @Test
  void thereIsNothingToCleanUpAfterARefusedCopy() throws Exception {
    c.write("/refused", bytes(10, 34), 2);
    ExtendedBlock copy = new ExtendedBlock(c.block("/refused"));
    copy.setBlockId(copy.getBlockId() + 7_000_000);
    DataNode dn = c.cluster.getDataNodes().get(0);
    c.script.failing.add("reserve");
    try {
      assertThatThrownBy(
              () -> dn.getFSDataset().createTemporary(StorageType.DISK, null, copy, false))
          .hasMessageContaining("scripted failure of reserve");
    } finally {
      c.script.failing.clear();
    }
    assertThatCode(() -> dn.getFSDataset().unfinalizeBlock(copy)).doesNotThrowAnyException();
  }

  /** As the Balancer sends copies: it names no storage. */
  @Test
  void whereNoStorageIsNamedTheDataNodeChooses() throws Exception {
    c.write("/unnamed", bytes(10, 31), 2);
    DataNode dn = c.cluster.getDataNodes().get(0);
    long id = c.block("/unnamed").getBlockId();
    for (String storage : new String[] {null, "", "DS-of-somebody-else"}) {
      ExtendedBlock copy = new ExtendedBlock(c.block("/unnamed"));
      copy.setBlockId(id += 1_000_000);
      try (ReplicaHandler made =
          dn.getFSDataset().createTemporary(StorageType.DISK, storage, copy, false)) {
        assertThat(c.script.of(copy.getBlockId())).extracting(Event::kind).contains("reserve");
      }
      dn.getFSDataset().unfinalizeBlock(copy);
    }
  }

  @Test
  void aReplicaThatNoVolumeHasRoomForIsRefusedBeforeTheHooksAreAsked() throws Exception {
    c.write("/named", bytes(10, 33), 2);
    DataNode dn = c.cluster.getDataNodes().get(0);
    ExtendedBlock copy = new ExtendedBlock(c.block("/named"));
    copy.setBlockId(copy.getBlockId() + 5_000_000);
    copy.setNumBytes(1L << 55);
    String storageId;
    try (var references = dn.getFSDataset().getFsVolumeReferences()) {
      storageId = references.get(0).getStorageID();
    }
    assertThatThrownBy(
            () -> dn.getFSDataset().createTemporary(StorageType.DISK, storageId, copy, false))
        .isInstanceOf(DiskOutOfSpaceException.class);
    assertThat(c.script.of(copy.getBlockId())).isEmpty();
  }

  /** The hooks may wait for another daemon: nothing else of the DataNode waits meanwhile. */
  @Test
  void hooksNameTheStorageThatTheSenderHasNotWithoutALockOfTheDataset() throws Exception {
    c.write("/chosen", bytes(10, 32), 2);
    DataNode dn = c.cluster.getDataNodes().get(0);
    String pool = c.block("/chosen").getBlockPoolId();
    List<String> volumes;
    try (var references = dn.getFSDataset().getFsVolumeReferences()) {
      volumes = List.of(references.get(0).getStorageID(), references.get(1).getStorageID());
    }
    List<Long> asked = new CopyOnWriteArrayList<>();
    c.script.chooser =
        (hooks, block) -> {
          asked.add(block.getBlockId());
          requireUnlocked(dn, pool);
          return Optional.of(volumes.get((int) (block.getBlockId() % 2)));
        };
    try {
      for (int i = 0; i < 4; i++) {
        ExtendedBlock block = new ExtendedBlock(c.block("/chosen"));
        block.setBlockId(block.getBlockId() + 2_000_000 + i);
        String storage = i == 0 ? null : "";
        try (ReplicaHandler made =
            i < 2
                ? dn.getFSDataset().createTemporary(StorageType.DISK, storage, block, false)
                : dn.getFSDataset().createRbw(StorageType.DISK, storage, block, false)) {
          assertThat(made.getReplica().getStorageUuid())
              .isEqualTo(volumes.get((int) (block.getBlockId() % 2)));
        }
        dn.getFSDataset().unfinalizeBlock(block);
      }
      assertThat(asked).hasSize(4);
      ExtendedBlock named = new ExtendedBlock(c.block("/chosen"));
      named.setBlockId(named.getBlockId() + 3_000_000);
      dn.getFSDataset().createRbw(StorageType.DISK, volumes.get(0), named, false).close();
      dn.getFSDataset().unfinalizeBlock(named);
      assertThat(asked).as("who names a storage is not asked for").hasSize(4);
      assertThat(c.script.named).as("but the hooks hear of it").contains(volumes.get(0));
    } finally {
      c.script.chooser = (hooks, block) -> Optional.empty();
    }
  }

  private static void requireUnlocked(DataNode dn, String pool) {
    CompletableFuture<Void> other =
        CompletableFuture.runAsync(
            () -> {
              try (var lock =
                  dn.getFSDataset()
                      .acquireDatasetLockManager()
                      .writeLock(LockLevel.BLOCK_POOl, pool)) {
                assertThat(lock).isNotNull();
              }
            });
    assertThat(other).succeedsWithin(Duration.ofMinutes(5));
  }

  @Test
  void refusedReserveLeavesNoReplica() throws Exception {
    c.script.events.clear();
    c.script.failing.add("reserve");
    assertThatThrownBy(() -> c.write("/noreserve", bytes(10, 20), 2))
        .isInstanceOf(java.io.IOException.class);
    c.script.failing.clear();
    List<Event> refused = c.script.events.stream().filter(e -> e.kind().equals("reserve")).toList();
    assertThat(refused).isNotEmpty();
    for (Event e : refused) {
      assertThat(c.script.kinds(e.blockId(), e.storageId())).containsOnly("reserve");
      for (RecordingHooks hooks : c.script.instances) {
        assertThat(hooks.closed || hooks.access.replica(e.storageId(), e.blockId()) == null)
            .isTrue();
      }
    }
    c.write("/afterreserve", bytes(10, 20), 2);
  }

  @Test
  void refusedFinalizeIsNotAcknowledged() throws Exception {
    FSDataOutputStream out =
        c.fs.create(
            new org.apache.hadoop.fs.Path("/nofinalize"), true, 4096, (short) 2, BLOCK_BYTES);
    out.write(bytes(1_000, 21));
    out.hflush();
    long id = c.id("/nofinalize");
    c.script.failing.add("finalizing");
    Thread closer =
        new Thread(
            () -> {
              try {
                out.close();
              } catch (java.io.IOException e) {
                c.script.events.add(new Event("clientFailed", "", id, 0, 0, null, -1, false));
              }
            });
    closer.start();
    c.awaitEvents(id, "finalizing", 1);
    c.awaitEvents(id, "clientFailed", 1);
    closer.join();
    assertThat(c.fs.isFileClosed(new org.apache.hadoop.fs.Path("/nofinalize"))).isFalse();
  }
}
