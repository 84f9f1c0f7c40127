/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.caso;

import io.hdfsparity.benchmarks.macro.Bench;
import io.hdfsparity.benchmarks.macro.DiskRoom;
import io.hdfsparity.benchmarks.rounds.Case;
import io.hdfsparity.benchmarks.rounds.CommandLine;
import io.hdfsparity.benchmarks.rounds.Layout;
import io.hdfsparity.benchmarks.rounds.Rounds;
import io.hdfsparity.benchmarks.striped.Placement;
import io.hdfsparity.benchmarks.striped.StripedFiles;
import io.hdfsparity.caso.correlation.TimeWindows;
import io.hdfsparity.caso.layout.FileOrder;
import io.hdfsparity.caso.layout.StoredOrder;
import io.hdfsparity.caso.organize.Organization;
import io.hdfsparity.caso.replay.TraceSplit;
import io.hdfsparity.core.trace.Access;
import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import io.hdfsparity.localcluster.ClusterMode;
import io.hdfsparity.localcluster.LocalClusterBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Experiment 3: the second half of a trace is written to a file by hdfs-ec-update, a window at a
 * time, as fast as it goes, in the order of addresses and in the default's order. Positions are
 * mapped here, as an updater of a file in stored order does; so both files are alike but for that.
 */
final class SpeedRun {
  private static final Layout LAYOUT =
      new Layout(
          "caso-experiments-speed",
          "CASO paper, Fig. 10",
          "Windows of writes a second, by hdfs-ec-update",
          Organizer.BSO,
          List.of("windows/s", "writes/s", "ms a window", "stripe writes"),
          "windows/s");

  private static final int BLOCK_BYTES = 8 << 20;
  private static final long CACHE_BYTES = 16L << 20;
  private static final int RATIO_PERCENT = 50;

  private final CommandLine options;
  private final List<CodeShape> codes;

  SpeedRun(CommandLine options, List<CodeShape> codes) {
    this.options = options;
    this.codes = codes;
  }

  /** A trace on a dense file, and both orders of it. */
  private record Setting(
      String name, CodeShape code, TimeWindows windows, long cells, StoredOrder order) {}

  void run() throws Exception {
    List<CasoTrace> traces = new ArrayList<>();
    for (String file : options.texts("msr")) {
      traces.add(CasoTrace.read(java.nio.file.Path.of(file), options.number("most-requests")));
    }
    for (String volume : options.texts("speed-volumes")) {
      // Half of them are analysed.
      traces.add(CasoTrace.generated(volume, 2L * options.number("speed-writes"), options.seed()));
    }
    DiskRoom.require(
        options.dir(),
        neededBytes(traces),
        "fewer --most-requests or --codes, or traces of smaller volumes");
    List<Case> cases = new ArrayList<>();
    for (CasoTrace trace : traces) {
      for (CodeShape code : codes) {
        for (String contender : List.of(Organizer.BSO, Organizer.DEFAULT)) {
          cases.add(new Case(name(trace, code), contender));
        }
      }
    }
    try (Bench bench = Bench.open(options.dir())) {
      new Rounds(options, LAYOUT).runJointly(cases, contender -> measure(bench, traces, contender));
    }
  }

  /** Of the files of all traces under all codes, which one cluster has. */
  private long neededBytes(List<CasoTrace> traces) {
    long bytes = 0;
    for (CasoTrace trace : traces) {
      long fileBytes = new DenseCells(trace).cellCount() * CasoTrace.CELL_BYTES;
      for (CodeShape code : codes) {
        bytes += DiskRoom.stripedBytes(fileBytes, code.dataCells(), code.parityCells());
      }
    }
    return bytes;
  }

  private static String name(CasoTrace trace, CodeShape code) {
    return trace.label() + " " + code;
  }

  private Setting setting(CasoTrace trace, CodeShape code, String contender) throws IOException {
    DenseCells dense = new DenseCells(trace);
    TraceSplit split =
        TraceSplit.of(
            dense.moved(trace.writes(), Access.WRITE),
            dense.moved(trace.reads(), Access.READ),
            Organizer.DISTANCE_TICKS,
            RATIO_PERCENT / 100.0);
    Organization organization =
        new Organizer(options.seed())
            .organize(split, code.dataCells())
            .organizations()
            .get(contender);
    if (organization == null) {
      throw new IllegalArgumentException("Cannot run: contender=" + contender);
    }
    long bytes = dense.cellCount() * CasoTrace.CELL_BYTES;
    TimeWindows all = split.replayed();
    int count = 0;
    while (count < all.count()
        && all.slice(0, count).requestCount() < options.number("speed-writes")) {
      count++;
    }
    return new Setting(
        name(trace, code),
        code,
        all.slice(0, count),
        dense.cellCount(),
        FileOrder.of(organization, bytes, CasoTrace.CELL_BYTES));
  }

  private void describe(LocalClusterBuilder builder) {
    builder
        .mode(ClusterMode.EC_UPDATE)
        .nodes(codes.stream().mapToInt(c -> c.dataCells() + c.parityCells()).max().orElseThrow())
        .racks(1)
        .disksPerNode(1)
        .blockBytes(BLOCK_BYTES)
        // By default updaters write the cells of a stripe one after the other (ADR 0015), and then
        // no order saves parity updates.
        .conf("dfs.parity.ecupdate.survive", options.text("survive"));
  }

  private Map<String, Map<String, Double>> measure(
      Bench bench, List<CasoTrace> traces, String contender) throws Exception {
    List<Setting> settings = new ArrayList<>();
    for (CasoTrace trace : traces) {
      for (CodeShape code : codes) {
        settings.add(setting(trace, code, contender));
      }
    }
    return bench.onCluster(
        this::describe,
        cluster -> {
          Map<String, Map<String, Double>> figures = new LinkedHashMap<>();
          try (FileSystem fs = cluster.newFileSystem()) {
            for (CodeShape code : codes) {
              StripedFiles.makeFolder(
                  (DistributedFileSystem) fs,
                  folder(code),
                  "rs",
                  code.dataCells(),
                  code.parityCells(),
                  CasoTrace.CELL_BYTES);
            }
            for (int i = 0; i < settings.size(); i++) {
              figures.put(settings.get(i).name(), measure(fs, settings.get(i), i));
            }
          }
          return figures;
        });
  }

  private static Path folder(CodeShape code) {
    return new Path("/caso-" + code.dataCells() + "-" + code.parityCells());
  }

  private Map<String, Double> measure(FileSystem fs, Setting setting, int number) throws Exception {
    StripedFiles files =
        new StripedFiles(
            folder(setting.code()),
            setting.cells() * CasoTrace.CELL_BYTES,
            List.of(number),
            options.seed());
    files.write(fs);
    Placement placement = new Placement((DistributedFileSystem) fs, folder(setting.code()));
    Placement.await("all units", () -> placement.missing() == 0);
    try (StripedFileUpdater file =
        FileUpdates.open(
            fs, files.path(number), UpdaterOptions.standard().withCache(CACHE_BYTES))) {
      long warmUntil = System.nanoTime() + TimeUnit.SECONDS.toNanos(options.number("warm-up"));
      do {
        replay(file, setting, warmUntil);
      } while (System.nanoTime() < warmUntil);
      long beginNanos = System.nanoTime();
      replay(file, setting, Long.MAX_VALUE);
      double seconds = (System.nanoTime() - beginNanos) / 1e9;
      Map<String, Double> figures = new LinkedHashMap<>();
      figures.put("windows/s", setting.windows().count() / seconds);
      figures.put("writes/s", setting.windows().requestCount() / seconds);
      figures.put("ms a window", 1e3 * seconds / setting.windows().count());
      figures.put("windows", (double) setting.windows().count());
      figures.put("stripe writes", (double) stripeWrites(setting));
      return figures;
    }
  }

  private static long stripeWrites(Setting setting) {
    long[] sum = new long[1];
    int k = setting.code().dataCells();
    setting
        .windows()
        .forEach(
            (cells, count) ->
                sum[0] +=
                    Arrays.stream(cells, 0, count)
                        .map(cell -> setting.order().storedCell(cell) / k)
                        .distinct()
                        .count());
    return sum[0];
  }

  /**
   * Each window is durable before the next one begins: one partial stripe write, as in the paper.
   */
  private void replay(StripedFileUpdater file, Setting setting, long untilNanos)
      throws IOException {
    byte[] bytes = new byte[CasoTrace.CELL_BYTES];
    Random random = new Random(options.seed());
    for (int window = 0; window < setting.windows().count(); window++) {
      if (untilNanos != Long.MAX_VALUE && System.nanoTime() > untilNanos) {
        return;
      }
      List<Long> stored = new ArrayList<>();
      setting
          .windows()
          .slice(window, window + 1)
          .forEach(
              (cells, count) -> {
                for (int i = 0; i < count; i++) {
                  stored.add(setting.order().storedCell(cells[i]));
                }
              });
      for (long cell : stored) {
        random.nextBytes(bytes);
        file.write(cell * CasoTrace.CELL_BYTES, ByteBuffer.wrap(bytes));
      }
      file.flush();
    }
  }
}
