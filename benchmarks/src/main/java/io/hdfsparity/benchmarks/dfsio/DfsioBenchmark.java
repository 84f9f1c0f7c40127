/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.dfsio;

import io.hdfsparity.benchmarks.macro.Bench;
import io.hdfsparity.benchmarks.macro.EarlierRounds;
import io.hdfsparity.benchmarks.macro.ProcessorTicks;
import io.hdfsparity.benchmarks.macro.Quiet;
import io.hdfsparity.benchmarks.macro.Wire;
import io.hdfsparity.localcluster.ClusterMetrics;
import io.hdfsparity.localcluster.ClusterMode;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * TestDFSIO write and read of RAIDP against HDFS with two and three replicas (RAIDP paper, Figs. 8
 * and 9), all in one run and in a new random order each round, since the machine's speed drifts.
 *
 * <pre>
 *   DfsioBenchmark OUT_DIR [--rounds 3] [--files 4] [--size-mb 256] [--tasks 4] [--seed 1] [--dir DIR]
 * </pre>
 */
public final class DfsioBenchmark {
  private static final int NODES = 6;
  private static final long MAX_QUIET_SECONDS = 120;
  private static final int MAX_WARM_UPS = 12;
  private static final double COMPILING_SHARE = 0.05;

  private final Options options;
  private final Bench bench;
  private final List<Sample> samples = new ArrayList<>();

  private DfsioBenchmark(Options options, Bench bench) {
    this.options = options;
    this.bench = bench;
  }

  public static void main(String[] args) {
    Bench.runAndExit(
        () -> {
          Options options = Options.parse(args);
          try (Bench bench = Bench.open(options.run().dir())) {
            new DfsioBenchmark(options, bench).run();
          }
          System.out.println(Files.readString(options.run().out().resolve("dfsio.txt")));
        });
  }

  private void run() throws Exception {
    if (options.run().resume()) {
      samples.addAll(
          EarlierRounds.read(
              options.run().out().resolve("dfsio.json"), options.describe(), Sample.class));
    }
    int first = samples.stream().mapToInt(sample -> sample.round() + 1).max().orElse(0);
    for (int round = first; round < options.run().rounds(); round++) {
      Random order = new Random(options.run().seed() + round);
      List<Contender> contenders = new ArrayList<>(Contender.all());
      contenders.removeIf(c -> !options.run().wants(c.name()));
      Collections.shuffle(contenders, order);
      for (Contender contender : contenders) {
        long started = System.nanoTime();
        Sample sample = measure(contender, round);
        samples.add(sample);
        System.out.println(sample + " in " + (System.nanoTime() - started) / 1_000_000_000 + " s");
      }
      new DfsioReport(options, samples).write(options.run().out());
    }
  }

  private Sample measure(Contender contender, int round) throws Exception {
    return bench.onCluster(
        builder -> {
          builder
              .mode(contender.mode())
              .nodes(NODES)
              .racks(2)
              .disksPerNode(1)
              .framesPerDisk(6)
              .frameBytes(frameBytes())
              .replication(contender.replication())
              // All nine pairs that two racks of three disks allow: nothing fails here.
              .conf("dfs.parity.raidp.layout.recovery.room.disks", "0");
          contender.conf().forEach(builder::conf);
          options
              .daemonOptions()
              .ifPresent(o -> builder.conf("dfs.parity.cluster.jvm.options.datanode", o));
        },
        cluster -> run(contender, round, cluster));
  }

  /** Three times what the nine superchunks are to hold: old files go while new ones come. */
  private long frameBytes() {
    long perSide = options.files() * options.fileBytes() / 3;
    return Math.max(512L << 20, (perSide >> 26) + 1 << 26);
  }

  /** Until no disk holds a block, deleted ones that wait for their partner's consent included. */
  private static void awaitNoReplicas(Path data) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
    while (replicas(data) > 0) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(
            "Cannot measure: replicas="
                + replicas(data)
                + ", expected none 3 minutes after all files were deleted, directory="
                + data);
      }
      TimeUnit.MILLISECONDS.sleep(200);
    }
  }

  private static long replicas(Path data) throws IOException {
    try (Stream<Path> files = Files.walk(data)) {
      return files.filter(file -> file.getFileName().toString().startsWith("blk_")).count();
    } catch (UncheckedIOException e) {
      // A file that goes while we look: there may be more.
      return 1;
    }
  }

  private Sample run(Contender contender, int round, LocalCluster cluster) throws Exception {
    if (contender.mode() == ClusterMode.RAIDP) {
      cluster.applyLayout();
      cluster.protect("/");
    }
    DfsioJob job =
        new DfsioJob(
            cluster.conf(),
            options.files(),
            options.fileBytes(),
            options.tasks(),
            Bench.jobDir(cluster));
    double compiling = warmUp(job, cluster);
    Quiet.await(MAX_QUIET_SECONDS);
    ClusterMetrics before = cluster.metrics();
    Wire wireBefore = Wire.read();
    ProcessorTicks ticksBefore = ProcessorTicks.read();
    DfsioJob.Speed write = job.run("-write");
    double bytes = job.totalBytes();
    double network = Wire.read().since(wireBefore).nodeBytes() / bytes;
    double received = cluster.metrics().since(before).receivedBytes() / bytes;
    double settled = Quiet.await(MAX_QUIET_SECONDS);
    double processorSeconds = ProcessorTicks.read().busySecondsSince(ticksBefore);
    DfsioJob.Speed read = job.run("-read");
    Quiet.await(MAX_QUIET_SECONDS);
    DfsioJob.Speed rewrite = job.run("-write");
    return new Sample(
        contender.name(),
        round,
        write,
        settled,
        read,
        rewrite,
        new Sample.Cost(received, network, processorSeconds / (bytes / (1 << 30))),
        compiling);
  }

  /**
   * Writes, overwrites and reads until the DataNodes' compilers are done, since JVMs that have just
   * started spend most of their time compiling; then deletes all.
   *
   * @return share of the machine's processors that compilers took while the last job wrote
   */
  private double warmUp(DfsioJob job, LocalCluster cluster) throws Exception {
    int processors = Runtime.getRuntime().availableProcessors();
    double share = 1;
    for (int run = 0; run < MAX_WARM_UPS && share > COMPILING_SHARE; run++) {
      ClusterMetrics before = cluster.metrics();
      long started = System.nanoTime();
      job.run("-write");
      double elapsedMs = (System.nanoTime() - started) / 1e6;
      share = cluster.metrics().since(before).compileMs() / elapsedMs / processors;
      job.run("-read");
    }
    job.clean();
    awaitNoReplicas(cluster.dir().resolve("data"));
    return share;
  }
}
