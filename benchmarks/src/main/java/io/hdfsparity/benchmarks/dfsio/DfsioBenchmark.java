/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.dfsio;

import io.hdfsparity.localcluster.ClusterMetrics;
import io.hdfsparity.localcluster.ClusterMode;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.localcluster.LocalClusterBuilder;
import io.hdfsparity.raidp.admin.RaidpAdmin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.util.ToolRunner;

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

  private final Options options;
  private final List<Sample> samples = new ArrayList<>();

  private DfsioBenchmark(Options options) {
    this.options = options;
  }

  public static void main(String[] args) throws Exception {
    Options options = Options.parse(args);
    DfsioBenchmark benchmark = new DfsioBenchmark(options);
    Random order = new Random(options.seed());
    for (int round = 0; round < options.rounds(); round++) {
      List<Contender> contenders = new ArrayList<>(Contender.all());
      contenders.removeIf(c -> !options.only().isEmpty() && !options.only().contains(c.name()));
      Collections.shuffle(contenders, order);
      for (Contender contender : contenders) {
        Sample sample = benchmark.measure(contender, round);
        benchmark.samples.add(sample);
        System.out.println(sample);
      }
      new DfsioReport(options, benchmark.samples).write(options.out());
    }
    System.out.println(Files.readString(options.out().resolve("dfsio.txt")));
  }

  private Sample measure(Contender contender, int round) throws Exception {
    Path dir = Files.createTempDirectory(Files.createDirectories(options.dir()), "dfsio");
    LocalClusterBuilder builder =
        LocalCluster.builder(dir)
            .mode(contender.mode())
            .nodes(NODES)
            .racks(2)
            .disksPerNode(1)
            .framesPerDisk(6)
            .frameBytes(frameBytes())
            .replication(contender.replication())
            .cacheDir(options.dir().resolve("cache"));
    contender.conf().forEach(builder::conf);
    LocalCluster cluster = builder.build();
    try (cluster) {
      cluster.start();
      return run(contender, round, cluster, dir.resolve("job"));
    } finally {
      cluster.purge();
    }
  }

  private long frameBytes() {
    long perSide = options.files() * options.fileBytes() / 3;
    return Math.max(512L << 20, (perSide >> 26) + 1 << 26);
  }

  private Sample run(Contender contender, int round, LocalCluster cluster, Path scratch)
      throws Exception {
    if (contender.mode() == ClusterMode.RAIDP) {
      int exit =
          ToolRunner.run(cluster.conf(), new RaidpAdmin(), new String[] {"-layout", "-apply"});
      if (exit != 0) {
        throw new IOException("Cannot form superchunks: exit=" + exit);
      }
    }
    DfsioJob job =
        new DfsioJob(
            cluster.conf(), options.files(), options.fileBytes(), options.tasks(), scratch);
    ClusterMetrics before = cluster.metrics();
    double write = job.run("-write");
    double received = cluster.metrics().since(before).receivedBytes() / (double) job.totalBytes();
    double read = job.run("-read");
    double rewrite = job.run("-write");
    return new Sample(contender.name(), round, write, read, rewrite, received, received - 1);
  }
}
