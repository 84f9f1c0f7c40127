/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.refusal.Refusal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeFaultInjector;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node deletes the unit that lowering dropped from it late. The NameNode goes by group and node:
 * the report of that deletion takes any other unit of the group with it that the node has got
 * meanwhile. So it must get none.
 *
 * <p>Nothing happens by time here: the NameNode does the work of its monitor when the test says so,
 * and ten of its heartbeats are longer than the test until it shortens them.
 */
@Tag("full")
class LevelDeletionTest {
  private static final byte[] BYTES = MiniLevels.bytes(MiniLevels.GROUP_BYTES, 7);
  private static final String RACK = "/rack0";
  private static final String OTHER_RACK = "/rack1";
  private static final int NEVER_SECONDS = 3600;

  /** Files that are written until one lies as the test wants; one of six does. */
  private static final int MAX_FILES = 200;

  private final DataNodeFaultInjector noFaults = DataNodeFaultInjector.get();
  private final HeldDeletions held = new HeldDeletions();

  @TempDir Path root;
  private MiniLevels levels;
  private DistributedFileSystem fs;
  private BlockManager blocks;

  /** Deletions of replicas in all DataNodes of this JVM, which wait until they are released. */
  private static final class HeldDeletions extends DataNodeFaultInjector {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    @Override
    public void delayDeleteReplica() {
      begun.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @BeforeEach
  void hold() {
    DataNodeFaultInjector.set(held);
  }

  @AfterEach
  void stop() {
    held.released.countDown();
    DataNodeFaultInjector.set(noFaults);
    if (levels != null) {
      levels.close();
    }
  }

  private void start(List<String> racks, int level) throws IOException {
    Configuration conf = MiniLevels.conf();
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, NEVER_SECONDS);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY, NEVER_SECONDS);
    levels = MiniLevels.start(conf, root, racks);
    fs = levels.cluster().getFileSystem();
    blocks = levels.cluster().getNamesystem().getBlockManager();
    MiniLevels.addPolicies(fs, "rs");
    MiniLevels.makeDirectory(fs, "/rs", MiniLevels.policy("rs", level));
  }

  /** The only node of its rack has the dropped unit, and is the only one for a copy. */
  @Test
  void unitIsNotCopiedToANodeThatStillDeletesItsOwn() throws Exception {
    start(List.of(RACK, RACK, RACK, RACK, RACK, OTHER_RACK), 2);
    DataNode alone = levels.cluster().getDataNodes().get(MiniLevels.K + 1);
    String path = writeWithLastUnitOn(alone);
    heartbeatsTake(NEVER_SECONDS);

    assertThat(levels.setLevel(0, 1, path).refusal()).isEmpty();
    doWork();
    assertThat(held.begun.await(5, TimeUnit.MINUTES)).isTrue();
    awaitNothingPending();
    release(alone);
    assertWhole(path, 1);

    heartbeatsTake(0);
    await("a unit is copied to the other rack")
        .untilAsserted(
            () -> {
              doWork();
              assertThat(nodesOf(path)).contains(alone.getDatanodeUuid());
              assertWhole(path, 1);
            });
    assertThat(MiniLevels.read(fs, path, BYTES.length)).isEqualTo(BYTES);
  }

  /** The node of the highest unit is the only one that the other dropped unit can be built on. */
  @Test
  void unitIsNotBuiltOnANodeThatStillDeletesItsOwn() throws Exception {
    start(Collections.nCopies(MiniLevels.K + 3, RACK), 3);
    String path = "/rs/f";
    MiniLevels.write(fs, path, BYTES);
    MiniLevels.awaitUnits(fs, path, 3);
    DataNode late = holder(path, MiniLevels.K + 2);
    DataNode gone = holder(path, MiniLevels.K + 1);
    levels.cluster().stopDataNode(gone.getDatanodeId().getXferAddr());
    levels.cluster().setDataNodeDead(gone.getDatanodeId());
    heartbeatsTake(NEVER_SECONDS);

    assertThat(levels.setLevel(0, 1, path).refusal()).isEmpty();
    doWork();
    assertThat(held.begun.await(5, TimeUnit.MINUTES)).isTrue();
    Optional<Refusal> early = levels.setLevel(0, 2, path).refusal();
    doWork();
    awaitNothingPending();
    release(late);
    assertWhole(path, early.isEmpty() ? 2 : 1);
    assertThat(early.orElseThrow().kind()).isEqualTo("queued-delete");

    heartbeatsTake(0);
    levels.changeLevel(0, 2, path);
    await("the unit is built")
        .untilAsserted(
            () -> {
              doWork();
              assertWhole(path, 2);
            });
    assertThat(nodesOf(path)).contains(late.getDatanodeUuid());
    assertThat(MiniLevels.read(fs, path, BYTES.length)).isEqualTo(BYTES);
  }

  private String writeWithLastUnitOn(DataNode node) throws IOException {
    for (int i = 0; i < MAX_FILES; i++) {
      String path = "/rs/" + i;
      MiniLevels.write(fs, path, BYTES);
      MiniLevels.awaitUnits(fs, path, 2);
      if (holder(path, MiniLevels.K + 1) == node) {
        return path;
      }
    }
    throw new AssertionError("no file has its last unit on " + node);
  }

  /** What the NameNode takes for the interval, by which it knows how long deletions take. */
  private void heartbeatsTake(int seconds) {
    blocks.getDatanodeManager().setHeartbeatInterval(seconds);
  }

  /** One round of the NameNode's monitor: orders deletions, copies and rebuilds. */
  private void doWork() {
    BlockManagerTestUtil.computeAllPendingWork(blocks);
  }

  private void awaitNothingPending() {
    await("copies and rebuilds are done")
        .untilAsserted(() -> assertThat(blocks.getPendingReconstructionBlocksCount()).isZero());
  }

  /** Lets deletions end, and has the NameNode handle what a node reports of them. */
  private void release(DataNode node) throws Exception {
    held.released.countDown();
    await("deletions are done")
        .untilAsserted(
            () ->
                assertThat(levels.cluster().getFsDatasetTestUtils(node).getPendingAsyncDeletions())
                    .isZero());
    // The second is sent after the NameNode has answered the first.
    DataNodeTestUtils.triggerDeletionReport(node);
    DataNodeTestUtils.triggerDeletionReport(node);
    blocks.flushBlockOps();
  }

  private LocatedStripedBlock group(String path) throws IOException {
    return (LocatedStripedBlock) fs.getClient().getLocatedBlocks(path, 0, 1).get(0);
  }

  private DataNode holder(String path, int unit) throws IOException {
    LocatedStripedBlock group = group(path);
    for (int i = 0; i < group.getBlockIndices().length; i++) {
      if (group.getBlockIndices()[i] == unit) {
        DataNode node = levels.cluster().getDataNode(group.getLocations()[i].getIpcPort());
        assertThat(node).isNotNull();
        return node;
      }
    }
    throw new AssertionError("no unit " + unit + " in " + group);
  }

  private Set<String> nodesOf(String path) throws IOException {
    Set<String> nodes = new TreeSet<>();
    for (DatanodeInfo each : group(path).getLocations()) {
      nodes.add(each.getDatanodeUuid());
    }
    return nodes;
  }

  /** The NameNode knows of all units, and of each replica on a disk. */
  private void assertWhole(String path, int level) throws IOException {
    Set<Integer> wanted = new TreeSet<>();
    for (int unit = 0; unit < MiniLevels.K + level; unit++) {
      wanted.add(unit);
    }
    assertThat(known(path)).isEqualTo(stored(path));
    assertThat(MiniLevels.units(fs, path)).containsExactly(wanted);
  }

  /** Units and their nodes as the NameNode knows them. */
  private Set<String> known(String path) throws IOException {
    LocatedStripedBlock group = group(path);
    Set<String> replicas = new TreeSet<>();
    for (int i = 0; i < group.getBlockIndices().length; i++) {
      replicas.add(group.getBlockIndices()[i] + "@" + group.getLocations()[i].getDatanodeUuid());
    }
    return replicas;
  }

  /** Units and their nodes as DataNodes that run have them. */
  private Set<String> stored(String path) throws IOException {
    LocatedStripedBlock group = group(path);
    Set<String> replicas = new TreeSet<>();
    for (DataNode node : levels.cluster().getDataNodes()) {
      for (Block each : node.getFSDataset().getFinalizedBlocks(group.getBlock().getBlockPoolId())) {
        long unit = each.getBlockId() - group.getBlock().getBlockId();
        if (unit >= 0 && unit < MiniLevels.K + 3) {
          replicas.add(unit + "@" + node.getDatanodeUuid());
        }
      }
    }
    return replicas;
  }
}
