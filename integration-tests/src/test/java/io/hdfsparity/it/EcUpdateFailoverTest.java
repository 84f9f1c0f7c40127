/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.ecupdate.config.StorageKey;
import io.hdfsparity.ecupdate.updater.SessionOverException;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The active NameNode dies while files are updated: whoever updates is told to open again, can do
 * so at the other one, and nothing that was acknowledged is lost.
 */
@Tag("full")
@Timeout(1200)
class EcUpdateFailoverTest {
  private static final int FILE_BYTES = 8 * MiniUpdates.CELL_BYTES + 12_345;
  private static final int RECORD_BYTES = 5000;
  private static final int RECORDS = FILE_BYTES / RECORD_BYTES;

  private final AtomicInteger acked = new AtomicInteger();
  private final ExecutorService pool = Executors.newSingleThreadExecutor();

  private static Map<String, String> keys() {
    Map<String, String> more = UpdateKeys.sessionsWithoutTokens("2s");
    more.remove(SuiteKey.NAMENODE_RPC_ADDRESS.key()); // each of the two has its own
    // Sessions end because the next NameNode does not know them; a busy machine must not end
    // others.
    more.putAll(UpdateKeys.lease("10s"));
    more.put(StorageKey.SNAPSHOT_AGE.key(), "1s");
    more.put("dfs.ha.tail-edits.period", "1");
    more.put("dfs.client.retry.window.base", "50");
    // DataNodes of one process share a connection to the NameNode that is dead.
    more.put("ipc.client.connect.max.retries", "1");
    more.put("ipc.client.connect.retry.interval", "100");
    more.put("dfs.namenode.heartbeat.recheck-interval", "60000");
    return more;
  }

  private static byte[] record(int version) {
    byte[] bytes = new byte[RECORD_BYTES];
    new Random(version).nextBytes(bytes);
    return bytes;
  }

  private static int place(int version) {
    return version % RECORDS * RECORD_BYTES;
  }

  /** Writes until it cannot; returns the failure. */
  private IOException writeOn(StripedFileUpdater updater, byte[] twin) {
    for (int version = 1; ; version++) {
      try {
        updater.write(place(version), ByteBuffer.wrap(record(version)));
      } catch (IOException e) {
        return e;
      }
      System.arraycopy(record(version), 0, twin, place(version), RECORD_BYTES);
      acked.set(version);
    }
  }

  @Test
  void whoUpdatesOpensAgainAtTheNextNameNode(@TempDir Path root) throws Exception {
    try (MiniUpdates cluster = MiniUpdates.startHa(root, 5, keys())) {
      byte[] twin = cluster.create("/busy", FILE_BYTES);
      byte[] still = cluster.create("/idle", FILE_BYTES);
      StripedFileUpdater busy = cluster.openAtLast("/busy");
      StripedFileUpdater idle = cluster.openAtLast("/idle");
      idle.write(0, ByteBuffer.wrap(record(1)));
      System.arraycopy(record(1), 0, still, 0, RECORD_BYTES);
      Future<IOException> writing = pool.submit(() -> writeOn(busy, twin));
      await("some writes").until(() -> acked.get() >= 20);

      cluster.cluster().shutdownNameNode(0);
      cluster.cluster().transitionToActive(1);

      assertThat(writing.get(5, TimeUnit.MINUTES))
          .hasStackTraceContaining(SessionOverException.class.getName());
      MiniUpdates.assertOver(busy);
      MiniUpdates.assertOver(idle);
      check(cluster, "/busy", twin, acked.get() + 1);
      check(cluster, "/idle", still, 0);
      // Nothing is left that keeps HDFS from decoding.
      cluster.restart(
          cluster.group("/busy").nodes()[1],
          () ->
              await("a degraded read")
                  .until(() -> WholeFile.isReadable(cluster.fs(), "/busy", twin)));
    } finally {
      pool.shutdownNow();
    }
  }

  /**
   * What was acknowledged is there, and can be written on.
   *
   * @param begun the write of which nobody knows how it ended; 0: none
   */
  private static void check(MiniUpdates cluster, String path, byte[] twin, int begun)
      throws Exception {
    byte[] ours = new byte[FILE_BYTES];
    try (StripedFileUpdater again = cluster.openAtLast(path)) {
      StripedFileUpdater.Settled done = again.settle(50, bytes -> {});
      assertThat(done.left()).isEmpty();
      assertThat(done.settled()).hasSize(1);
      assertThat(again.read(0, ByteBuffer.wrap(ours))).isEqualTo(FILE_BYTES);
      byte[] may = twin.clone();
      if (begun > 0) {
        System.arraycopy(record(begun), 0, may, place(begun), RECORD_BYTES);
      }
      for (int at = 0; at < FILE_BYTES; at++) {
        assertThat(ours[at] == twin[at] || ours[at] == may[at]).as("byte %d", at).isTrue();
      }
      again.write(place(begun), ByteBuffer.wrap(record(-7)));
      System.arraycopy(record(-7), 0, ours, place(begun), RECORD_BYTES);
    }
    System.arraycopy(ours, 0, twin, 0, FILE_BYTES);
    cluster.verify(cluster.group(path));
    assertThat(WholeFile.isReadable(cluster.fs(), path, twin)).isTrue();
  }
}
