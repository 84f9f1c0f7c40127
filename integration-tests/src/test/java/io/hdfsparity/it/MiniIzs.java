/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ParityFileSystem;
import io.hdfsparity.bridge.client.ClientFeatures;
import io.hdfsparity.izs.client.IzsClientFeature;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.FeatureClient;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsDatasetTestUtil;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.awaitility.Awaitility;

/**
 * A cluster with files of codec izs, small blocks, block tokens, and nobody who repairs what a test
 * breaks.
 */
final class MiniIzs implements AutoCloseable {
  static final int BLOCK_BYTES = 96 * 1024;

  private final MiniDFSCluster cluster;
  private final DistributedFileSystem stock;
  private final DistributedFileSystem own;
  private final DFSClient withoutOrders;

  MiniIzs(Path root, int nodes) throws IOException {
    Configuration conf = new Configuration();
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK_BYTES);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 1024);
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 24 * 3600);
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SCANNER_VOLUME_BYTES_PER_SECOND, 0);
    conf.setBoolean(HdfsClientConfigKeys.Retry.POLICY_ENABLED_KEY, false);
    cluster =
        new MiniDFSCluster.Builder(conf, root.toFile())
            .numDataNodes(nodes)
            .checkDataNodeAddrConfig(true)
            .dataNodeConfOverlays(DataNodeAddresses.overlays(nodes))
            .build();
    cluster.waitActive();
    stock = cluster.getFileSystem();
    Configuration client = new Configuration(cluster.getConfiguration(0));
    client.setClass("fs.hdfs.impl", ParityFileSystem.class, FileSystem.class);
    own = (DistributedFileSystem) FileSystem.newInstance(cluster.getURI(), client);
    withoutOrders =
        new FeatureClient(
            cluster.getURI(),
            client,
            /* statistics= */ null,
            ClientFeatures.of(List.of(new IzsClientFeature())));
  }

  MiniDFSCluster cluster() {
    return cluster;
  }

  /** Hadoop's own file system. */
  DistributedFileSystem stock() {
    return stock;
  }

  /** The suite's. */
  DistributedFileSystem own() {
    return own;
  }

  /**
   * Opens a file as the suite's where the jar of CASO is not: the stream follows the path to
   * another file, as Hadoop's do, while it is open.
   */
  FSDataInputStream openWithoutOrders(org.apache.hadoop.fs.Path file) throws IOException {
    return withoutOrders.createWrappedInputStream(withoutOrders.open(file.toUri().getPath()));
  }

  /** Makes a policy, and a directory of that name with it. */
  ErasureCodingPolicy addPolicy(String codec, int dataUnits, int parityUnits, int cellBytes)
      throws IOException {
    ErasureCodingPolicy policy =
        new ErasureCodingPolicy(new ECSchema(codec, dataUnits, parityUnits), cellBytes);
    AddErasureCodingPolicyResponse[] added =
        stock.addErasureCodingPolicies(new ErasureCodingPolicy[] {policy});
    assertThat(added[0].isSucceed()).as(added[0].getErrorMsg()).isTrue();
    stock.enableErasureCodingPolicy(policy.getName());
    org.apache.hadoop.fs.Path directory = directory(policy);
    stock.mkdirs(directory);
    stock.setErasureCodingPolicy(directory, policy.getName());
    return policy;
  }

  static org.apache.hadoop.fs.Path directory(ErasureCodingPolicy policy) {
    return new org.apache.hadoop.fs.Path("/" + policy.getName());
  }

  byte[] write(org.apache.hadoop.fs.Path file, int sizeBytes, Random random) throws IOException {
    byte[] bytes = new byte[sizeBytes];
    random.nextBytes(bytes);
    try (OutputStream out = own.create(file)) {
      out.write(bytes);
    }
    // A close waits for as many units only as there are data units.
    Awaitility.await("all units of " + file + " are known")
        .untilAsserted(() -> assertThat(missingUnits(file)).isEmpty());
    return bytes;
  }

  /** Groups of a file of which fewer units are known than have bytes. */
  private List<String> missingUnits(org.apache.hadoop.fs.Path file) throws IOException {
    List<String> missing = new ArrayList<>();
    for (LocatedBlock group :
        stock
            .getClient()
            .getLocatedBlocks(file.toUri().getPath(), 0, Long.MAX_VALUE)
            .getLocatedBlocks()) {
      if (!(group instanceof LocatedStripedBlock striped)) {
        continue;
      }
      ErasureCodingPolicy policy = stock.getErasureCodingPolicy(file);
      long cells = (striped.getBlockSize() + policy.getCellSize() - 1) / policy.getCellSize();
      long units = Math.min(cells, policy.getNumDataUnits()) + policy.getNumParityUnits();
      if (striped.getLocations().length < units) {
        missing.add(striped + ", expected " + units + " units");
      }
    }
    return missing;
  }

  /** A replica of a unit that has bytes. */
  record Unit(int group, int index, int node, Path data) {}

  /** The units of all block groups of a file. */
  List<Unit> units(org.apache.hadoop.fs.Path file, ErasureCodingPolicy policy) throws IOException {
    List<Unit> units = new ArrayList<>();
    List<LocatedBlock> groups =
        stock
            .getClient()
            .getLocatedBlocks(file.toUri().getPath(), 0, Long.MAX_VALUE)
            .getLocatedBlocks();
    for (int group = 0; group < groups.size(); group++) {
      LocatedStripedBlock striped = (LocatedStripedBlock) groups.get(group);
      for (int i = 0; i < striped.getLocations().length; i++) {
        int index = striped.getBlockIndices()[i];
        int node = node(striped.getLocations()[i].getDatanodeUuid());
        ExtendedBlock replica =
            StripedBlockUtil.constructInternalBlock(striped.getBlock(), policy, index);
        Path data =
            FsDatasetTestUtil.getFile(
                    cluster.getDataNodes().get(node).getFSDataset(),
                    replica.getBlockPoolId(),
                    replica.getBlockId())
                .toPath();
        units.add(new Unit(group, index, node, data));
      }
    }
    return units;
  }

  private int node(String uuid) {
    for (int node = 0; node < cluster.getDataNodes().size(); node++) {
      if (cluster.getDataNodes().get(node).getDatanodeUuid().equals(uuid)) {
        return node;
      }
    }
    throw new AssertionError("no DataNode " + uuid);
  }

  /** Ways to lose a unit. */
  enum Loss {
    DELETED,
    CORRUPT,
    CUT
  }

  static void lose(Unit unit, Loss loss, Random random) throws IOException {
    long lengthBytes = Files.size(unit.data());
    switch (loss) {
      case DELETED -> Files.delete(unit.data());
      case CORRUPT -> Damage.flip(unit.data(), random.nextInt((int) lengthBytes));
      case CUT -> Damage.cut(unit.data(), random.nextInt((int) lengthBytes));
    }
  }

  @Override
  public void close() throws IOException {
    withoutOrders.close();
    own.close();
    cluster.shutdown();
  }
}
