/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.ParityDataNodePlugin;
import io.hdfsparity.ParityNameNodePlugin;
import io.hdfsparity.core.check.FreePorts;
import io.hdfsparity.core.store.MappedByteStore;
import io.hdfsparity.raidp.admin.RaidpAdmin;
import io.hdfsparity.raidp.lstor.Lstor;
import io.hdfsparity.raidp.lstor.LstorExpectation;
import io.hdfsparity.raidp.lstor.LstorIdentity;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstord.LstorFiles;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real NameNode with manager, real DataNodes with these hooks, stock client. */
@Tag("full")
class DataNodeClusterTest {
  private static final int NODES = 4;
  private static final int FRAMES = 2;
  private static final int UNIT = 64 << 10;
  private static final int BLOCK = 1 << 20;

  @TempDir Path dir;
  private MiniDFSCluster cluster;
  private DistributedFileSystem fs;
  private Configuration conf;
  private final Map<String, byte[]> expected = new TreeMap<>();

  @BeforeEach
  void start() throws Exception {
    conf = configuration();
    Configuration[] overlays = new Configuration[NODES];
    String[] racks = new String[NODES];
    for (int node = 0; node < NODES; node++) {
      overlays[node] = overlay(node);
      racks[node] = "/r" + node % 2;
    }
    cluster =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(NODES)
            .manageDataDfsDirs(false)
            .racks(racks)
            .dataNodeConfOverlays(overlays)
            .build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
    await("frames").until(() -> admin("-status", "-json").contains("\"live\" : " + NODES * FRAMES));
    int added =
        new ObjectMapper().readTree(admin("-layout", "-apply", "-json")).path("added").asInt();
    assertThat(added).isPositive();
    // One is listed when the first of its DataNodes has reported it, and usable after the other.
    await("superchunks")
        .until(
            () -> admin("-layout", "-json").split("\"usable\" : true", -1).length - 1,
            usable -> usable == added);
    admin("-protect", "/");
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.shutdown();
    }
  }

  private HdfsConfiguration configuration() throws Exception {
    HdfsConfiguration c = new HdfsConfiguration();
    c.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, dir.resolve("dfs").toString());
    c.set(
        "dfs.datanode.fsdataset.factory",
        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ParityDatasetFactory");
    c.set(
        "dfs.datanode.fsdataset.volume.choosing.policy",
        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.StorageIdVolumeChoosingPolicy");
    c.set(
        "dfs.block.replicator.classname",
        "org.apache.hadoop.hdfs.server.blockmanagement.PairPlacementPolicy");
    c.set("dfs.parity.datanode.dataset.hooks", RaidpDatasetHooks.class.getName());
    c.set("dfs.datanode.plugins", ParityDataNodePlugin.class.getName());
    c.set("dfs.namenode.plugins", ParityNameNodePlugin.class.getName());
    c.set("dfs.parity.namenode.rpc-address", "127.0.0.1:" + FreePorts.next());
    c.set("dfs.parity.datanode.rpc-address", "127.0.0.1:0");
    c.set("dfs.parity.raidp.report.interval", "200ms");
    c.set("dfs.parity.raidp.idle.after", "100ms");
    c.setLong("dfs.parity.raidp.frame.size", 32L << 20);
    c.setInt("dfs.parity.raidp.unit.size", UNIT);
    c.setLong("dfs.parity.raidp.max.block.size", BLOCK);
    c.setLong("dfs.parity.raidp.journal.size", 8L << 20);
    c.set("dfs.parity.raidp.layout.spare.share", "0");
    c.setInt("dfs.replication", 2);
    c.setLong("dfs.blocksize", BLOCK);
    c.setLong("dfs.namenode.fs-limits.min-block-size", 1024);
    c.setInt("dfs.heartbeat.interval", 1);
    c.setInt("dfs.namenode.heartbeat.recheck-interval", 1000);
    c.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    c.setInt("dfs.client.block.write.retries", 10);
    c.set("dfs.datanode.disk.check.min.gap", "0s");
    return c;
  }

  private Configuration overlay(int node) throws Exception {
    Configuration c = new Configuration(false);
    Path root = root(node);
    c.set("dfs.datanode.data.dir", "[DISK]file:" + Files.createDirectories(root.resolve("data")));
    c.setInt("dfs.parity.raidp.frames.per.volume", FRAMES);
    c.set("dfs.parity.raidp.disk.roots", root.toString());
    c.set("dfs.parity.raidp.lstor.dirs", dir.resolve("lstor" + node).toString());
    return c;
  }

  private Path root(int node) {
    return dir.resolve("node" + node).resolve("disk0");
  }

  private String admin(String... args) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    ToolRunner.run(new RaidpAdmin(new Configuration(conf), stream, stream), args);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path(name);
  }

  private static byte[] bytes(long seed, int length) {
    byte[] b = new byte[length];
    new Random(seed).nextBytes(b);
    return b;
  }

  private void put(String name, byte[] content) throws Exception {
    try (OutputStream out = fs.create(path(name))) {
      out.write(content);
    }
    expected.put(name, content);
  }

  private void assertSound() throws Exception {
    for (Map.Entry<String, byte[]> file : expected.entrySet()) {
      try (FSDataInputStream in = fs.open(path(file.getKey()))) {
        assertThat(in.readAllBytes()).as(file.getKey()).isEqualTo(file.getValue());
      }
    }
    await("fsck")
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(
            () -> {
              ByteArrayOutputStream said = new ByteArrayOutputStream();
              PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
              int code =
                  ToolRunner.run(
                      new RaidpAdmin(new Configuration(conf), out, out), new String[] {"-fsck"});
              assertThat(code).as(said.toString(StandardCharsets.UTF_8)).isZero();
            });
  }

  @Test
  void stockClientsKeepTheParityRight() throws Exception {
    for (int size :
        new int[] {0, 1, 511, 512, 513, UNIT, UNIT + 1, BLOCK - 1, BLOCK, 2 * BLOCK + 777}) {
      put("/odd/" + size, bytes(size, size));
    }
    assertSound();
    appendAndTruncate();
    assertSound();
    for (int size : new int[] {1, 512, UNIT, BLOCK}) {
      fs.delete(path("/odd/" + size), false);
      expected.remove("/odd/" + size);
    }
    put("/odd/again", bytes(9, BLOCK + 5));
    assertSound();
    await("metrics").untilAsserted(this::assertMetrics);
    cluster.restartDataNode(1);
    cluster.waitActive();
    assertSound();
  }

  /** Of the DataNodes, as their operators see them. */
  private void assertMetrics() {
    long parityBytes = 0;
    for (DataNode node : cluster.getDataNodes()) {
      Map<String, Number> metrics = metrics("RaidpDataNode-" + node.getDatanodeUuid());
      assertThat(metrics).containsEntry("FailedClosed", 0).containsEntry("DisksFailed", 0L);
      assertThat(metrics.get("UnitsUsed").longValue() + metrics.get("UnitsFree").longValue())
          .isPositive();
      assertThat(metrics)
          .containsKeys(
              "JournalDepthBytes", "CommitNanos", "CommitNanosMax", "LimboBytes", "Unsettled");
      parityBytes += metrics.get("ParityBytes").longValue();
    }
    long stored = expected.values().stream().mapToLong(each -> each.length).sum();
    assertThat(parityBytes).as("both sides of every byte").isGreaterThanOrEqualTo(2 * stored);
    assertThat(metrics("RaidpManager"))
        .containsEntry("FailedClosed", 0)
        .containsEntry("Problems", 0)
        .containsKeys("SuperchunksActive", "RecoveryBytesPerSecond");
  }

  private static Map<String, Number> metrics(String source) {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    DefaultMetricsSystem.instance().getSource(source).getMetrics(collector, /* all= */ true);
    Map<String, Number> values = new TreeMap<>();
    for (MetricsRecord each : collector.getRecords()) {
      each.metrics().forEach(metric -> values.put(metric.name(), metric.value()));
    }
    return values;
  }

  private void appendAndTruncate() throws Exception {
    put("/a", bytes(1, 100_000));
    byte[] more = bytes(2, 300_333);
    try (FSDataOutputStream out = fs.append(path("/a"))) {
      out.write(more, 0, 1000);
      out.hflush();
      out.write(more, 1000, more.length - 1000);
    }
    byte[] all = Arrays.copyOf(expected.get("/a"), 400_333);
    System.arraycopy(more, 0, all, 100_000, more.length);
    expected.put("/a", all);
    put("/t", bytes(3, BLOCK + 200_000));
    fs.truncate(path("/t"), BLOCK + 70_001);
    await("truncated").until(() -> fs.getClient().isFileClosed("/t"));
    expected.put("/t", Arrays.copyOf(expected.get("/t"), BLOCK + 70_001));
  }

  /**
   * A writer goes on with one side when the other one cannot reopen its replica. The copy that
   * replaces the older replica is ordered once in five minutes at most, so it has to succeed.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSideThatHasMissedAnAppendIsReplacedAtOnce(boolean isLeader) throws Exception {
    put("/missed", bytes(5, 100_000));
    assertSound();
    LocatedBlock block = fs.getClient().getLocatedBlocks("/missed", 0).get(0);
    String[] sides = block.getStorageIDs();
    Arrays.sort(sides);
    Path obstacle = rbw(sides[isLeader ? 0 : 1], block.getBlock());
    Files.createDirectories(obstacle.resolve("in-the-way"));
    byte[] all = bytes(6, 150_000);
    System.arraycopy(expected.get("/missed"), 0, all, 0, 100_000);
    try (FSDataOutputStream out = fs.append(path("/missed"))) {
      out.write(all, 100_000, 50_000);
    }
    expected.put("/missed", all);
    assertThat(fs.getClient().getLocatedBlocks("/missed", 0).get(0).getLocations())
        .as("replicas when the writer has closed the file")
        .hasSize(1);
    Files.delete(obstacle.resolve("in-the-way"));
    Files.delete(obstacle);
    await("both sides")
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> fs.getClient().getLocatedBlocks("/missed", 0).get(0).getLocations().length == 2);
    assertSound();
  }

  private Path rbw(String storageId, ExtendedBlock block) throws Exception {
    for (DataNode node : cluster.getDataNodes()) {
      try (var volumes = node.getFSDataset().getFsVolumeReferences()) {
        if (volumes.get(0).getStorageID().equals(storageId)) {
          return rbw(node).resolve(block.getBlockName());
        }
      }
    }
    throw new IllegalArgumentException(storageId);
  }

  /** Where a DataNode writes blocks. */
  private Path rbw(DataNode node) throws Exception {
    try (var volumes = node.getFSDataset().getFsVolumeReferences()) {
      return Path.of(volumes.get(0).getStorageLocation().getUri())
          .resolve("current")
          .resolve(cluster.getNamesystem().getBlockPoolId())
          .resolve("current/rbw");
    }
  }

  private List<String> beingWritten() throws Exception {
    List<String> names = new ArrayList<>();
    for (DataNode node : cluster.getDataNodes()) {
      try (Stream<Path> files = Files.list(rbw(node))) {
        files.forEach(each -> names.add(each.toString()));
      }
    }
    return names;
  }

  /**
   * One side of each pair cannot make its replica, before or after it has reserved units; the other
   * one may have made its own. The client abandons the block.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void abandonedBlocksLeaveNothing(boolean isReserved) throws Exception {
    put("/first", bytes(1, 1_000));
    List<DataNode> nodes = cluster.getDataNodes();
    long blockId = blockId("/first");
    for (int i = 0; i < 12; i++) {
      List<Path> obstacles = new ArrayList<>();
      // Each pair has one side in each rack.
      for (DataNode node : List.of(nodes.get(i % 2), nodes.get(i % 2 + 2))) {
        Path obstacle = rbw(node).resolve("blk_" + (blockId + 1));
        // The hooks take a file for an older replica; HDFS alone sees a link that leads nowhere.
        obstacles.add(
            isReserved
                ? Files.createSymbolicLink(obstacle, dir.resolve("nowhere"))
                : Files.createFile(obstacle));
      }
      put("/abandoned" + i, bytes(i, 1_000 + i));
      for (Path obstacle : obstacles) {
        Files.delete(obstacle);
      }
      assertThat(blockId("/abandoned" + i)).as("the block after").isEqualTo(blockId + 2);
      blockId += 2;
    }
    assertSound();
    cluster.triggerBlockReports();
    await("other sides").untilAsserted(() -> assertThat(beingWritten()).isEmpty());
    cluster.restartDataNode(1);
    cluster.waitActive();
    assertSound();
  }

  /** A replica that is being written, under a higher stamp than its row. */
  @Test
  void anInterruptedAppendStaysCoveredUnlessTheHooksWereAway() throws Exception {
    put("/open", bytes(1, 100_000));
    assertSound();
    FSDataOutputStream open = fs.append(path("/open"));
    open.write(bytes(2, 1_000));
    open.hflush();
    String side =
        fs.getClient().getLocatedBlocks("/open", 0).get(0).getLocations()[0].getXferAddr();
    DataNodeProperties stopped = cluster.stopDataNode(side);
    Configuration own = stopped.getDatanode().getConf();
    assertThat(coveredBytes(own)).isEqualTo(100_000);
    cluster.restartDataNode(stopped, true);
    cluster.waitActive();
    stopped = cluster.stopDataNode(side);
    assertThat(coveredBytes(own)).isEqualTo(100_000);

    Configuration stock = new HdfsConfiguration(own);
    for (String key :
        List.of(
            "dfs.datanode.fsdataset.factory",
            "dfs.datanode.fsdataset.volume.choosing.policy",
            "dfs.parity.datanode.dataset.hooks",
            "dfs.datanode.plugins")) {
      stock.unset(key);
    }
    DataNode unhooked = DataNode.createDataNode(new String[0], stock);
    await("a DataNode without the hooks").until(unhooked::isDatanodeFullyStarted);
    unhooked.shutdown();
    cluster.restartDataNode(stopped, true);
    cluster.waitActive();
    cluster.stopDataNode(side);
    assertThat(coveredBytes(own)).isZero();
    open.close();
  }

  /** By the Lstor of a DataNode that has ended. */
  private static long coveredBytes(Configuration dataNode) throws Exception {
    Path lstors = Path.of(dataNode.get("dfs.parity.raidp.lstor.dirs"));
    try (MappedByteStore store = MappedByteStore.open(LstorFiles.in(lstors).get(0))) {
      LstorIdentity identity = Lstor.identityOf(store);
      Lstor lstor =
          Lstor.openReadOnly(store, new LstorExpectation(identity.clusterId(), identity.diskId()));
      return lstor.entries().stream().mapToLong(SlotEntry::coveredBytes).sum();
    }
  }

  private long blockId(String name) throws Exception {
    return fs.getClient().getLocatedBlocks(name, 0).get(0).getBlock().getBlockId();
  }

  @Test
  void aDeadDiskLeavesTheDataNodeUpAndSurvivorsWritable() throws Exception {
    for (int i = 0; i < 12; i++) {
      put("/f" + i, bytes(i, 300_000 + i));
    }
    FSDataOutputStream open = fs.create(path("/open"));
    byte[] content = bytes(77, 500_000);
    open.write(content, 0, 250_000);
    open.hflush();
    Files.move(root(0), root(0).resolveSibling("gone"));
    Files.createFile(root(0));
    await("disk failed")
        .until(
            () ->
                admin("-status", "-json").contains("\"health\" : \"FAILED\"")
                    || admin("-status", "-json").contains("DISK_FAILED")
                    || admin("-status").contains("FAILED"));
    assertThat(cluster.getDataNodes().get(0).isDatanodeUp()).isTrue();
    open.write(content, 250_000, 250_000);
    open.close();
    expected.put("/open", content);
    for (Map.Entry<String, byte[]> file : expected.entrySet()) {
      try (FSDataInputStream in = fs.open(path(file.getKey()))) {
        assertThat(in.readAllBytes()).as(file.getKey()).isEqualTo(file.getValue());
      }
    }
  }

  @Test
  void withoutThePluginWritesAreRefusedWithTheReason() throws Exception {
    List<InetSocketAddress> servers = new ArrayList<>();
    for (var dataNode : cluster.getDataNodes()) {
      ServiceFlag gate = new ServiceFlag(dataNode.getConf(), dataNode);
      servers.add(gate.server().orElseThrow());
      gate.close();
    }
    assertThatThrownBy(() -> put("/refused", new byte[10])).hasMessageContaining("/refused");
    assertThat(cluster.getDataNodes().get(0).getConf().get("dfs.datanode.plugins")).isNotBlank();
    for (var dataNode : cluster.getDataNodes()) {
      new ServiceFlag(dataNode.getConf(), dataNode).open(servers.remove(0));
    }
    put("/taken", new byte[10]);
    assertSound();
  }
}
