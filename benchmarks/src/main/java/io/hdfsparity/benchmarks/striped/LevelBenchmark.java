/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.striped;

import io.hdfsparity.benchmarks.macro.BadOption;
import io.hdfsparity.benchmarks.macro.Bench;
import io.hdfsparity.benchmarks.macro.Wire;
import io.hdfsparity.benchmarks.rounds.Benchmark;
import io.hdfsparity.benchmarks.rounds.Case;
import io.hdfsparity.benchmarks.rounds.CommandLine;
import io.hdfsparity.benchmarks.rounds.Layout;
import io.hdfsparity.benchmarks.rounds.Rounds;
import io.hdfsparity.izs.admin.IzsAdmin;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.ToolRunner;

/**
 * The level of a folder's files is changed in place by {@code hdfs izs -setLevel}, against copying
 * them by {@code hdfs dfs -cp} to a folder that has the wanted policy. All files are read and
 * compared afterwards.
 *
 * <pre>
 *   LevelBenchmark OUT_DIR [--data-units 4] [--codecs izs,rs] [--size-mb 512] [--block-mb 16] [--threads 4] [--rounds 3]
 *     [--resume no] [--seed 1] [--dir DIR] [--only CONTENDER,…]
 * </pre>
 */
public final class LevelBenchmark {
  private static final String IN_PLACE = "in place";
  private static final String ONE_COPY = "cp";
  private static final String COPIES = "cp threads";
  private static final Path FOLDER = new Path("/data");
  private static final Path COPY = new Path("/copy");
  private static final int MAX_PARITY_UNITS = 3;
  private static final List<Change> CHANGES =
      List.of(
          new Change(Coding.IZS, 2, 3),
          new Change(Coding.IZS, 3, 1),
          new Change(Coding.RS_ISAL, 2, 3),
          new Change(Coding.RS_ISAL, 3, 1));

  private static final Layout LAYOUT =
      new Layout(
          "izs-levels",
          "MFTS section 3.3",
          "Level change in place and by copies",
          ONE_COPY,
          List.of("seconds", "net bytes/data byte", "written bytes/data byte"),
          "seconds");

  private final CommandLine options;
  private final Bench bench;

  /**
   * A change.
   *
   * @param coding gives the codec; all clusters run the suite
   * @param from parity units before
   * @param to parity units after
   */
  private record Change(Coding coding, int from, int to) {
    String setting(int k) {
      return coding.codec + "-" + k + " level " + from + " to " + to;
    }
  }

  private LevelBenchmark(CommandLine options, Bench bench) {
    this.options = options;
    this.bench = bench;
  }

  /** Runs it. */
  public static void main(String[] args) {
    Benchmark.runAndExit(
        args,
        Map.of(
            "data-units", "4",
            "codecs", "izs,rs",
            "size-mb", "512",
            "block-mb", "16",
            "threads", "4"),
        (options, bench) -> new LevelBenchmark(options, bench).run());
  }

  private void run() throws Exception {
    int k = options.number("data-units");
    List<Case> cases = new ArrayList<>();
    Map<String, Change> changes = new LinkedHashMap<>();
    for (String codec : options.texts("codecs")) {
      if (CHANGES.stream().noneMatch(change -> change.coding().codec.equals(codec))) {
        throw new BadOption("codecs", codec, "izs, rs or both");
      }
    }
    for (Change change : CHANGES) {
      if (!options.texts("codecs").contains(change.coding().codec)) {
        continue;
      }
      changes.put(change.setting(k), change);
      for (String contender : List.of(IN_PLACE, ONE_COPY, COPIES)) {
        cases.add(new Case(change.setting(k), contender));
      }
    }
    new Rounds(options, LAYOUT)
        .run(cases, each -> measure(each.contender(), k, changes.get(each.setting())));
  }

  private Map<String, Double> measure(String contender, int k, Change change) throws Exception {
    long blockBytes = options.mebibytes("block-mb");
    int files = Math.toIntExact(Math.max(1, options.mebibytes("size-mb") / (k * blockBytes)));
    StripedFiles before = StripedFiles.first(files, FOLDER, k * blockBytes, options.seed());
    return Clusters.on(
        bench,
        Coding.IZS,
        k + MAX_PARITY_UNITS,
        blockBytes,
        (cluster, fs) -> {
          String codec = change.coding().codec;
          StripedFiles.makeFolder(fs, FOLDER, codec, k, change.from(), StripedFiles.CELL_BYTES);
          // The policy of the level that files get must be there and enabled for either way.
          StripedFiles.makeFolder(fs, COPY, codec, k, change.to(), StripedFiles.CELL_BYTES);
          before.write(fs);
          Placement data = new Placement(fs, FOLDER);
          Placement.await("all units", () -> data.missing() == 0);
          boolean isInPlace = contender.equals(IN_PLACE);
          Path result = isInPlace ? FOLDER : COPY;
          long units = (long) files * (k + change.to());
          long expectedBytes =
              blockBytes * (isInPlace ? units : units + (long) files * (k + change.from()));
          Map<String, Double> figures =
              timed(
                  cluster,
                  new Placement(fs, result),
                  expectedBytes,
                  (double) files * k * blockBytes,
                  () -> change(cluster, contender, change.to()));
          requireLevel(fs, result, change.to());
          StripedFiles.first(files, result, before.fileBytes(), options.seed()).check(fs);
          return figures;
        });
  }

  private static Map<String, Double> timed(
      LocalCluster cluster,
      Placement placement,
      long expectedBytes,
      double dataBytes,
      Bench.Body change)
      throws Exception {
    UnitFiles unitsBefore = UnitFiles.read(cluster);
    Wire before = Wire.read();
    long started = System.nanoTime();
    change.run();
    long commandEnded = System.nanoTime();
    Placement.await("all units", () -> placement.missing() == 0);
    long ended =
        Placement.await(
            "as many bytes as the level has",
            () -> UnitFiles.read(cluster).bytes() == expectedBytes);
    Wire wire = Wire.read().since(before);
    UnitFiles unitsAfter = UnitFiles.read(cluster);
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("seconds", (ended - started) / 1e9);
    figures.put("command seconds", (commandEnded - started) / 1e9);
    figures.put(
        "net bytes/data byte",
        Clusters.counted(wire.betweenNodesBytes() + wire.clientBytes()) / dataBytes);
    figures.put("written bytes/data byte", unitsAfter.writtenSince(unitsBefore) / dataBytes);
    figures.put("stored bytes before", (double) unitsBefore.bytes());
    figures.put("stored bytes after", (double) unitsAfter.bytes());
    return figures;
  }

  private void change(LocalCluster cluster, String contender, int level) throws Exception {
    int exit =
        switch (contender) {
          case IN_PLACE ->
              new IzsAdmin(cluster.conf(), System.out, System.err)
                  .run(
                      new String[] {"-setLevel", Integer.toString(level), FOLDER.toString(), "-R"});
          case ONE_COPY -> copy(cluster, 1);
          default -> copy(cluster, options.number("threads"));
        };
    if (exit != 0) {
      throw new IOException("Cannot measure: " + contender + " exit=" + exit + ", expected 0");
    }
  }

  private static int copy(LocalCluster cluster, int threads) throws Exception {
    return ToolRunner.run(
        new FsShell(cluster.conf()),
        new String[] {"-cp", "-t", Integer.toString(threads), FOLDER + "/*", COPY.toString()});
  }

  private static void requireLevel(DistributedFileSystem fs, Path folder, int level)
      throws IOException {
    for (var file : fs.listStatus(folder)) {
      int parityUnits = fs.getErasureCodingPolicy(file.getPath()).getNumParityUnits();
      if (parityUnits != level) {
        throw new IOException(
            "Cannot measure: level="
                + parityUnits
                + ", expected "
                + level
                + ", file="
                + file.getPath());
      }
    }
  }
}
