/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo.BlockStatus;
import org.apache.hadoop.hdfs.server.protocol.StorageReceivedDeletedBlocks;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Units that lowering has dropped and that are there again: they count as live, and would hide that
 * another unit is missing.
 */
@Tag("full")
class LevelSurplusTest {
  private static final byte[] BYTES = MiniLevels.bytes(MiniLevels.GROUP_BYTES + 77, 3);

  @TempDir static java.nio.file.Path root;
  private static MiniLevels levels;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws IOException {
    levels = MiniLevels.start(MiniLevels.conf(), root, MiniLevels.K + 3);
    fs = levels.cluster().getFileSystem();
    MiniLevels.addPolicies(fs, "rs");
    MiniLevels.makeDirectory(fs, "/rs", MiniLevels.policy("rs", 1));
  }

  @AfterAll
  static void stop() {
    levels.close();
  }

  private static void write(String path) throws IOException {
    MiniLevels.write(fs, path, BYTES);
    MiniLevels.awaitUnits(fs, path, 1);
  }

  @Test
  void unitThatIsBeingDeletedAndNodeThatIsAway() throws Exception {
    write("/rs/away");
    levels.changeLevel(0, 3, "/rs/away");
    MiniLevels.awaitUnits(fs, "/rs/away", 3);
    await().until(() -> levels.status(0).backlog().groupsLackingUnits() == 0);
    LocatedStripedBlock group =
        (LocatedStripedBlock) fs.getClient().getLocatedBlocks("/rs/away", 0, 1).get(0);
    MiniDFSCluster.DataNodeProperties away = null;
    DatanodeInfo holder = null;
    for (int i = 0; i < group.getBlockIndices().length; i++) {
      if (group.getBlockIndices()[i] == MiniLevels.K + 2) {
        holder = group.getLocations()[i];
        away = levels.cluster().stopDataNode(holder.getXferAddr());
      }
    }
    assertThat(away).isNotNull();
    assertThat(levels.setLevel(0, 1, "/rs/away").refusal()).isEmpty();
    // Its node cannot be told, so the deletion stays queued, also when the NameNode has put it with
    // what it is going to answer the node's next heartbeat.
    await("the deletion waits for a heartbeat")
        .until(() -> levels.status(0).backlog().queuedDeletes() == 0);
    assertThat(levels.setLevel(0, 3, "/rs/away").refusal().orElseThrow().kind())
        .isEqualTo("queued-delete");
    long swept = levels.status(0).changes().surplusSwept();
    // A dead node's deletions are forgotten, and it comes back with the unit.
    levels.cluster().setDataNodeDead(holder);
    levels.cluster().restartDataNode(away, true);
    levels.cluster().waitActive();
    await("the unit that came back is swept")
        .untilAsserted(
            () -> assertThat(levels.status(0).changes().surplusSwept()).isGreaterThan(swept));
    MiniLevels.awaitUnits(fs, "/rs/away", 1);
    await("it is gone from the disk")
        .untilAsserted(
            () ->
                assertThat(levels.replicaFiles(fs, "/rs/away").keySet())
                    .noneMatch(each -> each.contains("+5@") || each.contains("+6@")));
    assertThat(MiniLevels.read(fs, "/rs/away", BYTES.length)).isEqualTo(BYTES);
  }

  /**
   * A unit that the Balancer was moving, or that a rebuild has made too late, is reported by itself
   * by a node whose next full report is hours away.
   */
  @Test
  void aUnitThatComesAfterTheChangeIsSwept() throws Exception {
    write("/rs/late");
    levels.changeLevel(0, 2, "/rs/late");
    MiniLevels.awaitUnits(fs, "/rs/late", 2);
    LocatedStripedBlock group =
        (LocatedStripedBlock) fs.getClient().getLocatedBlocks("/rs/late", 0, 1).get(0);
    levels.changeLevel(0, 1, "/rs/late");
    MiniLevels.awaitUnits(fs, "/rs/late", 1);
    long swept = levels.status(0).changes().surplusSwept();
    // Not the node that had it, which may still tell that it has deleted it.
    report(freeNode(group), group, MiniLevels.K + 1);
    await("the unit that came late is swept")
        .untilAsserted(
            () -> assertThat(levels.status(0).changes().surplusSwept()).isGreaterThan(swept));
    MiniLevels.awaitUnits(fs, "/rs/late", 1);
    assertThat(MiniLevels.read(fs, "/rs/late", BYTES.length)).isEqualTo(BYTES);
  }

  /** A node that has no unit of a group. */
  private static DataNode freeNode(LocatedStripedBlock group) {
    for (DataNode node : levels.cluster().getDataNodes()) {
      boolean isFree = true;
      for (DatanodeInfo holder : group.getLocations()) {
        isFree &= !holder.getDatanodeUuid().equals(node.getDatanodeUuid());
      }
      if (isFree) {
        return node;
      }
    }
    throw new AssertionError("no node without a unit of " + group);
  }

  private static void report(DataNode node, LocatedStripedBlock group, int unit)
      throws IOException {
    String pool = group.getBlock().getBlockPoolId();
    Block replica =
        new Block(
            group.getBlock().getBlockId() + unit,
            MiniLevels.BLOCK_BYTES,
            group.getBlock().getGenerationStamp());
    String storage = node.getFSDataset().getStorageReports(pool)[0].getStorage().getStorageID();
    levels
        .cluster()
        .getNameNodeRpc()
        .blockReceivedAndDeleted(
            node.getDNRegistrationForBP(pool),
            pool,
            new StorageReceivedDeletedBlocks[] {
              new StorageReceivedDeletedBlocks(
                  new DatanodeStorage(storage),
                  new ReceivedDeletedBlockInfo[] {
                    new ReceivedDeletedBlockInfo(replica, BlockStatus.RECEIVED_BLOCK, null)
                  })
            });
  }
}
