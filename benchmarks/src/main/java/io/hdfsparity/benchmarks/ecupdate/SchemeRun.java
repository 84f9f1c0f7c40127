/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ecupdate;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.benchmarks.macro.Bench;
import io.hdfsparity.benchmarks.rounds.CommandLine;
import io.hdfsparity.benchmarks.striped.Placement;
import io.hdfsparity.benchmarks.striped.StripedFiles;
import io.hdfsparity.localcluster.Daemon;
import io.hdfsparity.localcluster.LiveFolder;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.localcluster.LocalClusterBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** One contender in one round, on a cluster of its own. Used by one thread. */
final class SchemeRun {
  private static final String WRITE = "write";
  private static final String LARGE = "update 128 KB";
  private static final String SMALL = "update 4 KB";
  private static final String READ = "read";
  private static final String RECOVERY = "recovery";

  /** Phases, as they follow each other. */
  static final List<String> SETTINGS = List.of(WRITE, LARGE, SMALL, READ, RECOVERY);

  private static final int LARGE_BYTES = 128 << 10;
  private static final int SMALL_BYTES = 4 << 10;
  private static final Path FOLDER = new Path("/files");
  private static final Path COPY = new Path("/files/copy");

  /** Two more nodes than units, so that what two have lost can be rebuilt. */
  private static final int LOST_NODES = 2;

  /** Units may be read for a reconstruction one and a half times this and the fence later. */
  private static final long SNAPSHOT_MS = 3_000;

  private static final long FENCE_MS = 3_000;

  private final CommandLine options;
  private final Bench bench;
  private final Contender contender;
  private final java.nio.file.Path traceDir;
  private final IoTraces traces;
  private final Map<String, Map<String, Double>> figures = new LinkedHashMap<>();

  SchemeRun(CommandLine options, Bench bench, Contender contender) {
    this.options = options;
    this.bench = bench;
    this.contender = contender;
    traceDir = options.dir().resolve("io");
    traces = new IoTraces(traceDir);
  }

  /** Figures by phase. */
  Map<String, Map<String, Double>> run() throws Exception {
    LiveFolder.delete(traceDir);
    return bench.onCluster(
        this::describe,
        cluster -> {
          try (FileSystem fs = cluster.newFileSystem()) {
            measure(cluster, (DistributedFileSystem) fs);
            return figures;
          }
        });
  }

  private void describe(LocalClusterBuilder builder) {
    builder
        .mode(contender.mode())
        .nodes(contender.units() + LOST_NODES)
        .racks(1)
        .disksPerNode(1)
        .blockBytes(options.mebibytes("block-mb"))
        .conf("dfs.namenode.heartbeat.recheck-interval", "1000")
        .conf("dfs.namenode.replication.max-streams", "64")
        .conf("dfs.namenode.replication.max-streams-hard-limit", "128")
        .conf("dfs.namenode.replication.work.multiplier.per.iteration", "100")
        .conf("dfs.namenode.reconstruction.pending.timeout-sec", "300");
    if (!contender.isCopy()) {
      String storage = "dfs.parity.ecupdate.storage.";
      builder
          .conf("dfs.parity.ecupdate.scheme.default", contender.scheme())
          .conf(storage + "io.trace", traceDir.toString())
          // As large as a chunk, as in the paper.
          .conf(storage + "reserved.bytes", String.valueOf(options.mebibytes("block-mb")))
          .conf(storage + "snapshot.max.age", SNAPSHOT_MS + "ms")
          .conf(storage + "fence.quiet", FENCE_MS + "ms");
    }
  }

  private void measure(LocalCluster cluster, DistributedFileSystem fs) throws Exception {
    StripedFiles.makeFolder(
        fs, FOLDER, "rs", contender.dataUnits(), contender.parityUnits(), StripedFiles.CELL_BYTES);
    List<KnownFile> files = new ArrayList<>();
    for (int i = 0; i < options.number("clients"); i++) {
      files.add(
          new KnownFile(
              new Path(FOLDER, "f" + i),
              Math.toIntExact(options.mebibytes("size-mb")),
              options.seed() * 31 + i));
    }
    write(fs, files);
    if (contender.isCopy()) {
      copy(fs, files.get(0), LARGE, LARGE_BYTES);
      copy(fs, files.get(0), SMALL, SMALL_BYTES);
    } else {
      update(cluster, fs, files, LARGE, LARGE_BYTES, options.number("large"));
      update(cluster, fs, files, SMALL, SMALL_BYTES, options.number("small"));
    }
    read(fs, files);
    if (options.text("recovery").equals("yes")) {
      recover(cluster, fs, files);
    }
  }

  private static double secondsSince(long begun) {
    return (System.nanoTime() - begun) / 1e9;
  }

  private static double megabytes(List<KnownFile> files) {
    return files.stream().mapToLong(KnownFile::lengthBytes).sum() / 1e6;
  }

  private void write(FileSystem fs, List<KnownFile> files) throws IOException {
    // Connections, and the compilers' first work.
    files.get(0).write(fs, COPY);
    fs.delete(COPY, false);
    long begun = System.nanoTime();
    for (KnownFile file : files) {
      file.write(fs, file.path());
    }
    figures.put(WRITE, new LinkedHashMap<>(Map.of("MB/s", megabytes(files) / secondsSince(begun))));
  }

  private void update(
      LocalCluster cluster,
      FileSystem fs,
      List<KnownFile> files,
      String setting,
      int bytes,
      int each)
      throws Exception {
    Map<String, Double> own = new LinkedHashMap<>();
    UpdateLoad.Done done;
    double settled;
    try (UpdateLoad load =
        UpdateLoad.known(fs, files, bytes, options.number("outstanding"), options.seed() + bytes)) {
      // Sessions and admissions, and the compilers' first work.
      load.times(Math.max(1, each / 10));
      traces.awaitQuiet();
      traces.take();
      done = load.times(each);
      long ended = System.nanoTime();
      traces.awaitQuiet();
      settled = secondsSince(ended);
      own.put("MB/s", done.perSecond() * bytes / 1e6);
      own.put("ops/s", done.perSecond());
      own.put("p50 ms", done.ms(0.5));
      own.put("p99 ms", done.ms(0.99));
      own.put("settled within s", settled);
      Map<java.nio.file.Path, List<Io>> accesses = traces.take();
      own.putAll(IoCounts.of(accesses, Disk.ofPaper()).figures(done.updates()));
      own.putAll(IoCounts.forces(accesses, done.updates()));
      if (bytes == LARGE_BYTES) {
        // Later, changes of two sizes are in the logs.
        own.putAll(Fragments.measure(cluster, contender.dataUnits(), bytes));
      }
    }
    figures.put(setting, own);
  }

  /** What a user of stock HDFS does for one change: writes all of the file. */
  private void copy(FileSystem fs, KnownFile file, String setting, int bytes) throws IOException {
    SplittableRandom random = new SplittableRandom(options.seed() + bytes);
    byte[] fresh = new byte[bytes];
    int copies = options.number("copies");
    long begun = System.nanoTime();
    for (int i = 0; i < copies; i++) {
      file.check(fs); // reads all of it
      random.nextBytes(fresh);
      file.change((long) random.nextInt(file.lengthBytes() / bytes) * bytes, fresh);
      file.write(fs, COPY);
      fs.delete(file.path(), false);
      if (!fs.rename(COPY, file.path())) {
        throw new IOException("Cannot measure: rename of " + COPY + " failed");
      }
    }
    double perSecond = copies / secondsSince(begun);
    Map<String, Double> own = new LinkedHashMap<>();
    own.put("MB/s", perSecond * bytes / 1e6);
    own.put("ops/s", perSecond);
    own.put("written KB/op", file.lengthBytes() / 1e3 * contender.units() / contender.dataUnits());
    figures.put(setting, own);
  }

  private void read(FileSystem fs, List<KnownFile> files) throws Exception {
    if (!contender.isCopy()) {
      traces.awaitQuiet();
      traces.take();
    }
    long begun = System.nanoTime();
    for (KnownFile file : files) {
      file.check(fs);
    }
    double seconds = secondsSince(begun);
    Map<String, Double> own = new LinkedHashMap<>();
    own.put("MB/s", megabytes(files) / seconds);
    if (!contender.isCopy()) {
      // An operation is a MB that was read.
      own.putAll(IoCounts.of(traces.take(), Disk.ofPaper()).figures(megabytes(files)));
    }
    figures.put(READ, own);
  }

  private void recover(LocalCluster cluster, DistributedFileSystem fs, List<KnownFile> files)
      throws Exception {
    Placement placement = new Placement(fs, FOLDER);
    Placement.await("all units", () -> placement.missing() == 0);
    if (!contender.isCopy()) {
      for (KnownFile file : files) {
        verify(cluster, file);
      }
      // Until then reconstructions are refused.
      TimeUnit.MILLISECONDS.sleep(SNAPSHOT_MS * 3 / 2 + FENCE_MS + 1000);
      traces.take();
    }
    long lostUnits = unitsOnLost(placement);
    double lostMegabytes =
        megabytes(files) / contender.dataUnits() * lostUnits / placement.groupCount();
    for (int node = 0; node < LOST_NODES; node++) {
      cluster.kill("dn" + node);
    }
    Placement.await("both losses noticed", () -> unitsOnLost(placement) == 0);
    // The first loss may be made good, in part, before the second is noticed.
    int missing = placement.missing();
    long begun = System.nanoTime();
    Placement.await("all units", () -> placement.missing() == 0);
    double seconds = secondsSince(begun);
    double timedMegabytes = lostMegabytes * missing / lostUnits;
    Map<String, Double> own = new LinkedHashMap<>();
    own.put("seconds", seconds);
    own.put("lost MB", lostMegabytes);
    own.put("timed MB", timedMegabytes);
    if (missing > 0) {
      own.put("MB/s", timedMegabytes / seconds);
    }
    if (!contender.isCopy()) {
      own.putAll(IoCounts.of(traces.take(), Disk.ofPaper()).figures(lostMegabytes));
    }
    for (KnownFile file : files) {
      file.check(fs);
    }
    figures.put(RECOVERY, own);
  }

  private static int unitsOnLost(Placement placement) throws IOException {
    int units = 0;
    for (int node = 0; node < LOST_NODES; node++) {
      units += placement.units(Daemon.nodeHost(node));
    }
    return units;
  }

  private static void verify(LocalCluster cluster, KnownFile file) throws IOException {
    JsonNode found = Fragments.command(cluster, "-verify", file.path().toUri().getPath(), "-json");
    if (found.isMissingNode()) {
      throw new IOException("Cannot trust the parity of " + file.path());
    }
  }
}
