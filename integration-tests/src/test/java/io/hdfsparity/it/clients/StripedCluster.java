/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ParityDataNodePlugin;
import io.hdfsparity.ParityNameNodePlugin;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.bridge.datanode.DatasetHooks;
import io.hdfsparity.caso.admin.CasoAdmin;
import io.hdfsparity.caso.fs.RewritePoints;
import io.hdfsparity.caso.layout.LayoutPointer;
import io.hdfsparity.core.check.FreePorts;
import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.config.SessionKey;
import io.hdfsparity.ecupdate.config.StorageKey;
import io.hdfsparity.ecupdate.datanode.EcUpdateDatasetHooks;
import io.hdfsparity.ecupdate.updater.SessionOverException;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.HintedEcPlacementPolicy;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ParityDatasetFactory;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.StorageIdVolumeChoosingPolicy;
import org.apache.hadoop.io.erasurecode.ECSchema;

/** One cluster with all of the suite but RAIDP, and a file of each kind for every need. */
final class StripedCluster implements ClientsCluster {
  private static final int NODES = 8;
  private static final int CELL_BYTES = 64 * 1024;
  private static final int BLOCK_BYTES = 4 * CELL_BYTES;

  /** Two block groups of any policy here. */
  private static final int READ_BYTES = (1 << 20) + 300_001;

  private static final int APPEND_BYTES = 300_001;

  /** Some node that is lost and comes back before the clients begin. */
  private static final int REBUILT_NODE = 0;

  private static final int LOST_NODE = 1;

  private final Path root;
  private final MiniDFSCluster cluster;
  private final DistributedFileSystem fs;
  private final SuiteClient suite;
  private final String lostNode;
  private final String rebuiltNode;
  private final Map<FileKind, TestFile> reads = new EnumMap<>(FileKind.class);
  private final Map<FileKind, List<TestFile>> appends = new EnumMap<>(FileKind.class);
  private Optional<MiniDFSCluster.DataNodeProperties> lost = Optional.empty();

  /** Of files that stay open for updates. */
  private final List<StripedFileUpdater> updaters = new ArrayList<>();

  /**
   * @param appended how many files of each kind there are to append to
   */
  StripedCluster(Path root, int appended) throws Exception {
    this.root = root;
    cluster =
        new MiniDFSCluster.Builder(keys(), root.resolve("dfs").toFile())
            .nameNodePort(FreePorts.next())
            .numDataNodes(NODES)
            .checkDataNodeAddrConfig(true)
            .dataNodeConfOverlays(addresses())
            .build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
    suite = new SuiteClient(conf());
    lostNode = cluster.getDataNodes().get(LOST_NODE).getDatanodeUuid();
    rebuiltNode = cluster.getDataNodes().get(REBUILT_NODE).getDatanodeUuid();
    addPolicies();
    for (FileKind kind : kinds()) {
      if (kind != FileKind.UPDATING) {
        make(kind, appended);
      }
    }
    changeLevels();
    rebuild();
    // Their sessions go without the node that was rebuilt, but not without another one.
    make(FileKind.UPDATING, appended);
  }

  private static Configuration keys() {
    HdfsConfiguration conf = new HdfsConfiguration();
    conf.set("dfs.namenode.plugins", ParityNameNodePlugin.class.getName());
    conf.set(SuiteKey.FEATURES.key(), "ecupdate,caso,izs");
    conf.set("dfs.block.placement.ec.classname", HintedEcPlacementPolicy.class.getName());
    conf.setBoolean("dfs.block.access.token.enable", true);
    conf.set(SuiteKey.NAMENODE_RPC_ADDRESS.key(), "127.0.0.1:" + FreePorts.next());
    conf.set(SessionKey.NODE_REPORT.key(), "200ms");
    conf.set("dfs.datanode.fsdataset.factory", ParityDatasetFactory.class.getName());
    conf.set(DatasetHooks.CLASSES_KEY, EcUpdateDatasetHooks.class.getName());
    conf.set("dfs.datanode.plugins", ParityDataNodePlugin.class.getName());
    conf.set(
        "dfs.datanode.fsdataset.volume.choosing.policy",
        StorageIdVolumeChoosingPolicy.class.getName());
    conf.set("dfs.parity.ecupdate.datanode.address", "127.0.0.1:0");
    conf.set(SuiteKey.DATANODE_RPC_ADDRESS.key(), "127.0.0.1:0");
    conf.set(StorageKey.LOG_BYTES.key(), "4M");
    conf.set(StorageKey.RECORD_BYTES.key(), "192K");
    conf.set(StorageKey.OVERLAY_BYTES.key(), "512K");
    conf.set(StorageKey.DRAIN_DELAY.key(), "20ms");
    conf.set(StorageKey.RESERVED_BYTES.key(), "128K");
    conf.set(StorageKey.RESERVED_CHUNK_BYTES.key(), "4K");
    conf.set(StorageKey.QUIET.key(), "300ms");
    conf.set(StorageKey.SNAPSHOT_AGE.key(), "1s");
    conf.setLong("dfs.blocksize", BLOCK_BYTES);
    conf.setInt("dfs.namenode.fs-limits.min-block-size", 1024);
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    // The node that is lost stays lost, and is known as stale, but nothing is rebuilt.
    conf.setInt("dfs.namenode.heartbeat.recheck-interval", 300_000);
    conf.setInt("dfs.client.retry.window.base", 50);
    conf.setBoolean("dfs.namenode.redundancy.considerLoad", false);
    conf.set("hadoop.tmp.dir", System.getProperty("java.io.tmpdir"));
    Gateways.allow(conf);
    StaleNodes.avoid(conf);
    return conf;
  }

  private static Configuration[] addresses() {
    Configuration[] overlays = new Configuration[NODES];
    for (int i = 0; i < NODES; i++) {
      overlays[i] = new Configuration(false);
      overlays[i].set("dfs.datanode.address", "127.0.0.1:" + FreePorts.next());
      overlays[i].set("dfs.datanode.ipc.address", "127.0.0.1:" + FreePorts.next());
      overlays[i].set("dfs.datanode.http.address", "127.0.0.1:0");
    }
    return overlays;
  }

  private void addPolicies() throws IOException {
    for (ECSchema schema :
        List.of(
            new ECSchema("rs", 3, 1),
            new ECSchema("rs", 3, 2),
            new ECSchema("rs", 3, 3),
            new ECSchema("izs", 4, 1),
            new ECSchema("izs", 4, 2),
            new ECSchema("izs", 4, 3))) {
      ErasureCodingPolicy policy = new ErasureCodingPolicy(schema, CELL_BYTES);
      assertThat(fs.addErasureCodingPolicies(new ErasureCodingPolicy[] {policy})[0].isSucceed())
          .isTrue();
      fs.enableErasureCodingPolicy(policy.getName());
    }
    for (FileKind kind : kinds()) {
      org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path(kind.directory());
      fs.mkdirs(directory);
      if (kind.isStriped()) {
        fs.setErasureCodingPolicy(directory, kind.policy());
      }
    }
  }

  private void make(FileKind kind, int appended) throws Exception {
    reads.put(kind, makeFit(kind, "read", READ_BYTES));
    List<TestFile> targets = new ArrayList<>();
    for (int i = 0; i < appended; i++) {
      String name = "append-" + i;
      // What is appended to a striped file begins a block group, wherever the others are.
      targets.add(
          kind.isStriped() ? makeOne(kind, name, APPEND_BYTES) : makeFit(kind, name, APPEND_BYTES));
    }
    appends.put(kind, targets);
  }

  private TestFile makeFit(FileKind kind, String name, int lengthBytes) throws Exception {
    int tries = 0;
    TestFile file = makeOne(kind, name, lengthBytes);
    while (!isFit(kind, file.path())) {
      tries++;
      file = makeOne(kind, name + "-" + tries, lengthBytes);
    }
    return file;
  }

  private TestFile makeOne(FileKind kind, String name, int lengthBytes) throws Exception {
    TestFile file = ClientsCluster.write(conf(), kind.directory() + "/" + name, lengthBytes);
    return switch (kind) {
      case UPDATING -> updating(file);
      case UPDATED, REBUILT -> updated(file);
      case REORDERED -> reordered(file);
      default -> file;
    };
  }

  /** Whether the loss of a node is felt by all who read a file. */
  private boolean isFit(FileKind kind, String path) throws IOException {
    if (!kind.isStriped()) {
      return Replicas.isAt(fs, path, lostNode);
    }
    int dataUnits =
        fs.getErasureCodingPolicy(new org.apache.hadoop.fs.Path(path)).getNumDataUnits();
    return holds(path, lostNode, dataUnits)
        && (kind != FileKind.REBUILT || holds(path, rebuiltNode, dataUnits));
  }

  /** Whether a node has one of the first units of a file's groups. */
  private boolean holds(String path, String node, int units) throws IOException {
    for (LocatedBlock group : located(path)) {
      byte[] indices = ((LocatedStripedBlock) group).getBlockIndices();
      for (int i = 0; i < indices.length; i++) {
        if (indices[i] < units && group.getLocations()[i].getDatanodeUuid().equals(node)) {
          return true;
        }
      }
    }
    return false;
  }

  private List<LocatedBlock> located(String path) throws IOException {
    return suite
        .fileSystem()
        .getClient()
        .getLocatedBlocks(path, 0, Long.MAX_VALUE)
        .getLocatedBlocks();
  }

  /** Opens a file for updates, when all DataNodes have reported. */
  private StripedFileUpdater open(String path) {
    return await("a session for " + path)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () ->
                FileUpdates.open(
                    fs, new org.apache.hadoop.fs.Path(path), UpdaterOptions.standard()),
            opened -> true);
  }

  private static void change(StripedFileUpdater updater, byte[] twin) throws IOException {
    Random random = new Random(twin.length);
    for (int i = 0; i < 10; i++) {
      byte[] bytes = new byte[1 + random.nextInt(20_000)];
      random.nextBytes(bytes);
      int position = random.nextInt(twin.length - bytes.length);
      updater.write(position, ByteBuffer.wrap(bytes));
      System.arraycopy(bytes, 0, twin, position, bytes.length);
    }
    updater.flush();
  }

  private TestFile updating(TestFile file) throws IOException {
    byte[] twin = file.bytes().clone();
    StripedFileUpdater opened = open(file.path());
    updaters.add(opened);
    change(opened, twin);
    return new TestFile(file.path(), twin);
  }

  private TestFile updated(TestFile file) throws IOException {
    byte[] twin = file.bytes().clone();
    try (StripedFileUpdater opened = open(file.path())) {
      change(opened, twin);
    }
    return new TestFile(file.path(), twin);
  }

  private TestFile reordered(TestFile file) throws IOException {
    StringBuilder trace = new StringBuilder();
    for (int window = 0; window < 60; window++) {
      int pattern = window % 2;
      for (int cell : new int[] {pattern, 2 + pattern, 4}) {
        trace.append(window * 10_000L + 3).append(",h,0,Write,").append(CELL_BYTES * cell);
        trace.append(",4096,0\n");
      }
    }
    String csv = Files.writeString(root.resolve("trace.csv"), trace).toString();
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
    await("organized " + file.path())
        .until(
            () -> {
              said.reset();
              int exit =
                  new CasoAdmin(conf(), out, out, RewritePoints.NONE)
                      .run(new String[] {"-organize", file.path(), "-trace", csv});
              assertThat(
                      exit == 0 || said.toString(StandardCharsets.UTF_8).contains("run it again"))
                  .as("%s", said)
                  .isTrue();
              return exit == 0;
            });
    assertThat(fs.getXAttrs(new org.apache.hadoop.fs.Path(file.path())))
        .as("%s", said)
        .containsKey(LayoutPointer.XATTR);
    return file;
  }

  /** All at once: units are rebuilt in the background. */
  private void changeLevels() throws IOException {
    List<String> paths = new ArrayList<>();
    for (FileKind kind : kinds()) {
      if (kind.isLevelChanged()) {
        paths.add(reads.get(kind).path());
        appends.get(kind).forEach(file -> paths.add(file.path()));
      }
    }
    ChangedLevels levels = new ChangedLevels(conf(), suite.fileSystem());
    levels.change(3, paths);
    levels.change(2, paths);
  }

  /** Has HDFS rebuild what a node has of files that were updated. */
  private void rebuild() throws Exception {
    DatanodeID id = cluster.getDataNodes().get(REBUILT_NODE).getDatanodeId();
    List<String> paths = new ArrayList<>();
    paths.add(reads.get(FileKind.REBUILT).path());
    appends.get(FileKind.REBUILT).forEach(file -> paths.add(file.path()));
    MiniDFSCluster.DataNodeProperties stopped = cluster.stopDataNode(REBUILT_NODE);
    cluster.setDataNodeDead(id);
    await("units are rebuilt")
        .until(
            () -> {
              for (String path : paths) {
                for (LocatedBlock group : located(path)) {
                  if (group.getLocations().length != 5) {
                    return false;
                  }
                }
              }
              return true;
            });
    cluster.restartDataNode(stopped, true);
    cluster.waitActive();
  }

  @Override
  public List<FileKind> kinds() {
    return Arrays.stream(FileKind.values()).filter(kind -> kind != FileKind.RAIDP).toList();
  }

  @Override
  public MiniDFSCluster dfs() {
    return cluster;
  }

  @Override
  public Configuration conf() {
    return fs.getConf();
  }

  @Override
  public TestFile read(FileKind kind) {
    return reads.get(kind);
  }

  @Override
  public TestFile append(FileKind kind, int number) {
    return appends.get(kind).get(number);
  }

  @Override
  public void loseNode() throws IOException {
    for (FileKind kind : kinds()) {
      assertThat(isFit(kind, read(kind).path()) || kind == FileKind.REBUILT).isTrue();
    }
    lost = Optional.of(StaleNodes.stop(cluster, lostNode));
  }

  @Override
  public void close() throws IOException {
    try {
      // An updater waits long for a node that is away.
      if (lost.isPresent()) {
        cluster.restartDataNode(lost.get(), true);
        cluster.waitActive();
      }
      for (StripedFileUpdater each : updaters) {
        close(each);
      }
    } finally {
      suite.close();
      fs.close();
      cluster.shutdown(true);
    }
  }

  /** DistCp replaces a file that it appends to in code, which ends the session of its updater. */
  private static void close(StripedFileUpdater updater) throws IOException {
    try {
      updater.close();
    } catch (SessionOverException e) {
      assertThat(e).hasMessageContaining("unknown-session");
    }
  }
}
