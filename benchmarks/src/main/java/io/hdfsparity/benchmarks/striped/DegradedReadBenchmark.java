/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.striped;

import io.hdfsparity.benchmarks.macro.BadOption;
import io.hdfsparity.benchmarks.macro.Bench;
import io.hdfsparity.benchmarks.rounds.Benchmark;
import io.hdfsparity.benchmarks.rounds.Case;
import io.hdfsparity.benchmarks.rounds.CommandLine;
import io.hdfsparity.benchmarks.rounds.Layout;
import io.hdfsparity.benchmarks.rounds.Rounds;
import io.hdfsparity.localcluster.Daemon;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
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
  private static final String VICTIM = "dn0";
  private static final int MAX_ATTEMPTS = 40;
  private static final List<Coding> CODINGS = List.of(Coding.IZS, Coding.RS_ISAL, Coding.RS_JAVA);
  private static final Layout LAYOUT =
      new Layout(
          "izs-reads",
          "MFTS Table 7",
          "Response time of reads with a node dead",
          Coding.RS_ISAL.label,
          List.of("degraded mean ms", "lost unit mean ms", "healthy mean ms"),
          "degraded mean ms");

  private final CommandLine options;
  private final Bench bench;

  private DegradedReadBenchmark(CommandLine options, Bench bench) {
    this.options = options;
    this.bench = bench;
  }

  /** Runs it. */
  public static void main(String[] args) {
    Benchmark.runAndExit(
        args,
        Map.of(
            "data-units", "4",
            "cell-kib", "16,24,32,48,64,1024",
            "size-mb", "48",
            "block-mb", "12",
            "requests", "2000",
            "readers", "1"),
        (options, bench) -> new DegradedReadBenchmark(options, bench).run());
  }

  private static String setting(int cellKib) {
    return "cells of " + cellKib + " KiB";
  }

  private void run() throws Exception {
    List<Case> cases = new ArrayList<>();
    for (int cellKib : options.numbers("cell-kib")) {
      if (options.mebibytes("block-mb") % (cellKib << 10) != 0) {
        throw new BadOption("cell-kib", cellKib, "sizes that divide block-mb");
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
      StripedFiles files = StripedFiles.first(count, folder, fileBytes, options.seed());
      writeWithDataOnVictim(fs, files, k);
      byCell.put(cellKib, files);
    }
    Map<String, Map<String, Double>> figures = new LinkedHashMap<>();
    byCell.keySet().forEach(cellKib -> figures.put(setting(cellKib), new LinkedHashMap<>()));
    try (FileSystem client = Clusters.remoteClient(cluster)) {
      List<Replay> replays = new ArrayList<>();
      for (Map.Entry<Integer, StripedFiles> entry : byCell.entrySet()) {
        Predicate<Trace.Request> meets = meetsVictim(fs, entry.getValue(), k, entry.getKey() << 10);
        replays.add(new Replay(entry.getValue(), meets, figures.get(setting(entry.getKey()))));
      }
      for (Replay replay : replays) {
        replay(client, replay, "healthy ", "healthy, unit to be lost, ");
      }
      cluster.kill(VICTIM);
      for (StripedFiles files : byCell.values()) {
        Placement placement = new Placement(fs, files.folder());
        Placement.await("the loss noticed", () -> placement.missing() > 0);
      }
      for (Replay replay : replays) {
        replay(client, replay, "degraded ", "lost unit ");
      }
    }
    return figures;
  }

  /** Writes files until the node that dies has a data unit of each: without parity nobody reads. */
  private static void writeWithDataOnVictim(
      DistributedFileSystem fs, StripedFiles files, int dataUnits)
      throws IOException, InterruptedException {
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      files.write(fs);
      Placement placement = new Placement(fs, files.folder());
      Placement.await("all units", () -> placement.missing() == 0);
      boolean all = true;
      for (int file : files.numbers()) {
        int unit = placement.unitOn(Daemon.nodeHost(0), files.path(file));
        all &= unit >= 0 && unit < dataUnits;
      }
      if (all) {
        return;
      }
      for (int file : files.numbers()) {
        fs.delete(files.path(file), /* recursive= */ false);
      }
    }
    throw new IOException(
        "Cannot measure: attempts="
            + MAX_ATTEMPTS
            + ", expected a data unit of each of "
            + files.count()
            + " files on "
            + VICTIM
            + ": write fewer files (--size-mb) or smaller groups");
  }

  /**
   * A trace on files with one size of cells.
   *
   * @param meetsVictim whether a request wants bytes of a unit on the node that dies
   * @param figures where its times go
   */
  private record Replay(
      StripedFiles files, Predicate<Trace.Request> meetsVictim, Map<String, Double> figures) {}

  private static Predicate<Trace.Request> meetsVictim(
      DistributedFileSystem fs, StripedFiles files, int k, int cellBytes) throws IOException {
    Placement placement = new Placement(fs, files.folder());
    Placement.await("all units", () -> placement.missing() == 0);
    int[] unitOfFile = new int[files.count()];
    for (int file = 0; file < unitOfFile.length; file++) {
      unitOfFile[file] = placement.unitOn(Daemon.nodeHost(0), files.path(file));
    }
    return request -> {
      long last = (request.offset() + request.lengthBytes() - 1) / cellBytes;
      for (long cell = request.offset() / cellBytes; cell <= last; cell++) {
        if (cell % k == unitOfFile[request.file()]) {
          return true;
        }
      }
      return false;
    };
  }

  private void replay(FileSystem client, Replay what, String prefix, String prefixOfVictim)
      throws Exception {
    int count = options.number("readers");
    int requests = options.number("requests");
    try (Readers readers = new Readers(client, what.files(), count, what.meetsVictim())) {
      // Compilers and connections first.
      readers.start(count, requests / 2, Pace.ONE_BY_ONE, options.seed() + 1);
      readers.await();
      readers.start(count, requests, Pace.ONE_BY_ONE, options.seed());
      Readers.Times times = readers.await();
      note(what.figures(), prefix, times.all());
      note(what.figures(), prefixOfVictim, times.special());
    }
  }

  private static void note(Map<String, Double> figures, String prefix, List<Double> tookMs) {
    figures.put(prefix + "requests", (double) tookMs.size());
    figures.put(prefix + "mean ms", Readers.mean(tookMs));
    figures.put(prefix + "p50 ms", Readers.quantile(tookMs, 0.5));
    figures.put(prefix + "p99 ms", Readers.quantile(tookMs, 0.99));
  }
}
