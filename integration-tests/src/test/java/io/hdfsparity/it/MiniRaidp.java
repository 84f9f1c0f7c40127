/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.ParityDataNodePlugin;
import io.hdfsparity.ParityNameNodePlugin;
import io.hdfsparity.core.check.FreePorts;
import io.hdfsparity.raidp.admin.RaidpAdmin;
import io.hdfsparity.raidp.config.RaidpKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.PairPlacementPolicy;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsDatasetFactory;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.util.ToolRunner;
import org.awaitility.Awaitility;

/**
 * A MiniDFSCluster whose DataNodes store through RAIDP: real NameNode and DataNodes in this JVM,
 * real frames and Lstors in a temporary folder, administered through the same command line class
 * that operators use.
 */
final class MiniRaidp implements AutoCloseable {
  /** Which files get parity. */
  enum Protected {
    /** All: the root directory is marked. */
    ROOT,

    /** Those that the test marks. */
    NOTHING
  }

  /**
   * Shape of a cluster.
   *
   * @param frames of a disk
   */
  record Shape(
      int nodes, int racks, int disks, int frames, long frameBytes, int unitBytes, int blockBytes) {
    static Shape small() {
      return new Shape(6, 2, 1, 6, 64L << 20, 1 << 16, 1 << 20);
    }
  }

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path root;
  private final Shape shape;
  private final Configuration conf;
  private final MiniDFSCluster cluster;
  private final DistributedFileSystem fs;
  private final boolean highlyAvailable;
  private final String clusterId;
  private final List<AutoCloseable> daemons = new ArrayList<>();

  private MiniRaidp(Path root, Shape shape, Configuration conf, MiniDFSCluster cluster)
      throws IOException {
    this.root = root;
    this.shape = shape;
    this.conf = conf;
    this.cluster = cluster;
    this.highlyAvailable = cluster.getNumNameNodes() > 1;
    this.fs = highlyAvailable ? failoverClient() : cluster.getFileSystem();
    this.clusterId =
        cluster.getNameNode(0).getNamesystem().getFSImage().getStorage().getClusterID();
  }

  static MiniRaidp start(Path root, Shape shape) throws Exception {
    return start(root, shape, new Configuration(false));
  }

  /** Starts the cluster, forms the superchunks and waits until every one of them is usable. */
  static MiniRaidp start(Path root, Shape shape, Configuration extra) throws Exception {
    return start(root, shape, extra, Protected.ROOT);
  }

  static MiniRaidp start(Path root, Shape shape, Configuration extra, Protected marked)
      throws Exception {
    return laidOut(startUnlaid(root, shape, extra), marked);
  }

  /** Two NameNodes, the first one active, each with its own manager. */
  static MiniRaidp startHighlyAvailable(Path root, Shape shape, Configuration extra)
      throws Exception {
    return startHighlyAvailable(root, shape, extra, Protected.ROOT);
  }

  static MiniRaidp startHighlyAvailable(
      Path root, Shape shape, Configuration extra, Protected marked) throws Exception {
    MiniDFSNNTopology topology = MiniDFSNNTopology.simpleHATopology();
    for (MiniDFSNNTopology.NSConf service : topology.getNameservices()) {
      for (MiniDFSNNTopology.NNConf node : service.getNNs()) {
        extra.set(
            "dfs.parity.namenode.rpc-address." + service.getId() + "." + node.getNnId(),
            "127.0.0.1:" + FreePorts.next());
        node.setIpcPort(FreePorts.next());
        node.setHttpPort(FreePorts.next());
      }
    }
    return laidOut(startUnlaid(root, shape, extra, topology, 0), marked);
  }

  private static MiniRaidp laidOut(MiniRaidp raidp, Protected marked) throws Exception {
    try {
      raidp.applyLayout();
      if (marked == Protected.ROOT) {
        raidp.protect("/");
      }
      return raidp;
    } catch (Exception | Error e) {
      raidp.close();
      throw e;
    }
  }

  static MiniRaidp startUnlaid(Path root, Shape shape, Configuration extra) throws Exception {
    return startUnlaid(root, shape, extra, null, 0);
  }

  /**
   * With more DataNodes behind those of RAIDP, which are stock ones with a directory each, and
   * before there is RAIDP in the NameNode: replicas go where HDFS puts them, until {@link
   * #switchOn}.
   */
  static MiniRaidp startBeforeRaidp(Path root, Shape shape, Configuration extra, int stockNodes)
      throws Exception {
    Configuration before = new Configuration(extra);
    before.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
        BlockPlacementPolicyDefault.class.getName());
    before.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, "");
    return startUnlaid(root, shape, before, null, stockNodes);
  }

  /** The same NameNode and DataNodes without RAIDP: what an operator has before he installs it. */
  static MiniDFSCluster startStock(Path root, Shape shape, Configuration extra) throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, root.resolve("dfs").toString());
    conf.setLong("dfs.blocksize", shape.blockBytes());
    conf.setLong("dfs.namenode.fs-limits.min-block-size", 1024);
    extra.forEach(entry -> conf.set(entry.getKey(), entry.getValue()));
    Configuration[] overlays = new Configuration[shape.nodes()];
    for (int node = 0; node < shape.nodes(); node++) {
      overlays[node] = DataNodeAddresses.overlay();
      overlays[node].set("dfs.datanode.data.dir", dataDirs(root, shape, node));
    }
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf)
            .nameNodePort(FreePorts.next())
            .checkDataNodeAddrConfig(true)
            .numDataNodes(shape.nodes())
            .manageDataDfsDirs(false)
            .racks(racks(shape, shape.nodes()))
            .hosts(hosts(shape.nodes()))
            .dataNodeConfOverlays(overlays)
            .build();
    cluster.waitActive();
    return cluster;
  }

  /** On what a cluster of {@link #startStock} has left. */
  static MiniRaidp startOnStock(Path root, Shape shape, Configuration extra) throws Exception {
    return laidOut(startUnlaid(root, shape, extra, null, 0, false), Protected.NOTHING);
  }

  /**
   * Restarts the NameNode with RAIDP's policy, and with the features that are configured then, and
   * lays the frames out.
   */
  void switchOn() throws Exception {
    for (Configuration each : List.of(conf, cluster.getConfiguration(0))) {
      each.set(
          DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, PairPlacementPolicy.class.getName());
      each.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, ParityNameNodePlugin.class.getName());
    }
    cluster.restartNameNode();
    applyLayout();
    protect("/");
  }

  /** Restarts the NameNode and all DataNodes as stock ones, on the same directories. */
  void switchOff() throws Exception {
    for (Configuration each : List.of(conf, cluster.getConfiguration(0))) {
      each.set(
          DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
          BlockPlacementPolicyDefault.class.getName());
      each.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, "");
    }
    for (int node = 0; node < shape.nodes(); node++) {
      // The first one: the one that is restarted becomes the last.
      restartWithoutPlugin(0);
    }
    cluster.restartNameNode();
    cluster.waitActive();
  }

  /** Restarts a DataNode as a stock one. */
  MiniDFSCluster.DataNodeProperties restartWithoutPlugin(int node) throws Exception {
    MiniDFSCluster.DataNodeProperties stopped = cluster.stopDataNode(node);
    stopped.setDnArgs(
        "-D",
        DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY + "=",
        "-D",
        "dfs.datanode.fsdataset.factory=" + FsDatasetFactory.class.getName(),
        "-D",
        "dfs.parity.datanode.dataset.hooks=");
    assertThat(cluster.restartDataNode(stopped, true)).isTrue();
    return stopped;
  }

  /** Restarts the DataNode at an address as it was configured first. */
  void restartWithPlugin(String address) throws Exception {
    MiniDFSCluster.DataNodeProperties stopped = cluster.stopDataNode(address);
    stopped.setDnArgs();
    assertThat(cluster.restartDataNode(stopped, true)).isTrue();
  }

  private static MiniRaidp startUnlaid(
      Path root, Shape shape, Configuration extra, MiniDFSNNTopology topology, int stockNodes)
      throws Exception {
    return startUnlaid(root, shape, extra, topology, stockNodes, true);
  }

  private static MiniRaidp startUnlaid(
      Path root,
      Shape shape,
      Configuration extra,
      MiniDFSNNTopology topology,
      int stockNodes,
      boolean isNew)
      throws Exception {
    Configuration conf = configuration(root, shape);
    extra.forEach(entry -> conf.set(entry.getKey(), entry.getValue()));
    int nodes = shape.nodes() + stockNodes;
    Configuration[] overlays = new Configuration[nodes];
    for (int node = 0; node < nodes; node++) {
      overlays[node] =
          node < shape.nodes() ? nodeOverlay(root, shape, node) : stockOverlay(root, node);
    }
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf)
            .format(isNew)
            .nnTopology(topology)
            .nameNodePort(topology == null ? FreePorts.next() : 0)
            .checkDataNodeAddrConfig(true)
            .numDataNodes(nodes)
            .manageDataDfsDirs(false)
            .racks(racks(shape, nodes))
            .hosts(hosts(nodes))
            .dataNodeConfOverlays(overlays)
            .build();
    try {
      if (topology != null) {
        cluster.transitionToActive(0);
      }
      cluster.waitActive();
      return new MiniRaidp(root, shape, conf, cluster);
    } catch (Exception | Error e) {
      cluster.shutdown();
      throw e;
    }
  }

  private static String[] racks(Shape shape, int nodes) {
    return IntStream.range(0, nodes)
        .mapToObj(i -> "/rack" + i % shape.racks())
        .toArray(String[]::new);
  }

  private static String[] hosts(int nodes) {
    return IntStream.range(0, nodes).mapToObj(i -> "host" + i + ".example").toArray(String[]::new);
  }

  /** From now on {@link #conf} names the pair of NameNodes, as hdfs-site.xml would. */
  private DistributedFileSystem failoverClient() throws IOException {
    HATestUtil.setFailoverConfigurations(cluster, conf, conf.get("dfs.nameservices"));
    // Not Hadoop's cached one: clusters of other tests have the same name in this JVM.
    return (DistributedFileSystem) FileSystem.newInstance(conf);
  }

  private static Configuration configuration(Path root, Shape shape) throws IOException {
    Configuration c = new HdfsConfiguration();
    c.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, root.resolve("dfs").toString());
    c.set(
        "dfs.block.replicator.classname",
        "org.apache.hadoop.hdfs.server.blockmanagement.PairPlacementPolicy");
    c.set("dfs.namenode.plugins", ParityNameNodePlugin.class.getName());
    c.set("dfs.parity.namenode.rpc-address", "127.0.0.1:" + FreePorts.next());
    c.set("dfs.parity.datanode.rpc-address", "127.0.0.1:0");
    c.set("dfs.parity.raidp.report.interval", "200ms");
    c.setLong("dfs.parity.raidp.frame.size", shape.frameBytes());
    c.setInt("dfs.parity.raidp.unit.size", shape.unitBytes());
    c.setLong("dfs.parity.raidp.max.block.size", shape.blockBytes());
    c.setLong("dfs.parity.raidp.journal.size", 8L << 20);
    c.setInt("dfs.replication", 2);
    c.setLong("dfs.blocksize", shape.blockBytes());
    c.setLong("dfs.namenode.fs-limits.min-block-size", 1024);
    c.setInt("dfs.heartbeat.interval", 1);
    c.setInt("dfs.namenode.heartbeat.recheck-interval", 1000);
    c.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    c.setInt("dfs.namenode.reconstruction.pending.timeout-sec", 5);
    c.setInt("dfs.namenode.replication.max-streams", 50);
    c.setInt("dfs.namenode.replication.max-streams-hard-limit", 50);
    c.setInt("dfs.datanode.failed.volumes.tolerated", 0);
    c.set("dfs.datanode.disk.check.min.gap", "0s");
    c.setLong("dfs.block.scanner.volume.bytes.per.second", 0);
    c.setInt("dfs.client.block.write.retries", 10);
    c.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 3);
    return c;
  }

  /** What is set for all nodes would win over this. */
  private static Configuration nodeOverlay(Path root, Shape shape, int node) throws IOException {
    Configuration c = DataNodeAddresses.overlay();
    c.set(
        "dfs.datanode.fsdataset.factory",
        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ParityDatasetFactory");
    c.set("dfs.parity.datanode.dataset.hooks", "io.hdfsparity.raidp.datanode.RaidpDatasetHooks");
    c.set("dfs.datanode.plugins", ParityDataNodePlugin.class.getName());
    List<String> roots = new ArrayList<>();
    List<String> lstors = new ArrayList<>();
    for (int disk = 0; disk < shape.disks(); disk++) {
      Path diskRoot = diskRoot(root, node, disk);
      roots.add(diskRoot.toString());
      Path lstor = lstorDir(root, node, disk);
      Files.createDirectories(lstor);
      lstors.add(lstor.toString());
    }
    c.setInt(RaidpKey.FRAMES_PER_VOLUME.key(), shape.frames());
    c.set("dfs.datanode.data.dir", dataDirs(root, shape, node));
    c.set("dfs.parity.raidp.disk.roots", String.join(",", roots));
    c.set("dfs.parity.raidp.lstor.dirs", String.join(",", lstors));
    return c;
  }

  private static String dataDirs(Path root, Shape shape, int node) throws IOException {
    List<String> data = new ArrayList<>();
    for (int disk = 0; disk < shape.disks(); disk++) {
      data.add("[DISK]file:" + Files.createDirectories(dataDir(root, node, disk)));
    }
    return String.join(",", data);
  }

  private static Configuration stockOverlay(Path root, int node) throws IOException {
    Configuration c = DataNodeAddresses.overlay();
    c.set("dfs.datanode.plugins", ParityDataNodePlugin.class.getName());
    Path data = Files.createDirectories(root.resolve("node" + node).resolve("data"));
    c.set("dfs.datanode.data.dir", "[DISK]file:" + data);
    return c;
  }

  static Path diskRoot(Path root, int node, int disk) {
    return root.resolve("node" + node).resolve("disk" + disk);
  }

  static Path lstorDir(Path root, int node, int disk) {
    return root.resolve("lstor").resolve("node" + node + "-disk" + disk);
  }

  Configuration conf() {
    return conf;
  }

  String clusterId() {
    return clusterId;
  }

  MiniDFSCluster dfs() {
    return cluster;
  }

  DistributedFileSystem fs() {
    return fs;
  }

  Shape shape() {
    return shape;
  }

  Path root() {
    return root;
  }

  /** What an administrator's command printed, and its exit code. */
  record Printed(int exitCode, String out, String err) {
    JsonNode json() {
      try {
        return JSON.readTree(out);
      } catch (IOException e) {
        throw new AssertionError("not JSON, exit " + exitCode + ": " + out + err, e);
      }
    }
  }

  /** Runs {@code hdfs raidp <args>} in this JVM. */
  Printed admin(String... args) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit =
        ToolRunner.run(
            new RaidpAdmin(
                new Configuration(conf),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8)),
            args);
    return new Printed(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** Marks a directory: its new files are protected. */
  void protect(String path) throws Exception {
    Printed marked = admin("-protect", path);
    assertThat(marked.exitCode()).as(marked.toString()).isZero();
  }

  void applyLayout() throws Exception {
    await("all frames reported")
        .untilAsserted(
            () -> {
              Printed status = admin("-status", "-json");
              assertThat(status.exitCode()).as(status.toString()).isZero();
              assertThat(status.json().path("frames").path("live").asInt())
                  .as(status.toString())
                  .isEqualTo(shape.nodes() * shape.disks() * shape.frames());
            });
    Printed applied = admin("-layout", "-apply", "-json");
    if (applied.exitCode() != 0) {
      throw new AssertionError("layout not applied: " + applied);
    }
    // Superchunks become known by what their frames report: some usable ones are not all of them.
    await("all superchunks active")
        .untilAsserted(
            () -> {
              Printed status = admin("-status", "-json");
              assertThat(status.exitCode()).as(status.toString()).isZero();
              JsonNode superchunks = status.json().path("superchunks");
              assertThat(status.json().path("assignmentsOutstanding").asInt(-1))
                  .as(status.toString())
                  .isZero();
              assertThat(superchunks.path("total").asInt()).as(status.toString()).isPositive();
              assertThat(superchunks.path("usable").asInt())
                  .as(status.toString())
                  .isEqualTo(superchunks.path("total").asInt());
            });
  }

  static org.awaitility.core.ConditionFactory await(String what) {
    return Awaitility.await(what).pollInterval(Duration.ofMillis(100));
  }

  static byte[] bytes(long seed, int length) {
    byte[] b = new byte[length];
    new Random(seed).nextBytes(b);
    return b;
  }

  /**
   * Writes a file. DFSOutputStream throws the same exception from write and from close; Java's
   * try-with-resources cannot suppress one in itself, and would throw something else.
   */
  @SuppressWarnings("ReferenceEquality")
  void write(String path, byte[] content) throws IOException {
    OutputStream out = fs.create(new org.apache.hadoop.fs.Path(path));
    try {
      out.write(content);
    } catch (IOException e) {
      try {
        out.close();
      } catch (IOException again) {
        if (again != e) {
          e.addSuppressed(again);
        }
      }
      throw e;
    }
    out.close();
  }

  byte[] read(String path) throws IOException {
    try (FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path(path))) {
      return in.readAllBytes();
    }
  }

  private static Path dataDir(Path root, int node, int disk) {
    return diskRoot(root, node, disk).resolve("data");
  }

  /** Data directories of all disks of a node. */
  List<Path> volumeDirs(int node) {
    return IntStream.range(0, shape.disks()).mapToObj(disk -> dataDir(root, node, disk)).toList();
  }

  /** Takes a disk away for good: its bytes move out of reach and the DataNode finds I/O errors. */
  void failDisk(int node, int disk) throws IOException {
    Path disks = diskRoot(root, node, disk);
    Files.move(disks, disks.resolveSibling(disks.getFileName() + ".failed"));
    Files.createFile(disks);
  }

  void closeLater(AutoCloseable daemon) {
    daemons.add(daemon);
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable daemon : daemons) {
      daemon.close();
    }
    fs.close();
    cluster.shutdown(true);
  }
}
