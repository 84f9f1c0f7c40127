/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.config.StorageKey;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What HDFS can do with a file that was updated, and is not any more: decode it, and heal it. */
@Tag("full")
@Timeout(1200)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EcUpdateRestTest {
  private static final int FILE_BYTES = 10 * MiniUpdates.CELL_BYTES + 30_001;

  @TempDir static java.nio.file.Path root;
  private static MiniUpdates cluster;

  @BeforeAll
  static void start() throws IOException {
    Map<String, String> more = UpdateKeys.sessions("5s");
    more.putAll(UpdateKeys.lease("20s"));
    more.put(StorageKey.SNAPSHOT_AGE.key(), "1s");
    more.put("dfs.client.retry.window.base", "50");
    // One that is started again must not be taken for dead.
    more.put("dfs.namenode.heartbeat.recheck-interval", "60000");
    cluster = new MiniUpdates(root, 7, more);
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  /** Stops a DataNode; what is returned has the NameNode take it for dead. */
  private static Runnable stopped(String node) {
    DatanodeID id = cluster.node(node).getDatanodeId();
    cluster.stop(node);
    return () -> {
      try {
        cluster.cluster().setDataNodeDead(id);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  @Test
  @Order(1)
  void whileASessionIsOpenNobodyDecodes() throws Exception {
    byte[] twin = cluster.create("/open", FILE_BYTES);
    try (StripedFileUpdater updater = cluster.open("/open")) {
      MiniUpdates.writeSome(updater, twin, 1);
      cluster.restart(
          cluster.group("/open").nodes()[0],
          () -> {
            for (int i = 0; i < 3; i++) {
              assertThat(WholeFile.isReadable(cluster.fs(), "/open", twin)).isFalse();
            }
          });
      MiniUpdates.writeSome(updater, twin, 2);
    }
    await("read").until(() -> WholeFile.isReadable(cluster.fs(), "/open", twin));
    // The nodes say that it is at rest again; then another session gets in.
    try (StripedFileUpdater again = cluster.open("/open")) {
      MiniUpdates.writeSome(again, twin, 3);
    }
    await("read").until(() -> WholeFile.isReadable(cluster.fs(), "/open", twin));
  }

  @Test
  @Order(2)
  void aSessionLeavesDataNodesThatWereStartedAgain() throws Exception {
    byte[] twin = cluster.create("/again", FILE_BYTES);
    MiniUpdates.Group group = cluster.group("/again");
    try (StripedFileUpdater updater = cluster.open("/again")) {
      MiniUpdates.writeSome(updater, twin, 1);
      for (int unit : new int[] {3, 4}) {
        // Its channel listens at another port from now on; the updater asks nothing of it
        // meanwhile.
        cluster.restart(group.nodes()[unit], () -> {});
      }
      cluster.open("/again").close();
    }
    cluster.restart(
        group.nodes()[0],
        () ->
            await("a degraded read")
                .until(() -> WholeFile.isReadable(cluster.fs(), "/again", twin)));
  }

  @Test
  @Order(3)
  void afterItsSessionsAFileIsReadDegradedAndHealed() throws Exception {
    byte[] twin = cluster.create("/healed", FILE_BYTES);
    for (int session = 0; session < 2; session++) {
      try (StripedFileUpdater updater = cluster.open("/healed")) {
        MiniUpdates.writeSome(updater, twin, 10 + session);
      }
    }
    MiniUpdates.Group group = cluster.group("/healed");
    Runnable die = stopped(group.nodes()[1]);
    await("a degraded read").until(() -> WholeFile.isReadable(cluster.fs(), "/healed", twin));
    die.run();
    await("another node has the lost unit")
        .until(
            () ->
                cluster.located("/healed").getLocations().length == 5
                    && !cluster.isAt("/healed", group.nodes()[1]));
    assertThat(WholeFile.isReadable(cluster.fs(), "/healed", twin)).isTrue();
    // What was rebuilt serves to decode another one.
    die = stopped(group.nodes()[0]);
    await("a degraded read").until(() -> WholeFile.isReadable(cluster.fs(), "/healed", twin));
    assertThat(cluster.corruptReplicas()).isZero();
    die.run();
    await("another node has that, too")
        .until(
            () ->
                cluster.located("/healed").getLocations().length == 5
                    && !cluster.isAt("/healed", group.nodes()[0]));
    // It takes updates again, as another group (EcUpdateRenewalTest).
    try (StripedFileUpdater updater = cluster.open("/healed")) {
      MiniUpdates.writeSome(updater, twin, 20);
    }
    await("read").until(() -> WholeFile.isReadable(cluster.fs(), "/healed", twin));
  }
}
