/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two nodes come when the others have data already. They get their share of protected blocks, with
 * a failover in the middle: it ends the balance, and another one goes on. Then every block is in
 * one superchunk, both parities are right, and a new disk may die.
 */
@Tag("full")
@Timeout(1200)
class RaidpBalanceTest {
  private static final int BLOCK = 1 << 20;
  private static final int FILES = 12;
  private static final double THRESHOLD = 2;

  /** Small frames, so that a block is a percent of a disk. */
  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(6, 1, 1, 7, 16L << 20, 1 << 16, BLOCK);

  @Test
  void newNodesGetTheirShareAcrossAFailover(@TempDir Path root) throws Exception {
    Configuration extra = new Configuration(false);
    extra.setInt("dfs.ha.tail-edits.period", 1);
    extra.setInt("dfs.ha.log-roll.period", 1);
    extra.setInt("dfs.parity.raidp.layout.recovery.room.disks", 0);
    extra.set("dfs.parity.raidp.node.stale.timeout", "2s");
    Map<String, byte[]> files = new HashMap<>();
    try (MiniRaidp raidp = MiniRaidp.startHighlyAvailable(root, SHAPE, extra)) {
      List<DataNodeProperties> away = withoutTwoNodes(raidp);
      for (int i = 0; i < FILES; i++) {
        write(raidp, files, "/file" + i, MiniRaidp.bytes(i, 4 * BLOCK - i * 1000));
      }
      FSDataOutputStream open = raidp.fs().create(new org.apache.hadoop.fs.Path("/open"));
      byte[] written = MiniRaidp.bytes(99, BLOCK / 2);
      open.write(written);
      open.hflush();
      for (DataNodeProperties each : away) {
        raidp.dfs().restartDataNode(each, true);
      }
      awaitSilent(raidp, SHAPE, 0);
      assertThat(lowest(plan(raidp).path("disks"), "beforePercent")).isZero();

      CompletableFuture<MiniRaidp.Printed> first =
          admin(raidp, "-balance", "-threshold", "2", "-throttle", "2", "-progress");
      awaitBlocksOnTheirWay(raidp);
      raidp.dfs().transitionToStandby(0);
      raidp.dfs().transitionToActive(1);
      MiniRaidp.Printed ended = first.get(5, TimeUnit.MINUTES);
      assertThat(ended.exitCode()).as(ended.toString()).isEqualTo(-1);
      assertThat(ended.err()).contains("the balance has ended").contains("again to go on");
      raidp.dfs().triggerBlockReports();

      // Blocks change and go while they move.
      CompletableFuture<MiniRaidp.Printed> second =
          admin(raidp, "-balance", "-threshold", "2", "-progress", "-json");
      raidp.fs().delete(new org.apache.hadoop.fs.Path("/file1"), false);
      files.remove("/file1");
      append(raidp, files, "/file2");
      MiniRaidp.Printed balanced = second.get(10, TimeUnit.MINUTES);
      assertThat(balanced.exitCode()).as(balanced.toString()).isZero();
      assertThat(balanced.json().path("outcome").asText()).isEqualTo("BALANCED");
      // Before the open file gives back the room that it had not used.
      JsonNode after = plan(raidp);
      open.close();
      files.put("/open", written);

      verify(raidp, files);
      Soundness.assertSound(raidp);
      assertThat(after.path("moves").asInt(-1)).as(after.toString()).isZero();
      double mean = after.path("before").path("meanPercent").asDouble();
      assertThat(mean).isPositive();
      for (JsonNode disk : after.path("disks")) {
        assertThat(Math.abs(disk.path("beforePercent").asDouble() - mean))
            .as(after.toString())
            .isLessThanOrEqualTo(THRESHOLD);
      }
      raidp.dfs().stopDataNode(away.get(0).getDatanode().getDisplayName());
      verify(raidp, files);
    }
  }

  static void awaitBlocksOnTheirWay(MiniRaidp raidp) {
    MiniRaidp.await("some blocks have moved, and others are on their way")
        .untilAsserted(
            () -> {
              JsonNode balance = status(raidp).path("balance");
              assertThat(balance.path("moved").path("count").asLong())
                  .as(balance.toString())
                  .isPositive();
              assertThat(balance.path("inFlight").path("count").asLong()).isPositive();
            });
  }

  private static List<DataNodeProperties> withoutTwoNodes(MiniRaidp raidp) throws Exception {
    List<DataNodeProperties> away = new ArrayList<>();
    away.add(raidp.dfs().stopDataNode(5));
    away.add(raidp.dfs().stopDataNode(4));
    awaitSilent(raidp, SHAPE, 2);
    return away;
  }

  static void awaitSilent(MiniRaidp raidp, MiniRaidp.Shape shape, int nodes) {
    MiniRaidp.await("nodes that do not report")
        .untilAsserted(
            () -> {
              JsonNode status = status(raidp);
              assertThat(status.path("nodes").findValuesAsText("silence"))
                  .as(status.toString())
                  .hasSize(shape.nodes())
                  .filteredOn(silence -> !silence.equals("NONE"))
                  .hasSize(nodes);
            });
  }

  static JsonNode status(MiniRaidp raidp) throws Exception {
    MiniRaidp.Printed status = raidp.admin("-status", "-json");
    assertThat(status.exitCode()).as(status.toString()).isZero();
    return status.json();
  }

  private static JsonNode plan(MiniRaidp raidp) throws Exception {
    MiniRaidp.Printed plan = raidp.admin("-balance", "-threshold", "2", "-dryRun", "-json");
    assertThat(plan.exitCode()).as(plan.toString()).isZero();
    return plan.json();
  }

  private static double lowest(JsonNode disks, String field) {
    double lowest = 100;
    for (JsonNode disk : disks) {
      lowest = Math.min(lowest, disk.path(field).asDouble());
    }
    return lowest;
  }

  static CompletableFuture<MiniRaidp.Printed> admin(MiniRaidp raidp, String... args) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return raidp.admin(args);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
  }

  static void write(MiniRaidp raidp, Map<String, byte[]> files, String path, byte[] content)
      throws Exception {
    raidp.write(path, content);
    files.put(path, content);
  }

  private static void append(MiniRaidp raidp, Map<String, byte[]> files, String path)
      throws Exception {
    byte[] more = MiniRaidp.bytes(7, 1000);
    try (FSDataOutputStream out = raidp.fs().append(new org.apache.hadoop.fs.Path(path))) {
      out.write(more);
    }
    byte[] before = files.get(path);
    byte[] all = java.util.Arrays.copyOf(before, before.length + more.length);
    System.arraycopy(more, 0, all, before.length, more.length);
    files.put(path, all);
  }

  static void verify(MiniRaidp raidp, Map<String, byte[]> files) throws Exception {
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      assertThat(raidp.read(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
    }
  }
}
