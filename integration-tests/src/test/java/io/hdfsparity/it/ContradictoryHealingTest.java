/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.core.check.FreePorts;
import io.hdfsparity.ecupdate.config.StorageKey;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import io.hdfsparity.izs.codec.IzsFamily;
import io.hdfsparity.izs.config.VerifyKey;
import io.hdfsparity.izs.wire.LevelClient;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.blockmanagement.GuardedEcPlacementPolicy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A block group in use loses a unit, and verification has found that its parity and data contradict
 * each other: programs do not rewrite it from parity. The unit that comes back would be deleted.
 */
@Tag("full")
@Timeout(1200)
class ContradictoryHealingTest {
  private static final int FILE_BYTES = 10 * MiniUpdates.CELL_BYTES + 30_001;
  private static final Duration TIMEOUT = Duration.ofSeconds(120);
  private static final UpdaterOptions PATIENT = UpdaterOptions.standard().withOperationMs(300_000);

  /** Parity is that of other bytes there: {@link ForeignCoders.Kind#OTHER_DATA}. */
  private static final int SUSPECTED = 1;

  private static final Logger RENEWING =
      Logger.getLogger("io.hdfsparity.ecupdate.client.GroupRenewal");
  private static final int PORT = FreePorts.next();

  @TempDir static java.nio.file.Path root;
  private static MiniUpdates cluster;

  private final ExecutorService pool = Executors.newSingleThreadExecutor();
  private final List<String> notHealed = new CopyOnWriteArrayList<>();
  private final Handler listens =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          notHealed.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeAll
  static void start() throws IOException {
    Map<String, String> more = new HashMap<>(UpdateKeys.lease("20s"));
    more.put(SuiteKey.FEATURES.key(), "izs,ecupdate");
    more.put(
        DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY,
        GuardedEcPlacementPolicy.class.getName());
    more.put(SuiteKey.NAMENODE_RPC_ADDRESS.key(), "127.0.0.1:" + PORT);
    more.put(StorageKey.SNAPSHOT_AGE.key(), "1s");
    more.put(VerifyKey.INTERVAL.key(), "50ms");
    more.put(VerifyKey.POLL.key(), "50ms");
    more.put(VerifyKey.RETRY.key(), "200ms");
    // It is said which are dead, and when.
    more.put("dfs.namenode.heartbeat.recheck-interval", "600000");
    cluster = MiniUpdates.startIzs(root, 7, IzsFamily.code(4, 2), more);
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  @BeforeEach
  void listen() {
    RENEWING.addHandler(listens);
  }

  @AfterEach
  void end() {
    RENEWING.removeHandler(listens);
    pool.shutdownNow();
  }

  private static long suspected() throws IOException {
    try (LevelClient client =
        new LevelClient(
            new InetSocketAddress("127.0.0.1", PORT),
            cluster.cluster().getConfiguration(0),
            30_000)) {
      return client.status().verification().results().suspectedData();
    }
  }

  private static void writeForeign(String path, byte[] bytes) throws IOException {
    try (FileSystem foreign =
            FileSystem.newInstance(
                cluster.fs().getUri(), ForeignCoders.use(cluster.cluster().getConfiguration(0)));
        OutputStream out =
            ForeignCoders.as(ForeignCoders.Kind.OTHER_DATA, () -> foreign.create(new Path(path)))) {
      out.write(bytes);
    }
  }

  private static long metric(String name) {
    return Metrics.value("EcUpdateSessions", name);
  }

  @Test
  void aLostUnitIsNotDecodedFromParityThatContradictsData() throws Exception {
    String path = "/suspected";
    byte[] twin = new byte[FILE_BYTES];
    new Random(1).nextBytes(twin);
    writeForeign(path, twin);
    await("data is suspected").atMost(TIMEOUT).until(() -> suspected() == 1);
    MiniUpdates.Group before = cluster.group(path);
    try (StripedFileUpdater updater = cluster.open(path, PATIENT)) {
      twin[10] ^= 1;
      updater.write(10, ByteBuffer.wrap(twin, 10, 1));
      final long healed = metric("GroupsHealed");
      String node = before.nodes()[SUSPECTED];
      DatanodeID id = cluster.node(node).getDatanodeId();
      MiniDFSCluster.DataNodeProperties stopped = cluster.stop(node);
      cluster.cluster().setDataNodeDead(id);
      int at = SUSPECTED * MiniUpdates.CELL_BYTES + 100;
      twin[at] ^= 1;
      Future<?> writing =
          pool.submit(
              () -> {
                updater.write(at, ByteBuffer.wrap(twin, at, 1));
                return null;
              });
      await("it is asked whether the group can be healed")
          .atMost(TIMEOUT)
          .until(() -> !notHealed.isEmpty() || metric("GroupsHealed") > healed);
      assertThat(metric("GroupsHealed")).isEqualTo(healed);
      assertThat(notHealed.get(0))
          .contains("is not rewritten", "parityFits=false", "close the file everywhere");
      assertThat(writing).isNotDone();

      cluster.restart(Map.of(node, stopped));
      writing.get(5, TimeUnit.MINUTES);
      ByteBuffer found = ByteBuffer.allocate(twin.length);
      assertThat(updater.read(0, found)).isEqualTo(twin.length);
      assertThat(found.array()).isEqualTo(twin);
    }
    assertThat(cluster.group(path).blocks()).isEqualTo(before.blocks());
    await("read").until(() -> WholeFile.isReadable(cluster.fs(), path, twin));
  }
}
