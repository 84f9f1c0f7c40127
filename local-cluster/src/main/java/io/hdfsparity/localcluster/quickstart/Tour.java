/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.localcluster.ClusterMetrics;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.localcluster.LstorPlace;
import io.hdfsparity.localcluster.PortBusyException;
import io.hdfsparity.localcluster.Sizes;
import io.hdfsparity.localcluster.quickstart.QuickstartException.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/** The steps of the quickstart, in order. Used by one thread. */
final class Tour {
  static final int STEPS = 7;
  private static final Duration LAYOUT_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration METRICS_TIMEOUT = Duration.ofSeconds(12);
  private static final int SHOWN_FINDINGS = 10;
  private final QuickstartOptions options;
  private final Path home;
  private final Screen screen;
  private final Ledger ledger = new Ledger();
  private List<SourceFile> files = List.of();
  private ClusterShape shape;
  private LocalCluster cluster;
  private Admin admin;

  Tour(QuickstartOptions options, Path home, Screen screen) {
    this.options = options;
    this.home = home;
    this.screen = screen;
  }

  /** Looks at all files, before anything is made or started. */
  void chooseFiles() throws QuickstartException {
    screen.step("Choose the files");
    if (options.sourceDir().isPresent()) {
      files = FileChoice.ofFolder(options.sourceDir().get(), options.clusterDir());
      screen.line(
          Texts.count(files.size(), "file")
              + ", "
              + Sizes.text(FileChoice.totalBytes(files))
              + ", of "
              + options.sourceDir().get());
    } else {
      files =
          FileChoice.ofThisMachine(
              Path.of(System.getProperty("java.home")),
              Path.of(
                  System.getProperty(
                      "hdfsparity.m2", System.getProperty("user.home") + "/.m2/repository")));
      screen.line(
          Texts.count(files.size(), "file")
              + ", "
              + Sizes.text(FileChoice.totalBytes(files))
              + ": modules of this JDK and jars of the local Maven repository");
    }
    shape = ClusterShape.of(files);
  }

  /** All the rest. */
  void run(Workspace workspace) throws Exception {
    startCluster();
    try (FileSystem fileSystem = FileSystem.newInstance(clientConf())) {
      Report.Traffic traffic = store(fileSystem);
      Report report;
      try (Load load = new Load(fileSystem, ledger, shape.writtenBytes())) {
        report = loseTwoDisks(load, traffic);
      }
      CompareStep.Result compared = compare(fileSystem);
      long blocks = fsck();
      show(
          new Report(
              report.sources(),
              traffic,
              report.lost(),
              report.recovery(),
              report.recoveryMs(),
              report.load(),
              compared.files(),
              compared.bytes(),
              blocks));
    }
  }

  private void startCluster() throws QuickstartException, IOException, InterruptedException {
    screen.step(
        "Start a cluster: "
            + ClusterShape.NODES
            + " DataNodes in "
            + ClusterShape.RACKS
            + " racks, "
            + ClusterShape.DISKS_PER_NODE
            + " disks each, and an Lstor for every disk");
    cluster =
        shape
            .describe(LocalCluster.builder(options.clusterDir()), options.httpPort())
            .cacheDir(
                Path.of(
                    System.getProperty(
                        "hdfsparity.cache", home.resolve("local-cluster/target/cache").toString())))
            .log(screen::line)
            .build();
    Machine.requireFree(options.httpPort());
    Machine.room(shape, cluster.spec(), options.clusterDir()).require();
    long begin = System.nanoTime();
    try {
      cluster.start();
    } catch (PortBusyException e) {
      throw new QuickstartException(
          Kind.INPUT, e.getMessage() + "; take another one with --http-port", e);
    } catch (IOException e) {
      throw new QuickstartException(Kind.CLUSTER, e.getMessage(), e);
    }
    admin = new Admin(cluster.conf());
    admin.json("-layout", "-apply", "-json");
    Optional<String> missing = Poll.until(LAYOUT_TIMEOUT, screen::progress, this::layoutMissing);
    if (missing.isPresent()) {
      throw new QuickstartException(
          Kind.CLUSTER, "The layout did not take effect: " + missing.get());
    }
    JsonNode status = admin.json("-status", "-json");
    screen.line(
        "ready after "
            + Texts.seconds((System.nanoTime() - begin) / 1_000_000)
            + ": "
            + status.path("superchunks").path("active").asLong()
            + " superchunks of "
            + Sizes.text(shape.frameBytes())
            + ", "
            + status.path("spareFrames").asLong()
            + " spare frames");
    screen.line("look at it while it runs: http://" + cluster.status().webAddress() + "/");
  }

  private Optional<String> layoutMissing() throws QuickstartException {
    JsonNode status = admin.json("-status", "-json");
    long usable = status.path("superchunks").path("usable").asLong();
    return usable == ClusterShape.SUPERCHUNKS
        ? Optional.empty()
        : Optional.of(
            usable + " of " + ClusterShape.SUPERCHUNKS + " superchunks can be used, expected all");
  }

  /**
   * A stock client. Its only settings that differ from the defaults concern waiting and the end of
   * this program.
   */
  private Configuration clientConf() throws IOException {
    Configuration conf = cluster.conf();
    // A read whose replicas are all gone is tried again within a second, not for half a minute.
    conf.set("dfs.client.retry.window.base", "300");
    // Whoever ends this program has the cluster ended too: nothing is to be flushed to it.
    conf.set("fs.automatic.close", "false");
    return conf;
  }

  private Report.Traffic store(FileSystem fileSystem) throws Exception {
    screen.step("Store the files with Hadoop's own client, " + StoreStep.THREADS + " at a time");
    ClusterMetrics before = cluster.metrics();
    long ms = new StoreStep(fileSystem, ledger, screen).run(files);
    long total = FileChoice.totalBytes(files);
    ClusterMetrics.DataNodeCounters sent = countersSince(before, 2 * total);
    screen.line(
        Texts.count(files.size(), "file")
            + ", "
            + Sizes.text(total)
            + " in "
            + Texts.seconds(ms)
            + ", "
            + Texts.rate(total, ms));
    Report.Traffic traffic =
        new Report.Traffic(
            total,
            Machine.replicaBytes(options.clusterDir().resolve("data")),
            LstorPlace.neededBytes(cluster.spec()),
            sent.receivedBytes() + sent.rpcBytes());
    traffic.table().forEach(screen::line);
    return traffic;
  }

  /**
   * DataNodes answer with counters that may be 10 seconds old (MetricsSourceAdapter): asks until
   * all is counted.
   */
  private ClusterMetrics.DataNodeCounters countersSince(ClusterMetrics before, long expectedBytes)
      throws QuickstartException, InterruptedException {
    AtomicReference<ClusterMetrics.DataNodeCounters> last = new AtomicReference<>();
    Poll.until(
        METRICS_TIMEOUT,
        line -> {},
        () -> {
          try {
            last.set(cluster.metrics().since(before));
          } catch (IOException e) {
            throw new QuickstartException(
                Kind.CLUSTER, "Cannot read the counters: " + Texts.firstLine(e), e);
          }
          return last.get().receivedBytes() >= expectedBytes
              ? Optional.empty()
              : Optional.of("counters are old");
        });
    return last.get();
  }

  private Report loseTwoDisks(Load load, Report.Traffic traffic) throws Exception {
    screen.step("Fail two disks that share a superchunk, while files are read and written");
    FailureStep failure = new FailureStep(cluster, admin, screen);
    DiskPair pair = failure.choose();
    String names = failure.name(pair.first()) + " and " + failure.name(pair.second());
    requireSound(load.counts());
    load.disksGoDown();
    failure.fail(pair);
    screen.line(
        "failed "
            + names
            + ", which share superchunk "
            + pair.superchunk()
            + ": no replica is left of "
            + Texts.count(pair.blocks(), "block"));
    failure.awaitNoticed(pair);

    screen.step("Recover: raidp -recover -progress");
    long begin = System.nanoTime();
    RecoveryResult recovery = new RecoveryStep(admin, screen).run();
    long ms = (System.nanoTime() - begin) / 1_000_000;
    screen.line(
        Texts.seconds(ms)
            + ": "
            + Texts.count(recovery.rebuiltBlocks(), "block")
            + " of "
            + Sizes.text(recovery.rebuiltBytes())
            + " rebuilt from Lstors and mirrors, "
            + recovery.copied()
            + " superchunks of "
            + Sizes.text(recovery.copiedBytes())
            + " copied");
    if (!load.end()) {
      throw new QuickstartException(Kind.CLUSTER, "Readers and writers did not end in time");
    }
    LoadCounts counts = load.counts();
    screen.line(
        "meanwhile "
            + Texts.count(counts.reads(), "read")
            + " right, "
            + counts.refusedReads()
            + " refused, "
            + counts.wrong().size()
            + " wrong; "
            + Texts.count(counts.writes(), "file")
            + " written, "
            + Texts.count(counts.retriedWrites(), "write")
            + " repeated");
    requireSound(counts);
    return new Report(
        new Report.Amount(files.size(), FileChoice.totalBytes(files)),
        traffic,
        names + ", superchunk " + pair.superchunk() + " of both",
        recovery,
        ms,
        counts,
        0,
        0,
        0);
  }

  /** Wrong bytes end everything; so does an error that nothing explains. */
  private void requireSound(LoadCounts counts) throws QuickstartException {
    if (!counts.wrong().isEmpty()) {
      for (SourceFile file : files) {
        file.requireUnchanged();
      }
      throw new QuickstartException(
          Kind.CLUSTER,
          "WRONG BYTES WERE READ, "
              + counts.wrong().size()
              + " TIMES:\n  "
              + String.join("\n  ", counts.wrong().stream().limit(SHOWN_FINDINGS).toList()));
    }
    if (!counts.unexpected().isEmpty()) {
      throw new QuickstartException(
          Kind.CLUSTER,
          String.join("\n  ", counts.unexpected().stream().limit(SHOWN_FINDINGS).toList()));
    }
  }

  private CompareStep.Result compare(FileSystem fileSystem) throws Exception {
    List<Ledger.Entry> entries = List.copyOf(ledger.all());
    screen.step(
        "Read back all "
            + Texts.count(entries.size(), "file")
            + " and compare SHA-256 with the source");
    CompareStep.Result result = new CompareStep(fileSystem, screen).run(entries);
    if (!result.wrong().isEmpty()) {
      throw new QuickstartException(
          Kind.CLUSTER,
          "WRONG BYTES: "
              + result.wrong().size()
              + " OF "
              + entries.size()
              + " FILES DIFFER FROM THEIR SOURCE:\n  "
              + String.join("\n  ", result.wrong().stream().limit(SHOWN_FINDINGS).toList()));
    }
    screen.line(
        result.files()
            + " of "
            + entries.size()
            + " equal, "
            + Sizes.text(result.bytes())
            + " in "
            + Texts.seconds(result.ms()));
    return result;
  }

  private long fsck() throws QuickstartException {
    screen.step("Check the cluster: raidp -fsck");
    screen.progress("placement, slots, checksums, and parity of every disk recomputed");
    Admin.Answer answer = admin.run(screen::progress, "-fsck", "-json");
    JsonNode doc =
        answer
            .json()
            .orElseThrow(
                () ->
                    new QuickstartException(
                        Kind.CLUSTER,
                        "raidp -fsck failed: exit code "
                            + answer.exitCode()
                            + ", "
                            + answer.err()));
    if (answer.exitCode() != 0 || !doc.path("healthy").asBoolean()) {
      StringBuilder text =
          new StringBuilder("raidp -fsck found " + doc.path("findings").size() + " problems:");
      int shown = 0;
      for (JsonNode finding : doc.path("findings")) {
        if (shown++ < SHOWN_FINDINGS) {
          text.append("\n  ")
              .append(finding.path("kind").asText())
              .append(" superchunk ")
              .append(finding.path("superchunk").asText("-"))
              .append(" block ")
              .append(finding.path("block").asText("-"))
              .append(": ")
              .append(finding.path("detail").asText());
        }
      }
      throw new QuickstartException(Kind.CLUSTER, text.toString());
    }
    screen.line(
        "healthy: "
            + Texts.count(doc.path("superchunks").asLong(), "superchunk")
            + ", "
            + Texts.count(doc.path("blocks").asLong(), "block")
            + ", "
            + Sizes.text(doc.path("bytesRead").asLong())
            + " read");
    return doc.path("blocks").asLong();
  }

  private void show(Report report) {
    screen.plain("");
    screen.plain("EVERY BYTE CAME BACK");
    report.lines().forEach(screen::line);
  }

  /** Tells how to look around in a cluster that is kept. */
  void showKept(Workspace workspace) throws IOException {
    String command = "  bin/hdfs-parity --dir '" + options.clusterDir() + "'";
    screen.plain("");
    screen.plain(
        "The cluster runs on: "
            + cluster.status().fileSystem()
            + ", web pages http://"
            + cluster.status().webAddress()
            + "/");
    screen.plain("Look around in " + home + " with:");
    screen.plain(command + " dfs -ls -R " + StoreStep.FOLDER);
    screen.plain(command + " raidp -status");
    screen.plain(command + " raidp -layout");
    screen.plain(command + " dfsadmin -report");
    screen.plain("  bin/hdfs-parity cluster --dir '" + options.clusterDir() + "' status");
    screen.plain("End and delete it with:");
    screen.plain("  " + workspace.endCommand());
  }
}
