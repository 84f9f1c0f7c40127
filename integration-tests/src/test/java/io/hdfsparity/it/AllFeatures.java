/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ParityFileSystem;
import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import io.hdfsparity.izs.wire.LevelManagers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.io.erasurecode.ECSchema;

/**
 * A cluster with all features: /pair is protected by RAIDP, files of /code can change their level
 * and be updated in place, those of /order can be reordered.
 */
final class AllFeatures implements AutoCloseable {
  static final int LENGTH = MiniLevels.GROUP_BYTES + 12_345;

  private final MiniDFSCluster cluster;
  private final DistributedFileSystem stock;

  private AllFeatures(MiniDFSCluster cluster) throws IOException {
    this.cluster = cluster;
    this.stock = cluster.getFileSystem();
  }

  /**
   * @param more keys beside those of the sample
   */
  static AllFeatures start(Path root, int nodes, Map<String, String> more) throws IOException {
    List<Configuration> own = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      own.add(SampleSite.pairNode(root, node));
    }
    Map<String, String> common = new TreeMap<>(SampleSite.sample("hdfs-site-all.xml"));
    own.get(0).forEach(each -> common.remove(each.getKey()));
    Configuration servers = SampleSite.smallFrames(SampleSite.places(common));
    servers.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, root.resolve("dfs").toString());
    more.forEach(servers::set);
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(servers)
            .numDataNodes(nodes)
            .manageDataDfsDirs(false)
            .checkDataNodeAddrConfig(true)
            .dataNodeConfOverlays(own.toArray(Configuration[]::new))
            .build();
    cluster.waitActive();
    AllFeatures all = new AllFeatures(cluster);
    all.makeDirectories();
    return all;
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
    SampleSite.layOut(stock, conf());
  }

  @Override
  public void close() {
    cluster.shutdown();
  }

  MiniDFSCluster cluster() {
    return cluster;
  }

  Configuration conf() {
    return cluster.getConfiguration(0);
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
