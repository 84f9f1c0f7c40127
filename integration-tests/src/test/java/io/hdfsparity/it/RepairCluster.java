/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ParityDataNodePlugin;
import io.hdfsparity.bridge.config.SuiteKey;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockLocalPathInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.awaitility.Awaitility;

/** A MiniDFSCluster that loses units of block groups and rebuilds them. */
final class RepairCluster implements AutoCloseable {
  /** Until a repair that was ordered, and of which nothing is heard, is ordered again. */
  static final int AGAIN_SECONDS = 30;

  private final MiniDFSCluster cluster;
  private final DistributedFileSystem fs;

  /** One internal block as it is stored. */
  record Stored(DataNode node, byte[] data, byte[] meta) {}

  private RepairCluster(MiniDFSCluster cluster) throws IOException {
    this.cluster = cluster;
    this.fs = cluster.getFileSystem();
  }

  /** Reconstruction is ordered within seconds, as many groups at a time as a test loses. */
  static Configuration conf() {
    Configuration conf = new Configuration();
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 1);
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 1000);
    // A repair that takes long must not be ordered twice, or what tests count is twice as much.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY, AGAIN_SECONDS);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY, 100);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY, 100);
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY, false);
    conf.set("dfs.client.retry.policy.enabled", "false");
    return conf;
  }

  static Configuration withPlugin(Configuration conf) {
    conf.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, ParityDataNodePlugin.class.getName());
    conf.set(SuiteKey.FEATURES.key(), "izs");
    return conf;
  }

  static RepairCluster start(Path root, Configuration conf, int nodes) throws IOException {
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, root.toFile())
            .numDataNodes(nodes)
            .checkDataNodeAddrConfig(true)
            .dataNodeConfOverlays(DataNodeAddresses.overlays(nodes))
            .build();
    cluster.waitActive();
    return new RepairCluster(cluster);
  }

  MiniDFSCluster cluster() {
    return cluster;
  }

  DistributedFileSystem fs() {
    return fs;
  }

  /** Has repairs that have failed ordered again so soon. */
  void orderAgainAfter(int seconds) throws Exception {
    cluster
        .getNameNode()
        .reconfigureProperty(
            DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY,
            Integer.toString(seconds));
  }

  /** Makes a directory whose files have the policy. */
  org.apache.hadoop.fs.Path directory(String codec, int data, int parity, int cellBytes)
      throws IOException {
    ErasureCodingPolicy policy =
        new ErasureCodingPolicy(new ECSchema(codec, data, parity), cellBytes);
    AddErasureCodingPolicyResponse[] added =
        fs.addErasureCodingPolicies(new ErasureCodingPolicy[] {policy});
    assertThat(added[0].isSucceed()).as(added[0].getErrorMsg()).isTrue();
    fs.enableErasureCodingPolicy(policy.getName());
    org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path("/" + policy.getName());
    fs.mkdirs(directory);
    fs.setErasureCodingPolicy(directory, policy.getName());
    return directory;
  }

  Group write(org.apache.hadoop.fs.Path directory, String name, int bytes) throws IOException {
    byte[] content = new byte[bytes];
    new Random(name.hashCode()).nextBytes(content);
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(directory, name);
    try (OutputStream out = fs.create(file)) {
      out.write(content);
    }
    return new Group(file, content);
  }

  private Optional<DataNode> running(String transferAddress) {
    return cluster.getDataNodes().stream()
        .filter(node -> node.getDatanodeId().getXferAddr().equals(transferAddress))
        .findFirst();
  }

  /** Sum over all DataNodes of a metric of the repair plugin. */
  long repairMetric(String name) {
    return cluster.getDataNodes().stream()
        .mapToLong(
            node -> Metrics.value("IzsRepair-" + node.getDisplayName().replace(':', '-'), name))
        .sum();
  }

  /** Sum over all DataNodes of one of HDFS's own metrics. */
  long nodeMetric(String name) {
    return cluster.getDataNodes().stream().mapToLong(node -> Metrics.value(node, name)).sum();
  }

  @Override
  public void close() {
    cluster.shutdown();
  }

  /** A file of one block group, with what its units held when it was written. */
  final class Group {
    private final org.apache.hadoop.fs.Path file;
    private final byte[] content;
    private final Map<Integer, Stored> written;

    Group(org.apache.hadoop.fs.Path file, byte[] content) throws IOException {
      this.file = file;
      this.content = content;
      // A file is closed when k units are reported; the others come a moment later.
      Set<Integer> expected = unitsWithBytes();
      Awaitility.await(file.toString())
          .pollInterval(Duration.ofMillis(5))
          .until(() -> nodes().keySet().equals(expected));
      this.written = stored();
    }

    private Set<Integer> unitsWithBytes() throws IOException {
      ErasureCodingPolicy policy = policy();
      Set<Integer> units = new TreeSet<>();
      for (int unit = 0; unit < policy.getNumDataUnits() + policy.getNumParityUnits(); unit++) {
        if (block(unit).getNumBytes() > 0) {
          units.add(unit);
        }
      }
      return units;
    }

    private ErasureCodingPolicy policy() throws IOException {
      return Objects.requireNonNull(fs.getErasureCodingPolicy(file), file.toString());
    }

    org.apache.hadoop.fs.Path file() {
      return file;
    }

    byte[] content() {
      return content;
    }

    Map<Integer, Stored> written() {
      return written;
    }

    LocatedStripedBlock located() throws IOException {
      return (LocatedStripedBlock)
          fs.getClient().getLocatedBlocks(file.toUri().getPath(), 0).getLocatedBlocks().get(0);
    }

    ExtendedBlock block(int unit) throws IOException {
      return StripedBlockUtil.constructInternalBlock(located().getBlock(), policy(), unit);
    }

    /** Running nodes that the NameNode knows to have a good unit. */
    Map<Integer, DataNode> nodes() throws IOException {
      LocatedStripedBlock group = located();
      Map<Integer, DataNode> nodes = new TreeMap<>();
      for (int i = 0; i < group.getLocations().length; i++) {
        int unit = group.getBlockIndices()[i];
        running(group.getLocations()[i].getXferAddr()).ifPresent(node -> nodes.put(unit, node));
      }
      return nodes;
    }

    private Map<Integer, Stored> stored() throws IOException {
      Map<Integer, Stored> stored = new HashMap<>();
      for (Map.Entry<Integer, DataNode> unit : nodes().entrySet()) {
        stored.put(unit.getKey(), stored(unit.getKey(), unit.getValue()));
      }
      return stored;
    }

    Stored stored(int unit, DataNode node) throws IOException {
      BlockLocalPathInfo files = node.getFSDataset().getBlockLocalPathInfo(block(unit));
      return new Stored(
          node,
          Files.readAllBytes(Path.of(files.getBlockPath())),
          Files.readAllBytes(Path.of(files.getMetaPath())));
    }

    /** Has the node delete its unit and tell the NameNode. */
    void lose(int unit) throws IOException {
      DataNode node = written.get(unit).node();
      ExtendedBlock block = block(unit);
      node.getFSDataset().invalidate(block.getBlockPoolId(), new Block[] {block.getLocalBlock()});
    }

    /** Damages all bytes of a stripe in a unit; nobody knows yet. */
    void corrupt(int unit, long offset, int lengthBytes) throws IOException {
      BlockLocalPathInfo files =
          written.get(unit).node().getFSDataset().getBlockLocalPathInfo(block(unit));
      try (RandomAccessFile file = new RandomAccessFile(files.getBlockPath(), "rw")) {
        byte[] bytes = new byte[lengthBytes];
        file.seek(offset);
        file.readFully(bytes);
        for (int i = 0; i < lengthBytes; i++) {
          bytes[i] ^= 0x55;
        }
        file.seek(offset);
        file.write(bytes);
      }
    }

    /** Waits until a unit is on the node where the NameNode says that it is. */
    void awaitRebuilt(int unit) {
      Awaitility.await(file.toString())
          .pollInterval(Duration.ofMillis(50))
          .until(
              () -> {
                DataNode node = nodes().get(unit);
                return node != null && node.getFSDataset().isValidBlock(block(unit));
              });
    }

    /** Waits until all units are what was written, on the nodes that the NameNode knows. */
    void awaitAsWritten() {
      Awaitility.await(file.toString())
          .pollInterval(Duration.ofMillis(50))
          .ignoreExceptionsInstanceOf(IOException.class)
          .untilAsserted(this::assertAsWritten);
    }

    /** All units are what was written, checksums and all, and a stock client reads the file. */
    void assertAsWritten() throws IOException {
      assertThat(nodes().keySet()).as(file.toString()).isEqualTo(written.keySet());
      for (Map.Entry<Integer, DataNode> unit : nodes().entrySet()) {
        Stored now = stored(unit.getKey(), unit.getValue());
        Stored then = Objects.requireNonNull(written.get(unit.getKey()));
        assertThat(now.data()).as("unit %s of %s", unit.getKey(), file).isEqualTo(then.data());
        assertThat(now.meta()).as("meta %s of %s", unit.getKey(), file).isEqualTo(then.meta());
      }
      assertReads();
    }

    void assertReads() throws IOException {
      byte[] read = new byte[content.length];
      try (FSDataInputStream in = fs.open(file)) {
        in.readFully(read);
      }
      assertThat(read).as(file.toString()).isEqualTo(content);
    }
  }
}
