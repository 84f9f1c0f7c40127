/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ajx;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.hdfsparity.benchmarks.macro.Bench;
import io.hdfsparity.benchmarks.macro.LineChart;
import io.hdfsparity.benchmarks.macro.Machine;
import io.hdfsparity.benchmarks.rounds.Benchmark;
import io.hdfsparity.benchmarks.rounds.CommandLine;
import io.hdfsparity.benchmarks.striped.StripedFiles;
import io.hdfsparity.localcluster.ClusterMode;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Operations a second of two clients that read and write, while a DataNode is killed (kill -9) and
 * started again.
 *
 * <pre>
 *   CrashBenchmark OUT_DIR [--seconds 60] [--kill-at 15] [--down 10] [--nodes 5]
 *     [--clients 2] [--outstanding 16] [--block-bytes 4096] [--cell-kib 64]
 *     [--size-mb 12] [--warm-up 40] [--seed 1] [--dir DIR]
 * </pre>
 *
 * <p>A DataNode that is down for more than 16 seconds is dead to this cluster; with a node more
 * than units, clients go on without it then.
 */
public final class CrashBenchmark {
  private static final String NAME = "ecupdate-crash";
  private static final String VICTIM = "dn1";
  private static final int UNITS = AjxBenchmark.DATA_UNITS + AjxBenchmark.USUAL_PARITY_UNITS;
  private static final org.apache.hadoop.fs.Path FOLDER = new org.apache.hadoop.fs.Path("/files");

  private final CommandLine options;
  private final Bench bench;

  private CrashBenchmark(CommandLine options, Bench bench) {
    this.options = options;
    this.bench = bench;
  }

  /** Runs it. */
  public static void main(String[] args) {
    Benchmark.runAndExit(
        args, defaults(), (options, bench) -> new CrashBenchmark(options, bench).run());
  }

  private static Map<String, String> defaults() {
    return Map.ofEntries(
        Map.entry("seconds", "60"),
        Map.entry("kill-at", "15"),
        Map.entry("down", "10"),
        Map.entry("nodes", "" + UNITS),
        Map.entry("clients", "2"),
        Map.entry("outstanding", "16"),
        Map.entry("block-bytes", "4096"),
        Map.entry("cell-kib", "64"),
        Map.entry("size-mb", "12"),
        Map.entry("warm-up", "40"));
  }

  private void run() throws Exception {
    CrashSeries series =
        bench.onCluster(
            builder ->
                builder
                    .mode(ClusterMode.EC_UPDATE)
                    .nodes(options.number("nodes"))
                    .racks(1)
                    .disksPerNode(1)
                    .blockBytes(64 << 20),
            cluster -> {
              try (FileSystem fs = cluster.newFileSystem()) {
                return measure(cluster, (DistributedFileSystem) fs);
              }
            });
    write(series);
  }

  private CrashSeries measure(LocalCluster cluster, DistributedFileSystem fs) throws Exception {
    StripedFiles.makeFolder(
        fs,
        FOLDER,
        "rs",
        AjxBenchmark.DATA_UNITS,
        AjxBenchmark.USUAL_PARITY_UNITS,
        options.number("cell-kib") << 10);
    StripedFiles files =
        StripedFiles.first(
            options.number("clients"), FOLDER, options.mebibytes("size-mb"), options.seed());
    files.write(fs);
    List<org.apache.hadoop.fs.Path> paths = files.numbers().stream().map(files::path).toList();
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try (AjxClients clients =
        new AjxClients(
            fs,
            paths,
            options.number("block-bytes"),
            options.number("outstanding"),
            options.seed())) {
      clients.run(AjxClients.Operation.EITHER, options.number("warm-up"));
      long begun = System.nanoTime();
      Future<CrashSeries.Times> crash = threads.submit(() -> crash(cluster, begun));
      List<AjxClients.Done> done =
          clients.run(AjxClients.Operation.EITHER, options.number("seconds"));
      CrashSeries.Times times = crash.get();
      clients.requireParity();
      return CrashSeries.of(done, options.number("seconds"), times);
    } finally {
      threads.shutdownNow();
    }
  }

  private CrashSeries.Times crash(LocalCluster cluster, long begun)
      throws IOException, InterruptedException {
    TimeUnit.SECONDS.sleep(options.number("kill-at"));
    cluster.kill(VICTIM);
    double killed = (System.nanoTime() - begun) / 1e9;
    TimeUnit.SECONDS.sleep(options.number("down"));
    double starting = (System.nanoTime() - begun) / 1e9;
    cluster.restart(VICTIM);
    return new CrashSeries.Times(killed, starting, (System.nanoTime() - begun) / 1e9);
  }

  private void write(CrashSeries series) throws IOException {
    Path out = options.out();
    Files.createDirectories(out);
    Map<String, Object> json = Machine.describe(NAME, "AJX paper, Fig. 9d");
    defaults().keySet().stream().sorted().forEach(name -> json.put(name, options.text(name)));
    json.put("seed", options.seed());
    json.put("series", series);
    new ObjectMapper()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .writeValue(out.resolve(NAME + ".json").toFile(), json);
    Files.writeString(out.resolve(NAME + ".txt"), series.table());
    System.out.println(series.table());
    LineChart chart =
        new LineChart(
            "Operations through a crash (AJX paper, Fig. 9d; " + Machine.links() + ")",
            "s",
            "operations a second");
    chart.add("reads and writes", series.seconds(), series.perSecond());
    chart.save(out.resolve(NAME + ".png"));
  }
}
