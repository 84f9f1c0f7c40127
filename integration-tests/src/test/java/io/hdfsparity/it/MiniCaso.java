/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ParityFileSystem;
import io.hdfsparity.ParityNameNodePlugin;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.caso.admin.CasoAdmin;
import io.hdfsparity.caso.config.CasoKey;
import io.hdfsparity.caso.fs.RewritePoints;
import io.hdfsparity.caso.layout.LayoutPointer;
import io.hdfsparity.caso.wire.LayoutNameNodes;
import io.hdfsparity.core.check.FreePorts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.NameNodeAdapter;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.security.UserGroupInformation;

/** A cluster for files in stored order, with a client of its own and a stock one. */
final class MiniCaso implements AutoCloseable {
  static final int CELL_BYTES = 4096;

  /** 160 whole cells and a part of one. */
  static final int LENGTH = 160 * CELL_BYTES + 1234;

  private static final int K = 3;
  private static final int M = 2;

  /** Of a block group. */
  static final int UNITS = K + M;

  static final String POLICY = "RS-3-2-4k";

  /** As MiniDFSCluster names it. */
  private static final String SERVICE = "minidfs-ns";

  /** One block group a file: each costs its time. */
  private static final int BLOCK_BYTES = 64 * CELL_BYTES;

  private static final List<String> PER_NAME_NODE =
      List.of(
          SuiteKey.NAMENODE_RPC_ADDRESS.key(), DFSConfigKeys.DFS_NAMENODE_SERVICE_RPC_ADDRESS_KEY);

  private final Path root;
  private final Configuration conf;
  private final MiniDFSCluster cluster;
  private final DistributedFileSystem stock;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private MiniCaso(
      Path root, Configuration conf, MiniDFSCluster cluster, DistributedFileSystem stock) {
    this.root = root;
    this.conf = conf;
    this.cluster = cluster;
    this.stock = stock;
  }

  static MiniCaso start(Path root) throws IOException {
    return start(root, Map.of());
  }

  /**
   * @param more keys beside those that it needs
   */
  static MiniCaso start(Path root, Map<String, String> more) throws IOException {
    Configuration conf = conf();
    more.forEach(conf::set);
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, ParityNameNodePlugin.class.getName());
    conf.set(SuiteKey.FEATURES.key(), more.getOrDefault(SuiteKey.FEATURES.key(), "caso"));
    conf.set(SuiteKey.NAMENODE_RPC_ADDRESS.key(), "127.0.0.1:" + FreePorts.next());
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, root.resolve("dfs").toFile()).numDataNodes(K + M).build();
    cluster.waitActive();
    return of(root, conf, cluster, cluster.getFileSystem());
  }

  /** Two NameNodes with the part for orders, the first active. */
  static MiniCaso startHa(Path root) throws Exception {
    return startHa(root, "caso");
  }

  /** Two NameNodes, the first active, which also serve at an address for services. */
  static MiniCaso startHa(Path root, String features) throws Exception {
    Configuration conf = conf();
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, ParityNameNodePlugin.class.getName());
    conf.set(SuiteKey.FEATURES.key(), features);
    conf.setInt(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, 1);
    Map<String, String> own = new HashMap<>();
    for (String nameNode : List.of(".nn1", ".nn2")) {
      for (String key : PER_NAME_NODE) {
        own.put(key + ".%s" + nameNode, "127.0.0.1:" + FreePorts.next());
      }
    }
    own.forEach((key, address) -> conf.set(String.format(key, SERVICE), address));
    MiniDFSNNTopology topology = MiniDFSNNTopology.simpleHATopology();
    topology
        .getNameservices()
        .forEach(each -> each.getNNs().forEach(node -> node.setIpcPort(FreePorts.next())));
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, root.resolve("dfs").toFile())
            .nnTopology(topology)
            .numDataNodes(K + M)
            .build();
    cluster.waitActive();
    cluster.transitionToActive(0);
    DistributedFileSystem stock = HATestUtil.configureFailoverFs(cluster, conf);
    Configuration client = new Configuration(stock.getConf());
    String nameservice = stock.getUri().getHost();
    own.forEach((key, address) -> client.set(String.format(key, nameservice), address));
    return of(root, client, cluster, stock);
  }

  private static Configuration conf() {
    Configuration conf = new HdfsConfiguration();
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK_BYTES);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 1024);
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 1);
    conf.set(CasoKey.LAYOUT_SWEEP_PERIOD.key(), "100ms");
    return conf;
  }

  private static MiniCaso of(
      Path root, Configuration conf, MiniDFSCluster cluster, DistributedFileSystem stock)
      throws IOException {
    MiniCaso caso = new MiniCaso(root, conf, cluster, stock);
    caso.addPolicy(new ErasureCodingPolicy(new ECSchema("rs", K, M), CELL_BYTES));
    stock.enableErasureCodingPolicy(POLICY);
    return caso;
  }

  /** Adds a policy, which is not enabled then. */
  ErasureCodingPolicy addPolicy(ErasureCodingPolicy policy) throws IOException {
    AddErasureCodingPolicyResponse[] added =
        stock.addErasureCodingPolicies(new ErasureCodingPolicy[] {policy});
    assertThat(added[0].isSucceed()).as(added[0].getErrorMsg()).isTrue();
    return added[0].getPolicy();
  }

  @Override
  public void close() {
    cluster.shutdown();
  }

  DistributedFileSystem stock() {
    return stock;
  }

  MiniDFSCluster cluster() {
    return cluster;
  }

  /** As clients have it. */
  Configuration clientConf() {
    return conf;
  }

  /** A client that knows of files in stored order, and has kept nothing yet. */
  FileSystem client() throws IOException {
    Configuration client = new Configuration(conf);
    client.set("fs.hdfs.impl", ParityFileSystem.class.getName());
    return FileSystem.newInstance(URI.create(stock.getUri().toString()), client);
  }

  /** Writes a file, by a stock client, in a directory that is made. */
  byte[] make(String path, long seed) throws IOException {
    return make(path, seed, BLOCK_BYTES);
  }

  byte[] make(String path, long seed, int blockBytes) throws IOException {
    byte[] bytes = MiniLevels.bytes(LENGTH, seed);
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
    stock.mkdirs(file.getParent());
    stock.setErasureCodingPolicy(file.getParent(), POLICY);
    try (OutputStream to = stock.createFile(file).blockSize(blockBytes).build()) {
      to.write(bytes);
    }
    return bytes;
  }

  /** Appends to a file in stored order as clients could before there was a guard. */
  void append(String path, byte[] bytes) throws IOException {
    StoredBytes.append(cluster, stock, path, bytes);
  }

  byte[] read(String path) throws IOException {
    try (FileSystem fresh = client();
        FSDataInputStream in = fresh.open(new org.apache.hadoop.fs.Path(path))) {
      return in.readAllBytes();
    }
  }

  /** Reads as an ordinary user. */
  byte[] readAs(String user, String path) throws IOException, InterruptedException {
    return UserGroupInformation.createRemoteUser(user)
        .doAs((PrivilegedExceptionAction<byte[]>) () -> read(path));
  }

  /** Has a NameNode take over that has just started, by its image. */
  void failOver() throws IOException, InterruptedException {
    NameNode next = cluster.getNameNode(1);
    HATestUtil.waitForStandbyToCatchUp(cluster.getNameNode(0), next);
    NameNodeAdapter.enterSafeMode(next, /* resourcesLow= */ false);
    NameNodeAdapter.saveNamespace(next);
    cluster.restartNameNode(1);
    cluster.waitActive(1);
    cluster.transitionToStandby(0);
    cluster.transitionToActive(1);
    // Connections of this process to the one that was restarted are found broken by the next call.
    await("every NameNode answers")
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> new LayoutNameNodes(conf, stock.getUri()).isGuarded());
  }

  int run(RewritePoints points, String... args) {
    out.reset();
    err.reset();
    return new CasoAdmin(
            conf,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            points)
        .run(args);
  }

  /**
   * Runs a command to its end.
   *
   * @return what it has printed
   */
  String run(String... args) {
    assertThat(run(RewritePoints.NONE, args)).as("%s", err).isZero();
    return out.toString(StandardCharsets.UTF_8);
  }

  /**
   * Runs a command that fails.
   *
   * @return why
   */
  String fail(String... args) {
    assertThat(run(RewritePoints.NONE, args)).as("%s", out).isEqualTo(-1);
    return err();
  }

  /** What the last command has complained of. */
  String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  void organize(String path) throws IOException {
    assertThat(run("-organize", path, "-trace", trace(0))).contains("Stored:");
  }

  /**
   * A trace of five triples of cells far apart, written in turn, a window each.
   *
   * @param shift by how many cells most of them lie elsewhere
   */
  String trace(int shift) throws IOException {
    return trace(root, shift);
  }

  /** The same, into a directory. */
  static String trace(Path into, int shift) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int window = 0; window < 60; window++) {
      long pattern = window % 5;
      long by = pattern < 3 ? shift : 0;
      for (long cell : new long[] {pattern, 60 + 7 * pattern + by, 120 + 9 * pattern + by}) {
        text.append(window * 10_000L + 3).append(",h,0,Write,").append(CELL_BYTES * cell);
        text.append(",4096,0\n");
      }
    }
    return Files.writeString(into.resolve("trace-" + shift + ".csv"), text).toString();
  }

  /** Names of all that runs have left where copies are made. */
  List<String> leftovers() throws IOException {
    return names("/.caso/work");
  }

  private List<String> names(String directory) throws IOException {
    List<String> names = new ArrayList<>();
    org.apache.hadoop.fs.Path folder = new org.apache.hadoop.fs.Path(directory);
    for (FileStatus each : stock.exists(folder) ? stock.listStatus(folder) : new FileStatus[0]) {
      names.add(each.getPath().getName());
    }
    return names;
  }

  long inode(String path) throws IOException {
    return stock.getClient().getFileInfo(path).getFileId();
  }

  /** Path of the index of a file. */
  org.apache.hadoop.fs.Path index(String path) throws IOException {
    return new org.apache.hadoop.fs.Path("/.caso/index/" + inode(path));
  }

  /** Path of the copy of the index of a file. */
  org.apache.hadoop.fs.Path spare(String path) throws IOException {
    return new org.apache.hadoop.fs.Path("/.caso/spare/" + inode(path));
  }

  /** Waits until the NameNode has deleted index and copy of an inode. */
  void awaitNoIndex(long inodeId) {
    await("index of inode " + inodeId + " is deleted")
        .until(
            () ->
                !names("/.caso/index").contains("" + inodeId)
                    && !names("/.caso/spare").contains("" + inodeId));
  }

  /** Nothing is left that belongs to no file; what the directory of a file has is the user's. */
  void assertNothingLeft(String directory) throws IOException {
    assertThat(leftovers()).isEmpty();
    assertThat(names(directory)).noneMatch(name -> name.startsWith(".caso-"));
    // Those of files that are gone are deleted by the NameNode, some time.
    for (String kind : new String[] {"/.caso/index", "/.caso/spare"}) {
      for (String inode : names(kind)) {
        await(kind + "/" + inode)
            .until(
                () ->
                    stock.exists(new org.apache.hadoop.fs.Path("/.reserved/.inodes/" + inode))
                        || !names(kind).contains(inode));
      }
    }
  }

  boolean isOrdered(String path) throws IOException {
    return stock.getXAttrs(new org.apache.hadoop.fs.Path(path)).containsKey(LayoutPointer.XATTR);
  }

  /** Names of the files in which DataNodes have the units of a file, without their checksums. */
  List<String> replicas(String path) throws IOException {
    return StoredBytes.blocks(stock, path).stream()
        .flatMapToLong(
            group -> {
              long first = group.getBlock().getBlockId();
              return LongStream.range(first, first + K + M);
            })
        .mapToObj(id -> "blk_" + id)
        .toList();
  }

  /** As above, those of one DataNode. */
  List<String> replicas(String path, String nodeUuid) throws IOException {
    List<String> names = new ArrayList<>();
    for (LocatedBlock group : StoredBytes.blocks(stock, path)) {
      byte[] units = ((LocatedStripedBlock) group).getBlockIndices();
      for (int i = 0; i < units.length; i++) {
        if (group.getLocations()[i].getDatanodeUuid().equals(nodeUuid)) {
          names.add("blk_" + (group.getBlock().getBlockId() + units[i]));
        }
      }
    }
    return names;
  }

  /** Waits until DataNodes have deleted replicas. */
  void awaitGone(List<String> replicas) {
    await("replicas of the former blocks are deleted")
        .until(
            () ->
                LiveFiles.under(root.resolve("dfs")).stream()
                    .noneMatch(file -> replicas.contains(file.getFileName().toString())));
  }
}
