/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.striped;

import io.hdfsparity.benchmarks.macro.Bench;
import io.hdfsparity.benchmarks.macro.Wire;
import io.hdfsparity.benchmarks.rounds.Benchmark;
import io.hdfsparity.benchmarks.rounds.Case;
import io.hdfsparity.benchmarks.rounds.CommandLine;
import io.hdfsparity.benchmarks.rounds.Layout;
import io.hdfsparity.benchmarks.rounds.Rounds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * One client writes a file under codes with one, two and three parity units (MFTS paper, Fig. 8).
 * The files are read and compared afterwards.
 *
 * <pre>
 *   WriteBenchmark OUT_DIR [--data-units 4] [--size-mb 640] [--block-mb 32] [--rounds 3] [--resume no] [--seed 1]
 *     [--dir DIR] [--only CONTENDER,…]
 * </pre>
 */
public final class WriteBenchmark {
  private static final int MAX_PARITY_UNITS = 3;
  private static final Path WARM_UP = new Path("/warm-up");
  private static final List<Coding> CODINGS = List.of(Coding.IZS, Coding.RS_ISAL, Coding.RS_JAVA);
  private static final Layout LAYOUT =
      new Layout(
          "izs-write",
          "MFTS Fig. 8",
          "A file written by one client",
          Coding.RS_ISAL.label,
          List.of("MB/s", "net bytes/byte"),
          "MB/s");

  private final CommandLine options;
  private final Bench bench;

  private WriteBenchmark(CommandLine options, Bench bench) {
    this.options = options;
    this.bench = bench;
  }

  /** Runs it. */
  public static void main(String[] args) {
    Benchmark.runAndExit(
        args,
        Map.of("data-units", "4", "size-mb", "640", "block-mb", "32"),
        (options, bench) -> new WriteBenchmark(options, bench).run());
  }

  private static String setting(int k, int r) {
    return "(" + (k + r) + "," + k + ")";
  }

  private void run() throws Exception {
    int k = options.number("data-units");
    List<Case> cases = new ArrayList<>();
    for (int r = 1; r <= MAX_PARITY_UNITS; r++) {
      for (Coding coding : CODINGS) {
        cases.add(new Case(setting(k, r), coding.label));
      }
    }
    new Rounds(options, LAYOUT)
        .runJointly(
            cases,
            contender -> {
              Coding coding = Coding.labelled(contender);
              return Clusters.on(
                  bench,
                  coding,
                  k + MAX_PARITY_UNITS,
                  options.mebibytes("block-mb"),
                  (cluster, fs) -> measure(fs, coding, k));
            });
  }

  private Map<String, Map<String, Double>> measure(DistributedFileSystem fs, Coding coding, int k)
      throws Exception {
    long bytes = options.mebibytes("size-mb");
    StripedFiles.makeFolder(
        fs, WARM_UP, coding.codec, k, MAX_PARITY_UNITS, StripedFiles.CELL_BYTES);
    StripedFiles.first(1, WARM_UP, bytes, options.seed()).write(fs);
    Map<String, Map<String, Double>> figures = new LinkedHashMap<>();
    for (int r = 1; r <= MAX_PARITY_UNITS; r++) {
      Path folder = new Path("/r" + r);
      StripedFiles file = StripedFiles.first(1, folder, bytes, options.seed());
      StripedFiles.makeFolder(fs, folder, coding.codec, k, r, StripedFiles.CELL_BYTES);
      Wire before = Wire.read();
      long started = System.nanoTime();
      file.write(fs);
      double seconds = (System.nanoTime() - started) / 1e9;
      Wire wire = Wire.read().since(before);
      file.check(fs);
      Map<String, Double> own = new LinkedHashMap<>();
      own.put("seconds", seconds);
      own.put("MB/s", bytes / seconds / 1e6);
      own.put("net bytes/byte", Clusters.counted(wire.clientBytes()) / bytes);
      figures.put(setting(k, r), own);
    }
    return figures;
  }
}
