/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ajx;

import io.hdfsparity.benchmarks.macro.Bench;
import io.hdfsparity.benchmarks.rounds.Benchmark;
import io.hdfsparity.benchmarks.rounds.Case;
import io.hdfsparity.benchmarks.rounds.CommandLine;
import io.hdfsparity.benchmarks.rounds.Layout;
import io.hdfsparity.benchmarks.rounds.Rounds;
import io.hdfsparity.benchmarks.striped.StripedFiles;
import io.hdfsparity.localcluster.ClusterMode;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Reads and writes of small blocks by number of clients, of requests at a time, and of parity
 * units; what one takes when nothing else is there; and what nodes keep of the protocol.
 *
 * <pre>
 *   AjxBenchmark OUT_DIR [--outstanding 1,4,16,64] [--clients 1,2,4,8] [--parity-units 1,2,3]
 *     [--block-bytes 4096] [--cell-kib 64] [--size-mb 12] [--seconds 3] [--warm-up 60] [--scheme PLR]
 *     [--rounds 3] [--resume no] [--seed 1] [--dir DIR] [--only write|read]
 * </pre>
 */
public final class AjxBenchmark {
  static final int DATA_UNITS = 3;
  static final int USUAL_PARITY_UNITS = 2;
  static final int USUAL_CLIENTS = 2;
  static final int USUAL_OUTSTANDING = 16;
  private static final String WRITE = "write";
  private static final String READ = "read";
  private static final String ALONE = "alone: 1 client x 1";
  private static final String STATE = "protocol state";
  private static final double SETTLE_SECONDS = 1;

  private static final Layout LAYOUT =
      new Layout(
          "ecupdate-ajx",
          "AJX paper, Fig. 9a to 9c, sections 6.3 and 6.5",
          "Reads and writes of blocks by AJX",
          READ,
          List.of("ops/s", "p50 ms", "p99 ms", "CPU us/op"),
          "ops/s");

  private final CommandLine options;
  private final Bench bench;

  /** What is measured. */
  private record Load(String setting, int clients, int outstanding, int parityUnits) {}

  private AjxBenchmark(CommandLine options, Bench bench) {
    this.options = options;
    this.bench = bench;
  }

  /** Runs it. */
  public static void main(String[] args) {
    Benchmark.runAndExit(
        args, defaults(), (options, bench) -> new AjxBenchmark(options, bench).run());
  }

  private static Map<String, String> defaults() {
    return Map.of(
        "outstanding", "1,4,16,64",
        "clients", "1,2,4,8",
        "parity-units", "1,2,3",
        "block-bytes", "4096",
        "cell-kib", "64",
        "size-mb", "12",
        "seconds", "3",
        "warm-up", "60",
        "scheme", "PLR");
  }

  private List<Load> loads() {
    List<Load> loads = new ArrayList<>();
    loads.add(new Load(ALONE, 1, 1, USUAL_PARITY_UNITS));
    for (int outstanding : options.numbers("outstanding")) {
      loads.add(
          new Load(
              String.format(Locale.ROOT, "9a: %d clients x %d", USUAL_CLIENTS, outstanding),
              USUAL_CLIENTS,
              outstanding,
              USUAL_PARITY_UNITS));
    }
    for (int clients : options.numbers("clients")) {
      loads.add(
          new Load(
              String.format(Locale.ROOT, "9b: %d clients x %d", clients, USUAL_OUTSTANDING),
              clients,
              USUAL_OUTSTANDING,
              USUAL_PARITY_UNITS));
    }
    for (int parityUnits : options.numbers("parity-units")) {
      loads.add(
          new Load(
              String.format(Locale.ROOT, "9c: %d-of-%d", DATA_UNITS, DATA_UNITS + parityUnits),
              USUAL_CLIENTS,
              USUAL_OUTSTANDING,
              parityUnits));
    }
    return loads;
  }

  private void run() throws Exception {
    List<Case> cases = new ArrayList<>();
    for (Load load : loads()) {
      cases.add(new Case(load.setting(), READ));
      cases.add(new Case(load.setting(), WRITE));
    }
    cases.add(new Case(STATE, WRITE));
    new Rounds(options, LAYOUT).runJointly(cases, this::measure);
  }

  private int maxParityUnits() {
    return options.numbers("parity-units").stream().reduce(USUAL_PARITY_UNITS, Math::max);
  }

  private Map<String, Map<String, Double>> measure(String contender) throws Exception {
    return bench.onCluster(
        builder ->
            builder
                .mode(ClusterMode.EC_UPDATE)
                .nodes(DATA_UNITS + maxParityUnits())
                .racks(1)
                .disksPerNode(1)
                .blockBytes(64 << 20)
                .conf("dfs.parity.ecupdate.scheme.default", options.text("scheme")),
        cluster -> {
          Configuration conf = cluster.conf();
          // What one parity unit can survive, for all alike.
          conf.set("dfs.parity.ecupdate.survive", "0c1s");
          try (FileSystem fs = FileSystem.newInstance(conf)) {
            return measure(cluster, (DistributedFileSystem) fs, contender);
          }
        });
  }

  private Map<String, Map<String, Double>> measure(
      LocalCluster cluster, DistributedFileSystem fs, String contender) throws Exception {
    AjxClients.Operation operation =
        contender.equals(WRITE) ? AjxClients.Operation.WRITE : AjxClients.Operation.READ;
    Map<Integer, StripedFiles> files = write(fs);
    try (AjxClients warmUp = clients(fs, files, new Load("", 2, 16, USUAL_PARITY_UNITS))) {
      warmUp.run(operation, options.number("warm-up"));
    }
    double forceMs =
        ForceProbe.medianMs(Bench.jobDir(cluster).getParent(), options.number("block-bytes"));
    Map<String, Map<String, Double>> figures = new LinkedHashMap<>();
    List<Load> order = new ArrayList<>(loads());
    // Nodes become faster as they compile: no load is to be the last of every round.
    Collections.shuffle(order);
    for (Load load : order) {
      try (AjxClients clients = clients(fs, files, load)) {
        clients.run(operation, SETTLE_SECONDS);
        ProcessorTime before = ProcessorTime.read(cluster);
        List<AjxClients.Done> done = clients.run(operation, options.number("seconds"));
        Map<String, Double> own =
            new LinkedHashMap<>(figures(done, ProcessorTime.read(cluster).since(before)));
        own.put("force ms", forceMs);
        figures.put(load.setting(), own);
      }
    }
    if (operation == AjxClients.Operation.WRITE) {
      try (AjxClients all = clients(fs, files, new Load("", 2, 16, USUAL_PARITY_UNITS))) {
        all.requireParity();
      }
      figures.put(STATE, state(cluster));
    }
    return figures;
  }

  private Map<Integer, StripedFiles> write(DistributedFileSystem fs) throws IOException {
    Map<Integer, StripedFiles> byParity = new LinkedHashMap<>();
    for (Load load : loads()) {
      StripedFiles before = byParity.get(load.parityUnits());
      if (before == null || before.count() < load.clients()) {
        byParity.put(
            load.parityUnits(),
            StripedFiles.first(
                load.clients(),
                new Path("/p" + load.parityUnits()),
                options.mebibytes("size-mb"),
                options.seed()));
      }
    }
    for (Map.Entry<Integer, StripedFiles> each : byParity.entrySet()) {
      StripedFiles.makeFolder(
          fs,
          each.getValue().folder(),
          "rs",
          DATA_UNITS,
          each.getKey(),
          options.number("cell-kib") << 10);
      each.getValue().write(fs);
    }
    return byParity;
  }

  private AjxClients clients(FileSystem fs, Map<Integer, StripedFiles> files, Load load)
      throws IOException {
    StripedFiles all = files.get(load.parityUnits());
    List<Path> paths = new ArrayList<>();
    for (int client = 0; client < load.clients(); client++) {
      paths.add(all.path(client));
    }
    return new AjxClients(
        fs, paths, options.number("block-bytes"), load.outstanding(), options.seed());
  }

  private Map<String, Double> figures(List<AjxClients.Done> done, ProcessorTime time) {
    long[] took = done.stream().mapToLong(AjxClients.Done::tookNanos).sorted().toArray();
    double seconds = done.stream().mapToLong(AjxClients.Done::endNanos).max().orElse(1) / 1e9;
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("ops/s", took.length / seconds);
    figures.put("MB/s", took.length / seconds * options.number("block-bytes") / 1e6);
    figures.put("p50 ms", took[took.length / 2] / 1e6);
    figures.put("p99 ms", took[(int) (took.length * 0.99)] / 1e6);
    figures.put("CPU us/op", (time.nodes() + time.client()) * 1e6 / took.length);
    figures.put("nodes CPU us/op", time.nodes() * 1e6 / took.length);
    figures.put("client CPU us/op", time.client() * 1e6 / took.length);
    return figures;
  }

  /** On disk after the clients have left, and in memory. */
  private static Map<String, Double> state(LocalCluster cluster) throws IOException {
    StateFiles files = StateFiles.below(cluster.dir().resolve("data"));
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("state files", (double) files.files());
    figures.put("bytes in state files", (double) files.bytes());
    figures.put("cells in state files", (double) files.slots());
    figures.put("bytes on disk/cell", files.bytesPerSlot());
    figures.put("bytes in memory/cell", SlotMemory.bytesPerSlot());
    return figures;
  }
}
