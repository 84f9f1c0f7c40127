/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.localcluster.ClusterMode;
import io.hdfsparity.localcluster.LocalCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes, mostly DataNodes, are killed with -9 at random instants under load, again and again;
 * after the restart every parity equals its recomputation and every acknowledged byte is there;
 * right after the last restart two disks die and all is recovered.
 */
@Tag("full")
class RaidpProcessCrashTest {
  private static final int NODES = 6;
  private static final int FRAMES = 4;
  private static final long LEDGER_BYTES = 192L << 20;
  private static final int PACE_MS = 1000;
  private static final int ROUNDS = Integer.getInteger("crash.rounds", 50);

  /** Rounds from one comparison of everything to the next; 1 takes several times as long. */
  private static final int CHECK_EVERY = Integer.getInteger("crash.check.every", 10);

  @Test
  void killedDataNodesLoseNothing(@TempDir Path dir) throws Exception {
    long seed = Long.getLong("seed", SeededRuns.isFresh() ? System.nanoTime() : 0);
    System.out.println("crash test: -Dseed=" + seed + " -Dcrash.rounds=" + ROUNDS);
    Random random = new Random(seed);
    LocalCluster cluster =
        LocalCluster.builder(dir.resolve("c"))
            .mode(ClusterMode.RAIDP)
            .nodes(NODES)
            .racks(1)
            .disksPerNode(1)
            .framesPerDisk(FRAMES)
            .frameBytes(128L << 20)
            .unitBytes(64L << 10)
            .blockBytes(1L << 20)
            .cacheDir(Path.of(System.getProperty("hdfsparity.cache")))
            .conf("dfs.parity.raidp.report.interval", "300ms")
            .conf("dfs.parity.raidp.max.block.size", "1m")
            .build();
    try (cluster) {
      cluster.start();
      ProcessCluster processes = new ProcessCluster(cluster, dir.resolve("scratch"));
      cluster.applyLayout();
      cluster.protect("/");
      Configuration patient = new Configuration(cluster.conf());
      patient.setBoolean("dfs.client.retry.policy.enabled", true);
      patient.set("dfs.client.retry.policy.spec", "200,300");
      try (LedgerLoad load = new LedgerLoad(patient, 4, 3 << 20, LEDGER_BYTES, seed, PACE_MS)) {
        for (int round = 0; round < ROUNDS; round++) {
          crash(cluster, processes, load, random);
          if ((round + 1) % CHECK_EVERY == 0 || round == ROUNDS - 1) {
            load.pause();
            assertSound(processes, load);
            load.resume();
            System.out.println("crash test: round=" + round + " acks=" + load.acks());
          }
        }
        crash(cluster, processes, load, random);
        load.pause();
        List<int[]> sharing = processes.sharingNodes();
        int[] victims = sharing.get(random.nextInt(sharing.size()));
        cluster.failDisk(victims[0], 0);
        cluster.failDisk(victims[1], 0);
        processes.admin("-recover", "-progress");
        assertThat(processes.notWhole()).isZero();
        assertSound(processes, load);
        System.out.println("crash test: acknowledged=" + load.acks() + " failed=" + load.causes());
      }
    } finally {
      cluster.purge();
    }
  }

  private static void crash(
      LocalCluster cluster, ProcessCluster processes, LedgerLoad load, Random random)
      throws Exception {
    String victim = victim(random);
    awaitAcks(processes, load, load.acks() + 1 + random.nextInt(6), "before the end of " + victim);
    cluster.kill(victim);
    if (!victim.equals("nn")) {
      awaitAcks(processes, load, load.acks() + random.nextInt(3), "without " + victim);
    }
    cluster.restart(victim);
  }

  /** Mostly a DataNode, now and then an Lstor daemon or the NameNode. */
  private static String victim(Random random) {
    int choice = random.nextInt(10);
    if (choice == 0) {
      return "nn";
    }
    return (choice == 1 ? "lstor" : "dn") + random.nextInt(NODES);
  }

  private static void awaitAcks(ProcessCluster processes, LedgerLoad load, long count, String when)
      throws Exception {
    try {
      await("writes go on").until(() -> load.acks() >= count);
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(
          "writes do not go on " + when + ": " + load.describe() + "\n" + processes.tellStatus(),
          e);
    }
  }

  private static org.awaitility.core.ConditionFactory await(String what) {
    return Awaitility.await(what).pollInterval(Duration.ofMillis(50));
  }

  private static void assertSound(ProcessCluster processes, LedgerLoad load) throws Exception {
    assertThat(load.verify()).isEmpty();
    List<String> problems = new ArrayList<>();
    try {
      // One look copies and recomputes all Lstors, which takes its time on a busy machine.
      await("parities")
          .atMost(Duration.ofMinutes(10))
          .until(
              () -> {
                problems.clear();
                problems.addAll(processes.parityProblems());
                return problems.isEmpty();
              });
    } catch (ConditionTimeoutException e) {
      throw new AssertionError("disks and Lstors disagree: " + problems, e);
    }
  }
}
