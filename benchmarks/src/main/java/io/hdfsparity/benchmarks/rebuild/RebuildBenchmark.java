/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.rebuild;

import io.hdfsparity.benchmarks.macro.Bench;
import io.hdfsparity.benchmarks.macro.EarlierRounds;
import io.hdfsparity.benchmarks.striped.StripedFiles;
import io.hdfsparity.localcluster.ClusterMode;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.localcluster.LocalClusterBuilder;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Rebuild of a RAIDP superchunk after both its disks died, with the chunk sizes and locks of Table
 * 2 of the RAIDP paper, against stock HDFS rebuilding two disks of files with an erasure code that
 * survives two failures and spans all nodes. All disks hold the same number of bytes in every row;
 * rows take turns in a new random order each round; all files are read and compared afterwards.
 *
 * <pre>
 *   RebuildBenchmark OUT_DIR [--rounds 3] [--size-mb 512] [--block-mb 64] [--nodes 6] [--seed 1] [--dir DIR]
 * </pre>
 */
public final class RebuildBenchmark {
  private static final int DISKS = 2;
  private static final int FRAMES = 6;
  private static final String SPARE_SHARE = "0.3";

  private final Options options;
  private final Bench bench;
  private final List<Measured> results = new ArrayList<>();

  private RebuildBenchmark(Options options, Bench bench) {
    this.options = options;
    this.bench = bench;
  }

  public static void main(String[] args) {
    Bench.runAndExit(
        () -> {
          Options options = Options.parse(args);
          try (Bench bench = Bench.open(options.run().dir())) {
            new RebuildBenchmark(options, bench).run();
          }
          System.out.println(Files.readString(options.run().out().resolve("rebuild.txt")));
        });
  }

  private void run() throws Exception {
    if (options.run().resume()) {
      results.addAll(
          EarlierRounds.read(
              options.run().out().resolve("rebuild.json"), options.describe(), Measured.class));
    }
    int first = results.stream().mapToInt(sample -> sample.round() + 1).max().orElse(0);
    for (int round = first; round < options.run().rounds(); round++) {
      Random order = new Random(options.run().seed() + round);
      List<Row> rows = new ArrayList<>(Row.all(options.nodes()));
      rows.removeIf(r -> !options.run().wants(r.name()));
      Collections.shuffle(rows, order);
      for (Row row : rows) {
        long started = System.nanoTime();
        Measured measured = measure(row, round);
        results.add(measured);
        System.out.println(
            measured + " in " + (System.nanoTime() - started) / 1_000_000_000 + " s");
      }
      new RebuildReport(options, results).write(options.run().out());
    }
  }

  private Measured measure(Row row, int round) throws Exception {
    int fixed = round;
    return bench.onCluster(
        builder -> describe(builder, row),
        cluster -> {
          try (FileSystem client = cluster.newFileSystem()) {
            return measure(row, fixed, cluster, (DistributedFileSystem) client);
          }
        });
  }

  private void describe(LocalClusterBuilder builder, Row row) {
    builder
        .mode(row.mode())
        .nodes(options.nodes())
        .racks(2)
        .disksPerNode(DISKS)
        .blockBytes(options.blockBytes())
        // Recovery acts on reports; at 1 s they would be most of a small rebuild's time.
        .conf("dfs.namenode.heartbeat.recheck-interval", "1000");
    if (row.mode() == ClusterMode.RAIDP) {
      builder
          .framesPerDisk(FRAMES)
          .frameBytes(frameBytes())
          .conf("dfs.parity.raidp.report.interval", "200ms")
          .conf("dfs.parity.raidp.layout.spare.share", SPARE_SHARE);
    } else {
      // As many rebuilds at a time as there are, so that the network and not the NameNode's care is
      // the limit.
      builder
          .conf("dfs.namenode.replication.max-streams", "64")
          .conf("dfs.namenode.replication.max-streams-hard-limit", "128")
          .conf("dfs.namenode.replication.work.multiplier.per.iteration", "100")
          .conf("dfs.datanode.ec.reconstruction.threads", "8");
    }
  }

  /** Four of the six frames of a disk are used; they are half full on average. */
  private long frameBytes() {
    long needed =
        Math.max(options.storedBytes() / options.nodes() / DISKS / 2, 4 * options.blockBytes());
    return (needed + options.blockBytes() - 1) / options.blockBytes() * options.blockBytes();
  }

  private Measured measure(Row row, int round, LocalCluster cluster, DistributedFileSystem fs)
      throws Exception {
    int data = options.nodes() - 2;
    long stored = options.storedBytes();
    boolean isRaidp = row.mode() == ClusterMode.RAIDP;
    long user = isRaidp ? stored / 2 : stored / options.nodes() * data;
    TestFiles files = new TestFiles(fs, data * options.blockBytes(), user);
    if (isRaidp) {
      cluster.applyLayout();
      cluster.protect("/");
      fs.mkdirs(TestFiles.folder());
    } else {
      StripedFiles.makeFolder(fs, TestFiles.folder(), "rs", data, 2, StockRecovery.CELL_BYTES);
    }
    files.write();
    Measured measured =
        isRaidp
            ? new RaidpRecovery(cluster, row).measure(round)
            : new StockRecovery(cluster, fs).measure(row, round);
    files.check();
    return measured;
  }
}
