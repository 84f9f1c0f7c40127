/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.ParityNameNodePlugin;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.bridge.feature.FeatureContext;
import io.hdfsparity.bridge.wire.ServedProtocol;
import io.hdfsparity.core.check.FreePorts;
import io.hdfsparity.raidp.admin.RaidpAdmin;
import io.hdfsparity.raidp.config.RaidpKey;
import io.hdfsparity.raidp.wire.AdminClientTranslator;
import io.hdfsparity.raidp.wire.NodeClientTranslator;
import io.hdfsparity.raidp.wire.RaidpAdminProtocol;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.FailDiskRequest;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.LstorRebuildRequest;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.NodeIdentity;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.NodeReportResponse;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.RecoverRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess;
import org.apache.hadoop.hdfs.server.blockmanagement.PairPlacementPolicy;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.NodeType;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeLayoutVersion;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLock;
import org.apache.hadoop.hdfs.server.namenode.ProtectionMarks;
import org.apache.hadoop.hdfs.server.namenode.ProtectionMarks.Mark;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.hdfs.server.protocol.SlowDiskReports;
import org.apache.hadoop.hdfs.server.protocol.SlowPeerReports;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.VersionInfo;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plugin in a real NameNode; agents are played by the test over RPC. */
@Tag("full")
class RaidpManagerTest {
  @TempDir private Path dir;
  private final Configuration conf = new HdfsConfiguration();
  private MiniDFSCluster cluster;
  private InetSocketAddress address;

  private void start() throws IOException {
    conf.set("dfs.namenode.plugins", ParityNameNodePlugin.class.getName());
    startWithoutPlugin();
  }

  private void startWithoutPlugin() throws IOException {
    address = new InetSocketAddress("127.0.0.1", FreePorts.next());
    conf.set(SuiteKey.NAMENODE_RPC_ADDRESS.key(), "127.0.0.1:" + address.getPort());
    conf.set("dfs.block.replicator.classname", PairPlacementPolicy.class.getName());
    conf.set(
        "hadoop.security.group.mapping",
        "org.apache.hadoop.security.JniBasedUnixGroupsMappingWithFallback");
    // A restart waits for the first heartbeat.
    conf.setInt("dfs.heartbeat.interval", 1);
    cluster =
        new MiniDFSCluster.Builder(conf, dir.toFile())
            .nameNodePort(FreePorts.next())
            .numDataNodes(1)
            .build();
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.shutdown();
    }
  }

  private NodeReportResponse report(NodeReport r) throws IOException {
    NodeReport ours =
        new NodeReport(
            new NodeIdentity(
                r.nodeUuid(),
                r.node().hostName(),
                r.node().xferPort(),
                r.node().peerHost(),
                r.node().peerPort(),
                cluster.getNamesystem().getClusterId(),
                r.node().incarnation()),
            r.disks(),
            r.rebuilds());
    register(ours);
    try (NodeClientTranslator client = new NodeClientTranslator(address, conf, 120_000)) {
      return client.reportNode(ours);
    }
  }

  /** As a DataNode does before it reports. */
  private void register(NodeReport node) throws IOException {
    NamenodeProtocols hdfs = cluster.getNameNodeRpc();
    DatanodeManager nodes = cluster.getNamesystem().getBlockManager().getDatanodeManager();
    for (DataNode real : cluster.getDataNodes()) {
      if (real.getDatanodeUuid().equals(node.nodeUuid())) {
        return;
      }
    }
    NamespaceInfo space = hdfs.versionRequest();
    int port = 50_000 + Integer.parseInt(node.nodeUuid().substring(1));
    DatanodeRegistration registration =
        new DatanodeRegistration(
            new DatanodeID("127.0.0.1", node.node().hostName(), node.nodeUuid(), port, 0, 0, 0),
            new StorageInfo(
                DataNodeLayoutVersion.getCurrentLayoutVersion(),
                space.getNamespaceID(),
                space.getClusterID(),
                space.getCTime(),
                NodeType.DATA_NODE),
            new ExportedBlockKeys(),
            VersionInfo.getVersion());
    if (nodes.getDatanode(node.nodeUuid()) == null) {
      hdfs.registerDatanode(registration);
    }
    StorageReport[] storages =
        node.disks().stream()
            .flatMap(disk -> disk.frames().stream())
            .map(
                frame ->
                    new StorageReport(
                        new DatanodeStorage(frame.storageId()), false, 1 << 30, 0, 1 << 30, 0, 0))
            .toArray(StorageReport[]::new);
    hdfs.sendHeartbeat(
        registration,
        storages,
        0,
        0,
        0,
        0,
        0,
        null,
        false,
        SlowPeerReports.EMPTY_REPORT,
        SlowDiskReports.EMPTY_REPORT);
  }

  private int admin(ByteArrayOutputStream out, String... args) {
    return new RaidpAdmin(conf, new PrintStream(out, true), new PrintStream(out, true)).run(args);
  }

  @Test
  void layoutIsAppliedThroughReportsAndSurvivesARestart() throws Exception {
    start();
    for (String n : List.of("n1", "n2", "n3")) {
      assertThat(
              report(Reports.node(n, Reports.spare(n + "-a", 0), Reports.spare(n + "-b", 1)))
                  .active())
          .isTrue();
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThat(admin(out, "-layout", "-apply")).as(out::toString).isZero();
    assertThat(out.toString()).contains("Assigned");
    NodeReportResponse orders =
        report(Reports.node("n1", Reports.spare("n1-a", 0), Reports.spare("n1-b", 1)));
    assertThat(orders.assignments()).isNotEmpty();
    out.reset();
    assertThat(admin(out, "-status")).isZero();
    assertThat(out.toString()).contains("placement attached").contains("assignments outstanding: ");

    cluster.restartNameNode();
    // Hadoop's client finds out at its next call that the connection it has kept is dead; agents
    // report again anyway.
    Awaitility.await().ignoreExceptions().until(() -> report(Reports.node("n9")).active());
    var pairing = orders.assignments().get(0).pairing();
    report(
        Reports.node(
            "n1", Reports.frame(orders.assignments().get(0).frame().storageId(), 0, pairing)));
    NodeReportResponse completed =
        report(
            Reports.node(pairing.partnerNodeUuid(), Reports.spare(pairing.partnerStorageId(), 0)));
    assertThat(completed.assignments())
        .singleElement()
        .satisfies(a -> assertThat(a.pairing().superchunkId()).isEqualTo(pairing.superchunkId()));
  }

  /** Superchunk 5 has lost both sides. The Lstor of one is at a port. */
  private void reportLost(int port) throws IOException {
    FrameReport first = Reports.frame("a", 0, new Pairing(5, 1, "b", "n2", 1));
    report(Reports.node("n1", DiskState.DISK_FAILED, first));
    report(
        Reports.node(
            "n2", DiskState.DISK_FAILED, Reports.frame("b", 0, new Pairing(5, 1, "a", "n1", 2))));
    try (NodeClientTranslator client = new NodeClientTranslator(address, conf, 120_000)) {
      client.reportLstor(
          new LstorReport(
              "n1-d",
              cluster.getNamesystem().getClusterId(),
              "n1",
              "127.0.0.1",
              port,
              false,
              List.of(first),
              Optional.empty()));
    }
  }

  /**
   * The connection by which the recovery asks for rows. Until then everybody reports: on a slow
   * machine the Lstor would be unreachable before it is asked.
   */
  private Socket askedWhileAllReport(ServerSocket lstor, int port) {
    AtomicReference<Pairing> ordered = new AtomicReference<>();
    AtomicReference<Socket> asked = new AtomicReference<>();
    Awaitility.await()
        .until(
            () -> {
              reportLost(port);
              Pairing stored = ordered.get();
              report(
                      Reports.node(
                          "n3",
                          stored == null ? Reports.spare("c", 0) : Reports.frame("c", 0, stored)))
                  .assignments()
                  .forEach(order -> ordered.set(order.pairing()));
              asked.set(accept(lstor));
              return asked.get() != null;
            });
    return asked.get();
  }

  private static @Nullable Socket accept(ServerSocket server) throws IOException {
    try {
      return server.accept();
    } catch (SocketTimeoutException e) {
      // Nobody has asked yet.
      return null;
    }
  }

  /** A recovery asks it what blocks a lost superchunk had. */
  @Test
  void aNodeThatFallsSilentIsNoticedWhileAnLstorDaemonHangs() throws Exception {
    conf.set(RaidpKey.NODE_STALE_TIMEOUT.key(), "5s");
    conf.set(RaidpKey.PEER_TIMEOUT.key(), "10m");
    try (ServerSocket hanging = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      start();
      hanging.setSoTimeout(100);
      int port = hanging.getLocalPort();
      reportLost(port);
      report(Reports.node("n3", Reports.spare("c", 0)));
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      assertThat(admin(out, "-recover")).as(out::toString).isZero();
      try (Socket asked = askedWhileAllReport(hanging, port)) {
        report(Reports.node("n4", Reports.spare("d", 0)));
        Awaitility.await()
            .until(
                () -> {
                  out.reset();
                  assertThat(admin(out, "-status")).as(out::toString).isZero();
                  return out.toString().lines().anyMatch(l -> l.matches("Node host-n4.*STALE"));
                });
        assertThat(asked.isConnected()).isTrue();
      }
    }
  }

  /** Whatever lies below the root directory. */
  private void protectAll() throws Exception {
    new ProtectionMarks(cluster.getNamesystem()).set("/", Mark.PROTECTED);
  }

  @Test
  void withoutAManagerNewBlocksAreRefusedWithTheReason() throws Exception {
    start();
    protectAll();
    cluster.getConfiguration(0).set(RaidpKey.PREFIX + "no.such.key", "1");
    cluster.restartNameNode();
    DistributedFileSystem fs = cluster.getFileSystem();
    assertThatThrownBy(
            () -> {
              try (var stream = fs.create(new org.apache.hadoop.fs.Path("/f"), (short) 2)) {
                stream.write(1);
              }
            })
        .hasMessageContaining("no.such.key");
  }

  /** The round waits for the NameNode's lock meanwhile. */
  @Test
  void aRoundThatIsUnderWayAttachesNoManagerThatHasFailed() throws Exception {
    startWithoutPlugin();
    FSNamesystem namesystem = cluster.getNamesystem();
    RaidpManager manager = new RaidpManager();
    manager.protect(cluster.getNameNode());
    manager.start(new Unserved(cluster.getNameNode(), conf));
    manager.ready();
    AtomicReference<Thread> round = new AtomicReference<>();
    NameNodeLock.BLOCKS.writeLock(namesystem);
    try {
      Awaitility.await()
          .until(
              () -> {
                Thread.getAllStackTraces()
                    .forEach(
                        (thread, stack) -> {
                          if (Stream.of(stack)
                              .anyMatch(f -> f.getMethodName().equals("isSettled"))) {
                            round.set(thread);
                          }
                        });
                return round.get() != null;
              });
      manager.failed(new IOException("failed by the test"));
    } finally {
      NameNodeLock.BLOCKS.writeUnlock(namesystem, "test");
    }
    Awaitility.await().until(() -> !round.get().isAlive());
    assertThatThrownBy(
            () -> {
              try (var stream =
                  cluster.getFileSystem().create(new org.apache.hadoop.fs.Path("/f"), (short) 2)) {
                stream.write(1);
              }
            })
        .hasMessageContaining("failed by the test");
    manager.stop();
  }

  /** Nobody calls the manager. */
  private record Unserved(NameNode daemon, Configuration conf) implements FeatureContext<NameNode> {
    @Override
    public void serve(ServedProtocol protocol) {}

    @Override
    public InetSocketAddress address() {
      throw new IllegalStateException("not served");
    }
  }

  @Test
  void whoIsNoSuperuserChangesNothing() throws Exception {
    start();
    UserGroupInformation bob =
        UserGroupInformation.createUserForTesting("bob", new String[] {"people"});
    bob.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              try (AdminClientTranslator client =
                  new AdminClientTranslator(address, conf, 120_000)) {
                assertThatThrownBy(() -> client.status(List.of()))
                    .isInstanceOf(AccessControlException.class);
                assertThatThrownBy(() -> client.layout(List.of()))
                    .isInstanceOf(AccessControlException.class);
                assertThatThrownBy(() -> client.applyLayout(RaidpAdminProtocol.DryRun.NO))
                    .isInstanceOf(AccessControlException.class)
                    .hasMessageContaining("bob");
                assertThatThrownBy(
                        () ->
                            client.failDisk(
                                new FailDiskRequest("n1-d", FailDiskRequest.Check.OTHER_REPLICAS)))
                    .isInstanceOf(AccessControlException.class);
                assertThatThrownBy(() -> client.withdrawFailedDisk("n1-d"))
                    .isInstanceOf(AccessControlException.class);
                assertThatThrownBy(
                        () ->
                            client.rebuildLstor(
                                new LstorRebuildRequest("d", LstorRebuildRequest.Action.START)))
                    .isInstanceOf(AccessControlException.class);
                assertThatThrownBy(() -> client.recover(RecoverRequest.configured()))
                    .isInstanceOf(AccessControlException.class);
                assertThatThrownBy(() -> client.fsck(List.of()))
                    .isInstanceOf(AccessControlException.class);
                assertThatThrownBy(() -> client.scrub(List.of()))
                    .isInstanceOf(AccessControlException.class);
              }
              return null;
            });
  }

  @Test
  void aForeignClusterIsRefused() throws Exception {
    start();
    try (NodeClientTranslator client = new NodeClientTranslator(address, conf, 120_000)) {
      assertThatThrownBy(() -> client.reportNode(Reports.node("n1", Reports.spare("a", 0))))
          .hasMessageContaining("clusterId=CID, expected ");
      assertThatThrownBy(
              () ->
                  client.reportLstor(
                      new LstorReport(
                          "d", "CID-other", "n", "h", 1, false, List.of(), Optional.empty())))
          .hasMessageContaining("clusterId=CID-other");
    }
  }

  @Test
  void withoutSuperchunksABlockIsRefusedWithTheReason() throws Exception {
    start();
    new NameNodeAccess(cluster.getNameNode()).marks().set("/", Mark.PROTECTED);
    DistributedFileSystem fs = cluster.getFileSystem();
    assertThatThrownBy(
            () -> {
              try (var stream = fs.create(new org.apache.hadoop.fs.Path("/f"), (short) 2)) {
                stream.write(1);
              }
            })
        .hasMessageContaining("Cannot place a block")
        .hasMessageContaining("superchunks=0");
  }

  @Test
  void aPluginThatCannotStartLeavesWritesRefused() throws Exception {
    conf.set(RaidpKey.PREFIX + "no.such.\"key\"", "1");
    start();
    protectAll();
    DistributedFileSystem fs = cluster.getFileSystem();
    assertThatThrownBy(
            () -> {
              try (var stream = fs.create(new org.apache.hadoop.fs.Path("/f"), (short) 2)) {
                stream.write(1);
              }
            })
        .hasMessageContaining("expected a placement manager in the NameNode")
        .hasMessageContaining("no.such.");
    MetricsSource source = DefaultMetricsSystem.instance().getSource("RaidpManager");
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source.getMetrics(collector, true);
    assertThat(collector.getRecords().toString())
        .contains("FailedClosed")
        .as("a quote would break /prom")
        .contains("no.such.'key'");
  }
}
