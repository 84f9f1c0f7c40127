/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.localcluster.ClusterMetrics;
import io.hdfsparity.localcluster.LstorPlace;
import io.hdfsparity.localcluster.Sizes;
import io.hdfsparity.localcluster.quickstart.QuickstartException.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;

/** The chapter on RAIDP: two disks that share data die. Used by one thread. */
final class RaidpTour extends Tour {
  static final int STEPS = 7;
  private static final String FOLDER = "/files";
  private static final Duration LAYOUT_TIMEOUT = Duration.ofMinutes(5);
  private ClusterShape shape;
  private Admin admin;

  RaidpTour(QuickstartOptions options, Path home, Screen screen) {
    super(options, home, screen);
  }

  @Override
  void plan(List<SourceFile> chosen) throws QuickstartException {
    shape = ClusterShape.of(chosen);
  }

  @Override
  ClusterPlan clusterPlan() {
    return new ClusterPlan(
        ClusterShape.NODES
            + " DataNodes in "
            + ClusterShape.RACKS
            + " racks, "
            + ClusterShape.DISKS_PER_NODE
            + " disks each, and an Lstor for every disk",
        ClusterShape.BLOCK_BYTES,
        shape::describe,
        shape.diskBytes());
  }

  @Override
  String makeReady() throws Exception {
    admin = Admin.raidp(cluster().conf());
    admin.json("-layout", "-apply", "-json");
    await("The layout did not take effect", LAYOUT_TIMEOUT, this::layoutMissing);
    JsonNode status = admin.json("-status", "-json");
    return ": "
        + status.path("superchunks").path("active").asLong()
        + " superchunks of "
        + Sizes.text(shape.frameBytes())
        + ", "
        + status.path("spareFrames").asLong()
        + " spare frames";
  }

  @Override
  void show() throws Exception {
    try (FileSystem fileSystem = newClient()) {
      Report.Traffic traffic = storeReplicated(fileSystem);
      Recovered recovered;
      try (Load load = Load.readersAndWriters(fileSystem, ledger(), shape.writtenBytes())) {
        recovered = loseTwoDisks(load);
      }
      CompareStep.Result compared =
          compareAtTheEnd(fileSystem, " and compare SHA-256 with the source");
      long blocks = fsck();
      showReport(
          new Report(
                  new Report.Amount(files().size(), FileChoice.totalBytes(files())),
                  traffic,
                  recovered.recovery(),
                  recovered.load(),
                  new Report.Amount(compared.files(), compared.bytes()),
                  blocks)
              .lines());
    }
  }

  private record Recovered(Report.Recovery recovery, LoadCounts load) {}

  private Optional<String> layoutMissing() throws QuickstartException {
    JsonNode status = admin.json("-status", "-json");
    long usable = status.path("superchunks").path("usable").asLong();
    return usable == ClusterShape.SUPERCHUNKS
        ? Optional.empty()
        : Optional.of(
            usable + " of " + ClusterShape.SUPERCHUNKS + " superchunks can be used, expected all");
  }

  private Report.Traffic storeReplicated(FileSystem fileSystem) throws Exception {
    screen().step("Store the files with Hadoop's own client, " + StoreStep.THREADS + " at a time");
    ClusterMetrics before = cluster().metrics();
    long ms = new StoreStep(fileSystem, FOLDER, ledger(), screen()).run(files());
    long total = FileChoice.totalBytes(files());
    ClusterMetrics.DataNodeCounters sent = countersSince(before, 2 * total);
    tellStored(ms);
    Report.Traffic traffic =
        new Report.Traffic(
            total,
            Machine.replicaBytes(options().clusterDir().resolve("data")),
            LstorPlace.neededBytes(cluster().spec()),
            sent.receivedBytes() + sent.rpcBytes());
    traffic.table().forEach(screen()::line);
    return traffic;
  }

  private Recovered loseTwoDisks(Load load) throws Exception {
    screen().step("Fail two disks that share a superchunk, while files are read and written");
    FailureStep failure = new FailureStep(cluster(), admin, screen());
    DiskPair pair = failure.choose();
    String names = failure.name(pair.first()) + " and " + failure.name(pair.second());
    requireSound(load.counts());
    load.disksGoDown();
    failure.fail(pair);
    screen()
        .line(
            "failed "
                + names
                + ", which share superchunk "
                + pair.superchunk()
                + ": no replica is left of "
                + Texts.count(pair.blocks(), "block"));
    failure.awaitNoticed(pair);

    screen().step("Recover: raidp -recover -progress");
    long begin = System.nanoTime();
    RecoveryResult recovery = new RecoveryStep(admin, screen()).run();
    long ms = Texts.msSince(begin);
    screen()
        .line(
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
    LoadCounts counts = end(load);
    screen()
        .line(
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
    return new Recovered(
        new Report.Recovery(names + ", superchunk " + pair.superchunk() + " of both", recovery, ms),
        counts);
  }

  private long fsck() throws QuickstartException {
    screen().step("Check the cluster: raidp -fsck");
    screen().progress("placement, slots, checksums, and parity of every disk recomputed");
    Admin.Answer answer = admin.run(screen()::progress, "-fsck", "-json");
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
    screen()
        .line(
            "healthy: "
                + Texts.count(doc.path("superchunks").asLong(), "superchunk")
                + ", "
                + Texts.count(doc.path("blocks").asLong(), "block")
                + ", "
                + Sizes.text(doc.path("bytesRead").asLong())
                + " read");
    return doc.path("blocks").asLong();
  }

  @Override
  List<String> commands() {
    return List.of("dfs -ls -R " + FOLDER, "raidp -status", "raidp -layout", "dfsadmin -report");
  }
}
