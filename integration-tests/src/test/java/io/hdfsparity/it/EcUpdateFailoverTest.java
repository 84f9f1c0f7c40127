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
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * NameNodes change roles, die and are started again while files are updated: whoever updates goes
 * on in the same session, and nothing that was acknowledged is lost.
 */
@Tag("full")
@Timeout(600)
class EcUpdateFailoverTest {
  private static final int FILE_BYTES = 8 * MiniUpdates.CELL_BYTES + 12_345;
  private static final int RECORD_BYTES = 5000;
  private static final int RECORDS = FILE_BYTES / RECORD_BYTES;
  private static final int WRITES = 20;

  private final ExecutorService pool = Executors.newCachedThreadPool();

  private static Map<String, String> keys() {
    Map<String, String> more = UpdateKeys.sessionsWithoutTokens("6s");
    more.remove(SuiteKey.NAMENODE_RPC_ADDRESS.key()); // each of the two has its own
    more.putAll(UpdateKeys.lease("60s"));
    more.put(StorageKey.SNAPSHOT_AGE.key(), "1s");
    more.put("dfs.ha.tail-edits.period", "1");
    more.put("dfs.client.retry.window.base", "50");
    // DataNodes of one process share a connection to the NameNode that is dead.
    more.put("ipc.client.connect.max.retries", "1");
    more.put("ipc.client.connect.retry.interval", "100");
    more.put("dfs.namenode.heartbeat.recheck-interval", "60000");
    // A NameNode that has just started would rebuild units that their nodes have not reported yet,
    // and a group of which one was copied has to be rewritten before it is updated.
    more.put(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, "3600");
    return more;
  }

  /** A program: writes its own records of a file, which it shares with others, until told. */
  private static final class Program {
    final String path;
    final int number;
    final int programs;
    final StripedFileUpdater updater;
    final byte[] twin;
    final AtomicInteger acked = new AtomicInteger();
    volatile boolean isEnding;

    Program(String path, int number, int programs, StripedFileUpdater updater, byte[] twin) {
      this.path = path;
      this.number = number;
      this.programs = programs;
      this.updater = updater;
      this.twin = twin;
    }

    private byte[] record(int version) {
      byte[] bytes = new byte[RECORD_BYTES];
      new Random(31L * version + number).nextBytes(bytes);
      return bytes;
    }

    /** Each write is held against what was there before, so that one that is made twice shows. */
    Void run() throws Exception {
      Random random = new Random(number);
      byte[] there = new byte[RECORD_BYTES];
      for (int version = 1; !isEnding; version++) {
        int slots = RECORDS / programs;
        int place = (random.nextInt(slots) * programs + number) * RECORD_BYTES;
        updater.read(place, ByteBuffer.wrap(there));
        assertThat(there)
            .as("%s, record at %d", path, place)
            .isEqualTo(java.util.Arrays.copyOfRange(twin, place, place + RECORD_BYTES));
        updater.write(place, ByteBuffer.wrap(record(version)));
        synchronized (twin) {
          System.arraycopy(record(version), 0, twin, place, RECORD_BYTES);
        }
        acked.incrementAndGet();
      }
      return null;
    }
  }

  private static void awaitMore(List<Program> programs, List<Future<Void>> runs) {
    List<Integer> before = programs.stream().map(each -> each.acked.get()).toList();
    await("all programs go on")
        .atMost(2, TimeUnit.MINUTES)
        .until(
            () -> {
              for (int i = 0; i < programs.size(); i++) {
                if (runs.get(i).isDone()) {
                  runs.get(i).get(); // throws
                }
                if (programs.get(i).acked.get() < before.get(i) + WRITES) {
                  return false;
                }
              }
              return true;
            });
  }

  @Test
  void whoUpdatesGoesOnAtTheNextNameNode(@TempDir Path root) throws Exception {
    try (MiniUpdates cluster = MiniUpdates.startHa(root, 5, keys())) {
      byte[] shared = cluster.create("/shared", FILE_BYTES);
      byte[] own = cluster.create("/own", FILE_BYTES);
      byte[] still = cluster.create("/idle", FILE_BYTES);
      StripedFileUpdater idle = cluster.openAtLast("/idle");
      List<Program> programs =
          List.of(
              new Program("/shared", 0, 2, cluster.openAtLast("/shared"), shared),
              new Program("/shared", 1, 2, cluster.openAtLast("/shared"), shared),
              new Program("/own", 0, 1, cluster.openAtLast("/own"), own));
      List<Future<Void>> runs = new ArrayList<>();
      programs.forEach(each -> runs.add(pool.submit(each::run)));
      awaitMore(programs, runs);

      cluster.cluster().transitionToStandby(0);
      cluster.cluster().transitionToActive(1);
      awaitMore(programs, runs);
      cluster.cluster().shutdownNameNode(1);
      cluster.cluster().transitionToActive(0);
      awaitMore(programs, runs);
      cluster.cluster().restartNameNode(1, false);
      cluster.cluster().shutdownNameNode(0);
      cluster.cluster().restartNameNode(0, false);
      cluster.cluster().transitionToActive(0);
      awaitMore(programs, runs);

      for (int i = 0; i < programs.size(); i++) {
        programs.get(i).isEnding = true;
        runs.get(i).get(2, TimeUnit.MINUTES);
      }
      byte[] bytes = new byte[RECORD_BYTES];
      new Random(-1).nextBytes(bytes);
      idle.write(0, ByteBuffer.wrap(bytes)); // by connections that both NameNodes have closed
      System.arraycopy(bytes, 0, still, 0, RECORD_BYTES);
      idle.close();
      for (Program each : programs) {
        each.updater.close();
      }
      check(cluster, "/shared", shared);
      check(cluster, "/own", own);
      check(cluster, "/idle", still);
    } finally {
      pool.shutdownNow();
    }
  }

  private static boolean isWaiting() {
    return Thread.getAllStackTraces().values().stream()
        .anyMatch(
            frames ->
                frames.length > 0
                    && frames[0].getMethodName().startsWith("sleep")
                    && Stream.of(frames).anyMatch(f -> f.getClassName().endsWith(".FailoverWait")));
  }

  /** It is not only what is under way that goes on: so does the first write of an open file. */
  @Test
  void whatIsBegunWhileNoNameNodeIsActiveWaits(@TempDir Path root) throws Exception {
    try (MiniUpdates cluster = MiniUpdates.startHa(root, 5, keys())) {
      byte[] twin = cluster.create("/first", FILE_BYTES);
      byte[] other = cluster.create("/other", FILE_BYTES);
      byte[] bytes = new byte[RECORD_BYTES];
      new Random(-2).nextBytes(bytes);
      try (StripedFileUpdater updater = cluster.openAtLast("/first");
          StripedFileUpdater later = cluster.openAtLast("/other")) {
        // DataNodes that know of a session know of the earlier ones: only such are attached.
        later.write(0, ByteBuffer.wrap(bytes));
        System.arraycopy(bytes, 0, other, 0, RECORD_BYTES);
        cluster.cluster().transitionToStandby(0);
        Future<?> write =
            pool.submit(
                () -> {
                  updater.write(0, ByteBuffer.wrap(bytes));
                  return null;
                });
        await("the write waits").until(EcUpdateFailoverTest::isWaiting);
        assertThat(write).isNotDone();
        cluster.cluster().transitionToActive(1);
        write.get(2, TimeUnit.MINUTES);
        System.arraycopy(bytes, 0, twin, 0, RECORD_BYTES);
      }
      check(cluster, "/first", twin);
      check(cluster, "/other", other);
    } finally {
      pool.shutdownNow();
    }
  }

  /** What was acknowledged is there, parity fits, and nobody has left anything. */
  private static void check(MiniUpdates cluster, String path, byte[] twin) throws Exception {
    cluster.verify(cluster.group(path));
    byte[] ours = new byte[FILE_BYTES];
    try (StripedFileUpdater again = cluster.openAtLast(path)) {
      assertThat(again.settle(50, bytes -> {}).left()).isEmpty();
      assertThat(again.read(0, ByteBuffer.wrap(ours))).isEqualTo(FILE_BYTES);
    }
    assertThat(ours).isEqualTo(twin);
    await("a stock client reads it").until(() -> WholeFile.isReadable(cluster.fs(), path, twin));
  }
}
