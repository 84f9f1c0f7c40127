/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.client.SessionOverException;
import io.hdfsparity.ecupdate.client.StripedFileUpdater;
import io.hdfsparity.ecupdate.client.UpdaterOptions;
import io.hdfsparity.ecupdate.config.SessionKey;
import io.hdfsparity.ecupdate.datanode.StorageKey;
import io.hdfsparity.ecupdate.fs.FileUpdates;
import io.hdfsparity.ecupdate.namenode.UpdateSessionManager;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The active NameNode dies while files are updated: whoever updates is told to open again, can do
 * so at the other one, and nothing that was acknowledged is lost.
 */
@Tag("full")
@Timeout(400)
class EcUpdateFailoverTest {
  private static final int FILE_BYTES = 8 * MiniUpdates.CELL_BYTES + 12_345;
  private static final int RECORD_BYTES = 5000;
  private static final int RECORDS = FILE_BYTES / RECORD_BYTES;
  private static final Duration LONG = Duration.ofSeconds(120);

  private final AtomicInteger acked = new AtomicInteger();
  private final ExecutorService pool = Executors.newSingleThreadExecutor();

  private static Map<String, String> keys() {
    Map<String, String> more = new HashMap<>();
    more.put(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, UpdateSessionManager.class.getName());
    more.put(SessionKey.LEASE.key(), "3s");
    more.put(SessionKey.NODE_VALIDITY.key(), "2s");
    more.put(SessionKey.NODE_REPORT.key(), "200ms");
    more.put(SessionKey.SWEEP_INTERVAL.key(), "100ms");
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

  private static byte[] create(MiniUpdates cluster, String path) throws IOException {
    byte[] bytes = new byte[FILE_BYTES];
    new Random(path.hashCode()).nextBytes(bytes);
    cluster.write(path, bytes);
    return bytes;
  }

  private static StripedFileUpdater open(MiniUpdates cluster, String path) {
    StripedFileUpdater[] opened = new StripedFileUpdater[1];
    await("it is opened at the active NameNode")
        .atMost(LONG)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () -> {
              opened[0] =
                  FileUpdates.open(
                      cluster.fs(), new org.apache.hadoop.fs.Path(path), UpdaterOptions.standard());
              return true;
            });
    return opened[0];
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

  private static boolean isReadable(MiniUpdates cluster, String path, byte[] twin) {
    byte[] read;
    try (FSDataInputStream in = cluster.fs().open(new org.apache.hadoop.fs.Path(path))) {
      read = in.readAllBytes();
    } catch (IOException | RuntimeException e) {
      return false;
    }
    assertThat(Arrays.equals(read, twin)).as("bytes of %s", path).isTrue();
    return true;
  }

  private static void assertTold(StripedFileUpdater updater) {
    await("the updater is told")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> updater.read(0, ByteBuffer.allocate(1)))
                    .isInstanceOf(SessionOverException.class)
                    .hasMessageContaining("open it again"));
    assertThatThrownBy(updater::close).isInstanceOf(SessionOverException.class);
  }

  @Test
  void whoUpdatesOpensAgainAtTheNextNameNode(@TempDir Path root) throws Exception {
    try (MiniUpdates cluster = MiniUpdates.startHa(root, 5, keys())) {
      byte[] twin = create(cluster, "/busy");
      byte[] still = create(cluster, "/idle");
      StripedFileUpdater busy = open(cluster, "/busy");
      StripedFileUpdater idle = open(cluster, "/idle");
      idle.write(0, ByteBuffer.wrap(record(1)));
      System.arraycopy(record(1), 0, still, 0, RECORD_BYTES);
      Future<IOException> writing = pool.submit(() -> writeOn(busy, twin));
      await("some writes").atMost(LONG).until(() -> acked.get() >= 20);

      cluster.cluster().shutdownNameNode(0);
      cluster.cluster().transitionToActive(1);

      assertThat(writing.get(LONG.toSeconds(), TimeUnit.SECONDS))
          .hasStackTraceContaining(SessionOverException.class.getName());
      assertTold(busy);
      assertTold(idle);
      check(cluster, "/busy", twin, acked.get() + 1);
      check(cluster, "/idle", still, 0);
      // Nothing is left that keeps HDFS from decoding.
      cluster.restart(
          cluster.group("/busy").nodes()[1],
          () ->
              await("a degraded read")
                  .atMost(LONG)
                  .until(() -> isReadable(cluster, "/busy", twin)));
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
    try (StripedFileUpdater again = open(cluster, path)) {
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
    assertThat(isReadable(cluster, path, twin)).isTrue();
  }
}
