/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.nbd;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.benchmarks.macro.Bench;
import io.hdfsparity.benchmarks.rounds.Benchmark;
import io.hdfsparity.benchmarks.rounds.Case;
import io.hdfsparity.benchmarks.rounds.CommandLine;
import io.hdfsparity.benchmarks.rounds.Layout;
import io.hdfsparity.benchmarks.rounds.Rounds;
import io.hdfsparity.benchmarks.striped.StripedFiles;
import io.hdfsparity.localcluster.AdminCommand;
import io.hdfsparity.localcluster.BlockDeviceServer;
import io.hdfsparity.localcluster.ClusterMode;
import io.hdfsparity.localcluster.LiveFolder;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * fio on a block device that is a file of HDFS, and the same jobs on a local file. A write is
 * durable when it is answered, in both: the device has no cache, the file is opened with O_DSYNC,
 * and with O_DIRECT.
 *
 * <pre>
 *   NbdFioBenchmark OUT_DIR [--kib 4,1024] [--outstanding 16] [--size-mb 96] [--cell-kib 1024]
 *     [--seconds 10] [--warm-up 5] [--rounds 3] [--resume no] [--seed 1] [--dir DIR]
 *     [--only CONTENDER,…]
 * </pre>
 */
public final class NbdFioBenchmark {
  private static final String LOCAL = "local file";
  private static final String DEVICE = "nbd";
  private static final String FOLDER = "/devices";
  private static final String DISK = FOLDER + "/disk";
  private static final int DATA_UNITS = 3;
  private static final int PARITY_UNITS = 2;
  private static final Layout LAYOUT =
      new Layout(
          "nbd-fio",
          "no figure of a paper",
          "fio on a block device",
          LOCAL,
          List.of(FioFigures.OPERATIONS, FioFigures.RATE, FioFigures.MEDIAN, FioFigures.HIGH),
          FioFigures.RATE);

  private final CommandLine options;
  private final Bench bench;
  private final List<FioJob> jobs;

  private NbdFioBenchmark(CommandLine options, Bench bench) {
    this.options = options;
    this.bench = bench;
    this.jobs = FioJob.all(options.numbers("kib"));
  }

  /** Runs it. */
  public static void main(String[] args) {
    Benchmark.runAndExit(
        args,
        Map.of(
            "kib", "4,1024",
            "outstanding", "16",
            "size-mb", "96",
            "cell-kib", "1024",
            "seconds", "10",
            "warm-up", "5"),
        (options, bench) -> new NbdFioBenchmark(options, bench).run());
  }

  private void run() throws Exception {
    List<Case> cases =
        jobs.stream()
            .flatMap(
                job ->
                    List.of(LOCAL, DEVICE).stream()
                        .map(contender -> new Case(job.setting(), contender)))
            .toList();
    new Rounds(options, LAYOUT)
        .runJointly(
            cases,
            contender ->
                contender.equals(LOCAL)
                    ? onLocalFile()
                    : bench.onCluster(
                        builder ->
                            builder
                                .mode(ClusterMode.EC_UPDATE)
                                .nodes(DATA_UNITS + PARITY_UNITS)
                                .racks(1)
                                .disksPerNode(1),
                        this::onDevice));
  }

  /** The folder is one that the next benchmark would remove if this one were interrupted. */
  private Map<String, Map<String, Double>> onLocalFile() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory(options.dir(), "cluster-local");
    try {
      List<String> target =
          List.of("--ioengine=libaio", "--direct=1", "--filename=" + folder.resolve("file"));
      return measure(target, List.of("--sync=dsync"), folder);
    } finally {
      LiveFolder.delete(folder);
    }
  }

  private Map<String, Map<String, Double>> onDevice(LocalCluster cluster) throws Exception {
    String policy;
    try (FileSystem fs = cluster.newFileSystem()) {
      DistributedFileSystem hdfs = (DistributedFileSystem) fs;
      org.apache.hadoop.fs.Path folder = new org.apache.hadoop.fs.Path(FOLDER);
      int cellBytes = options.number("cell-kib") << 10;
      StripedFiles.makeFolder(hdfs, folder, "rs", DATA_UNITS, PARITY_UNITS, cellBytes);
      policy = hdfs.getErasureCodingPolicy(folder).getName();
    }
    JsonNode created =
        new AdminCommand(cluster.conf())
            .json(
                "ecupdate -create %s -size %s -policy %s -json",
                DISK, options.mebibytes("size-mb"), policy);
    System.out.println(created);
    try (BlockDeviceServer server = BlockDeviceServer.start(cluster, DISK)) {
      Path folder = Files.createDirectories(Bench.jobDir(cluster));
      return measure(List.of("--ioengine=nbd", "--uri=" + server.uri()), List.of(), folder);
    }
  }

  /**
   * @param ofWrites what makes an answered write durable
   */
  private Map<String, Map<String, Double>> measure(
      List<String> target, List<String> ofWrites, Path folder)
      throws IOException, InterruptedException {
    FioJob.fill(options, target, folder);
    Map<String, Map<String, Double>> figures = new LinkedHashMap<>();
    for (FioJob job : jobs) {
      List<String> all = new ArrayList<>(target);
      if (job.isWrite()) {
        all.addAll(ofWrites);
      }
      figures.put(job.setting(), job.run(options, all, folder));
    }
    return figures;
  }
}
