/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.examples.terasort.TeraValidate;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs ask for more replicas than a pair has: Spark for three, MapReduce's job files and
 * TeraSort's partitions for ten. They get two, and nothing in HDFS waits for more.
 */
@Tag("full")
@Timeout(600)
class RaidpReplicationTest {
  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(4, 2, 1, 4, 64L << 20, 1 << 16, 1 << 20);

  @TempDir Path root;

  @Test
  void whoAsksForMoreReplicasGetsTwo() throws Exception {
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.layout.spare.share", "0");
    try (MiniRaidp raidp = MiniRaidp.start(root, SHAPE, extra)) {
      teraSort(raidp);
      openFile(raidp);
      raisedLater(raidp);
      assertNothingWaits(raidp);
      leave(raidp);
      assertNothingWaits(raidp);
      Soundness.assertSound(raidp);
    }
  }

  private static void run(Configuration conf, Tool tool, String... args) throws Exception {
    assertThat(ToolRunner.run(conf, tool, args)).as(tool.getClass().getSimpleName()).isZero();
  }

  private void teraSort(MiniRaidp raidp) throws Exception {
    Configuration conf = new Configuration(raidp.conf());
    conf.set("fs.defaultFS", raidp.fs().getUri().toString());
    conf.set("mapreduce.framework.name", "local");
    // The partition file of a single reduce is empty.
    conf.setInt("mapreduce.job.reduces", 3);
    conf.set("mapreduce.cluster.local.dir", root.resolve("local").toString());
    conf.set("hadoop.tmp.dir", root.resolve("tmp").toString());
    run(conf, new TeraGen(), "20000", "/tera/in");
    run(conf, new TeraSort(), "/tera/in", "/tera/out");
    run(conf, new TeraValidate(), "/tera/out", "/tera/report");
    RemoteIterator<LocatedFileStatus> files =
        raidp.fs().listFiles(new org.apache.hadoop.fs.Path("/tera"), true);
    long records = 0;
    while (files.hasNext()) {
      LocatedFileStatus file = files.next();
      // A file without a block has nothing to lower.
      if (file.getLen() > 0) {
        awaitTwo(raidp.fs(), file.getPath());
      }
      if (file.getPath().toString().contains("/out/part-")) {
        records += file.getLen() / 100;
      }
    }
    assertThat(records).isEqualTo(20_000);
    assertThat(lowered(raidp)).as("the partition file asked for ten").isPositive();
  }

  private static long lowered(MiniRaidp raidp) throws Exception {
    return raidp.admin("-status", "-json").json().path("replicationsLowered").asLong();
  }

  private static void awaitTwo(DistributedFileSystem fs, org.apache.hadoop.fs.Path path) {
    MiniRaidp.await("the redundancy monitor comes by " + path)
        .until(() -> fs.getFileStatus(path).getReplication() == 2);
  }

  /** All its blocks get pairs, and it is made to ask for two. */
  private static void openFile(MiniRaidp raidp) throws Exception {
    DistributedFileSystem fs = raidp.fs();
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/open");
    byte[] bytes = MiniRaidp.bytes(7, 3 * (1 << 20) + 17);
    try (FSDataOutputStream out = fs.create(path, (short) 10)) {
      out.write(bytes, 0, 1_000);
      out.hflush();
      out.write(bytes, 1_000, bytes.length - 1_000);
    }
    assertThat(raidp.read("/open")).isEqualTo(bytes);
    awaitTwo(fs, path);
    fs.setQuota(new org.apache.hadoop.fs.Path("/"), Long.MAX_VALUE - 1, 1L << 40);
    assertThat(fs.getContentSummary(path).getSpaceConsumed()).isEqualTo(2L * bytes.length);
  }

  /** As MapReduce does with its job files. */
  private static void raisedLater(MiniRaidp raidp) throws Exception {
    long before = lowered(raidp);
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/open");
    raidp.fs().setReplication(path, (short) 10);
    awaitTwo(raidp.fs(), path);
    assertThat(lowered(raidp)).isEqualTo(before + 1);
    assertThat(raidp.admin("-status").out()).contains("asked for more than two replicas");
  }

  private static void assertNothingWaits(MiniRaidp raidp) {
    BlockManager blocks = raidp.dfs().getNamesystem().getBlockManager();
    MiniRaidp.await("no block lacks a replica")
        .until(
            () ->
                blocks.getLowRedundancyBlocksCount() == 0
                    && blocks.getPendingReconstructionBlocksCount() == 0
                    && blocks.getMissingBlocksCount() == 0);
  }

  /** What was lowered is in the log, and in the way of no restart. */
  private static void leave(MiniRaidp raidp) throws Exception {
    raidp.dfs().restartNameNode();
    assertThat(raidp.dfs().getNamesystem().isInSafeMode()).isFalse();
    assertThat(raidp.fs().getFileStatus(new org.apache.hadoop.fs.Path("/open")).getReplication())
        .isEqualTo((short) 2);
    MiniRaidp.await("all pairs usable")
        .ignoreExceptions()
        .until(
            () -> {
              JsonNode pairs = raidp.admin("-status", "-json").json().path("superchunks");
              return pairs.path("total").asInt() > 0
                  && pairs.path("usable").asInt() == pairs.path("total").asInt();
            });
  }
}
