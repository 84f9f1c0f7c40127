/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.hibench;

import io.hdfsparity.benchmarks.macro.Bench;
import io.hdfsparity.benchmarks.macro.Machine;
import io.hdfsparity.benchmarks.macro.Wire;
import io.hdfsparity.benchmarks.rounds.Benchmark;
import io.hdfsparity.benchmarks.rounds.Case;
import io.hdfsparity.benchmarks.rounds.CommandLine;
import io.hdfsparity.benchmarks.rounds.Layout;
import io.hdfsparity.benchmarks.rounds.Rounds;
import io.hdfsparity.benchmarks.striped.StripedFiles;
import io.hdfsparity.localcluster.ClusterMode;
import io.hdfsparity.localcluster.JobClient;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.localcluster.LocalClusterBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * HiBench's micro workloads TeraSort, Sort and Wordcount, their preparation too, with the programs
 * and arguments of HiBench's scripts, on a real YARN: run time and bytes between nodes by how the
 * files are stored (RAIDP paper, Fig. 10). What TeraSort wrote is checked by TeraValidate. Jobs
 * follow one another at once, as HiBench's do: what one leaves to be done later, as parity in idle
 * mode, falls to the next.
 *
 * <pre>
 *   HiBenchBenchmark OUT_DIR [--size-mb 512] [--block-mb 32] [--nodemanagers 4] [--reduces 4] [--rounds 3]
 *     [--resume no] [--seed 1] [--dir DIR] [--only CONTENDER,…]
 * </pre>
 */
public final class HiBenchBenchmark {
  private static final int NODES = 6;
  private static final int RACKS = 2;
  private static final int FRAMES = 6;
  private static final int DATA_UNITS = 4;
  private static final int PARITY_UNITS = 2;
  private static final int RECORD_BYTES = 100;
  private static final String TEXT = "org.apache.hadoop.io.Text";
  private static final String SEQUENCE_INPUT =
      "org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat";
  private static final Path FOLDER = new Path("/HiBench");
  private static final String TERA = FOLDER + "/Terasort/";
  private static final String RANDOM_TEXT = FOLDER + "/Text/Input";

  private static final Layout LAYOUT =
      new Layout(
          "hibench",
          "RAIDP Fig. 10",
          "HiBench's micro workloads on YARN",
          Storage.HDFS_3.label,
          List.of("seconds", "net bytes/input byte"),
          "seconds");

  /** As the scripts of HiBench do it, in this order. */
  private static final List<String> WORKLOADS =
      List.of("TeraGen", "TeraSort", "RandomTextWriter", "Wordcount", "Sort");

  private final CommandLine options;
  private final Bench bench;

  private HiBenchBenchmark(CommandLine options, Bench bench) {
    this.options = options;
    this.bench = bench;
  }

  /** Runs it. */
  public static void main(String[] args) {
    Benchmark.runAndExit(
        args,
        Map.of("size-mb", "512", "block-mb", "32", "nodemanagers", "4", "reduces", "4"),
        (options, bench) -> new HiBenchBenchmark(options, bench).run());
  }

  private void run() throws Exception {
    List<Case> cases = new ArrayList<>();
    for (String workload : WORKLOADS) {
      for (Storage storage : Storage.values()) {
        cases.add(new Case(workload, storage.label));
      }
    }
    new Rounds(options, LAYOUT)
        .runJointly(
            cases,
            contender -> {
              Storage storage = Storage.labelled(contender);
              return bench.onCluster(
                  builder -> describe(builder, storage), cluster -> measure(cluster, storage));
            });
  }

  private void describe(LocalClusterBuilder builder, Storage storage) {
    long frameBytes = Math.max(512L << 20, options.mebibytes("size-mb"));
    builder
        .mode(storage.mode)
        .nodes(NODES)
        .racks(RACKS)
        .disksPerNode(1)
        .framesPerDisk(FRAMES)
        .frameBytes(frameBytes)
        .blockBytes(options.mebibytes("block-mb"))
        .replication(storage.replicas)
        .yarn(options.number("nodemanagers"))
        // All pairs that two racks of three disks allow: nothing fails here.
        .conf("dfs.parity.raidp.layout.recovery.room.disks", "0")
        // Tasks connect from the addresses of their nodes.
        .conf("dfs.client.local.interfaces", "")
        // Two cores: as many containers as TestDFSIO has tasks.
        .conf("yarn.nodemanager.resource.memory-mb", "1024");
  }

  private Map<String, Map<String, Double>> measure(LocalCluster cluster, Storage storage)
      throws Exception {
    try (FileSystem client = cluster.newFileSystem()) {
      makeFolder(cluster, (DistributedFileSystem) client, storage);
      JobClient jobs = new JobClient(cluster);
      // Nothing of a cluster is compiled at its first job.
      jobs.run(line -> {}, "teragen", "10000", FOLDER + "/warm-up");
      Map<String, Map<String, Double>> figures = new LinkedHashMap<>();
      for (String workload : WORKLOADS) {
        figures.put(workload, measure(jobs, workload, storage));
      }
      requireSorted(client, jobs);
      return figures;
    }
  }

  private static void makeFolder(LocalCluster cluster, DistributedFileSystem fs, Storage storage)
      throws Exception {
    if (storage.codec().isPresent()) {
      StripedFiles.makeFolder(
          fs, FOLDER, storage.codec().get(), DATA_UNITS, PARITY_UNITS, StripedFiles.CELL_BYTES);
    } else {
      fs.mkdirs(FOLDER);
    }
    if (storage.mode == ClusterMode.RAIDP) {
      cluster.applyLayout();
      cluster.protect("/");
    }
  }

  private Map<String, Double> measure(JobClient jobs, String workload, Storage storage)
      throws Exception {
    Wire before = Wire.read();
    long started = System.nanoTime();
    List<String> command = command(workload, storage);
    jobs.run(line -> {}, command.get(0), command.subList(1, command.size()).toArray(String[]::new));
    double seconds = (System.nanoTime() - started) / 1e9;
    Wire wire = Wire.read().since(before);
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("seconds", seconds);
    figures.put(
        "net bytes/input byte",
        Machine.ownNetwork()
            ? (double) wire.betweenNodesBytes() / options.mebibytes("size-mb")
            : Double.NaN);
    return figures;
  }

  private List<String> command(String workload, Storage storage) {
    long bytes = options.mebibytes("size-mb");
    String reduces = options.number("reduces") + "";
    String maps = "-Dmapreduce.job.maps=" + reduces;
    return switch (workload) {
      case "TeraGen" -> List.of("teragen", maps, bytes / RECORD_BYTES + "", TERA + "Input");
      case "TeraSort" ->
          List.of(
              "terasort",
              "-Dmapreduce.job.reduces=" + reduces,
              // One, if nothing is said.
              "-Dmapreduce.terasort.output.replication=" + storage.replicas,
              TERA + "Input",
              TERA + "Output");
      case "RandomTextWriter" ->
          List.of(
              "randomtextwriter",
              "-Dmapreduce.randomtextwriter.totalbytes=" + bytes,
              "-Dmapreduce.randomtextwriter.bytespermap=" + bytes / options.number("reduces"),
              maps,
              RANDOM_TEXT);
      case "Wordcount" ->
          List.of(
              "wordcount",
              "-Dmapreduce.job.reduces=" + reduces,
              "-Dmapreduce.job.inputformat.class=" + SEQUENCE_INPUT,
              RANDOM_TEXT,
              FOLDER + "/Wordcount/Output");
      case "Sort" ->
          List.of(
              "sort",
              "-outKey",
              TEXT,
              "-outValue",
              TEXT,
              "-r",
              reduces,
              RANDOM_TEXT,
              FOLDER + "/Sort/Output");
      default -> throw new IllegalArgumentException(workload);
    };
  }

  /** TeraValidate writes a line for each error, and else the sum of all records alone. */
  private static void requireSorted(FileSystem fs, JobClient jobs) throws Exception {
    jobs.run(line -> {}, "teravalidate", TERA + "Output", TERA + "Report");
    try (FSDataInputStream in = fs.open(new Path(TERA + "Report/part-r-00000"))) {
      String report = new String(in.readAllBytes(), java.nio.charset.StandardCharsets.US_ASCII);
      if (!report.matches("checksum\t[0-9a-f]+\n")) {
        throw new IOException("Cannot measure: TeraValidate=" + report + ", expected a checksum");
      }
    }
  }
}
