/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.namenode.UnitOrder;
import io.hdfsparity.core.check.SeededRuns;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongPredicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.apache.hadoop.test.GenericTestUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.event.Level;

/**
 * Our placement of erasure-coded blocks chooses what Hadoop's does, to the storage and in the same
 * order, where nothing asks for another one: with the same chances, on clusters made up at random.
 *
 * <p>Hadoop's policy takes its chances from {@code NetworkTopology.getRandom()}, for which tests
 * can set a source, and from a constant of DFSNetworkTopology, which can be seeded; both are set
 * anew before each choice. Nothing else in it is random: Host2NodesMap is, where hosts have several
 * nodes, and is not asked by these policies.
 */
@Tag("full")
class SameAsStockPlacementTest {
  private static final int CLUSTERS = 25;
  private static final int CHOICES = 12;
  private static final long BLOCK_BYTES = 1 << 20;
  private static final String CODE = "XOR-2-1-1024k";
  private static final String HINT = "trusted.test.hint";
  private static final String PLAIN = "/plain";
  private static final String NOWHERE = "/hinted/nowhere";
  private static final String WITHOUT = "/hinted/without";
  private static final String WITH = "/hinted/with";

  @TempDir static Path dir;
  private static MiniDFSCluster cluster;
  private static BlockManager blocks;
  private static Configuration conf;
  private static final AtomicReference<Random> CHANCES =
      sourceOf(PrivateFields.get(PrivateFields.of(NetworkTopology.class, "RANDOM_REF"), null));
  private static final Random TYPE_CHANCES =
      (Random) PrivateFields.get(PrivateFields.of(DFSNetworkTopology.class, "RANDOM"), null);

  @SuppressWarnings("unchecked") // which it is in Hadoop 3.5.0
  private static AtomicReference<Random> sourceOf(Object field) {
    return (AtomicReference<Random>) field;
  }

  /** Turns the units of a file with a hint around, or cannot use the hint. */
  private static final class Backwards implements UnitOrder {
    private final AtomicInteger asked = new AtomicInteger();
    private volatile boolean isBroken;

    @Override
    public boolean concerns(String path) {
      return path.startsWith("/hinted/");
    }

    @Override
    public String attribute() {
      return HINT;
    }

    @Override
    public void keep(LongPredicate isThere) {}

    @Override
    public int[] order(NewGroup group, List<String> nodeUuids) throws IOException {
      asked.incrementAndGet();
      if (isBroken) {
        throw new IOException("Cannot use a hint");
      }
      int last = nodeUuids.size() - 1;
      int[] order = new int[nodeUuids.size()];
      Arrays.setAll(order, unit -> last - unit);
      return order;
    }
  }

  @BeforeAll
  static void start() throws IOException {
    // Each choice that falls short says so several times.
    GenericTestUtils.setLogLevel(BlockPlacementPolicy.LOG, Level.ERROR);
    GenericTestUtils.setLogLevel(BlockStoragePolicy.LOG, Level.ERROR);
    // As does each writer that is no node of the cluster.
    GenericTestUtils.disableLog(NetworkTopology.LOG);
    conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, dir.toString());
    conf.set("dfs.block.replicator.classname", PairPlacementPolicy.class.getName());
    conf.set("dfs.block.placement.ec.classname", HintedEcPlacementPolicy.class.getName());
    // What is stale or dead is said by the test, not by how fast it goes.
    conf.setBoolean("dfs.namenode.avoid.write.stale.datanode", true);
    conf.setLong("dfs.namenode.stale.datanode.interval", 10_000_000);
    conf.setInt("dfs.namenode.heartbeat.recheck-interval", 100_000_000);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build();
    cluster.waitClusterUp();
    blocks = cluster.getNamesystem().getBlockManager();
    new NameNodeAccess(cluster.getNameNode()).attach(new NoPairs());
    DistributedFileSystem fs = cluster.getFileSystem();
    fs.enableErasureCodingPolicy(CODE);
    for (String each : List.of(WITHOUT, WITH)) {
      try (FSDataOutputStream made =
          fs.createFile(new org.apache.hadoop.fs.Path(each))
              .recursive()
              .ecPolicyName(CODE)
              .build()) {
        assertThat(made.getPos()).isZero();
      }
    }
    fs.setXAttr(new org.apache.hadoop.fs.Path(WITH), HINT, new byte[] {1});
  }

  @AfterAll
  static void stop() {
    cluster.shutdown(true);
  }

  @AfterEach
  void leaveChances() {
    CHANCES.set(null);
  }

  /** Nodes in racks, of which the policies are told, and the statistics about them. */
  private static final class Nodes implements AutoCloseable {
    private final NetworkTopology topology;
    private final Host2NodesMap hosts = new Host2NodesMap();
    private final List<DatanodeDescriptor> all = new ArrayList<>();

    Nodes(Random random) {
      Configuration topologyConf = new Configuration(conf);
      topologyConf.setBoolean("dfs.use.dfs.network.topology", random.nextInt(4) > 0);
      topology =
          topologyConf.getBoolean("dfs.use.dfs.network.topology", true)
              ? DFSNetworkTopology.getInstance(topologyConf)
              : NetworkTopology.getInstance(topologyConf);
      int racks = 1 + random.nextInt(8);
      int count = 1 + random.nextInt(30);
      for (int i = 0; i < count; i++) {
        add(random, i, "/d" + random.nextInt(2) + "/r" + random.nextInt(racks));
      }
    }

    private void add(Random random, int number, String rack) {
      DatanodeDescriptor node =
          DFSTestUtil.getDatanodeDescriptor("10.0.0." + number, 9866, rack, "host" + number);
      int storages = 1 + random.nextInt(3);
      for (int i = 0; i < storages; i++) {
        StorageType type =
            random.nextInt(4) > 0
                ? StorageType.DISK
                : List.of(StorageType.SSD, StorageType.ARCHIVE).get(random.nextInt(2));
        node.updateStorage(
            new DatanodeStorage(
                "DS-" + number + "-" + i,
                random.nextInt(12) == 0
                    ? DatanodeStorage.State.READ_ONLY_SHARED
                    : DatanodeStorage.State.NORMAL,
                type));
      }
      for (DatanodeStorageInfo storage : node.getStorageInfos()) {
        long room = random.nextInt(10) == 0 ? 1 : 100 * BLOCK_BYTES;
        storage.setUtilizationForTesting(room, 0, room, 0);
      }
      topology.add(node);
      hosts.add(node);
      HeartbeatManager heartbeats = blocks.getDatanodeManager().getHeartbeatManager();
      heartbeats.addDatanode(node);
      heartbeats.updateDnStat(node);
      heartbeats.updateHeartbeat(
          node,
          BlockManagerTestUtil.getStorageReportsForDatanode(node),
          0,
          0,
          random.nextInt(8) == 0 ? 200 : random.nextInt(20),
          0,
          null);
      DFSTestUtil.resetLastUpdatesWithOffset(node, random.nextInt(10) == 0 ? -20_000_000L : 0);
      if (random.nextInt(12) == 0) {
        node.startDecommission();
      }
      all.add(node);
    }

    DatanodeDescriptor any(Random random) {
      return all.get(random.nextInt(all.size()));
    }

    Set<Node> some(Random random, int oneIn) {
      Set<Node> some = new HashSet<>();
      all.stream().filter(node -> random.nextInt(oneIn) == 0).forEach(some::add);
      return some;
    }

    <P extends BlockPlacementPolicyRackFaultTolerant> P placedBy(P policy) {
      policy.initialize(conf, blocks.getDatanodeManager().getFSClusterStats(), topology, hosts);
      return policy;
    }

    @Override
    public void close() {
      all.forEach(blocks.getDatanodeManager().getHeartbeatManager()::removeDatanode);
    }
  }

  /** One call of a policy, with the same chances and arguments of its own each time. */
  private record Choice(
      long chances,
      int units,
      Node writer,
      Set<Node> excluded,
      List<DatanodeDescriptor> favored,
      List<DatanodeStorageInfo> held,
      BlockStoragePolicy storagePolicy,
      EnumSet<AddBlockFlag> flags) {
    static Choice of(Random random, Nodes nodes) {
      List<DatanodeDescriptor> favored = new ArrayList<>();
      if (random.nextInt(4) == 0) {
        for (int i = random.nextInt(6); i >= 0; i--) {
          favored.add(nodes.any(random));
        }
      }
      List<DatanodeStorageInfo> held = new ArrayList<>();
      for (Node node : nodes.some(random, 1 + nodes.all.size() / 3)) {
        held.add(((DatanodeDescriptor) node).getStorageInfos()[0]);
      }
      String[] policies = {"HOT", "COLD", "WARM", "ONE_SSD", "ALL_SSD"};
      return new Choice(
          random.nextLong(),
          1 + random.nextInt(16),
          switch (random.nextInt(4)) {
            case 0 -> null;
            // A rack that has nodes: Hadoop's policy fails for others with NO_LOCAL_RACK.
            case 1 -> new NodeBase("client", nodes.any(random).getNetworkLocation());
            default -> nodes.any(random);
          },
          random.nextBoolean() ? null : nodes.some(random, 6),
          favored,
          held,
          blocks.getStoragePolicySuite().getPolicy(policies[random.nextInt(policies.length)]),
          random.nextInt(3) == 0
              ? EnumSet.of(AddBlockFlag.NO_LOCAL_WRITE)
              : random.nextInt(4) == 0
                  ? EnumSet.of(AddBlockFlag.NO_LOCAL_RACK)
                  : EnumSet.noneOf(AddBlockFlag.class));
    }

    private Set<Node> ownExcluded() {
      return excluded == null ? null : new HashSet<>(excluded);
    }

    private static void setChances(long seed) {
      CHANCES.set(new Random(seed));
      TYPE_CHANCES.setSeed(seed + 1);
    }

    /** As new blocks come. */
    List<DatanodeStorageInfo> ofNewBlock(BlockPlacementPolicy policy, String path) {
      return ofNewBlock(policy, path, chances);
    }

    List<DatanodeStorageInfo> ofNewBlock(BlockPlacementPolicy policy, String path, long with) {
      setChances(with);
      return List.of(
          policy.chooseTarget(
              path,
              units,
              writer,
              ownExcluded(),
              BLOCK_BYTES,
              favored.isEmpty() ? null : favored,
              storagePolicy,
              flags));
    }

    /** As units come that are rebuilt. */
    List<DatanodeStorageInfo> ofRebuilt(BlockPlacementPolicy policy, String path) {
      setChances(chances);
      return List.of(
          policy.chooseTarget(
              path,
              units,
              writer,
              new ArrayList<>(held),
              false,
              ownExcluded(),
              BLOCK_BYTES,
              storagePolicy,
              flags));
    }
  }

  /**
   * Hadoop's own, with the one thing in which the guarded policy differs by its own documentation:
   * where no node could be chosen, it does not throw what no caller catches.
   */
  private static final class Stock extends BlockPlacementPolicyRackFaultTolerant {
    @Override
    protected Node chooseTargetInOrder(
        int units,
        Node writer,
        Set<Node> excluded,
        long blockBytes,
        int maxInRack,
        List<DatanodeStorageInfo> results,
        boolean avoidsStale,
        boolean isNew,
        EnumMap<StorageType, Integer> types)
        throws NotEnoughReplicasException {
      try {
        return super.chooseTargetInOrder(
            units, writer, excluded, blockBytes, maxInRack, results, avoidsStale, isNew, types);
      } catch (NoSuchElementException e) {
        throw new NotEnoughReplicasException("None");
      }
    }
  }

  /** The hinted policy, asking an order of ours. */
  private static HintedEcPlacementPolicy hinted(Nodes nodes, UnitOrder order) {
    HintedEcPlacementPolicy policy = nodes.placedBy(new HintedEcPlacementPolicy());
    PrivateFields.set(PrivateFields.of(HintedEcPlacementPolicy.class, "order"), policy, order);
    return policy;
  }

  private static List<DatanodeStorageInfo> backwards(List<DatanodeStorageInfo> targets) {
    List<DatanodeStorageInfo> turned = new ArrayList<>(targets);
    Collections.reverse(turned);
    return turned;
  }

  @Test
  void withoutHintsItChoosesWhatHadoopDoes() {
    AtomicInteger chosen = new AtomicInteger();
    AtomicInteger differed = new AtomicInteger();
    SeededRuns.of(CLUSTERS)
        .check(
            random -> {
              Backwards order = new Backwards();
              try (Nodes nodes = new Nodes(random)) {
                BlockPlacementPolicy stock = nodes.placedBy(new Stock());
                BlockPlacementPolicy guarded = nodes.placedBy(new GuardedEcPlacementPolicy());
                BlockPlacementPolicy hinted = hinted(nodes, order);
                BlockPlacementPolicy unasked = nodes.placedBy(new HintedEcPlacementPolicy());
                for (int i = 0; i < CHOICES; i++) {
                  Choice choice = Choice.of(random, nodes);
                  List<DatanodeStorageInfo> wanted = choice.ofNewBlock(stock, PLAIN);
                  assertThat(choice.ofNewBlock(guarded, PLAIN)).isEqualTo(wanted);
                  assertThat(choice.ofNewBlock(unasked, PLAIN)).isEqualTo(wanted);
                  for (String path : List.of(PLAIN, NOWHERE, WITHOUT)) {
                    assertThat(choice.ofNewBlock(hinted, path)).as(path).isEqualTo(wanted);
                  }
                  assertThat(order.asked).hasValue(0);
                  List<DatanodeStorageInfo> rebuilt = choice.ofRebuilt(stock, PLAIN);
                  assertThat(choice.ofRebuilt(guarded, PLAIN)).isEqualTo(rebuilt);
                  assertThat(choice.ofRebuilt(hinted, WITH)).isEqualTo(rebuilt);
                  chosen.addAndGet(wanted.size() + rebuilt.size());
                  // Chances are what decides: others choose others.
                  boolean isOther =
                      !choice.ofNewBlock(stock, PLAIN, ~choice.chances()).equals(wanted);
                  differed.addAndGet(isOther ? 1 : 0);
                }
              }
            });
    assertThat(chosen.get()).isPositive();
    assertThat(differed.get()).isPositive();
  }

  @Test
  void aHintChangesTheOrderAndNothingElse() {
    AtomicInteger turned = new AtomicInteger();
    SeededRuns.of(CLUSTERS)
        .check(
            random -> {
              Backwards order = new Backwards();
              try (Nodes nodes = new Nodes(random)) {
                BlockPlacementPolicy stock = nodes.placedBy(new Stock());
                BlockPlacementPolicy hinted = hinted(nodes, order);
                for (int i = 0; i < CHOICES; i++) {
                  Choice choice = Choice.of(random, nodes);
                  List<DatanodeStorageInfo> wanted = choice.ofNewBlock(stock, WITH);
                  order.isBroken = random.nextInt(4) == 0;
                  assertThat(choice.ofNewBlock(hinted, WITH))
                      .isEqualTo(order.isBroken ? wanted : backwards(wanted));
                }
              }
              turned.addAndGet(order.asked.get());
            });
    assertThat(turned.get()).isPositive();
  }
}
