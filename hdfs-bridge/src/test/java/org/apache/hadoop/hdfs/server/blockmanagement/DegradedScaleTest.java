/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.BridgeCluster;
import io.hdfsparity.bridge.namenode.BlockSuperchunks;
import io.hdfsparity.bridge.namenode.DegradedBlocks;
import io.hdfsparity.bridge.namenode.PairPlacement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLock;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Many degraded blocks of superchunks before a few plain ones, in a real NameNode with DataNodes
 * that are made up: how long the plain ones wait for the RedundancyMonitor. {@code
 * -Ddegraded.blocks=1000000} for the figure.
 */
@Tag("full")
class DegradedScaleTest {
  private static final Logger LOG = LoggerFactory.getLogger(DegradedScaleTest.class);
  private static final int DEGRADED = Integer.getInteger("degraded.blocks", 100_000);
  private static final int PLAIN = 100;
  private static final long FIRST_PLAIN = 1L << 31;
  private static final int PAIRED_NODES = 24;
  private static final int PLAIN_NODES = 8;
  private static final int SUPERCHUNKS = 240;

  /** Default of dfs.namenode.redundancy.interval.seconds. */
  private static final int SECONDS_A_ROUND = 3;

  @TempDir static Path dir;

  /** One side of each superchunk on the last paired node, the other ones on those before it. */
  private static final class Pairs extends NoPairs implements BlockSuperchunks {
    private final Map<String, Home> homes = new HashMap<>();
    private final List<String> plain = new ArrayList<>();
    private boolean paired;
    private boolean known = true;
    private boolean shared;

    @Override
    public Optional<Home> of(long blockId, List<String> storageIds) {
      return !known || isPlain(blockId, storageIds)
          ? Optional.empty()
          : storageIds.stream()
              .map(homes::get)
              .filter(home -> home != null)
              .findFirst()
              .map(home -> paired ? home : new Home(home.superchunkId(), home.epoch(), List.of()));
    }

    @Override
    public boolean isPlain(long blockId, List<String> storageIds) {
      return shared && blockId >= FIRST_PLAIN;
    }

    @Override
    public boolean leavesToHdfs(String nodeUuid) {
      return !shared && plain.contains(nodeUuid);
    }
  }

  private final List<DatanodeDescriptor> nodes = new ArrayList<>();
  private final Pairs pairs = new Pairs();

  private static String storage(int superchunk, int side) {
    return "DS-" + superchunk + "-" + side;
  }

  private void addNodes(BlockManager blocks) {
    for (int n = 0; n < PAIRED_NODES + PLAIN_NODES; n++) {
      DatanodeDescriptor node =
          BlockManagerTestUtil.getDatanodeDescriptor(
              "10.0.0." + n, "/r", new DatanodeStorage("DS-own-" + n), "host" + n);
      nodes.add(node);
      if (n >= PAIRED_NODES) {
        pairs.plain.add(node.getDatanodeUuid());
      }
    }
    DatanodeDescriptor last = nodes.get(PAIRED_NODES - 1);
    for (int s = 0; s < SUPERCHUNKS; s++) {
      DatanodeDescriptor first = nodes.get(s % (PAIRED_NODES - 1));
      first.updateStorage(new DatanodeStorage(storage(s, 0)));
      last.updateStorage(new DatanodeStorage(storage(s, 1)));
      BlockSuperchunks.Home home =
          new BlockSuperchunks.Home(
              s,
              1,
              List.of(
                  new PairPlacement.Target(storage(s, 0), first.getDatanodeUuid()),
                  new PairPlacement.Target(storage(s, 1), last.getDatanodeUuid())));
      pairs.homes.put(storage(s, 0), home);
      pairs.homes.put(storage(s, 1), home);
    }
    for (DatanodeDescriptor node : nodes) {
      for (DatanodeStorageInfo storage : node.getStorageInfos()) {
        storage.setUtilizationForTesting(1L << 40, 0, 1L << 40, 0);
      }
      node.updateHeartbeat(
          BlockManagerTestUtil.getStorageReportsForDatanode(node), 0, 0, 0, 0, null);
      blocks.getDatanodeManager().addDatanode(node);
      blocks.getDatanodeManager().getHeartbeatManager().addDatanode(node);
      blocks.getDatanodeManager().getHeartbeatManager().updateDnStat(node);
    }
  }

  /** As after a full scan: they are known, and queued in the order in which they are added. */
  private List<BlockInfo> addBlocks(
      FSNamesystem namesystem, String path, long firstId, List<DatanodeStorageInfo> storages)
      throws Exception {
    BlockManager blocks = namesystem.getBlockManager();
    INodeFile file = INodeFile.valueOf(namesystem.getFSDirectory().getINode(path), path);
    List<BlockInfo> added = new ArrayList<>();
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      for (int i = 0; i < storages.size(); i++) {
        BlockInfo block = new BlockInfoContiguous(new Block(firstId + i, 1000, 1), (short) 2);
        block.setBlockCollectionId(file.getId());
        blocks.addBlockCollection(block, file);
        if (i % 1_000 == 0) {
          nodes.forEach(node -> node.setLastUpdateMonotonic(Time.monotonicNow()));
        }
        storages.get(i).addBlock(block, block);
        LackingBlocks.queue(blocks, block, 0);
        added.add(block);
      }
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, "test");
    }
    return added;
  }

  private int roundsUntilScheduled(FSNamesystem namesystem, List<BlockInfo> plain, int most) {
    BlockManager blocks = namesystem.getBlockManager();
    for (int round = 1; round <= most; round++) {
      nodes.forEach(node -> node.setLastUpdateMonotonic(Time.monotonicNow()));
      blocks.computeDatanodeWork();
      // What heartbeats do.
      nodes.forEach(node -> node.getReplicationCommand(2));
      if (plain.stream().allMatch(b -> blocks.pendingReconstruction.getNumReplicas(b) > 0)) {
        return round;
      }
    }
    return Integer.MAX_VALUE;
  }

  private int measure() throws Exception {
    nodes.clear();
    pairs.paired = false;
    HdfsConfiguration conf = BridgeCluster.conf(null, dir);
    conf.unset("dfs.datanode.fsdataset.factory");
    conf.set("dfs.block.replicator.classname", PairPlacementPolicy.class.getName());
    conf.setInt("dfs.namenode.reconstruction.pending.timeout-sec", 3_600);
    // The test is the monitor.
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 100_000);
    try (MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build()) {
      FSNamesystem namesystem = cluster.getNamesystem();
      BlockManager blocks = namesystem.getBlockManager();
      cluster.getFileSystem().create(new org.apache.hadoop.fs.Path("/f"), (short) 2).close();
      addNodes(blocks);
      NameNodeAccess access = new NameNodeAccess(cluster.getNameNode());
      access.attach(pairs);
      DegradedBlocks degraded = access.repair(pairs, pairs);
      List<DatanodeStorageInfo> survivors = new ArrayList<>();
      for (int i = 0; i < DEGRADED; i++) {
        int s = i % SUPERCHUNKS;
        survivors.add(nodes.get(s % (PAIRED_NODES - 1)).getStorageInfo(storage(s, 0)));
      }
      pairs.known = false;
      long began = System.nanoTime();
      addBlocks(namesystem, "/f", 1L << 30, survivors);
      LOG.warn("queued {} in {} ms", DEGRADED, (System.nanoTime() - began) / 1_000_000);
      fileAll(degraded);
      List<DatanodeStorageInfo> ordinary = new ArrayList<>();
      for (int i = 0; i < PLAIN; i++) {
        ordinary.add(
            pairs.shared
                ? survivors.get(i)
                : nodes.get(PAIRED_NODES + i % PLAIN_NODES).getStorageInfos()[0]);
      }
      List<BlockInfo> plain = addBlocks(namesystem, "/f", FIRST_PLAIN, ordinary);
      assertThat(blocks.numOfUnderReplicatedBlocks()).isEqualTo(DEGRADED + PLAIN);
      began = System.nanoTime();
      // Three times what it takes to look at all blocks once.
      int most = 100 + 3 * (DEGRADED / (2 * nodes.size()));
      int rounds = roundsUntilScheduled(namesystem, plain, most);
      LOG.warn(
          "degraded={}: {} plain blocks were scheduled after {} rounds of {} s; the"
              + " rounds took {} ms",
          DEGRADED,
          PLAIN,
          rounds == Integer.MAX_VALUE ? "more than " + most : rounds,
          SECONDS_A_ROUND,
          (System.nanoTime() - began) / 1_000_000);
      assertThat(blocks.numOfUnderReplicatedBlocks()).isGreaterThanOrEqualTo(DEGRADED);
      copyAll(degraded);
      return rounds;
    }
  }

  /** How long it takes to file blocks whose superchunks become known after they were queued. */
  private void fileAll(DegradedBlocks degraded) {
    assertThat(degraded.superchunks()).isEmpty();
    assertThat(degraded.refile(1_000)).as("still not known").hasSize(1_000);
    pairs.known = true;
    long began = System.nanoTime();
    int rounds = 0;
    long filed = 0;
    while (filed < DEGRADED && rounds < DEGRADED) {
      rounds++;
      nodes.forEach(node -> node.setLastUpdateMonotonic(Time.monotonicNow()));
      degraded.refile(0);
      filed = degraded.superchunks().stream().mapToLong(DegradedBlocks.Degraded::blocks).sum();
    }
    assertThat(filed).isEqualTo(DEGRADED);
    LOG.warn(
        "filed {} blocks of unknown superchunks in {} rounds and {} ms",
        DEGRADED,
        rounds,
        (System.nanoTime() - began) / 1_000_000);
  }

  /** How long the lock is held for copies, and that all get one. */
  private void copyAll(DegradedBlocks degraded) {
    pairs.paired = true;
    List<Long> nanos = new ArrayList<>();
    long left = DEGRADED;
    long began = System.nanoTime();
    int rounds = 0;
    while (left > 0 && rounds < DEGRADED / 4) {
      rounds++;
      nodes.forEach(node -> node.setLastUpdateMonotonic(Time.monotonicNow()));
      for (DegradedBlocks.Degraded each : degraded.superchunks()) {
        long start = System.nanoTime();
        left -= degraded.handOut(each.superchunkId(), 100, source -> true).size();
        nanos.add(System.nanoTime() - start);
        // As if a heartbeat came after each turn.
        nodes.forEach(node -> node.getReplicationCommand(1_000));
      }
    }
    assertThat(left).as("not copied").isZero();
    long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    LOG.warn(
        "copies: left={} rounds={} in {} ms; hold of the lock in microseconds: median {}, 99 % {},"
            + " longest {}, mean {}",
        left,
        rounds,
        (System.nanoTime() - began) / 1_000_000,
        sorted[sorted.length / 2] / 1000,
        sorted[sorted.length * 99 / 100] / 1000,
        sorted[sorted.length - 1] / 1000,
        (long) Arrays.stream(sorted).average().orElse(0) / 1000);
  }

  @Test
  void degradedBlocksOfSuperchunksDoNotDelayOthers() throws Exception {
    assertThat(measure()).isLessThan(20);
  }

  @Test
  void norOthersOnTheSameStorages() throws Exception {
    pairs.shared = true;
    assertThat(measure()).isLessThan(20);
  }
}
