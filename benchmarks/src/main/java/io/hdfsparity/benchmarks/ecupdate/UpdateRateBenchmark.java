/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ecupdate;

import io.hdfsparity.benchmarks.macro.Bench;
import io.hdfsparity.benchmarks.rounds.Benchmark;
import io.hdfsparity.benchmarks.rounds.Case;
import io.hdfsparity.benchmarks.rounds.CommandLine;
import io.hdfsparity.benchmarks.rounds.Layout;
import io.hdfsparity.benchmarks.rounds.Rounds;
import io.hdfsparity.benchmarks.striped.StripedFiles;
import io.hdfsparity.localcluster.ClusterMode;
import io.hdfsparity.localcluster.LocalCluster;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Durable updates a second by small writes at random places, and what one costs.
 *
 * <pre>
 *   UpdateRateBenchmark OUT_DIR [--clients 8] [--outstanding 1,16] [--update-kib 4] [--cell-kib 1024]
 *     [--size-mb 48] [--seconds 10] [--warm-up 10] [--schemes PLR] [--conf NAME=VALUE,…]
 *     [--rounds 3] [--resume no] [--seed 1] [--dir DIR]
 * </pre>
 */
public final class UpdateRateBenchmark {
  private static final Path FOLDER = new Path("/files");
  private static final int DATA_UNITS = 3;
  private static final int PARITY_UNITS = 2;
  private static final Layout LAYOUT =
      new Layout(
          "ecupdate-rate",
          "AJX Fig. 9",
          "Durable updates a second",
          "PLR",
          List.of("updates/s", "p50 ms", "p99 ms", "CPU us/update"),
          "updates/s");

  private final CommandLine options;
  private final Bench bench;

  private UpdateRateBenchmark(CommandLine options, Bench bench) {
    this.options = options;
    this.bench = bench;
  }

  /** Runs it. */
  public static void main(String[] args) {
    Benchmark.runAndExit(
        args,
        Map.of(
            "clients", "8",
            "outstanding", "1,16",
            "update-kib", "4",
            "cell-kib", "1024",
            "size-mb", "48",
            "seconds", "10",
            "warm-up", "10",
            "schemes", "PLR",
            "conf", ""),
        (options, bench) -> new UpdateRateBenchmark(options, bench).run());
  }

  private void run() throws Exception {
    List<Case> cases = new ArrayList<>();
    for (int outstanding : options.numbers("outstanding")) {
      for (String scheme : options.texts("schemes")) {
        cases.add(new Case(setting(outstanding), scheme));
      }
    }
    new Rounds(options, LAYOUT).runJointly(cases, this::measure);
  }

  private String setting(int outstanding) {
    return options.number("clients") + " clients x " + outstanding;
  }

  private Map<String, Map<String, Double>> measure(String scheme) throws Exception {
    return bench.onCluster(
        builder -> {
          builder
              .mode(ClusterMode.EC_UPDATE)
              .nodes(DATA_UNITS + PARITY_UNITS)
              .racks(1)
              .disksPerNode(1)
              .conf("dfs.parity.ecupdate.scheme.default", scheme);
          for (String property : options.texts("conf")) {
            int equals = property.indexOf('=');
            builder.conf(property.substring(0, equals), property.substring(equals + 1));
          }
        },
        cluster -> {
          try (FileSystem fs = cluster.newFileSystem()) {
            return measure(cluster, (DistributedFileSystem) fs);
          }
        });
  }

  private Map<String, Map<String, Double>> measure(LocalCluster cluster, DistributedFileSystem fs)
      throws Exception {
    StripedFiles.makeFolder(
        fs, FOLDER, "rs", DATA_UNITS, PARITY_UNITS, options.number("cell-kib") << 10);
    StripedFiles files =
        StripedFiles.first(
            options.number("clients"), FOLDER, options.mebibytes("size-mb"), options.seed());
    files.write(fs);
    List<Path> paths = files.numbers().stream().map(files::path).toList();
    Map<String, Map<String, Double>> figures = new LinkedHashMap<>();
    for (int outstanding : options.numbers("outstanding")) {
      figures.put(setting(outstanding), measure(cluster, fs, paths, outstanding));
    }
    return figures;
  }

  private Map<String, Double> measure(
      LocalCluster cluster, FileSystem fs, List<Path> paths, int outstanding) throws Exception {
    try (UpdateLoad load =
        new UpdateLoad(
            fs, paths, options.number("update-kib") << 10, outstanding, options.seed())) {
      load.forSeconds(options.number("warm-up"));
      ProcessWork before = ProcessWork.read(cluster);
      UpdateLoad.Done done = load.forSeconds(options.number("seconds"));
      ProcessWork work = ProcessWork.read(cluster).since(before);
      Map<String, Double> figures = new LinkedHashMap<>();
      figures.put("updates/s", done.perSecond());
      figures.put("p50 ms", done.ms(0.5));
      figures.put("p99 ms", done.ms(0.99));
      figures.putAll(work.figures(done.updates()));
      return figures;
    }
  }
}
