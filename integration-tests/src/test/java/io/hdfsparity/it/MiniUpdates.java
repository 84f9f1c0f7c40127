/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.ParityFileSystem;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.core.check.FreePorts;
import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.ScalarKernel;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.config.StorageKey;
import io.hdfsparity.ecupdate.datanode.EcUpdateDataNodeFeature;
import io.hdfsparity.ecupdate.datanode.ReplicaDescriptor;
import io.hdfsparity.ecupdate.datanode.UpdateReplicas;
import io.hdfsparity.ecupdate.storage.PinnedReader;
import io.hdfsparity.ecupdate.updater.SessionOverException;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import io.hdfsparity.izs.codec.ZigzagCode;
import io.hdfsparity.izs.datanode.IzsDataNodeFeature;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A cluster whose DataNodes take updates, and stands for the channel between them and clients of
 * AJX: calls are made directly, and are lost when their DataNode is stopped.
 */
final class MiniUpdates implements AutoCloseable {
  static final int DATA = 3;
  static final int CELL_BYTES = 64 * 1024;
  static final StripeCode CODE = new StripeCode(new ScalarKernel(), GfMatrix.cauchyParity(DATA, 2));

  /** Hears how a call ended: a reply, or null when it is lost and will not be executed. */
  @FunctionalInterface
  interface Answer {
    void accept(Reply reply);
  }

  /** A block group whose replicas are admitted: block ids and DataNodes by index. */
  record Group(String path, long[] blocks, String[] nodes, int[] lengths, int stripes) {
    /** Bytes of a data cell that the file has. */
    int cellBytes(int stripe, int block) {
      return Math.max(0, Math.min(CELL_BYTES, lengths[block] - stripe * CELL_BYTES));
    }
  }

  private final String codec;
  private final StripeCode code;
  private final int data;
  private final MiniDFSCluster cluster;
  private final DistributedFileSystem fs;
  private final ExecutorService calls = Executors.newFixedThreadPool(16);

  /** Guarded by this: DataNodes that are down, and answers that are owed by those that are up. */
  private final Set<String> down = new HashSet<>();

  private final Map<String, Set<Answer>> outstanding = new HashMap<>();

  /** The last failure of a DataNode, for messages. */
  private final Map<String, String> failures = new ConcurrentHashMap<>();

  MiniUpdates(Path root, int nodes) throws IOException {
    this(root, nodes, Map.of());
  }

  /**
   * @param more keys of the configuration
   */
  MiniUpdates(Path root, int nodes, Map<String, String> more) throws IOException {
    this(root, nodes, more, "rs", CODE);
  }

  /**
   * @param code of the codec, by which tests judge parity
   */
  MiniUpdates(Path root, int nodes, Map<String, String> more, String codec, StripeCode code)
      throws IOException {
    this(root, nodes, more, codec, code, new StorageType[] {StorageType.DISK, StorageType.DISK});
  }

  private MiniUpdates(
      Path root,
      int nodes,
      Map<String, String> more,
      String codec,
      StripeCode code,
      StorageType[] disks)
      throws IOException {
    this.codec = codec;
    this.code = code;
    data = code.shape().dataBlocks();
    HdfsConfiguration conf = conf(more);
    cluster =
        new MiniDFSCluster.Builder(conf, root.toFile())
            .nameNodePort(FreePorts.next())
            .numDataNodes(nodes)
            .storageTypes(disks)
            .checkDataNodeAddrConfig(true)
            .dataNodeConfOverlays(DataNodeAddresses.overlays(nodes))
            .build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
    addPolicy();
  }

  private MiniUpdates(MiniDFSCluster cluster, DistributedFileSystem fs) throws IOException {
    this.codec = "rs";
    this.code = CODE;
    data = DATA;
    this.cluster = cluster;
    this.fs = fs;
    addPolicy();
  }

  /**
   * With a session manager, codec izs, its repairs in DataNodes, and groups that are at rest soon
   * after their sessions.
   *
   * @param more keys beside those, which win over them
   */
  static MiniUpdates startIzs(Path root, int nodes, ZigzagCode code, Map<String, String> more)
      throws IOException {
    Map<String, String> keys = UpdateKeys.sessions("2s");
    keys.put(SuiteKey.FEATURES.key(), "ecupdate," + IzsDataNodeFeature.class.getName());
    keys.putAll(UpdateKeys.lease("3s"));
    keys.put(StorageKey.SNAPSHOT_AGE.key(), "1s");
    keys.put("dfs.client.retry.window.base", "50");
    // One that is started again must not be taken for dead.
    keys.put("dfs.namenode.heartbeat.recheck-interval", "60000");
    keys.putAll(more);
    return new MiniUpdates(
        root,
        nodes,
        keys,
        "izs",
        new StripeCode(new ScalarKernel(), IzsUpdateCodeTest.table(code)));
  }

  /** Each DataNode has a disk, and one for what is cold. */
  static MiniUpdates startTiered(Path root, int nodes, Map<String, String> more)
      throws IOException {
    return new MiniUpdates(
        root, nodes, more, "rs", CODE, new StorageType[] {StorageType.DISK, StorageType.ARCHIVE});
  }

  /** A client that decodes codec izs by itself. */
  FileSystem newParityFileSystem() throws IOException {
    Configuration client = new Configuration(cluster.getConfiguration(0));
    client.setClass("fs.hdfs.impl", ParityFileSystem.class, FileSystem.class);
    return FileSystem.newInstance(cluster.getURI(), client);
  }

  /** Two NameNodes with session managers and shared edits, the first active. */
  static MiniUpdates startHa(Path root, int nodes, Map<String, String> more) throws Exception {
    HdfsConfiguration conf = conf(more);
    String[] managers = new String[2];
    for (int i = 0; i < managers.length; i++) {
      managers[i] = "127.0.0.1:" + FreePorts.next();
      conf.set(SuiteKey.NAMENODE_RPC_ADDRESS.key() + ".minidfs-ns.nn" + (i + 1), managers[i]);
    }
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, root.toFile())
            .nnTopology(MiniDFSNNTopology.simpleHATopology())
            .numDataNodes(nodes)
            .checkDataNodeAddrConfig(true)
            .dataNodeConfOverlays(DataNodeAddresses.overlays(nodes))
            .build();
    cluster.waitActive();
    cluster.transitionToActive(0);
    for (int i = 0; i < managers.length; i++) {
      String suffix = "." + HATestUtil.getLogicalHostname(cluster) + ".nn" + (i + 1);
      conf.set(SuiteKey.NAMENODE_RPC_ADDRESS.key() + suffix, managers[i]);
    }
    return new MiniUpdates(
        cluster, (DistributedFileSystem) HATestUtil.configureFailoverFs(cluster, conf));
  }

  private static HdfsConfiguration conf(Map<String, String> more) {
    HdfsConfiguration conf = UpdateKeys.storage(CELL_BYTES);
    // A slow start may have HDFS order rebuilds, which DataNodes refuse; files are refused so long.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY, 5);
    more.forEach(conf::set);
    return conf;
  }

  private void addPolicy() throws IOException {
    ErasureCodingPolicy policy =
        new ErasureCodingPolicy(new ECSchema(codec, data, code.shape().parityBlocks()), CELL_BYTES);
    assertThat(fs.addErasureCodingPolicies(new ErasureCodingPolicy[] {policy})[0].isSucceed())
        .isTrue();
    fs.enableErasureCodingPolicy(policy.getName());
    org.apache.hadoop.fs.Path top = new org.apache.hadoop.fs.Path("/");
    fs.setErasureCodingPolicy(top, policy.getName());
  }

  MiniDFSCluster cluster() {
    return cluster;
  }

  DistributedFileSystem fs() {
    return fs;
  }

  void write(String path, byte[] bytes) throws IOException {
    try (OutputStream out = fs.create(new org.apache.hadoop.fs.Path(path))) {
      out.write(bytes);
    }
    Awaitility.await("all units are known")
        .until(() -> located(path).getLocations().length == code.shape().blocks());
  }

  /** Writes a file with bytes that follow from its path, and returns them. */
  byte[] create(String path, int lengthBytes) throws IOException {
    byte[] bytes = new byte[lengthBytes];
    new Random(path.hashCode()).nextBytes(bytes);
    write(path, bytes);
    return bytes;
  }

  /** Whether it is what a NameNode or a DataNode says that has just been started. */
  static boolean passes(Throwable refusal) {
    String why = String.valueOf(refusal);
    return Stream.of(
            "no-capability", "missing-unit", "suspended", "safe mode", "EOFException", "Connection")
        .anyMatch(why::contains);
  }

  /** Opens a file for updates; what hinders it for a moment only is waited for. */
  StripedFileUpdater open(String path) {
    return open(path, UpdaterOptions.standard());
  }

  StripedFileUpdater open(String path, UpdaterOptions options) {
    return open(fs, path, options);
  }

  /** The same by a client of another configuration. */
  StripedFileUpdater open(FileSystem client, String path, UpdaterOptions options) {
    return open(client, path, options, MiniUpdates::passes);
  }

  /** The same; whatever hinders it is waited for, as a NameNode that is not active yet. */
  StripedFileUpdater openAtLast(String path) {
    return open(fs, path, UpdaterOptions.standard(), IOException.class::isInstance);
  }

  private static StripedFileUpdater open(
      FileSystem client, String path, UpdaterOptions options, Predicate<Throwable> hinders) {
    AtomicReference<@Nullable Exception> last = new AtomicReference<>();
    try {
      return Awaitility.await("all DataNodes report, and " + path + " is opened")
          .ignoreExceptionsMatching(hinders)
          .until(
              () -> {
                try {
                  return FileUpdates.open(client, new org.apache.hadoop.fs.Path(path), options);
                } catch (IOException e) {
                  last.set(e);
                  throw e;
                }
              },
              opened -> true);
    } catch (ConditionTimeoutException e) {
      throw new AssertionError("Cannot open " + path, last.get());
    }
  }

  /** An updater whose session is over says so, sooner or later. */
  static void assertOver(StripedFileUpdater updater) {
    Awaitility.await("the updater is told")
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> updater.read(0, ByteBuffer.allocate(1)))
                    .isInstanceOf(SessionOverException.class)
                    .hasMessageContaining("open it again"));
    assertThatThrownBy(updater::close).isInstanceOf(SessionOverException.class);
  }

  /** Writes what programs of their own need to be clients. */
  void writeSite(Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      fs.getConf().writeXml(out);
    }
  }

  /** The one group of a file. */
  LocatedStripedBlock located(String path) throws IOException {
    List<LocatedBlock> groups = StoredBytes.blocks(fs, path);
    assertThat(groups).hasSize(1);
    return (LocatedStripedBlock) groups.get(0);
  }

  /** Whether a DataNode has a unit of a file's one group. */
  boolean isAt(String path, String node) throws IOException {
    return Arrays.stream(located(path).getLocations())
        .anyMatch(location -> location.getDatanodeUuid().equals(node));
  }

  /**
   * Writes some places of a file, most of them short.
   *
   * @param twin what the file holds, and then has what was written
   */
  static void writeSome(StripedFileUpdater updater, byte[] twin, int seed) throws IOException {
    Random random = new Random(seed);
    for (int i = 0; i < 30; i++) {
      byte[] bytes = new byte[1 + random.nextInt(random.nextInt(4) == 0 ? 100_000 : 4096)];
      random.nextBytes(bytes);
      int position = random.nextInt(twin.length - bytes.length + 1);
      updater.write(position, ByteBuffer.wrap(bytes));
      System.arraycopy(bytes, 0, twin, position, bytes.length);
    }
  }

  /** The group of a file, whose replicas need not be admitted. */
  Group group(String path) throws IOException {
    LocatedStripedBlock group = located(path);
    int blocks = code.shape().blocks();
    long[] ids = new long[blocks];
    String[] nodes = new String[blocks];
    int[] lengths = new int[blocks];
    for (int i = 0; i < group.getLocations().length; i++) {
      int index = group.getBlockIndices()[i];
      ids[index] = group.getBlock().getBlockId() + index;
      nodes[index] = group.getLocations()[i].getDatanodeUuid();
      lengths[index] =
          (int)
              StripedBlockUtil.getInternalBlockLength(
                  group.getBlockSize(), CELL_BYTES, data, index);
    }
    return new Group(
        path,
        ids,
        nodes,
        lengths,
        (int) ((group.getBlockSize() + data * CELL_BYTES - 1) / ((long) data * CELL_BYTES)));
  }

  /** Another scheme for all replicas of a group. */
  void convert(Group group, String scheme) throws IOException, InterruptedException {
    for (int block = 0; block < group.blocks().length; block++) {
      replicas(group.nodes()[block]).convert(group.blocks()[block], scheme);
    }
  }

  /** Has a replica asked something, as by a client that is not heard of any more. */
  void ask(Group group, int block, int stripe, Request request) throws Exception {
    replicas(group.nodes()[block])
        .handle(group.blocks()[block], stripe, request)
        .get(120, TimeUnit.SECONDS);
  }

  /** What a session will do: tells each DataNode of the group what it has. */
  Group admit(String path, String scheme) throws IOException {
    Group group = group(path);
    long stamp = located(path).getBlock().getGenerationStamp();
    for (int i = 0; i < group.blocks().length; i++) {
      long id = group.blocks()[i];
      ReplicaDescriptor descriptor =
          new ReplicaDescriptor(
              code.table(), i, CELL_BYTES, group.lengths()[i], group.stripes(), stamp, scheme);
      UpdateReplicas replicas = replicas(group.nodes()[i]);
      Awaitility.await("no stock decoder may be under way")
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(
              () -> {
                replicas.admit(id, descriptor);
                return true;
              });
    }
    return group;
  }

  /** Has one replica of a group admitted, or is told why not. */
  void admit(Group group, int block) throws IOException {
    replicas(group.nodes()[block])
        .admit(
            group.blocks()[block],
            new ReplicaDescriptor(
                code.table(),
                block,
                CELL_BYTES,
                group.lengths()[block],
                group.stripes(),
                located(group.path()).getBlock().getGenerationStamp(),
                "PL"));
  }

  DataNode node(String uuid) {
    return cluster.getDataNodes().stream()
        .filter(node -> uuid.equals(node.getDatanodeUuid()))
        .findFirst()
        .orElseThrow();
  }

  private UpdateReplicas replicas(String uuid) throws IOException {
    return EcUpdateDataNodeFeature.replicasOf(node(uuid));
  }

  /** Sends a request over a connection that breaks when the DataNode is stopped. */
  void call(Group group, int block, int stripe, Request request, Answer answer) {
    String node = group.nodes()[block];
    synchronized (this) {
      if (!down.contains(node)) {
        outstanding.computeIfAbsent(node, n -> new HashSet<>()).add(answer);
        calls.execute(() -> serve(group, block, stripe, request, answer));
        return;
      }
    }
    answer.accept(null);
  }

  private void serve(Group group, int block, int stripe, Request request, Answer answer) {
    CompletableFuture<Reply> reply;
    try {
      reply = replicas(group.nodes()[block]).handle(group.blocks()[block], stripe, request);
    } catch (IOException | RuntimeException e) {
      reply = CompletableFuture.failedFuture(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      reply = CompletableFuture.failedFuture(e);
    }
    reply.whenComplete(
        (got, failure) -> {
          if (failure != null) {
            failures.put(group.nodes()[block], block + ": " + failure);
          }
          if (isOwed(group.nodes()[block], answer)) {
            answer.accept(failure == null ? got : null);
          }
        });
  }

  /** What a stripe's nodes say of it, and how many of their answers are owed. */
  String describe(Group group, int stripe) {
    StringBuilder text = new StringBuilder("failures=" + failures);
    for (int block = 0; block < group.blocks().length; block++) {
      String node = group.nodes()[block];
      try {
        text.append("\n" + block + ": ")
            .append(
                replicas(node)
                    .handle(group.blocks()[block], stripe, new Request.Probe())
                    .get(120, TimeUnit.SECONDS));
      } catch (Exception e) {
        text.append(e);
      }
      synchronized (this) {
        text.append(" owed=").append(outstanding.getOrDefault(node, Set.of()).size());
      }
    }
    return text.toString();
  }

  private synchronized boolean isOwed(String node, Answer answer) {
    return outstanding.getOrDefault(node, new HashSet<>()).remove(answer);
  }

  /** What is done to a DataNode's files while it is down. */
  @FunctionalInterface
  interface Meanwhile {
    void run() throws Exception;
  }

  /** Stops a DataNode, and starts it again. */
  void restart(String node, Meanwhile meanwhile) throws Exception {
    MiniDFSCluster.DataNodeProperties stopped = stop(node);
    meanwhile.run();
    restart(Map.of(node, stopped));
  }

  /**
   * Starts DataNodes again that were stopped.
   *
   * @param stopped all that are down, by uuid: it is waited for until the cluster is whole
   */
  void restart(Map<String, MiniDFSCluster.DataNodeProperties> stopped) throws IOException {
    for (MiniDFSCluster.DataNodeProperties each : stopped.values()) {
      cluster.restartDataNode(each, true);
    }
    cluster.waitActive();
    synchronized (this) {
      down.removeAll(stopped.keySet());
    }
  }

  /** Stops a DataNode: what was not answered is lost. */
  MiniDFSCluster.DataNodeProperties stop(String node) {
    synchronized (this) {
      down.add(node);
    }
    MiniDFSCluster.DataNodeProperties stopped =
        cluster.stopDataNode(cluster.getDataNodes().indexOf(node(node)));
    List<Answer> lost;
    synchronized (this) {
      lost = List.copyOf(outstanding.getOrDefault(node, Set.of()));
      outstanding.remove(node);
    }
    lost.forEach(answer -> answer.accept(null));
    return stopped;
  }

  /** All bytes of a replica, parity as well, as its engine has them. */
  byte[] content(Group group, int block) throws IOException, InterruptedException {
    try (PinnedReader reader = replicas(group.nodes()[block]).openReader(group.blocks()[block])) {
      return reader.read(0, group.lengths()[block]);
    }
  }

  /** Invariant at rest: parity is the code of the data. */
  void verify(Group group) throws IOException, InterruptedException {
    List<byte[]> contents = new ArrayList<>();
    for (int block = 0; block < code.shape().blocks(); block++) {
      contents.add(Arrays.copyOf(content(group, block), group.stripes() * CELL_BYTES));
    }
    for (int stripe = 0; stripe < group.stripes(); stripe++) {
      List<Bytes> cells = new ArrayList<>();
      for (byte[] content : contents) {
        int from = stripe * CELL_BYTES;
        cells.add(Bytes.wrap(Arrays.copyOfRange(content, from, from + CELL_BYTES)));
      }
      assertThat(code.forCodeword(group.cellBytes(stripe, data)).encode(cells.subList(0, data)))
          .as("stripe %d of %s", stripe, group.path())
          .isEqualTo(cells);
    }
  }

  /** Whether the NameNode was told of damage. */
  long corruptReplicas() {
    return cluster.getNamesystem().getCorruptReplicaBlocks()
        + cluster.getNamesystem().getCorruptECBlockGroups();
  }

  @Override
  public void close() throws IOException {
    calls.shutdownNow();
    try {
      assertThat(calls.awaitTermination(120, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    fs.close();
    cluster.shutdown(true);
  }
}
