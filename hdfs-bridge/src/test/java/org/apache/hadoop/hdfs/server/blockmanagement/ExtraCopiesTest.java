/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.BridgeCluster;
import io.hdfsparity.bridge.namenode.BlockSuperchunks;
import io.hdfsparity.bridge.namenode.DegradedBlocks.Copy;
import io.hdfsparity.bridge.namenode.DegradedBlocks.CopyRequest;
import io.hdfsparity.bridge.namenode.DegradedBlocks.CopyStart;
import io.hdfsparity.bridge.namenode.DegradedBlocks.Outcome;
import io.hdfsparity.bridge.namenode.PairPlacement.Target;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.CorruptReplicasMap.Reason;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.BlockUCState;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLock;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Made-up DataNodes A, B and C have a block; T has none, and is the other side of superchunk 9. */
class ExtraCopiesTest {
  private static final long SHARED = 9;
  private static final long STAMP = 1000;

  @TempDir static Path dir;
  private static MiniDFSCluster cluster;
  private static BlockManager blocks;
  private static long nextId = 1L << 30;
  private final List<DatanodeStorageInfo> holders = new ArrayList<>();
  private final List<Copy> begun = new ArrayList<>();
  private BlockSuperchunks known = (blockId, storageIds) -> Optional.empty();
  private DatanodeStorageInfo target;
  private BlockInfo block;
  private int sources = 1;

  @BeforeAll
  static void start() throws Exception {
    HdfsConfiguration conf = BridgeCluster.conf(null, dir);
    conf.unset("dfs.datanode.fsdataset.factory");
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 100_000);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build();
    blocks = cluster.getNamesystem().getBlockManager();
    cluster
        .getFileSystem()
        .create(
            new org.apache.hadoop.fs.Path("/f"),
            FsPermission.getFileDefault(),
            true,
            4096,
            (short) 3,
            1 << 20,
            null)
        .close();
  }

  @AfterAll
  static void stop() {
    cluster.shutdown(true);
  }

  private static DatanodeStorageInfo storage(String id) {
    DatanodeDescriptor node =
        BlockManagerTestUtil.getDatanodeDescriptor(
            "10." + nextId % 200 + ".0." + (int) id.charAt(0), "/r", new DatanodeStorage(id));
    node.setAlive(true);
    blocks.getDatanodeManager().addDatanode(node);
    return node.getStorageInfo(id);
  }

  @BeforeEach
  void block() throws Exception {
    FSNamesystem namesystem = cluster.getNamesystem();
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      INodeFile file = INodeFile.valueOf(namesystem.getFSDirectory().getINode("/f"), "/f");
      block = new BlockInfoContiguous(new Block(nextId++, 1, STAMP), (short) 3);
      block.setBlockCollectionId(file.getId());
      blocks.addBlockCollection(block, file);
      for (String id : List.of("A", "B", "C")) {
        DatanodeStorageInfo holder = storage(id);
        holder.addBlock(block, block);
        holders.add(holder);
      }
      target = storage("T");
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, "test");
    }
  }

  private CopyStart copy(long blockId, long stamp, Target to) {
    ExtraCopies copies =
        new ExtraCopies(
            cluster.getNamesystem(), (id, ids) -> known.of(id, ids), new CopyTargets(blocks));
    return copies.copyTo(
        new CopyRequest(blockId, stamp, SHARED, to), node -> sources-- > 0, begun::add);
  }

  private CopyStart copy() {
    return copy(block.getBlockId(), STAMP, at(target));
  }

  private static Target at(DatanodeStorageInfo storage) {
    return new Target(storage.getStorageID(), storage.getDatanodeDescriptor().getDatanodeUuid());
  }

  private void assertNothingBegun() {
    assertThat(begun).isEmpty();
    assertThat(ordered()).isZero();
    assertThat(blocks.pendingReconstruction.getNumReplicas(block)).isZero();
  }

  private int ordered() {
    return holders.stream()
        .mapToInt(each -> each.getDatanodeDescriptor().getNumberOfBlocksToBeReplicated())
        .sum();
  }

  @Test
  void aBlockThatLacksNothingIsCopiedOnce() {
    assertThat(copy()).isEqualTo(CopyStart.BEGUN);
    assertThat(ordered()).isOne();
    assertThat(blocks.pendingReconstruction.getTargets(block)).containsExactly(target);
    assertThat(begun).hasSize(1);
    Copy copy = begun.get(0);
    assertThat(copy.superchunkId()).isEqualTo(SHARED);
    assertThat(copy.target()).isEqualTo(at(target));
    assertThat(holders)
        .anyMatch(
            each -> each.getDatanodeDescriptor().getDatanodeUuid().equals(copy.sourceNodeUuid()));
    sources = 1;
    assertThat(copy()).as("the target's node waits for it").isEqualTo(CopyStart.REFUSED);
    assertThat(ordered()).isOne();
    SuperchunkRepair repair = new SuperchunkRepair(cluster.getNamesystem(), new NoPairs(), known);
    assertThat(repair.outcomes(List.of(copy))).containsExactly(Outcome.PENDING);
    assertThat(repair.copyTo(new CopyRequest(1, 1, 1, at(target)), node -> true, begun::add))
        .as("no manager places blocks")
        .isEqualTo(CopyStart.REFUSED);
  }

  @Test
  void aBlockThatIsNotAsNamedIsLeft() {
    assertThat(copy(block.getBlockId() + 77, STAMP, at(target))).isEqualTo(CopyStart.REFUSED);
    assertThat(copy(block.getBlockId(), STAMP - 1, at(target))).isEqualTo(CopyStart.REFUSED);
    block.convertToBlockUnderConstruction(
        BlockUCState.UNDER_CONSTRUCTION, holders.toArray(new DatanodeStorageInfo[0]));
    assertThat(copy()).as("appended to").isEqualTo(CopyStart.REFUSED);
    assertNothingBegun();
  }

  @Test
  void aTargetThatIsNotInServiceIsLeft() {
    assertThat(copy(block.getBlockId(), STAMP, new Target("T", "no such node")))
        .isEqualTo(CopyStart.REFUSED);
    target.getDatanodeDescriptor().setAlive(false);
    assertThat(copy()).isEqualTo(CopyStart.REFUSED);
    target.getDatanodeDescriptor().setAlive(true);
    target.getDatanodeDescriptor().startDecommission();
    assertThat(copy()).isEqualTo(CopyStart.REFUSED);
    assertNothingBegun();
  }

  @Test
  void aNodeThatHasTheBlockOnAnotherDiskIsLeft() {
    DatanodeDescriptor node = holders.get(0).getDatanodeDescriptor();
    DatanodeStorageInfo second = node.updateStorage(new DatanodeStorage("A2"));
    assertThat(copy(block.getBlockId(), STAMP, at(second))).isEqualTo(CopyStart.REFUSED);
    assertNothingBegun();
  }

  @Test
  void aBlockOfAnotherSuperchunkIsLeft() {
    known = (id, ids) -> Optional.of(new BlockSuperchunks.Home(SHARED + 1, 1, List.of()));
    assertThat(copy()).isEqualTo(CopyStart.REFUSED);
    known = (id, ids) -> Optional.of(new BlockSuperchunks.Home(SHARED, 1, List.of()));
    assertThat(copy()).isEqualTo(CopyStart.BEGUN);
  }

  @Test
  void onlyAGoodReplicaIsSentAndOnlyByANodeThatMay() {
    sources = 0;
    assertThat(copy()).isEqualTo(CopyStart.BUSY);
    assertNothingBegun();
    for (DatanodeStorageInfo each : holders.subList(0, 2)) {
      mark(each);
    }
    sources = 1;
    assertThat(copy()).isEqualTo(CopyStart.BEGUN);
    assertThat(begun.get(0).sourceNodeUuid())
        .isEqualTo(holders.get(2).getDatanodeDescriptor().getDatanodeUuid());
  }

  @Test
  void aBlockWithoutAGoodReplicaIsLeft() {
    holders.forEach(this::mark);
    assertThat(copy()).isEqualTo(CopyStart.REFUSED);
    assertNothingBegun();
  }

  private void mark(DatanodeStorageInfo storage) {
    blocks.corruptReplicas.addToCorruptReplicasMap(
        block, storage.getDatanodeDescriptor(), "test", Reason.CORRUPTION_REPORTED, false);
  }
}
