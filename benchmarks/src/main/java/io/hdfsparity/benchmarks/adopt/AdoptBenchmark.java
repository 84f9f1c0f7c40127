/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.adopt;

import io.hdfsparity.benchmarks.macro.Bench;
import io.hdfsparity.benchmarks.macro.Machine;
import io.hdfsparity.benchmarks.macro.Wire;
import io.hdfsparity.benchmarks.rounds.Benchmark;
import io.hdfsparity.benchmarks.rounds.Case;
import io.hdfsparity.benchmarks.rounds.CommandLine;
import io.hdfsparity.benchmarks.rounds.Layout;
import io.hdfsparity.benchmarks.rounds.Rounds;
import io.hdfsparity.benchmarks.striped.StripedFiles;
import io.hdfsparity.izs.admin.IzsAdmin;
import io.hdfsparity.localcluster.ClusterMode;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.localcluster.LocalClusterBuilder;
import io.hdfsparity.raidp.admin.RaidpAdmin;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.tools.DistCp;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * Files with three replicas on 8 DataNodes of 4 disks become protected ones: where they lie, by
 * {@code hdfs raidp -protect -adopt}; by a copy into a protected directory, with {@code distcp};
 * and by the verified copies of {@code hdfs izs -apply}. All files are read and compared
 * afterwards.
 *
 * <pre>
 *   AdoptBenchmark OUT_DIR [--size-mb 2048] [--block-mb 16] [--threads 4] [--rounds 3] [--resume no]
 *     [--seed 1] [--dir DIR] [--only CONTENDER,…]
 * </pre>
 */
public final class AdoptBenchmark {
  private static final int NODES = 8;
  private static final int DISKS_PER_NODE = 4;
  private static final long FRAME_BYTES = 64L << 20;
  private static final int REPLICAS = 3;
  private static final int COVERED_REPLICAS = 2;

  private static final String ADOPT = "raidp -adopt";
  private static final String DISTCP = "distcp";
  private static final String APPLY = "izs -apply";

  private static final Path FOLDER = new Path("/data");
  private static final Path COPY = new Path("/copy");

  /** Whatever the files are used for, they should have the form raidp, at once. */
  private static final String MAPPING =
      """
      mapping 1
      class every tolerates 2
      default every
      frequency any-number from 0
      rule every any Mirroring+RS(k+1,k) -> raidp
      """;

  /**
   * Superchunks of a disk by setting: one with each disk of another node, and with some of them.
   */
  private static final Map<String, Integer> FRAMES =
      Map.of("all pairs", (NODES - 1) * DISKS_PER_NODE, "some pairs", 8);

  private static final Layout LAYOUT =
      new Layout(
          "raidp-adopt",
          "RAIDP section 4",
          "From three replicas to two with parity",
          DISTCP,
          List.of("MB/s", "net bytes/data byte"),
          "MB/s");

  private final CommandLine options;
  private final Bench bench;

  private AdoptBenchmark(CommandLine options, Bench bench) {
    this.options = options;
    this.bench = bench;
  }

  /** Runs it. */
  public static void main(String[] args) {
    Benchmark.runAndExit(
        args,
        Map.of("size-mb", "2048", "block-mb", "16", "threads", "4"),
        (options, bench) -> new AdoptBenchmark(options, bench).run());
  }

  private void run() throws Exception {
    List<Case> cases = new ArrayList<>();
    for (String setting : FRAMES.keySet().stream().sorted().toList()) {
      for (String contender : List.of(ADOPT, DISTCP, APPLY)) {
        cases.add(new Case(setting, contender));
      }
    }
    new Rounds(options, LAYOUT)
        .run(cases, each -> measure(FRAMES.get(each.setting()), each.contender()));
  }

  private Map<String, Double> measure(int frames, String contender) throws Exception {
    return bench.onCluster(
        builder -> describe(builder, frames),
        cluster -> {
          cluster.applyLayout();
          try (FileSystem client = cluster.newFileSystem()) {
            return measure(cluster, (DistributedFileSystem) client, contender);
          }
        });
  }

  private void describe(LocalClusterBuilder builder, int frames) {
    long blockBytes = options.mebibytes("block-mb");
    builder
        .mode(ClusterMode.ALL)
        .nodes(NODES)
        .racks(NODES)
        .disksPerNode(DISKS_PER_NODE)
        .framesPerDisk(frames)
        .frameBytes(FRAME_BYTES)
        .unitBytes(128L << 10)
        .journalBytes(FRAME_BYTES)
        .blockBytes(blockBytes)
        .replication(REPLICAS)
        .conf("dfs.parity.raidp.max.block.size", String.valueOf(blockBytes))
        .conf("dfs.parity.raidp.layout.recovery.room.disks", "0")
        .conf("dfs.parity.raidp.layout.spare.share", "0");
  }

  private Map<String, Double> measure(
      LocalCluster cluster, DistributedFileSystem fs, String contender) throws Exception {
    long fileBytes = 4 * options.mebibytes("block-mb");
    int files = Math.toIntExact(Math.max(1, options.mebibytes("size-mb") / fileBytes));
    fs.mkdirs(FOLDER);
    fs.mkdirs(COPY);
    StripedFiles.first(files, FOLDER, fileBytes, options.seed()).write(fs);
    Wire before = Wire.read();
    long started = System.nanoTime();
    Path result = convert(cluster, contender);
    double seconds = (System.nanoTime() - started) / 1e9;
    Wire wire = Wire.read().since(before);
    for (FileStatus file : fs.listStatus(result)) {
      if (file.getReplication() != COVERED_REPLICAS) {
        throw new IOException("Cannot measure: expected 2 replicas, file=" + file);
      }
    }
    StripedFiles.first(files, result, fileBytes, options.seed()).check(fs);
    double dataBytes = (double) files * fileBytes;
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("seconds", seconds);
    figures.put("MB/s", dataBytes / 1e6 / seconds);
    figures.put(
        "net bytes/data byte",
        Machine.ownNetwork()
            ? (wire.betweenNodesBytes() + wire.clientBytes()) / dataBytes
            : Double.NaN);
    return figures;
  }

  /** The folder with the protected files. */
  private Path convert(LocalCluster cluster, String contender) throws Exception {
    switch (contender) {
      case ADOPT -> {
        run(raidp(cluster), "-protect", FOLDER.toString(), "-adopt", "-progress");
        return FOLDER;
      }
      case DISTCP -> {
        run(raidp(cluster), "-protect", COPY.toString());
        run(
            new DistCp(jobConf(cluster), null),
            "-m",
            String.valueOf(options.number("threads")),
            FOLDER + "/*",
            COPY.toString());
        return COPY;
      }
      case APPLY -> {
        // Its copies are made in a folder of its own, which has to be protected, too.
        run(raidp(cluster), "-protect", "/");
        java.nio.file.Path rules = Bench.jobDir(cluster).resolve("mapping.conf");
        Files.createDirectories(rules.getParent());
        Files.writeString(rules, MAPPING);
        Configuration conf = cluster.conf();
        conf.set("dfs.parity.izs.mapping.file", rules.toString());
        run(
            new IzsAdmin(conf, System.out, System.err),
            "-apply",
            FOLDER.toString(),
            "-R",
            "-threads",
            String.valueOf(options.number("threads")));
        return FOLDER;
      }
      default -> throw new IllegalArgumentException(contender);
    }
  }

  private static RaidpAdmin raidp(LocalCluster cluster) throws IOException {
    return new RaidpAdmin(cluster.conf(), System.out, System.err);
  }

  /** Jobs run in this process, as many tasks at a time as there are threads. */
  private Configuration jobConf(LocalCluster cluster) throws IOException {
    Configuration conf = cluster.conf();
    conf.set("mapreduce.framework.name", "local");
    conf.setInt("mapreduce.local.map.tasks.maximum", options.number("threads"));
    conf.set("hadoop.tmp.dir", Bench.jobDir(cluster).toString());
    // What RAIDP keeps, so that no third replica is written first.
    conf.setInt("dfs.replication", COVERED_REPLICAS);
    return conf;
  }

  private static void run(Tool tool, String... arguments) throws Exception {
    int exit = ToolRunner.run(tool, arguments);
    if (exit != 0) {
      throw new IOException(
          "Cannot measure: " + String.join(" ", arguments) + " exit=" + exit + ", expected 0");
    }
  }
}
