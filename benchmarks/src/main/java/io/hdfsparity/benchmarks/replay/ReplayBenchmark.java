/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.replay;

import io.hdfsparity.benchmarks.macro.Bench;
import io.hdfsparity.benchmarks.macro.DiskRoom;
import io.hdfsparity.benchmarks.rounds.Benchmark;
import io.hdfsparity.benchmarks.rounds.Case;
import io.hdfsparity.benchmarks.rounds.CommandLine;
import io.hdfsparity.benchmarks.rounds.Layout;
import io.hdfsparity.benchmarks.rounds.Rounds;
import io.hdfsparity.benchmarks.rounds.TraceFile;
import io.hdfsparity.benchmarks.striped.Placement;
import io.hdfsparity.benchmarks.striped.StripedFiles;
import io.hdfsparity.ecupdate.storage.UpdateScheme;
import io.hdfsparity.localcluster.ClusterMode;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.localcluster.LocalClusterBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Traces are replayed on files that are updated in place, in each of the four schemes, as fast as
 * it goes; then two nodes die and HDFS rebuilds what they held.
 *
 * <pre>
 *   ReplayBenchmark OUT_DIR [--msr FILE,…] [--volumes src22,usr0,proj0] [--writes 1500] [--clients 2]
 *     [--outstanding 16] [--cell-kib 64] [--block-mb 16] [--recover yes] [--warm-up 15] [--rounds 3] [--resume no]
 *     [--seed 1] [--dir DIR] [--only SCHEME,…]
 * </pre>
 */
public final class ReplayBenchmark {
  static final String RECOVERY = "recovery after all";
  private static final Path FOLDER = new Path("/replay");
  private static final Path WARM_UP = new Path("/warm-up");
  private static final String WARM_UP_VOLUME = "usr0";
  private static final int DATA_UNITS = 3;
  private static final int PARITY_UNITS = 2;
  private static final int KILLED = 2;
  private static final int MAX_CLIENTS = 100;
  private static final long SNAPSHOT_AGE_SECONDS = 2;

  private static final Layout LAYOUT =
      new Layout(
          "ecupdate-replay",
          "PLR paper, Figs. 7 and 8",
          "Traces replayed, then two nodes lost",
          "FO",
          List.of("writes/s", "p50 ms", "reserved KB/parity replica", "rebuilt MB/s"),
          "writes/s");

  private final CommandLine options;
  private final Bench bench;
  private final List<DenseTrace> traces = new ArrayList<>();

  private ReplayBenchmark(CommandLine options, Bench bench) throws IOException {
    this.options = options;
    this.bench = bench;
    int writes = options.number("writes");
    TraceFile.requireDistinct(settings(options));
    for (String file : options.texts("msr")) {
      traces.add(DenseTrace.read(java.nio.file.Path.of(file), writes));
    }
    for (String volume : options.texts("volumes")) {
      traces.add(DenseTrace.generated(volume, writes, options.seed()));
    }
  }

  /** What figures are called in results. */
  static List<String> settings(CommandLine options) {
    List<String> settings = new ArrayList<>();
    options.traces().forEach(file -> settings.add(file.label()));
    settings.addAll(options.texts("volumes"));
    settings.add(RECOVERY);
    return settings;
  }

  /** Runs it. */
  public static void main(String[] args) {
    Benchmark.runAndExit(
        args, defaults(), (options, bench) -> new ReplayBenchmark(options, bench).run());
  }

  static Map<String, String> defaults() {
    return Map.of(
        "msr", "",
        "volumes", "src22,usr0,proj0",
        "writes", "1500",
        "clients", "2",
        "outstanding", "16",
        "cell-kib", "64",
        "block-mb", "16",
        "recover", "yes",
        "warm-up", "15");
  }

  private boolean recovers() {
    return options.text("recover").equals("yes");
  }

  private void run() throws Exception {
    DiskRoom.require(
        options.dir(), neededBytes(), "fewer --writes or --clients, or traces of smaller volumes");
    List<Case> cases = new ArrayList<>();
    for (DenseTrace trace : traces) {
      UpdateScheme.NAMES.forEach(scheme -> cases.add(new Case(trace.name(), scheme)));
    }
    if (recovers()) {
      UpdateScheme.NAMES.forEach(scheme -> cases.add(new Case(RECOVERY, scheme)));
    }
    new Rounds(options, LAYOUT).runJointly(cases, this::measure);
  }

  /** Of all files at a time, and what the nodes that are killed have held. */
  private long neededBytes() {
    long bytes = warmUpTrace().volumeBytes() * options.number("clients");
    for (DenseTrace trace : traces) {
      bytes += trace.volumeBytes() * options.number("clients");
    }
    long units = DiskRoom.stripedBytes(bytes, DATA_UNITS, PARITY_UNITS);
    return recovers() ? units + units * KILLED / (DATA_UNITS + PARITY_UNITS) : units;
  }

  private DenseTrace warmUpTrace() {
    return DenseTrace.generated(WARM_UP_VOLUME, options.number("writes"), options.seed() + 1);
  }

  private void describe(LocalClusterBuilder builder, String scheme) {
    builder
        .mode(ClusterMode.EC_UPDATE)
        .nodes(DATA_UNITS + PARITY_UNITS + (recovers() ? KILLED : 0))
        .racks(1)
        .disksPerNode(1)
        .blockBytes(options.mebibytes("block-mb"))
        .conf("dfs.parity.ecupdate.scheme.default", scheme)
        // Replicas are quiescent one and a half times as long after their session.
        .conf("dfs.parity.ecupdate.storage.snapshot.max.age", SNAPSHOT_AGE_SECONDS + "s")
        .conf("dfs.namenode.heartbeat.recheck-interval", "1000")
        .conf("dfs.namenode.replication.max-streams", "64")
        .conf("dfs.namenode.replication.max-streams-hard-limit", "128")
        .conf("dfs.namenode.replication.work.multiplier.per.iteration", "100");
  }

  private Map<String, Map<String, Double>> measure(String scheme) throws Exception {
    return bench.onCluster(
        builder -> describe(builder, scheme),
        cluster -> {
          try (FileSystem fs = cluster.newFileSystem()) {
            return measure(cluster, (DistributedFileSystem) fs);
          }
        });
  }

  private Map<String, Map<String, Double>> measure(LocalCluster cluster, DistributedFileSystem fs)
      throws Exception {
    for (Path folder : List.of(FOLDER, WARM_UP)) {
      StripedFiles.makeFolder(
          fs, folder, "rs", DATA_UNITS, PARITY_UNITS, options.number("cell-kib") << 10);
    }
    warmUp(fs);
    Map<String, Map<String, Double>> figures = new LinkedHashMap<>();
    for (DenseTrace trace : traces) {
      List<Path> paths = write(fs, FOLDER, trace, MAX_CLIENTS * figures.size());
      try (ReplayClients clients =
          new ReplayClients(fs, paths, options.number("outstanding"), options.seed())) {
        Map<String, Double> own = new LinkedHashMap<>(clients.run(trace));
        clients.requireParity();
        FolderState state = FolderState.read(cluster.conf(), FOLDER.toString(), DATA_UNITS);
        own.putAll(state.figures());
        figures.put(trace.name(), own);
      }
    }
    if (recovers()) {
      figures.put(RECOVERY, new Recovery(cluster, fs, FOLDER, KILLED).run(restSeconds()));
    }
    return figures;
  }

  /** Until HDFS may decode what was updated; the cluster waits for 3 s of quiet. */
  private static long restSeconds() {
    return SNAPSHOT_AGE_SECONDS * 3 / 2 + 3 + 2;
  }

  private void warmUp(DistributedFileSystem fs) throws Exception {
    DenseTrace trace = warmUpTrace();
    List<Path> paths = write(fs, WARM_UP, trace, 0);
    try (ReplayClients clients =
        new ReplayClients(fs, paths, options.number("outstanding"), options.seed() + 1)) {
      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(options.number("warm-up"));
      do {
        clients.run(trace);
      } while (System.nanoTime() < until);
    }
  }

  /** A file for each client, as large as the trace's volume. */
  private List<Path> write(DistributedFileSystem fs, Path folder, DenseTrace trace, int firstNumber)
      throws Exception {
    List<Integer> numbers =
        IntStream.range(firstNumber, firstNumber + options.number("clients")).boxed().toList();
    StripedFiles files = new StripedFiles(folder, trace.volumeBytes(), numbers, options.seed());
    files.write(fs);
    Placement placement = new Placement(fs, folder);
    Placement.await("all units", () -> placement.missing() == 0);
    return numbers.stream().map(files::path).toList();
  }
}
