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
import io.hdfsparity.localcluster.LocalCluster;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A node dies, and its units of files under IZS-k-2 or RS-k-2 are rebuilt, with nothing else going
 * on (offline) or while clients read from end to end and by a trace (online): MFTS paper, Tables 8
 * and 9, Figs. 9 and 10. Rebuilt units are compared with those of the dead node, parity too, and
 * all files are read and compared.
 *
 * <pre>
 *   RepairBenchmark OUT_DIR [--data-units 4,6] [--loads offline,online] [--lost data] [--rebuild-on spare] [--size-mb 256]
 *     [--block-mb 16] [--readers 4] [--iops 100] [--reader-mb-s 20] [--rounds 3] [--minutes N] [--resume no]
 *     [--seed 1] [--dir DIR] [--only CONTENDER,…]
 * </pre>
 */
public final class RepairBenchmark {
  private static final int PARITY_UNITS = 2;
  private static final Path FOLDER = new Path("/data");
  private static final String ONLINE = "online";

  /** The node that dies has data units only, as the paper's; otherwise as many of parity, too. */
  private static final String DATA = "data";

  /** One node that has been empty rebuilds all, as in the paper. */
  private static final String SPARE = "spare";

  /** All nodes that are left rebuild, each what it has no unit of. */
  private static final String ALL = "all";

  /** What nodes are compared by: which of them dies, and so how much it held, is by chance. */
  private static final String SPEED = "rebuilt MB/s";

  private static final String NETWORK = "net bytes/lost byte";
  private static final Layout LAYOUT =
      new Layout(
          "izs-repair",
          "MFTS Tables 8 and 9",
          "A node's units rebuilt",
          Coding.RS_ISAL.label,
          List.of("seconds", SPEED, "2nd half seconds", NETWORK, "read mean ms"),
          SPEED);

  private final CommandLine options;
  private final Bench bench;

  private RepairBenchmark(CommandLine options, Bench bench) {
    this.options = options;
    this.bench = bench;
  }

  /** Runs it. */
  public static void main(String[] args) {
    Benchmark.runAndExit(
        args,
        Map.of(
            "data-units", "4,6",
            "loads", "offline,online",
            "lost", DATA,
            "rebuild-on", SPARE,
            "size-mb", "256",
            "block-mb", "16",
            "readers", "4",
            "iops", "100",
            "reader-mb-s", "20"),
        (options, bench) -> new RepairBenchmark(options, bench).run());
  }

  /**
   * A setting.
   *
   * @param load {@code offline} or {@code online}
   * @param lost {@code data} or {@code mixed}
   */
  private record Setting(int dataUnits, String load, String lost) {
    String label() {
      return "(" + (dataUnits + PARITY_UNITS) + "," + dataUnits + ") " + load + ", " + lost;
    }
  }

  private void run() throws Exception {
    if (!List.of(SPARE, ALL).contains(options.text("rebuild-on"))) {
      throw new BadOption("rebuild-on", options.text("rebuild-on"), "spare or all");
    }
    List<Case> cases = new ArrayList<>();
    requireSome("loads", List.of("offline", ONLINE));
    requireSome("lost", List.of(DATA, "mixed"));
    Map<String, Setting> settings = new LinkedHashMap<>();
    for (int k : options.numbers("data-units")) {
      for (String load : options.texts("loads")) {
        for (String lost : options.texts("lost")) {
          Setting setting = new Setting(k, load, lost);
          settings.put(setting.label(), setting);
          for (Coding coding : Coding.values()) {
            cases.add(new Case(setting.label(), coding.label));
          }
        }
      }
    }
    new Rounds(options, LAYOUT)
        .run(
            cases,
            each -> measure(Coding.labelled(each.contender()), settings.get(each.setting())));
  }

  private void requireSome(String option, List<String> known) {
    if (!known.containsAll(options.texts(option))) {
      throw new BadOption(option, options.text(option), "some of " + known);
    }
  }

  private Map<String, Double> measure(Coding coding, Setting setting) throws Exception {
    int k = setting.dataUnits();
    long blockBytes = options.mebibytes("block-mb");
    boolean hasSpare = options.text("rebuild-on").equals(SPARE);
    // Without a spare, each group finds exactly one node that has none of its units.
    int nodes = k + PARITY_UNITS + (hasSpare ? 0 : 1);
    // So many that about as many units of the node's are left where those of parity are not wanted.
    int ofGroup = setting.lost().equals(DATA) ? k : k + PARITY_UNITS;
    int groups = Math.toIntExact(options.mebibytes("size-mb") * nodes / (ofGroup * blockBytes));
    StripedFiles written =
        StripedFiles.first(Math.max(1, groups), FOLDER, k * blockBytes, options.seed());
    return Clusters.on(
        bench,
        coding,
        nodes,
        blockBytes,
        (cluster, fs) -> {
          StripedFiles.makeFolder(
              fs, FOLDER, coding.codec, k, PARITY_UNITS, StripedFiles.CELL_BYTES);
          written.write(fs);
          NodeLoss loss = new NodeLoss(cluster, fs, new Placement(fs, FOLDER), blockBytes);
          StripedFiles files = written;
          if (setting.lost().equals(DATA)) {
            files = written.only(loss.keepDataUnits(written, k));
          }
          if (hasSpare) {
            cluster.addDataNode();
          }
          Map<String, Double> figures =
              setting.load().equals(ONLINE) ? online(cluster, loss, files) : loss.rebuild(() -> {});
          loss.requireRebuilt();
          files.check(fs);
          return figures;
        });
  }

  private Map<String, Double> online(LocalCluster cluster, NodeLoss loss, StripedFiles files)
      throws Exception {
    int count = options.number("readers");
    Pace pace = Pace.perSecond((double) options.number("iops") / count);
    try (FileSystem client = Clusters.remoteClient(cluster);
        Readers readers = new Readers(client, files, count, request -> false);
        Scanner scanner = new Scanner(client, files, options.mebibytes("reader-mb-s"))) {
      Map<String, Double> figures =
          loss.rebuild(
              () -> {
                scanner.start();
                readers.start(count, Integer.MAX_VALUE, pace, options.seed());
              });
      List<Double> tookMs = readers.end().all();
      figures.put("reads", (double) tookMs.size());
      figures.put("read mean ms", Readers.mean(tookMs));
      figures.put("read p99 ms", Readers.quantile(tookMs, 0.99));
      figures.put("reader MB/s", scanner.end());
      return figures;
    }
  }
}
