/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ParityNameNodePlugin;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.bridge.level.CrashPoints;
import io.hdfsparity.bridge.swap.SwapProtocol;
import io.hdfsparity.bridge.swap.wire.SwapClient;
import io.hdfsparity.bridge.wire.NameNodeServer;
import io.hdfsparity.core.check.FreePorts;
import io.hdfsparity.izs.config.LevelKey;
import io.hdfsparity.izs.level.FileOutcome;
import io.hdfsparity.izs.level.LevelStatus;
import io.hdfsparity.izs.wire.FormSwapProtocolPB;
import io.hdfsparity.izs.wire.LevelClient;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.GuardedEcPlacementPolicy;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.io.erasurecode.ECSchema;

/** A cluster whose files change their level, and what its tests ask of it. */
final class MiniLevels implements AutoCloseable {
  /** Points of a change of level, in their order. */
  static final Set<CrashPoints.Point> POINTS =
      EnumSet.complementOf(EnumSet.of(CrashPoints.Point.COPY_DELETED));

  static final int K = 4;
  static final int CELL_BYTES = 16 * 1024;
  static final int BLOCK_BYTES = 4 * CELL_BYTES;
  static final int GROUP_BYTES = K * BLOCK_BYTES;

  private final MiniDFSCluster cluster;
  private final Configuration conf;
  private final int[] ports;

  private MiniLevels(MiniDFSCluster cluster, Configuration conf, int[] ports) {
    this.cluster = cluster;
    this.conf = conf;
    this.ports = ports;
  }

  static Configuration conf() {
    Configuration conf = new HdfsConfiguration();
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK_BYTES);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 1024);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 1);
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    // A node that is stopped for a moment is not to be taken for dead because the machine is slow.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 60_000);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY, 20);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY, 40);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY, 5);
    conf.setInt("dfs.namenode.replication.work.multiplier.per.iteration", 10);
    conf.setInt("dfs.client.retry.window.base", 100);
    conf.setInt("dfs.ha.tail-edits.period", 1);
    conf.setInt("dfs.ha.log-roll.period", 1);
    conf.setBoolean("dfs.namenode.acls.enabled", true);
    conf.set(
        DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY,
        GuardedEcPlacementPolicy.class.getName());
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, ParityNameNodePlugin.class.getName());
    conf.set(SuiteKey.FEATURES.key(), "izs");
    conf.set(LevelKey.SWEEP_INTERVAL.key(), "300ms");
    return conf;
  }

  /**
   * Lets a NameNode that is started again wait for its DataNodes as it does in a real cluster.
   * MiniDFSCluster leaves safe mode at the first unit that is enough to read with: units that are
   * not reported yet are then rebuilt, some on nodes that hold one of the same group. Of two units
   * on one node a NameNode knows one, and a node with a unit that no NameNode knows refuses that
   * unit each time that it is sent there.
   */
  static void rebuildNothingBeforeAllHaveReported(Configuration conf, int nodes) {
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_SAFEMODE_MIN_DATANODES_KEY, nodes);
    conf.setInt(MiniDFSCluster.DFS_NAMENODE_SAFEMODE_EXTENSION_TESTING_KEY, 2000);
  }

  /** One NameNode, DataNodes in one rack. */
  static MiniLevels start(Configuration conf, Path root, int nodes) throws IOException {
    return start(conf, root, Collections.nCopies(nodes, "/default-rack"));
  }

  /** One NameNode, a DataNode for each rack that is named. */
  static MiniLevels start(Configuration conf, Path root, List<String> racks) throws IOException {
    int port = FreePorts.next();
    conf.set(SuiteKey.NAMENODE_RPC_ADDRESS.key(), "127.0.0.1:" + port);
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, root.toFile())
            .nameNodePort(FreePorts.next())
            .numDataNodes(racks.size())
            .racks(racks.toArray(String[]::new))
            .checkDataNodeAddrConfig(true)
            .dataNodeConfOverlays(DataNodeAddresses.overlays(racks.size()))
            .build();
    cluster.waitActive();
    return new MiniLevels(cluster, conf, new int[] {port});
  }

  /** Two NameNodes with shared edits, the first active. */
  static MiniLevels startHa(Configuration conf, Path root, int nodes) throws Exception {
    int[] ports = {FreePorts.next(), FreePorts.next()};
    for (int i = 0; i < ports.length; i++) {
      conf.set(
          SuiteKey.NAMENODE_RPC_ADDRESS.key() + ".minidfs-ns.nn" + (i + 1),
          "127.0.0.1:" + ports[i]);
    }
    MiniDFSNNTopology topology = MiniDFSNNTopology.simpleHATopology();
    topology
        .getNameservices()
        .forEach(each -> each.getNNs().forEach(node -> node.setIpcPort(FreePorts.next())));
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, root.toFile())
            .nnTopology(topology)
            .numDataNodes(nodes)
            .checkDataNodeAddrConfig(true)
            .dataNodeConfOverlays(DataNodeAddresses.overlays(nodes))
            .build();
    cluster.waitActive();
    cluster.transitionToActive(0);
    return new MiniLevels(cluster, conf, ports);
  }

  MiniDFSCluster cluster() {
    return cluster;
  }

  /** Where the suite's server of a NameNode listens. */
  InetSocketAddress address(int nameNode) {
    return new InetSocketAddress("127.0.0.1", ports[nameNode]);
  }

  Configuration clientConf() {
    return conf;
  }

  @Override
  public void close() {
    cluster.shutdown();
  }

  /** Name of the policy of a level. */
  static String policy(String codec, int level) {
    return codec.toUpperCase(java.util.Locale.ROOT)
        + "-"
        + K
        + "-"
        + level
        + "-"
        + CELL_BYTES / 1024
        + "k";
  }

  /** Adds and enables the policies of a codec's levels. */
  static void addPolicies(DistributedFileSystem fs, String codec) throws IOException {
    for (int level = 1; level <= 3; level++) {
      AddErasureCodingPolicyResponse[] added =
          fs.addErasureCodingPolicies(
              new ErasureCodingPolicy[] {
                new ErasureCodingPolicy(new ECSchema(codec, K, level), CELL_BYTES)
              });
      assertThat(added[0].isSucceed()).as(added[0].getErrorMsg()).isTrue();
      fs.enableErasureCodingPolicy(policy(codec, level));
    }
  }

  static void makeDirectory(DistributedFileSystem fs, String path, String policy)
      throws IOException {
    fs.mkdirs(new org.apache.hadoop.fs.Path(path));
    fs.setErasureCodingPolicy(new org.apache.hadoop.fs.Path(path), policy);
  }

  static byte[] bytes(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  static void write(DistributedFileSystem fs, String path, byte[] bytes) throws IOException {
    try (OutputStream out = fs.create(new org.apache.hadoop.fs.Path(path))) {
      out.write(bytes);
    }
  }

  static byte[] read(DistributedFileSystem fs, String path, int length) throws IOException {
    byte[] bytes = new byte[length];
    try (FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path(path))) {
      in.readFully(bytes);
    }
    return bytes;
  }

  LevelClient client(int nameNode) throws IOException {
    return new LevelClient(new InetSocketAddress("127.0.0.1", ports[nameNode]), conf, 120_000);
  }

  /** The file swap service of a NameNode's level manager. */
  SwapProtocol swaps(int nameNode) {
    InetSocketAddress address = address(nameNode);
    return new SwapClient(
        FormSwapProtocolPB.class, List.of(new NameNodeServer("", address, address)), conf, 120_000);
  }

  LevelStatus status(int nameNode) {
    try {
      return ask(nameNode);
    } catch (EOFException e) {
      // The connection was kept since before a restart; the next is a new one.
      try {
        return ask(nameNode);
      } catch (IOException again) {
        throw new UncheckedIOException(again);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private LevelStatus ask(int nameNode) throws IOException {
    try (LevelClient client = client(nameNode)) {
      return client.status();
    }
  }

  FileOutcome setLevel(int nameNode, int level, String path) throws IOException {
    status(nameNode);
    try (LevelClient client = client(nameNode)) {
      return client.setLevel(level, List.of(path)).get(0);
    }
  }

  /** Changes a level; what hinders it for a moment only is waited for. */
  void changeLevel(int nameNode, int level, String path) {
    await(path + " to level " + level)
        .untilAsserted(
            () -> {
              FileOutcome outcome = setLevel(nameNode, level, path);
              assertThat(outcome.refusal()).isEmpty();
            });
  }

  /** Units that a NameNode lists for each group of a file. */
  static List<Set<Integer>> units(DistributedFileSystem fs, String path) throws IOException {
    List<Set<Integer>> groups = new ArrayList<>();
    for (LocatedBlock block :
        fs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks()) {
      Set<Integer> units = new TreeSet<>();
      for (byte unit : ((LocatedStripedBlock) block).getBlockIndices()) {
        units.add((int) unit);
      }
      groups.add(units);
    }
    return groups;
  }

  /** Makes /rs/f, of codec rs, and waits for all of its units. */
  static void makeFile(DistributedFileSystem fs, byte[] bytes, int level) throws IOException {
    addPolicies(fs, "rs");
    makeDirectory(fs, "/rs", policy("rs", level));
    write(fs, "/rs/f", bytes);
    awaitUnits(fs, "/rs/f", level);
  }

  /** Waits until each group of a file has the units of a level and no others. */
  static void awaitUnits(DistributedFileSystem fs, String path, int level) throws IOException {
    long length = fs.getFileStatus(new org.apache.hadoop.fs.Path(path)).getLen();
    List<Set<Integer>> want = new ArrayList<>();
    for (long from = 0; from < length; from += GROUP_BYTES) {
      int data = (int) Math.min(K, (Math.min(length - from, GROUP_BYTES) - 1) / CELL_BYTES + 1);
      Set<Integer> units = new TreeSet<>();
      for (int unit = 0; unit < K + level; unit++) {
        if (unit < data || unit >= K) {
          units.add(unit);
        }
      }
      want.add(units);
    }
    await("units of " + path).untilAsserted(() -> assertThat(units(fs, path)).isEqualTo(want));
    assertThat(policyOf(fs, path)).contains("-" + K + "-" + level + "-");
  }

  /**
   * Waits until nothing is being rebuilt or deleted. A NameNode that has just started takes units
   * for lost that their nodes have not reported yet, and has them rebuilt.
   */
  void awaitCalm() {
    await("nothing is being rebuilt or deleted")
        .untilAsserted(
            () -> {
              BlockManager blocks = activeNamesystem().getBlockManager();
              BlockManagerTestUtil.updateState(blocks);
              assertThat(blocks.getLowRedundancyBlocksCount()).isZero();
              assertThat(blocks.getPendingReconstructionBlocksCount()).isZero();
              assertThat(blocks.getPendingDeletionBlocksCount()).isZero();
              assertThat(blocks.getPostponedMisreplicatedBlocksCount()).isZero();
              assertThat(blocks.getExcessBlocksCount()).isZero();
            });
  }

  private FSNamesystem activeNamesystem() {
    for (int nameNode = 0; nameNode < cluster.getNumNameNodes(); nameNode++) {
      NameNode each = cluster.getNameNode(nameNode);
      if (each != null && each.isActiveState()) {
        return each.getNamesystem();
      }
    }
    throw new AssertionError("no NameNode is active");
  }

  static String policyOf(DistributedFileSystem fs, String path) throws IOException {
    ErasureCodingPolicy policy =
        ((HdfsFileStatus) fs.getFileStatus(new org.apache.hadoop.fs.Path(path)))
            .getErasureCodingPolicy();
    assertThat(policy).isNotNull();
    return policy.getName();
  }

  /**
   * Files of a file's units on the disks: name and unit to inode, modification time and length. A
   * rewritten unit has another inode.
   */
  Map<String, String> replicaFiles(DistributedFileSystem fs, String path) throws IOException {
    Map<String, String> files = new TreeMap<>();
    List<LocatedBlock> groups =
        fs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks();
    String pool = cluster.getNamesystem(0).getBlockPoolId();
    for (int node = 0; node < cluster.getDataNodes().size(); node++) {
      for (int volume = 0; volume < 2; volume++) {
        File directory =
            MiniDFSCluster.getFinalizedDir(cluster.getInstanceStorageDir(node, volume), pool);
        if (directory.exists()) {
          collect(directory.toPath(), groups, node, files);
        }
      }
    }
    return files;
  }

  private static void collect(
      Path directory, List<LocatedBlock> groups, int node, Map<String, String> into)
      throws IOException {
    for (Path replica : LiveFiles.under(directory)) {
      if (!replica.getFileName().toString().matches("blk_-?\\d+")) {
        continue;
      }
      long id = Long.parseLong(replica.getFileName().toString().substring("blk_".length()));
      for (LocatedBlock group : groups) {
        long unit = id - group.getBlock().getBlockId();
        if (unit >= 0 && unit < 16) {
          BasicFileAttributes attributes;
          try {
            attributes = Files.readAttributes(replica, BasicFileAttributes.class);
          } catch (NoSuchFileException gone) {
            continue;
          }
          into.put(
              group.getBlock().getBlockId() + "+" + unit + "@" + node,
              attributes.fileKey() + " " + attributes.lastModifiedTime() + " " + attributes.size());
        }
      }
    }
  }

  /**
   * Stops nodes that hold the first data units of a file's first group, reads, brings them back.
   */
  void assertReadsWithout(DistributedFileSystem fs, String path, byte[] bytes, int nodes)
      throws Exception {
    // Units that were rebuilt for nothing are deleted again. A reader that was sent to one misses
    // it beside those of the stopped nodes.
    awaitCalm();
    LocatedStripedBlock group =
        (LocatedStripedBlock) fs.getClient().getLocatedBlocks(path, 0, 1).get(0);
    List<MiniDFSCluster.DataNodeProperties> stopped = new ArrayList<>();
    for (int i = 0; i < group.getLocations().length && stopped.size() < nodes; i++) {
      if (group.getBlockIndices()[i] < nodes) {
        stopped.add(cluster.stopDataNode(group.getLocations()[i].getXferAddr()));
      }
    }
    assertThat(stopped).hasSize(nodes);
    assertThat(Arrays.equals(read(fs, path, bytes.length), bytes))
        .as("%s without %d nodes", path, nodes)
        .isTrue();
    for (MiniDFSCluster.DataNodeProperties each : stopped) {
      cluster.restartDataNode(each, /* keepPort= */ true);
    }
    cluster.waitActive();
  }
}
