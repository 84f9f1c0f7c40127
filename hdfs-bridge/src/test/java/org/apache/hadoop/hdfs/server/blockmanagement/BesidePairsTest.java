/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.BridgeCluster;
import io.hdfsparity.bridge.namenode.BlockSuperchunks;
import io.hdfsparity.bridge.namenode.DegradedBlocks;
import io.hdfsparity.bridge.namenode.PairPlacement;
import io.hdfsparity.core.check.Timers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.namenode.FileSwap;
import org.apache.hadoop.net.Node;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes that are left to HDFS beside more nodes that are for pairs, the former all in a rack that
 * some of the latter are in too.
 */
@Tag("full")
class BesidePairsTest {
  private static final int PAIRED = 5;
  private static final int STOCK = 4;
  private static final String CODE = "XOR-2-1-1024k";
  private static final int UNITS = 3;

  private static final Duration QUIET = Duration.ofSeconds(4);
  @TempDir static Path dir;
  private static MiniDFSCluster cluster;
  private static DistributedFileSystem fs;
  private static NameNodeAccess access;
  private static Plan plan;
  private static ScheduledExecutorService repairs;

  /** Puts new blocks where the test says; nodes 0 and 1 hold a pair. */
  private static final class Plan implements PairPlacement, BlockSuperchunks {
    private final List<Target> storages = new ArrayList<>();
    private volatile List<Target> next = List.of();
    private volatile boolean certain;

    Plan() throws IOException {
      for (var node : cluster.getDataNodes()) {
        try (var volumes = node.getFSDataset().getFsVolumeReferences()) {
          FsVolumeSpi first = volumes.get(0);
          storages.add(new Target(first.getStorageID(), node.getDatanodeUuid()));
        }
      }
    }

    void put(int... nodes) {
      next = Arrays.stream(nodes).mapToObj(storages::get).toList();
    }

    @Override
    public List<Target> chooseNew(
        String path,
        int replicas,
        Optional<String> writer,
        List<String> favored,
        Set<String> excluded,
        long blockBytes,
        Usable usable) {
      return next;
    }

    @Override
    public Optional<Target> partnerOf(String storageId) {
      return storages.get(0).storageId().equals(storageId)
          ? Optional.of(storages.get(1))
          : storages.get(1).storageId().equals(storageId)
              ? Optional.of(storages.get(0))
              : Optional.empty();
    }

    @Override
    public Optional<Home> of(long blockId, List<String> storageIds) {
      List<Target> pair = storages.subList(0, 2);
      return pair.stream().anyMatch(side -> storageIds.contains(side.storageId()))
          ? Optional.of(new Home(0, 1, pair))
          : Optional.empty();
    }

    @Override
    public boolean owns(String nodeUuid) {
      return storages.subList(0, PAIRED).stream().anyMatch(t -> t.nodeUuid().equals(nodeUuid));
    }

    @Override
    public boolean leavesToHdfs(String nodeUuid) {
      return certain && !owns(nodeUuid);
    }
  }

  @BeforeAll
  static void start() throws Exception {
    HdfsConfiguration conf = BridgeCluster.conf(null, dir);
    conf.unset("dfs.datanode.fsdataset.factory");
    conf.set("dfs.block.replicator.classname", PairPlacementPolicy.class.getName());
    conf.set("dfs.block.placement.ec.classname", GuardedEcPlacementPolicy.class.getName());
    cluster =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(PAIRED + STOCK)
            .storagesPerDatanode(2)
            // Its builder switches it off else.
            .setNNRedundancyConsiderLoad(true)
            .racks(
                IntStream.range(0, PAIRED + STOCK)
                    .mapToObj(i -> i < 2 ? "/a" : "/b")
                    .toArray(String[]::new))
            .build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
    fs.enableErasureCodingPolicy(CODE);
    fs.mkdirs(new org.apache.hadoop.fs.Path("/code"));
    fs.setErasureCodingPolicy(new org.apache.hadoop.fs.Path("/code"), CODE);
    access = new NameNodeAccess(cluster.getNameNode());
    plan = new Plan();
    access.attach(plan);
    DegradedBlocks degraded = access.repair(plan, plan);
    repairs = Timers.daemon("test-repair");
    repairs.scheduleWithFixedDelay(() -> degraded.refile(0), 500, 500, TimeUnit.MILLISECONDS);
  }

  @AfterAll
  static void stop() {
    repairs.shutdownNow();
    cluster.shutdown(true);
  }

  @BeforeEach
  void certain() {
    plan.certain = true;
  }

  private static DatanodeDescriptor node(int index) {
    return cluster
        .getNamesystem()
        .getBlockManager()
        .getDatanodeManager()
        .getDatanode(plan.storages.get(index).nodeUuid());
  }

  private static DatanodeStorageInfo storage(int index) {
    return node(index).getStorageInfo(plan.storages.get(index).storageId());
  }

  private static Set<String> nodes(int from, int to) {
    return plan.storages.subList(from, to).stream()
        .map(PairPlacement.Target::nodeUuid)
        .collect(Collectors.toSet());
  }

  private static List<LocatedBlock> located(String path) throws IOException {
    return fs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks();
  }

  private static Set<String> holders(String path) throws IOException {
    return Arrays.stream(located(path).get(0).getLocations())
        .map(DatanodeInfo::getDatanodeUuid)
        .collect(Collectors.toSet());
  }

  private static void write(String path, int lengthBytes) throws IOException {
    try (FSDataOutputStream out = fs.create(new org.apache.hadoop.fs.Path(path))) {
      out.write(BridgeCluster.bytes(lengthBytes, 1));
    }
  }

  /** Takes a node away. */
  private static MiniDFSCluster.DataNodeProperties kill(int index) throws IOException {
    DatanodeDescriptor node = node(index);
    MiniDFSCluster.DataNodeProperties stopped = cluster.stopDataNode(node.getXferAddr());
    cluster.setDataNodeDead(node);
    return stopped;
  }

  private static void revive(MiniDFSCluster.DataNodeProperties stopped) throws IOException {
    cluster.restartDataNode(stopped, true);
    cluster.waitActive();
  }

  @Test
  void aBlockOutsideThePairsIsCopiedOutsideThemAndOneOfAPairIsNot() throws Exception {
    plan.put(PAIRED, PAIRED + 1);
    write("/outside", 1000);
    plan.put(0, 1);
    write("/inside", 1000);
    await().until(() -> holders("/outside").size() == 2 && holders("/inside").size() == 2);
    FileSwap files = new FileSwap(cluster.getNameNode(), point -> {});
    assertThat(files.describe("/outside").pairing().inPairs()).isFalse();
    assertThat(files.describe("/inside").pairing().inPairs()).isTrue();
    plan.certain = false;
    MiniDFSCluster.DataNodeProperties stock = kill(PAIRED);
    MiniDFSCluster.DataNodeProperties paired = kill(1);
    try {
      await()
          .during(QUIET)
          .until(() -> holders("/outside").size() == 1 && holders("/inside").size() == 1);
      plan.certain = true;
      await().until(() -> holders("/outside").size() == 2);
      assertThat(nodes(PAIRED + 1, PAIRED + STOCK)).containsAll(holders("/outside"));
      await().during(QUIET).until(() -> holders("/inside").equals(nodes(0, 1)));
    } finally {
      revive(stock);
      revive(paired);
    }
    await().until(() -> holders("/inside").equals(nodes(0, 2)));
  }

  private static List<DatanodeStorageInfo> choose(
      Node source, List<DatanodeStorageInfo> good, Set<Node> excluded) {
    BlockManager blocks = cluster.getNamesystem().getBlockManager();
    return List.of(
        blocks
            .getBlockPlacementPolicy()
            .chooseTarget(
                "/f",
                1,
                source,
                good,
                false,
                excluded,
                1000,
                blocks.getStoragePolicySuite().getDefaultPolicy(),
                null));
  }

  private static Set<Node> set(Node... nodes) {
    return new HashSet<>(List.of(nodes));
  }

  @Test
  void oneReplicaThatIsNotSurelyOutsideKeepsABlockWhereItIs() {
    DatanodeDescriptor stock = node(PAIRED);
    DatanodeStorageInfo good = storage(PAIRED);
    assertThat(choose(stock, List.of(good), set(stock)))
        .singleElement()
        .satisfies(
            chosen ->
                assertThat(nodes(PAIRED + 1, PAIRED + STOCK))
                    .contains(chosen.getDatanodeDescriptor().getDatanodeUuid()));
    // A damaged replica, or a copy on its way, on a node that is for pairs.
    assertThat(choose(stock, List.of(good), set(stock, node(2)))).isEmpty();
    assertThat(choose(stock, List.of(good, storage(2)), set(stock, node(2)))).isEmpty();
    // Of a pair: not for HDFS, whose policy is not given the block.
    assertThat(choose(node(0), List.of(storage(0)), set(node(0)))).isEmpty();
    // The last replica is on a node that is being decommissioned, so it is no good one.
    assertThat(choose(stock, List.of(), set(stock))).hasSize(1);
    assertThat(choose(node(2), List.of(), set(node(2)))).isEmpty();
    // A new file: its block will go to a pair.
    assertThat(choose(stock, List.of(), set())).isEmpty();
    plan.certain = false;
    assertThat(choose(stock, List.of(good), set(stock))).isEmpty();
  }

  /** Of the nodes that are left to HDFS. */
  private static List<Integer> loads() {
    return IntStream.range(PAIRED, PAIRED + STOCK)
        .mapToObj(i -> node(i).getXceiverCount())
        .toList();
  }

  private static void assertCountsOthersOnly(UnpairedLoad load) {
    int sum = loads().stream().mapToInt(Integer::intValue).sum();
    assertThat(load.getNumDatanodesInService()).isEqualTo(STOCK);
    assertThat(load.getInServiceXceiverAverage()).isEqualTo(1.0 * sum / STOCK);
    assertThat(load.getInServiceXceiverAverageForVolume()).isEqualTo(0.5 * sum / STOCK);
    Map<StorageType, StorageTypeStats> types = load.getStorageTypeStats();
    assertThat(types).containsOnlyKeys(StorageType.DISK);
    assertThat(types.get(StorageType.DISK).getNodesInService()).isEqualTo(STOCK);
    assertThat(types.get(StorageType.DISK).getNodesInServiceXceiverCount()).isEqualTo(sum);
  }

  /** Hadoop passes by a node that has twice the average load. */
  @Test
  void idleNodesOfPairsDoNotMakeTheOthersLookBusy() throws Exception {
    BlockManager blocks = cluster.getNamesystem().getBlockManager();
    try (FSDataOutputStream open =
        fs.create(new org.apache.hadoop.fs.Path("/code/open"), true, 4096, (short) 1, 8L << 20)) {
      // A little more than a stripe: its last bytes, and so its parity, wait for those after them.
      open.write(BridgeCluster.bytes((2 << 20) + 65_536, 2));
      FSClusterStats all = blocks.getDatanodeManager().getFSClusterStats();
      await()
          .untilAsserted(
              () ->
                  assertThat(loads())
                      .as("too busy as stock HDFS judges")
                      .filteredOn(load -> load > 2 * all.getInServiceXceiverAverage())
                      .hasSize(UNITS));
      UnpairedLoad load =
          new UnpairedLoad(
              all,
              blocks.getDatanodeManager().getNetworkTopology(),
              n -> plan.owns(n.getDatanodeUuid()));
      // What a heartbeat changes between two of these looks is the same in the next ones.
      await().untilAsserted(() -> assertCountsOthersOnly(load));
      for (int i = 0; i < 3; i++) {
        write("/code/" + i, 5 << 20);
        String path = "/code/" + i;
        // A file may be closed before the last parity unit is reported.
        await()
            .untilAsserted(
                () -> {
                  for (LocatedBlock group : located(path)) {
                    assertThat(group.getLocations()).as("%s", group).hasSizeGreaterThanOrEqualTo(2);
                  }
                });
        for (LocatedBlock group : located(path)) {
          assertThat(nodes(PAIRED, PAIRED + STOCK))
              .containsAll(
                  Arrays.stream(group.getLocations()).map(DatanodeInfo::getDatanodeUuid).toList());
        }
      }
    }
  }
}
