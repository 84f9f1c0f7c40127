/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.striped;

import io.hdfsparity.benchmarks.macro.Bench;
import io.hdfsparity.benchmarks.rounds.Case;
import io.hdfsparity.benchmarks.rounds.CommandLine;
import io.hdfsparity.benchmarks.rounds.Layout;
import io.hdfsparity.benchmarks.rounds.Rounds;
import io.hdfsparity.localcluster.LocalCluster;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Response time of small random reads by size of a cell, with all nodes there and after one has
 * died and no spare one is there to rebuild to (MFTS paper, Table 7). The suite's client reads IZS,
 * Hadoop's reads RS. Every byte is compared.
 *
 * <pre>
 *   DegradedReadBenchmark OUT_DIR [--data-units 4] [--cell-kib 16,24,32,48,64,1024] [--size-mb 48] [--block-mb 12]
 *     [--requests 2000] [--readers 1] [--rounds 3] [--resume no] [--seed 1] [--dir DIR] [--only CONTENDER,…]
 * </pre>
 */
public final class DegradedReadBenchmark {
  private static final int PARITY_UNITS = 2;
  private static final List<Coding> CODINGS = List.of(Coding.IZS, Coding.RS_ISAL, Coding.RS_JAVA);
  private static final Layout LAYOUT =
      new Layout(
          "izs-reads",
          "MFTS Table 7",
          "Response time of reads with a node dead",
          Coding.RS_ISAL.label,
          List.of("degraded mean ms", "degraded p99 ms", "healthy mean ms"),
          "degraded mean ms");

  private final CommandLine options;
  private final Bench bench;

  private DegradedReadBenchmark(CommandLine options, Bench bench) {
    this.options = options;
    this.bench = bench;
  }

  /** Runs it. */
  public static void main(String[] args) {
    Bench.runAndExit(
        () -> {
          CommandLine options =
              CommandLine.parse(
                  args,
                  Map.of(
                      "data-units", "4",
                      "cell-kib", "16,24,32,48,64,1024",
                      "size-mb", "48",
                      "block-mb", "12",
                      "requests", "2000",
                      "readers", "1"));
          try (Bench bench = Bench.open(options.dir())) {
            new DegradedReadBenchmark(options, bench).run();
          }
        });
  }

  private static String setting(int cellKib) {
    return "cells of " + cellKib + " KiB";
  }

  private void run() throws Exception {
    List<Case> cases = new ArrayList<>();
    for (int cellKib : options.numbers("cell-kib")) {
      if (options.mebibytes("block-mb") % (cellKib << 10) != 0) {
        throw new IllegalArgumentException(
            "Cannot run: cell-kib=" + cellKib + ", expected sizes that divide block-mb");
      }
      CODINGS.forEach(coding -> cases.add(new Case(setting(cellKib), coding.label)));
    }
    new Rounds(options, LAYOUT).runJointly(cases, contender -> measure(Coding.labelled(contender)));
  }

  private Map<String, Map<String, Double>> measure(Coding coding) throws Exception {
    int k = options.number("data-units");
    return Clusters.on(
        bench,
        coding,
        k + PARITY_UNITS,
        options.mebibytes("block-mb"),
        (cluster, fs) -> measure(cluster, fs, coding, k));
  }

  private Map<String, Map<String, Double>> measure(
      LocalCluster cluster, DistributedFileSystem fs, Coding coding, int k) throws Exception {
    Map<Integer, StripedFiles> byCell = new LinkedHashMap<>();
    long fileBytes = k * options.mebibytes("block-mb");
    int count = Math.toIntExact(Math.max(1, options.mebibytes("size-mb") / fileBytes));
    for (int cellKib : options.numbers("cell-kib")) {
      Path folder = new Path("/cells" + cellKib);
      StripedFiles.makeFolder(fs, folder, coding.codec, k, PARITY_UNITS, cellKib << 10);
      StripedFiles files = new StripedFiles(folder, fileBytes, count, options.seed());
      files.write(fs);
      byCell.put(cellKib, files);
    }
    Map<String, Map<String, Double>> figures = new LinkedHashMap<>();
    byCell.keySet().forEach(cellKib -> figures.put(setting(cellKib), new LinkedHashMap<>()));
    try (FileSystem client = Clusters.remoteClient(cluster)) {
      replay(client, byCell, "healthy", figures);
      cluster.kill("dn0");
      for (StripedFiles files : byCell.values()) {
        Placement placement = new Placement(fs, files.folder());
        Placement.await("the loss noticed", () -> placement.missing() > 0);
      }
      replay(client, byCell, "degraded", figures);
    }
    return figures;
  }

  private void replay(
      FileSystem client,
      Map<Integer, StripedFiles> byCell,
      String state,
      Map<String, Map<String, Double>> figures)
      throws Exception {
    int readers = options.number("readers");
    int requests = options.number("requests");
    for (Map.Entry<Integer, StripedFiles> entry : byCell.entrySet()) {
      try (Readers threads = new Readers(client, entry.getValue(), readers)) {
        // Compilers and connections first.
        threads.start(readers, requests / 2, options.seed() + 1);
        threads.await();
        threads.start(readers, requests, options.seed());
        List<Double> tookMs = threads.await();
        Map<String, Double> own = figures.get(setting(entry.getKey()));
        own.put(state + " mean ms", Readers.mean(tookMs));
        own.put(state + " p50 ms", Readers.quantile(tookMs, 0.5));
        own.put(state + " p99 ms", Readers.quantile(tookMs, 0.99));
      }
    }
  }
}
