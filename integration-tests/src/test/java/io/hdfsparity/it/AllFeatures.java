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
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.apache.hadoop.io.erasurecode.ECSchema;

/**
 * A cluster with all features, from the sample for it: /pair is protected by RAIDP, files of /code
 * can change their level and be updated in place, those of /order can be reordered.
 */
final class AllFeatures implements AutoCloseable {
  static final int LENGTH = MiniLevels.GROUP_BYTES + 12_345;

  /** Index of the NameNode that is an observer, if there is one. */
  static final int OBSERVER = 2;

  private final MiniDFSCluster cluster;
  private final Configuration conf;
  private final DistributedFileSystem stock;
  private final AutoCloseable servers;

  private AllFeatures(
      MiniDFSCluster cluster,
      Configuration conf,
      DistributedFileSystem stock,
      AutoCloseable servers) {
    this.cluster = cluster;
    this.conf = conf;
    this.stock = stock;
    this.servers = servers;
  }

  /**
   * One NameNode.
   *
   * @param more keys beside those of the sample
   */
  static AllFeatures start(Path root, int nodes, Map<String, String> more) throws Exception {
    List<Configuration> own = nodes(root, nodes);
    Configuration keys = servers(own);
    keys.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, root.resolve("dfs").toString());
    more.forEach(keys::set);
    MiniDFSCluster cluster = withNodes(new MiniDFSCluster.Builder(keys), own).build();
    try {
      cluster.waitActive();
      AllFeatures all =
          new AllFeatures(
              cluster,
              cluster.getConfiguration(0),
              cluster.getFileSystem(),
              () -> cluster.shutdown());
      all.makeDirectories();
      return all;
    } catch (Throwable e) {
      cluster.shutdown();
      throw e;
    }
  }

  /** An active, a standby and an observer NameNode; clients read from the observer. */
  static AllFeatures startWithObserver(Path root, int nodes) throws Exception {
    List<Configuration> own = nodes(root, nodes);
    Configuration keys = servers(own);
    // As HDFS demands it for observers.
    keys.setBoolean(DFSConfigKeys.DFS_NAMENODE_STATE_CONTEXT_ENABLED_KEY, true);
    keys.setBoolean(DFSConfigKeys.DFS_HA_TAILEDITS_INPROGRESS_KEY, true);
    keys.set(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, "100ms");
    for (int nameNode = 0; nameNode <= OBSERVER; nameNode++) {
      keys.set(
          SuiteKey.NAMENODE_RPC_ADDRESS.key() + ".ns1.nn" + nameNode,
          "127.0.0.1:" + FreePorts.next());
    }
    MiniQJMHACluster.Builder builder =
        new MiniQJMHACluster.Builder(keys, root.resolve("dfs").toFile())
            .baseDir(root.resolve("journal").toString())
            .setNumNameNodes(OBSERVER + 1);
    withNodes(builder.getDfsBuilder(), own);
    MiniQJMHACluster journaled = builder.build();
    try {
      MiniDFSCluster cluster = journaled.getDfsCluster();
      cluster.transitionToActive(0);
      cluster.waitActive(0);
      cluster.transitionToObserver(OBSERVER);
      Configuration client = new Configuration(cluster.getConfiguration(0));
      client.set("fs.defaultFS", "hdfs://ns1");
      client.set(
          HdfsClientConfigKeys.Failover.PROXY_PROVIDER_KEY_PREFIX + ".ns1",
          ObserverReadProxyProvider.class.getName());
      DistributedFileSystem stock =
          (DistributedFileSystem) FileSystem.newInstance(URI.create("hdfs://ns1"), client);
      AllFeatures all = new AllFeatures(cluster, client, stock, journaled::shutdown);
      all.makeDirectories();
      // A NameNode that has just become active takes units for unsure until they are reported.
      cluster.triggerBlockReports();
      return all;
    } catch (Throwable e) {
      journaled.shutdown();
      throw e;
    }
  }

  private static List<Configuration> nodes(Path root, int nodes) throws IOException {
    List<Configuration> own = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      own.add(SampleSite.pairNode(root, node));
    }
    return own;
  }

  private static Configuration servers(List<Configuration> nodes) throws IOException {
    Map<String, String> common = new TreeMap<>(SampleSite.sample("hdfs-site-all.xml"));
    // What is set for all would win over what is set for one.
    nodes.get(0).forEach(each -> common.remove(each.getKey()));
    return SampleSite.smallFrames(SampleSite.places(common));
  }

  private static MiniDFSCluster.Builder withNodes(
      MiniDFSCluster.Builder builder, List<Configuration> nodes) {
    return builder
        .numDataNodes(nodes.size())
        .manageDataDfsDirs(false)
        .checkDataNodeAddrConfig(true)
        .dataNodeConfOverlays(nodes.toArray(Configuration[]::new));
  }

  private void makeDirectories() throws IOException {
    MiniLevels.addPolicies(stock, "rs");
    MiniLevels.makeDirectory(stock, "/code", MiniLevels.policy("rs", 2));
    stock.addErasureCodingPolicies(
        new ErasureCodingPolicy[] {
          new ErasureCodingPolicy(new ECSchema("rs", 3, 2), MiniCaso.CELL_BYTES)
        });
    stock.enableErasureCodingPolicy(MiniCaso.POLICY);
    MiniLevels.makeDirectory(stock, "/order", MiniCaso.POLICY);
    SampleSite.layOut(stock, conf);
  }

  @Override
  public void close() throws Exception {
    stock.close();
    servers.close();
  }

  MiniDFSCluster cluster() {
    return cluster;
  }

  Configuration conf() {
    return conf;
  }

  DistributedFileSystem stock() {
    return stock;
  }

  byte[] write(String name, int length) throws IOException {
    byte[] bytes = MiniLevels.bytes(length, name.hashCode());
    MiniLevels.write(stock, name, bytes);
    return bytes;
  }

  /** A client of the suite, which has kept nothing yet. */
  FileSystem parity() throws IOException {
    Configuration client = new Configuration(conf());
    client.set("fs.hdfs.impl", ParityFileSystem.class.getName());
    return FileSystem.newInstance(stock.getUri(), client);
  }

  /** Reads by a stock client and by one of the suite. */
  void assertReads(String name, byte[] bytes) throws IOException {
    // What another client has changed an observer shows after msync, as in plain HDFS.
    stock.msync();
    assertThat(WholeFile.read(stock, name)).as(name).isEqualTo(bytes);
    assertParityReads(name, bytes);
  }

  /** Reads by a client of the suite. */
  void assertParityReads(String name, byte[] bytes) throws IOException {
    try (FileSystem parity = parity();
        FSDataInputStream in = parity.open(new org.apache.hadoop.fs.Path(name))) {
      assertThat(in.readAllBytes()).as(name).isEqualTo(bytes);
    }
  }

  void setLevel(String name, int level) {
    await("level " + level)
        .untilAsserted(
            () ->
                assertThat(
                        LevelManagers.of(conf(), stock.getUri())
                            .callActive(manager -> manager.setLevel(level, List.of(name)))
                            .get(0)
                            .refusal())
                    .isEmpty());
  }

  /** Opens a file for updates; what hinders it for a moment only is waited for. */
  StripedFileUpdater open(String name) {
    return await(name + " is opened")
        .ignoreExceptionsMatching(MiniUpdates::passes)
        .until(
            () ->
                FileUpdates.open(
                    stock, new org.apache.hadoop.fs.Path(name), UpdaterOptions.standard()),
            opened -> true);
  }

  /** Runs "hdfs caso". */
  void caso(String... args) {
    SampleSite.caso(conf(), args);
  }
}
