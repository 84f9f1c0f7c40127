/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Restarts, a failing pipeline and a cluster that fills up, each under concurrent writers. */
@Tag("full")
@Timeout(1200)
class RaidpConcurrentLoadTest {
  private static final int BLOCK = 1 << 20;

  @Test
  void dataNodesAndNameNodeRestartWhileEightWritersWrite(@TempDir Path root) throws Exception {
    Configuration extra = new Configuration(false);
    // A NameNode that restarts is away for seconds; a writer waits for it as any HDFS client may.
    extra.setBoolean("dfs.client.retry.policy.enabled", true);
    extra.set("dfs.client.retry.policy.spec", "200,300");
    try (MiniRaidp raidp = MiniRaidp.start(root, MiniRaidp.Shape.small(), extra);
        LedgerLoad load = new LedgerLoad(raidp.conf(), 8, BLOCK + BLOCK / 2, 45L * BLOCK, 41)) {
      progress(load);
      for (int i = 0; i < 2; i++) {
        raidp.dfs().restartDataNode(0, true);
        raidp.dfs().waitActive();
        progress(load);
      }
      // A block that is opened again asks the partner of its replica, which cannot be replaced by
      // another node as in a new block's pipeline: an append fails while it starts.
      assertThat(load.causes())
          .as("restarts of DataNodes")
          .allMatch(cause -> cause.startsWith(LedgerLoad.APPEND));
      raidp.dfs().restartNameNode(0, true);
      progress(load);
      load.pause();
      assertThat(load.causes())
          .as("restart of the NameNode")
          .allMatch(cause -> cause.startsWith(LedgerLoad.APPEND));
      assertThat(load.verify()).isEmpty();
      Soundness.assertSound(raidp);
    }
  }

  @Test
  void aPipelineFailsInTheMiddleOfBlocksOfEightWriters(@TempDir Path root) throws Exception {
    try (MiniRaidp raidp =
        MiniRaidp.start(root, MiniRaidp.Shape.small(), new Configuration(false))) {
      ExecutorService pool = Executors.newFixedThreadPool(8);
      CyclicBarrier midBlock = new CyclicBarrier(9);
      CyclicBarrier stopped = new CyclicBarrier(9);
      Map<String, byte[]> files = new TreeMap<>();
      List<Callable<Void>> writers = new ArrayList<>();
      for (int w = 0; w < 8; w++) {
        String name = "/pipe/" + w;
        byte[] content = MiniRaidp.bytes(w, BLOCK + BLOCK / 2 + w * 1111);
        files.put(name, content);
        writers.add(() -> write(raidp, name, content, midBlock, stopped));
      }
      List<Future<Void>> running = writers.stream().map(pool::submit).toList();
      midBlock.await();
      var victim = raidp.dfs().stopDataNode(1);
      stopped.await();
      for (Future<Void> writer : running) {
        writer.get();
      }
      pool.shutdown();
      raidp.dfs().restartDataNode(victim, true);
      raidp.dfs().waitActive();
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        assertThat(raidp.read(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
      }
      Soundness.assertSound(raidp);
    }
  }

  private static Void write(
      MiniRaidp raidp, String name, byte[] content, CyclicBarrier midBlock, CyclicBarrier stopped)
      throws Exception {
    int half = BLOCK / 2;
    try (FSDataOutputStream out = raidp.fs().create(new org.apache.hadoop.fs.Path(name))) {
      out.write(content, 0, half);
      out.hflush();
      midBlock.await();
      stopped.await();
      out.write(content, half, content.length - half);
    }
    return null;
  }

  /** As many creates as fill nine tenths of the space; while space is left, none may fail. */
  @Test
  void noCreateFailsWhileSpaceIsLeft(@TempDir Path root) throws Exception {
    MiniRaidp.Shape shape = new MiniRaidp.Shape(6, 2, 1, 6, 64L << 20, 1 << 16, BLOCK);
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.layout.spare.share", "0");
    // A block that is refused, or whose pipeline fails, is not tried again elsewhere.
    extra.setInt("dfs.client.block.write.retries", 0);
    try (MiniRaidp raidp = MiniRaidp.start(root, shape, extra)) {
      int superchunks =
          raidp.admin("-status", "-json").json().path("superchunks").path("total").asInt();
      // Eight units each, so that what is left at the end is room for all the blocks that are open
      // at the same time: an open block holds the units of a full one.
      int fileBytes = 8 * shape.unitBytes() - 1_000;
      int files = (int) (superchunks * (shape.frameBytes() / shape.unitBytes()) * 9 / 10 / 8);
      assertThat(files).isGreaterThanOrEqualTo(320);
      byte[] content = MiniRaidp.bytes(7, fileBytes);
      List<Callable<String>> creates = new ArrayList<>();
      for (int i = 0; i < files; i++) {
        String name = "/full/" + i;
        creates.add(() -> create(raidp, name, content));
      }
      ExecutorService pool = Executors.newFixedThreadPool(8);
      List<String> failures = new ArrayList<>();
      for (Future<String> create : pool.invokeAll(creates)) {
        if (create.get() != null) {
          failures.add(create.get());
        }
      }
      pool.shutdown();
      assertThat(failures).as(files + " creates of " + fileBytes + " bytes").isEmpty();
      Soundness.assertSound(raidp);
      for (int i = 0; i < files; i += 37) {
        assertThat(Arrays.equals(raidp.read("/full/" + i), content)).as("/full/" + i).isTrue();
      }
    }
  }

  private static String create(MiniRaidp raidp, String name, byte[] content) {
    try {
      raidp.write(name, content);
      return null;
    } catch (IOException e) {
      return name + ": " + e;
    }
  }

  private static void progress(LedgerLoad load) {
    long acks = load.acks();
    load.awaitNewFiles();
    MiniRaidp.await("writes go on").until(() -> load.acks() > acks + 16);
  }
}
