/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.striped;

import io.hdfsparity.benchmarks.macro.Bench;
import io.hdfsparity.benchmarks.macro.Wire;
import io.hdfsparity.benchmarks.rounds.Case;
import io.hdfsparity.benchmarks.rounds.CommandLine;
import io.hdfsparity.benchmarks.rounds.Layout;
import io.hdfsparity.benchmarks.rounds.Rounds;
import io.hdfsparity.localcluster.Daemon;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.localcluster.RepairCounters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * A node dies, and its units of files under IZS-k-2 or RS-k-2 are rebuilt, with nothing else going
 * on (offline) or while clients read by a trace (online): MFTS paper, Tables 8 and 9, Figs. 9 and
 * 10. All files are read and compared afterwards.
 *
 * <pre>
 *   RepairBenchmark OUT_DIR [--data-units 4,6] [--loads offline,online] [--size-mb 256] [--block-mb 16]
 *     [--readers 2] [--rounds 3] [--resume no] [--seed 1] [--dir DIR] [--only CONTENDER,…]
 * </pre>
 */
public final class RepairBenchmark {
  private static final int PARITY_UNITS = 2;
  private static final Path FOLDER = new Path("/data");
  private static final String ONLINE = "online";
  private static final String NETWORK = "net bytes/lost byte";
  private static final Layout LAYOUT =
      new Layout(
          "izs-repair",
          "MFTS Tables 8 and 9",
          "A node's units rebuilt",
          Coding.RS_ISAL.label,
          List.of("seconds", "rebuilt MB/s", NETWORK, "read mean ms"),
          "seconds");

  private final CommandLine options;
  private final Bench bench;

  private RepairBenchmark(CommandLine options, Bench bench) {
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
                      "data-units", "4,6",
                      "loads", "offline,online",
                      "size-mb", "256",
                      "block-mb", "16",
                      "readers", "2"));
          try (Bench bench = Bench.open(options.dir())) {
            new RepairBenchmark(options, bench).run();
          }
        });
  }

  private void run() throws Exception {
    List<Case> cases = new ArrayList<>();
    Map<String, Integer> dataUnits = new LinkedHashMap<>();
    for (int k : options.numbers("data-units")) {
      for (String load : options.texts("loads")) {
        if (!load.equals("offline") && !load.equals(ONLINE)) {
          throw new IllegalArgumentException(
              "Cannot run: loads=" + load + ", expected offline or online");
        }
        String setting = "(" + (k + PARITY_UNITS) + "," + k + ") " + load;
        dataUnits.put(setting, k);
        for (Coding coding : Coding.values()) {
          cases.add(new Case(setting, coding.label));
        }
      }
    }
    new Rounds(options, LAYOUT).run(cases, each -> measure(each, dataUnits.get(each.setting())));
  }

  private Map<String, Double> measure(Case what, int k) throws Exception {
    Coding coding = Coding.labelled(what.contender());
    long blockBytes = options.mebibytes("block-mb");
    // One node dies, and each group finds exactly one that has none of its units.
    int nodes = k + PARITY_UNITS + 1;
    int groups =
        Math.toIntExact(options.mebibytes("size-mb") * nodes / ((k + PARITY_UNITS) * blockBytes));
    StripedFiles files =
        new StripedFiles(FOLDER, k * blockBytes, Math.max(1, groups), options.seed());
    return Clusters.on(
        bench,
        coding,
        nodes,
        blockBytes,
        (cluster, fs) -> {
          StripedFiles.makeFolder(
              fs, FOLDER, coding.codec, k, PARITY_UNITS, StripedFiles.CELL_BYTES);
          files.write(fs);
          Map<String, Double> figures =
              what.setting().endsWith(ONLINE)
                  ? online(cluster, fs, files, blockBytes)
                  : rebuild(cluster, fs, blockBytes, () -> {});
          files.check(fs);
          return figures;
        });
  }

  private Map<String, Double> online(
      LocalCluster cluster, DistributedFileSystem fs, StripedFiles files, long blockBytes)
      throws Exception {
    int count = options.number("readers");
    try (FileSystem client = Clusters.remoteClient(cluster);
        Readers readers = new Readers(client, files, count)) {
      Map<String, Double> figures =
          rebuild(
              cluster,
              fs,
              blockBytes,
              () -> readers.start(count, Integer.MAX_VALUE, options.seed()));
      List<Double> tookMs = readers.end();
      figures.put("reads", (double) tookMs.size());
      figures.put("read mean ms", Readers.mean(tookMs));
      figures.put("read p99 ms", Readers.quantile(tookMs, 0.99));
      return figures;
    }
  }

  /**
   * Kills a node and waits until all is there again.
   *
   * @param onLoss what is begun once the NameNode knows: until then nothing is rebuilt
   */
  private static Map<String, Double> rebuild(
      LocalCluster cluster, DistributedFileSystem fs, long blockBytes, Runnable onLoss)
      throws Exception {
    Placement placement = new Placement(fs, FOLDER);
    Placement.await("all units", () -> placement.missing() == 0);
    int node = averageNode(cluster, placement);
    Placement.Units lost = placement.on(address(node));
    Wire before = Wire.read();
    cluster.kill("dn" + node);
    long started = Placement.await("the loss noticed", () -> placement.missing() > 0);
    onLoss.run();
    double seconds = (Placement.await("all units", () -> placement.missing() == 0) - started) / 1e9;
    Wire wire = Wire.read().since(before);
    RepairCounters repairs = cluster.repairCounters();
    double lostBytes = (double) lost.all() * blockBytes;
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("seconds", seconds);
    figures.put("rebuilt MB/s", lostBytes / seconds / 1e6);
    figures.put(NETWORK, Clusters.counted(wire.betweenNodesBytes()) / lostBytes);
    figures.put("net bytes", Clusters.counted(wire.betweenNodesBytes()));
    figures.put("lost bytes", lostBytes);
    figures.put("lost data units", (double) lost.dataUnits());
    figures.put("lost parity units", (double) lost.parityUnits());
    figures.put("izs bytes read", (double) repairs.bytesRead());
    figures.put("izs half reads", (double) repairs.halfReads());
    figures.put("izs full reads", (double) repairs.fullReads() + repairs.mixed());
    return figures;
  }

  private static String address(int node) {
    return Daemon.nodeHost(node);
  }

  /**
   * The node whose units are parity in about the share that parity has of all: a lost parity unit
   * takes IZS as many reads as RS, so contenders should have lost as many.
   */
  private static int averageNode(LocalCluster cluster, Placement placement) throws IOException {
    int nodes = cluster.spec().nodes();
    double expected = (double) PARITY_UNITS / (nodes - 1);
    int best = 0;
    double least = Double.MAX_VALUE;
    for (int node = 0; node < nodes; node++) {
      Placement.Units units = placement.on(address(node));
      double distance = Math.abs((double) units.parityUnits() / units.all() - expected);
      if (distance < least) {
        best = node;
        least = distance;
      }
    }
    return best;
  }
}
