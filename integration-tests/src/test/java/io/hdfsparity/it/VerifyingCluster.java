/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ParityFileSystem;
import io.hdfsparity.ParityNameNodePlugin;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.core.check.FreePorts;
import io.hdfsparity.it.ForeignCoders.Kind;
import io.hdfsparity.it.RepairCluster.Group;
import io.hdfsparity.izs.config.VerifyKey;
import io.hdfsparity.izs.level.VerifyStatus;
import io.hdfsparity.izs.wire.LevelClient;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.blockmanagement.GuardedEcPlacementPolicy;

/**
 * A cluster of one NameNode that verifies parity within moments, with a client of the suite and one
 * whose encoder is wrong.
 */
final class VerifyingCluster implements AutoCloseable {
  static final int CELL_BYTES = 64 * 1024;
  static final int BLOCK_BYTES = 16 * CELL_BYTES;
  static final int DATA_UNITS = 4;
  static final Duration TIMEOUT = Duration.ofSeconds(120);

  private final RepairCluster cluster;
  private final Configuration conf;
  private final InetSocketAddress address;
  private final DistributedFileSystem suite;
  private final DistributedFileSystem foreign;

  private VerifyingCluster(RepairCluster cluster, Configuration conf, InetSocketAddress address)
      throws IOException {
    this.cluster = cluster;
    this.conf = conf;
    this.address = address;
    Configuration client = new Configuration(conf);
    client.setClass("fs.hdfs.impl", ParityFileSystem.class, FileSystem.class);
    suite = (DistributedFileSystem) FileSystem.newInstance(cluster.cluster().getURI(), client);
    foreign =
        (DistributedFileSystem)
            FileSystem.newInstance(cluster.cluster().getURI(), ForeignCoders.use(conf));
  }

  /**
   * @param more keys beside those that make verification quick
   */
  static VerifyingCluster start(Path root, int nodes, Map<String, String> more) throws IOException {
    Configuration conf = RepairCluster.withPlugin(RepairCluster.conf());
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK_BYTES);
    InetSocketAddress address = new InetSocketAddress("127.0.0.1", FreePorts.next());
    conf.set(SuiteKey.NAMENODE_RPC_ADDRESS.key(), "127.0.0.1:" + address.getPort());
    conf.set(
        DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY,
        GuardedEcPlacementPolicy.class.getName());
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, ParityNameNodePlugin.class.getName());
    // Where there are hardly more nodes than units, a node whose unit is deleted gets another one
    // of
    // the same group. If it reports the deletion last, the NameNode forgets the new one until the
    // node's next full report (DatanodeStorageInfo#addBlock), and has it sent there in vain.
    conf.setLong(DFSConfigKeys.DFS_BLOCKREPORT_INTERVAL_MSEC_KEY, 15_000);
    conf.set(VerifyKey.INTERVAL.key(), "100ms");
    conf.set(VerifyKey.POLL.key(), "100ms");
    conf.set(VerifyKey.RETRY.key(), "500ms");
    conf.set(VerifyKey.SAVE_INTERVAL.key(), "200ms");
    more.forEach(conf::set);
    return new VerifyingCluster(RepairCluster.start(root, conf, nodes), conf, address);
  }

  RepairCluster repair() {
    return cluster;
  }

  /** Client with the suite's code. */
  DistributedFileSystem suite() {
    return suite;
  }

  /** Makes a directory of a codec's level. */
  org.apache.hadoop.fs.Path directory(String codec, int level) throws IOException {
    return cluster.directory(codec, DATA_UNITS, level, CELL_BYTES);
  }

  LevelClient client() throws IOException {
    return new LevelClient(address, conf, 30_000);
  }

  VerifyStatus status() throws IOException {
    try (LevelClient client = client()) {
      return client.status().verification();
    }
  }

  /** Nothing is left to be verified, and so many groups more than before were. */
  VerifyStatus awaitVerified(VerifyStatus before, int groups) {
    VerifyStatus[] now = new VerifyStatus[1];
    await()
        .atMost(TIMEOUT)
        .untilAsserted(
            () -> {
              now[0] = status();
              assertThat(now[0].problem()).isEmpty();
              assertThat(now[0].isRunning()).isTrue();
              assertThat(now[0].results().verified() - before.results().verified())
                  .isEqualTo(groups);
              assertThat(now[0].unverified()).isZero();
              assertThat(now[0].idsLeft()).isZero();
            });
    return now[0];
  }

  /** Writes a file with wrong parity. */
  void writeForeign(Kind kind, org.apache.hadoop.fs.Path file, byte[] content) throws IOException {
    try (OutputStream out = ForeignCoders.as(kind, () -> foreign.create(file))) {
      out.write(content);
    }
  }

  /** Waits until a file's units have the bytes of another's. */
  static void awaitUnits(Group group, Group as) {
    await(group.file().toString())
        .atMost(TIMEOUT)
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(
            () -> {
              Map<Integer, byte[]> expected = stored(as);
              Map<Integer, byte[]> found = stored(group);
              assertThat(found).hasSameSizeAs(expected);
              expected.forEach(
                  (unit, bytes) ->
                      assertThat(found.get(unit)).as("unit %s", unit).isEqualTo(bytes));
            });
  }

  private static Map<Integer, byte[]> stored(Group group) throws IOException {
    Map<Integer, byte[]> units = new HashMap<>();
    for (var each : group.nodes().entrySet()) {
      units.put(each.getKey(), group.stored(each.getKey(), each.getValue()).data());
    }
    return units;
  }

  /** Reads a whole file with the suite's client. */
  byte[] read(org.apache.hadoop.fs.Path file) throws IOException {
    try (FSDataInputStream in = suite.open(file)) {
      return in.readAllBytes();
    }
  }

  @Override
  public void close() throws IOException {
    foreign.close();
    suite.close();
    cluster.close();
  }
}
