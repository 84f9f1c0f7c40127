/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ParityFileSystem;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.core.check.FreePorts;
import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import io.hdfsparity.izs.wire.LevelManagers;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.qjournal.MiniQJMHACluster;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** All features with an active, a standby and an observer NameNode, which answers all reads. */
@Tag("full")
@Timeout(600)
class ObserverNameNodeTest {
  private static final int NODES = 7;
  private static final int OBSERVER = 2;
  private static final int LENGTH = MiniLevels.GROUP_BYTES + 12_345;

  @TempDir static Path root;
  private static MiniQJMHACluster journaled;
  private static MiniDFSCluster cluster;

  /** Of clients, which read from the observer. */
  private static Configuration conf;

  private static DistributedFileSystem stock;

  @BeforeAll
  static void start() throws Exception {
    List<Configuration> nodes = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      nodes.add(SampleSite.pairNode(root, node));
    }
    Map<String, String> common = new TreeMap<>(SampleSite.sample("hdfs-site-all.xml"));
    nodes.get(0).forEach(each -> common.remove(each.getKey()));
    Configuration servers = SampleSite.smallFrames(SampleSite.places(common));
    // As HDFS demands it for observers.
    servers.setBoolean(DFSConfigKeys.DFS_NAMENODE_STATE_CONTEXT_ENABLED_KEY, true);
    servers.setBoolean(DFSConfigKeys.DFS_HA_TAILEDITS_INPROGRESS_KEY, true);
    servers.set(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, "100ms");
    for (int nameNode = 0; nameNode <= OBSERVER; nameNode++) {
      servers.set(
          SuiteKey.NAMENODE_RPC_ADDRESS.key() + ".ns1.nn" + nameNode,
          "127.0.0.1:" + FreePorts.next());
    }
    MiniQJMHACluster.Builder builder =
        new MiniQJMHACluster.Builder(servers, root.resolve("dfs").toFile())
            .baseDir(root.resolve("journal").toString())
            .setNumNameNodes(OBSERVER + 1);
    builder
        .getDfsBuilder()
        .numDataNodes(NODES)
        .manageDataDfsDirs(false)
        .checkDataNodeAddrConfig(true)
        .dataNodeConfOverlays(nodes.toArray(Configuration[]::new));
    journaled = builder.build();
    cluster = journaled.getDfsCluster();
    cluster.transitionToActive(0);
    cluster.waitActive(0);
    cluster.transitionToObserver(OBSERVER);
    conf = new Configuration(cluster.getConfiguration(0));
    conf.set("fs.defaultFS", "hdfs://ns1");
    conf.set(
        HdfsClientConfigKeys.Failover.PROXY_PROVIDER_KEY_PREFIX + ".ns1",
        ObserverReadProxyProvider.class.getName());
    stock = (DistributedFileSystem) FileSystem.newInstance(URI.create("hdfs://ns1"), conf);
    MiniLevels.addPolicies(stock, "rs");
    MiniLevels.makeDirectory(stock, "/code", MiniLevels.policy("rs", 2));
    // A NameNode that has just become active takes units for unsure until they are reported again.
    cluster.triggerBlockReports();
  }

  @AfterAll
  static void stop() throws IOException {
    if (stock != null) {
      stock.close();
    }
    if (journaled != null) {
      journaled.shutdown();
    }
  }

  private static FileSystem parity() throws IOException {
    Configuration client = new Configuration(conf);
    client.set("fs.hdfs.impl", ParityFileSystem.class.getName());
    return FileSystem.newInstance(stock.getUri(), client);
  }

  private static byte[] write(String path) throws IOException {
    byte[] bytes = MiniLevels.bytes(LENGTH, path.hashCode());
    MiniLevels.write(stock, path, bytes);
    return bytes;
  }

  /** Reads by a stock client and by one of the suite, both from the observer. */
  private static void assertReads(String path, byte[] bytes) throws IOException {
    // What another client has changed is seen after msync, as in plain HDFS.
    stock.msync();
    assertThat(MiniLevels.read(stock, path, bytes.length)).isEqualTo(bytes);
    assertAskedObserver();
    assertParityReads(path, bytes);
  }

  private static void assertParityReads(String path, byte[] bytes) throws IOException {
    try (FileSystem parity = parity()) {
      parity.msync();
      try (FSDataInputStream in = parity.open(new org.apache.hadoop.fs.Path(path))) {
        assertThat(in.readAllBytes()).isEqualTo(bytes);
      }
    }
  }

  private static void assertAskedObserver() throws IOException {
    assertThat(HATestUtil.isSentToAnyOfNameNodes(stock, cluster, OBSERVER)).isTrue();
  }

  @Test
  void protectedFiles() throws Exception {
    SampleSite.layOut(stock, conf);
    byte[] bytes = write("/pair/f");
    assertReads("/pair/f", bytes);
  }

  @Test
  void levels() throws Exception {
    byte[] bytes = write("/code/level");
    MiniLevels.awaitUnits(stock, "/code/level", 2);
    for (int level : new int[] {3, 1, 2}) {
      try (FSDataInputStream before = stock.open(new org.apache.hadoop.fs.Path("/code/level"))) {
        await("level " + level)
            .untilAsserted(
                () ->
                    assertThat(
                            LevelManagers.of(conf, stock.getUri())
                                .callActive(
                                    manager -> manager.setLevel(level, List.of("/code/level")))
                                .get(0)
                                .refusal())
                        .isEmpty());
        assertReads("/code/level", bytes);
        assertThat(before.readAllBytes()).isEqualTo(bytes);
      }
      assertThat(MiniLevels.policyOf(stock, "/code/level")).contains("-4-" + level + "-");
      MiniLevels.awaitUnits(stock, "/code/level", level);
    }
  }

  @Test
  void updates() throws Exception {
    byte[] twin = write("/code/update");
    MiniLevels.awaitUnits(stock, "/code/update", 2);
    for (int round = 0; round < 3; round++) {
      try (StripedFileUpdater updater = open("/code/update")) {
        MiniUpdates.writeSome(updater, twin, round);
        assertReads("/code/update", twin);
      }
      assertReads("/code/update", twin);
    }
  }

  private static StripedFileUpdater open(String path) {
    return await(path + " is opened")
        .ignoreExceptionsMatching(MiniUpdates::passes)
        .until(
            () ->
                FileUpdates.open(
                    stock, new org.apache.hadoop.fs.Path(path), UpdaterOptions.standard()),
            opened -> true);
  }

  @Test
  void orders() throws Exception {
    assertThat(
            stock
                .addErasureCodingPolicies(
                    new ErasureCodingPolicy[] {
                      new ErasureCodingPolicy(new ECSchema("rs", 3, 2), MiniCaso.CELL_BYTES)
                    })[0]
                .isSucceed())
        .isTrue();
    stock.enableErasureCodingPolicy(MiniCaso.POLICY);
    MiniLevels.makeDirectory(stock, "/order", MiniCaso.POLICY);
    byte[] bytes = MiniLevels.bytes(MiniCaso.LENGTH, 1);
    MiniLevels.write(stock, "/order/f", bytes);
    SampleSite.caso(conf, "-organize", "/order/f", "-trace", MiniCaso.trace(root, 0));
    assertParityReads("/order/f", bytes);
    SampleSite.caso(conf, "-reorganize", "/order/f", "-trace", MiniCaso.trace(root, 1));
    assertParityReads("/order/f", bytes);
    SampleSite.caso(conf, "-restore", "/order/f");
    assertReads("/order/f", bytes);
  }
}
