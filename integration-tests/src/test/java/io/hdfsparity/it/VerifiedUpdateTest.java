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
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.izs.codec.IzsFamily;
import io.hdfsparity.izs.config.VerifyKey;
import io.hdfsparity.izs.level.VerifyStatus;
import io.hdfsparity.izs.wire.LevelClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.blockmanagement.GuardedEcPlacementPolicy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that are verified and updated in place, before, meanwhile and after. */
@Tag("full")
@Timeout(1200)
class VerifiedUpdateTest {
  private static final int FILE_BYTES = 10 * MiniUpdates.CELL_BYTES + 30_001;
  private static final Duration TIMEOUT = Duration.ofSeconds(120);
  private static final int PORT = FreePorts.next();

  @TempDir static java.nio.file.Path root;
  private static MiniUpdates cluster;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws IOException {
    Map<String, String> more = new HashMap<>();
    more.put(SuiteKey.FEATURES.key(), "izs,ecupdate");
    more.put(
        DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY,
        GuardedEcPlacementPolicy.class.getName());
    more.put(SuiteKey.NAMENODE_RPC_ADDRESS.key(), "127.0.0.1:" + PORT);
    more.put(VerifyKey.INTERVAL.key(), "50ms");
    more.put(VerifyKey.POLL.key(), "50ms");
    more.put(VerifyKey.RETRY.key(), "200ms");
    more.put(VerifyKey.ATTEMPTS.key(), "4");
    more.put(VerifyKey.SAVE_INTERVAL.key(), "100ms");
    cluster = MiniUpdates.startIzs(root, 7, IzsFamily.code(4, 2), more);
    fs = cluster.fs();
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  private static VerifyStatus status() throws IOException {
    try (LevelClient client =
        new LevelClient(
            new InetSocketAddress("127.0.0.1", PORT),
            cluster.cluster().getConfiguration(0),
            30_000)) {
      return client.status().verification();
    }
  }

  private static void assertNothingChanged(VerifyStatus status) {
    assertThat(status.results().wrongParity()).isZero();
    assertThat(status.results().unitsReencoded()).isZero();
    assertThat(status.results().suspectedData()).isZero();
  }

  @Test
  void verificationKeepsNoFileFromUpdatesAndBlamesNone() throws Exception {
    byte[] twin = cluster.create("/verified", FILE_BYTES);
    await().atMost(TIMEOUT).until(() -> status().results().verified() == 1);
    for (int session = 0; session < 2; session++) {
      try (StripedFileUpdater updater = cluster.open("/verified")) {
        MiniUpdates.writeSome(updater, twin, session);
      }
    }
    assertThat(WholeFile.isReadable(fs, "/verified", twin)).isTrue();

    Map<String, byte[]> twins = new HashMap<>();
    for (int file = 0; file < 8; file++) {
      String path = "/meanwhile" + file;
      byte[] bytes = cluster.create(path, FILE_BYTES);
      twins.put(path, bytes);
      try (StripedFileUpdater updater = cluster.open(path)) {
        MiniUpdates.writeSome(updater, bytes, file);
      }
    }
    assertNothingChanged(status());

    // All from the start again: all have been updated by now.
    fs.removeXAttr(new Path("/"), "trusted.parity.izs.verified");
    cluster.cluster().restartNameNode(/* waitActive= */ true);
    await()
        .atMost(TIMEOUT)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              VerifyStatus now = status();
              assertThat(now.isRunning()).isTrue();
              assertThat(now.results().takenByUpdates()).isPositive();
              assertThat(now.unverified() + now.idsLeft()).isZero();
              assertThat(now.results().givenUp() + now.results().verified()).isPositive();
            });
    assertNothingChanged(status());
    for (Map.Entry<String, byte[]> each : twins.entrySet()) {
      try (StripedFileUpdater updater = cluster.openAtLast(each.getKey())) {
        MiniUpdates.writeSome(updater, each.getValue(), 99);
      }
      assertThat(WholeFile.isReadable(fs, each.getKey(), each.getValue())).isTrue();
    }
    assertNothingChanged(status());
  }
}
