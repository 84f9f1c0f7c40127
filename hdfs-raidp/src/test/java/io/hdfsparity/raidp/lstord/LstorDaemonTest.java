/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.bridge.wire.RpcServers;
import io.hdfsparity.core.check.Clock;
import io.hdfsparity.raidp.config.RaidpKey;
import io.hdfsparity.raidp.lstor.LstorException;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.recovery.SimCluster;
import io.hdfsparity.raidp.wire.LstorClientTranslator;
import io.hdfsparity.raidp.wire.RaidpAdminProtocol;
import io.hdfsparity.raidp.wire.RaidpNodeProtocol;
import io.hdfsparity.raidp.wire.RaidpProtocols;
import io.hdfsparity.raidp.wire.message.ImageKind;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.NodeReportResponse;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer;
import io.hdfsparity.raidp.wire.message.SuperchunkRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.ipc.RPC;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daemon over real RPC, with a real RPC server in the manager's place. */
class LstorDaemonTest {
  @TempDir Path dir;
  private final Map<String, LstorReport> reports = new ConcurrentHashMap<>();
  private SimCluster cluster;
  private SimCluster.Disk disk;
  private RPC.Server manager;

  @BeforeEach
  void start() throws IOException {
    cluster = SimCluster.full(new Random(7), LstorGeometry.of(2, 8, 65536), 3);
    cluster.fill(0.8, false);
    disk = cluster.disks.get(1);
    SimLstors.fill(dir, cluster, disk);
    manager =
        RpcServers.build(
            new HdfsConfiguration(),
            new InetSocketAddress("127.0.0.1", 0),
            2,
            RaidpProtocols.node(new ReportTaker()),
            RaidpProtocols.admin(noAdmin()));
    manager.start();
  }

  @AfterEach
  void stop() {
    manager.stop();
  }

  private final class ReportTaker implements RaidpNodeProtocol {
    @Override
    public NodeReportResponse reportNode(NodeReport report) {
      throw new UncheckedIOException(new IOException("no DataNode here"));
    }

    @Override
    public boolean reportLstor(LstorReport report) {
      reports.put(report.diskId(), report);
      return true;
    }

    @Override
    public SuperchunkAnswer superchunkOf(SuperchunkRequest request) {
      throw new UncheckedIOException(new IOException("no DataNode here"));
    }
  }

  /** The daemon calls nothing of it. */
  private static RaidpAdminProtocol noAdmin() {
    return (RaidpAdminProtocol)
        Proxy.newProxyInstance(
            LstorDaemonTest.class.getClassLoader(),
            new Class<?>[] {RaidpAdminProtocol.class},
            (proxy, method, args) -> {
              throw new IOException("no administration here");
            });
  }

  private Configuration conf() {
    Configuration conf = new HdfsConfiguration();
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:" + manager.getListenerAddress().getPort());
    conf.set(RaidpKey.LSTOR_DIRS.key(), dir.toString());
    conf.set(RaidpKey.LSTOR_RPC_ADDRESS.key(), "127.0.0.1:0");
    conf.set(
        SuiteKey.NAMENODE_RPC_ADDRESS.key(), "127.0.0.1:" + manager.getListenerAddress().getPort());
    conf.set(RaidpKey.REPORT_INTERVAL.key(), "50ms");
    return conf;
  }

  private static LstorClientTranslator client(int port) throws IOException {
    return new LstorClientTranslator(
        new InetSocketAddress("127.0.0.1", port), new HdfsConfiguration(), 120_000);
  }

  @Test
  void reportsServesRefusesAndYieldsOverRpc() throws Exception {
    Path file = SimLstors.file(dir, disk.id);
    try (LstorDaemon daemon = new LstorDaemon(conf(), Clock.system());
        LstorClientTranslator client = client(daemon.port())) {
      await().until(() -> reports.containsKey(disk.id));
      LstorReport free = reports.get(disk.id);
      assertThat(free.locked()).isFalse();
      assertThat(free.clusterId()).isEqualTo(SimLstors.CLUSTER);
      assertThat(free.nodeUuid()).isEqualTo("node-of-" + disk.id);
      assertThat(free.port()).isEqualTo(daemon.port());
      assertThat(free.frames()).hasSize(2);
      assertThat(free.failure()).isEmpty();

      assertThat(
              java.util.Arrays.equals(
                  client.readParity(disk.id, ImageKind.DATA, 0, disk.dataParity.length),
                  disk.dataParity))
          .isTrue();
      assertThat(client.entries(disk.id, OptionalInt.empty())).hasSameSizeAs(disk.rows);
      assertThatThrownBy(() -> client.readParity(disk.id, ImageKind.DATA, -1, 8))
          .isInstanceOf(LstorException.Refused.class)
          .hasMessageContaining("position=-1");
      assertThatThrownBy(() -> client.readParity(disk.id, ImageKind.DATA, 0, -8))
          .isInstanceOf(LstorException.Refused.class);
      assertThatThrownBy(() -> client.readParity("none", ImageKind.DATA, 0, 8))
          .isInstanceOf(UnknownLstorException.class)
          .hasMessageContaining("disk=none");

      // The daemon has it open under its lease; a DataNode gets it all the same, soon.
      try (ChildProcess dataNode =
          ChildProcess.start(LstorLockTest.LockHolder.class, file.toString())) {
        dataNode.expect("HELD");
        assertThatThrownBy(() -> client.readParity(disk.id, ImageKind.DATA, 0, 8))
            .isInstanceOf(LstorInUseException.class)
            .hasMessageContaining("holder=child DataNode");
        assertThat(client.info(disk.id).locked()).isTrue();
        await().until(() -> reports.get(disk.id).locked());
        dataNode.kill();
        await()
            .until(
                () -> !reports.get(disk.id).locked() && reports.get(disk.id).frames().size() == 2);
      }
      assertThat(client.readParity(disk.id, ImageKind.META, 0, 16))
          .isEqualTo(java.util.Arrays.copyOf(disk.metaParity, 16));
    }
    try (LstorLock free = LstorLock.tryAcquire(file, "test").orElseThrow()) {
      assertThat(free.takeCount()).isPositive();
    }
  }

  /**
   * Else a DataNode that starts later does not get its Lstor, say, until the daemon is restarted.
   */
  @Test
  void goesOnAfterAnError() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    Supplier<Configuration> files =
        () -> {
          if (reads.incrementAndGet() == 1) {
            throw new OutOfMemoryError("planted");
          }
          return new Configuration(false);
        };
    try (LstorDaemon daemon = new LstorDaemon(conf(), Clock.system(), files, 20)) {
      await().until(() -> reads.get() > 2);
      assertThat(daemon.port()).isPositive();
    }
  }

  /** As a DataNode adds disks, and forgets disks that are not needed. */
  @Test
  void servesDirectoriesThatAreAddedAndNotWhatIsPutAside() throws Exception {
    Path first = Files.createDirectory(dir.resolve("first"));
    Configuration conf = conf();
    conf.set(RaidpKey.LSTOR_DIRS.key(), first.toString());
    AtomicReference<Configuration> files = new AtomicReference<>(new Configuration(false));
    try (LstorDaemon daemon = new LstorDaemon(conf, Clock.system(), files::get, 20);
        LstorClientTranslator client = client(daemon.port())) {
      assertThatThrownBy(() -> client.info(disk.id)).isInstanceOf(UnknownLstorException.class);
      Configuration now = conf();
      now.set(RaidpKey.LSTOR_DIRS.key(), dir.toString());
      files.set(now);
      await().until(() -> reports.containsKey(disk.id));
      assertThat(client.entries(disk.id, OptionalInt.empty())).hasSameSizeAs(disk.rows);

      Path file = SimLstors.file(dir, disk.id);
      assertThatThrownBy(() -> LstorFiles.putAside(file, "another", "test", 10_000))
          .hasMessageContainingAll("clusterId=" + SimLstors.CLUSTER, "expected another");
      LstorFiles.putAside(file, SimLstors.CLUSTER, "test", 10_000);
      assertThat(LstorFiles.aside(file)).exists();
      await()
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> client.info(disk.id))
                      .isInstanceOf(UnknownLstorException.class));
      assertThat(reports.get(disk.id).failure()).isEmpty();
    }
  }

  @Test
  void runsAsAProcessOfItsOwnAndStopsCleanly() throws Exception {
    Path site = Files.createDirectory(dir.resolve("conf"));
    try (var out = Files.newOutputStream(site.resolve("lstor-site.xml"))) {
      conf().writeXml(out);
    }
    try (ChildProcess process =
        ChildProcess.start(DaemonMain.class, site.resolve("lstor-site.xml").toString())) {
      await().until(() -> reports.containsKey(disk.id));
      try (LstorClientTranslator client = client(reports.get(disk.id).port())) {
        assertThat(
                java.util.Arrays.equals(
                    client.readParity(disk.id, ImageKind.DATA, 0, disk.dataParity.length),
                    disk.dataParity))
            .isTrue();
        assertThat(LstorLock.tryAcquire(SimLstors.file(dir, disk.id), "test")).isEmpty();
      }
      assertThat(process.stop()).isEqualTo(143);
    }
    LstorLock.tryAcquire(SimLstors.file(dir, disk.id), "test").orElseThrow().close();
  }

  /** The daemon's main with a site file named on the command line. */
  static final class DaemonMain {
    public static void main(String[] args) throws Exception {
      Configuration.addDefaultResource("core-default.xml");
      HdfsConfiguration.init();
      System.setProperty("lstor.site", args[0]);
      Configuration conf = new HdfsConfiguration();
      conf.addResource(Path.of(args[0]).toUri().toURL());
      LstorDaemon daemon = new LstorDaemon(conf, Clock.system());
      org.apache.hadoop.util.ShutdownHookManager.get()
          .addShutdownHook(
              () -> {
                try {
                  daemon.close();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              },
              10);
      daemon.join();
    }
  }
}
