/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.count;
import static io.hdfsparity.localcluster.quickstart.Texts.format;
import static io.hdfsparity.localcluster.quickstart.Texts.seconds;
import static io.hdfsparity.localcluster.quickstart.Texts.size;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.localcluster.ClusterMetrics;
import io.hdfsparity.localcluster.LstorPlace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The chapter on RAIDP: three disks that share data pairwise die. Used by one thread. */
final class RaidpChapter extends Chapter {
  private static final String FOLDER = "/files";
  private static final Duration LAYOUT_TIMEOUT = Duration.ofMinutes(5);
  private static final Duration METRICS_TIMEOUT = Duration.ofMinutes(1);
  private ClusterShape shape;
  private Admin admin;
  private Load load;
  private DiskTriangle failed;

  RaidpChapter(Runner runner) {
    super(ChapterName.RAIDP, runner, ClusterShape.BLOCK_BYTES, NAME_WIDTH);
  }

  @Override
  void check(List<SourceFile> chosen) throws QuickstartException {
    shape = ClusterShape.of(chosen);
  }

  @Override
  ClusterPlan plan(List<SourceFile> chosen) {
    String title =
        format(
            "%s DataNodes in %s racks, %s disks each, and an Lstor for every disk",
            ClusterShape.NODES, ClusterShape.RACKS, ClusterShape.DISKS_PER_NODE);
    return new ClusterPlan(title, shape::describe, shape.diskBytes());
  }

  @Override
  String makeReady() throws Exception {
    admin = Admin.raidp(cluster().conf());
    admin.json("-layout -apply -json");
    await("The layout did not take effect", LAYOUT_TIMEOUT, this::requireLayout);
    JsonNode status = admin.json("-status -json");
    return format(
        ": %s superchunks of %s, %s spare frames",
        status.path("superchunks").path("active").asLong(),
        size(shape.frameBytes()),
        status.path("spareFrames").asLong());
  }

  private void requireLayout() throws Poll.NotYet, QuickstartException {
    long usable = admin.json("-status -json").path("superchunks").path("usable").asLong();
    int expected = ClusterShape.superchunks(cluster().spec().nodes());
    if (usable != expected) {
      throw new Poll.NotYet("%s of %s superchunks can be used, expected all", usable, expected);
    }
  }

  @Override
  List<Step> steps() {
    return List.of(
        Step.of(
            "Store the files with Hadoop's own client, three replicas of each, "
                + Workers.THREADS
                + " at a time",
            this::store),
        Step.of(
            "Parity for the third replica, where they lie: raidp -protect "
                + FOLDER
                + " -adopt -progress",
            this::adopt),
        Step.of(
            "Fail three disks that share superchunks pairwise, while files are read and written",
            this::failDisks),
        Step.of("Recover: raidp -recover -progress", this::recover),
        compareAll(
            this::client,
            " and compare SHA-256 with the source",
            compared -> ", " + size(compared.bytes())),
        Step.of("Check the cluster: raidp -fsck", this::fsck));
  }

  private void store() throws Exception {
    long ms = new StoreStep(stock(), FOLDER, ledger, screen).run(files());
    tellStored(ms);
    addStored(report, files());
  }

  private void adopt() throws Exception {
    Path data = cluster().dir().resolve("data");
    long total = FileChoice.totalBytes(files());
    ClusterMetrics before = countersAfter(ClusterShape.REPLICAS * total);
    long beforeBytes = Machine.replicaBytes(data);
    long begin = System.nanoTime();
    long afterBytes = new AdoptStep(admin, screen, data).run(FOLDER, total);
    screen.line("%s", seconds(Texts.msSince(begin)));
    ClusterMetrics.DataNodeCounters sent = metrics().since(before);
    Traffic traffic =
        new Traffic(
            total,
            beforeBytes,
            afterBytes,
            LstorPlace.neededBytes(cluster().spec()),
            sent.receivedBytes() + sent.rpcBytes());
    traffic.table().forEach(screen::line);
    traffic.addTo(report);
  }

  /**
   * DataNodes answer with counters that may be 10 seconds old (MetricsSourceAdapter): asks until so
   * much is counted.
   */
  private ClusterMetrics countersAfter(long receivedBytes)
      throws QuickstartException, InterruptedException {
    return Poll.answer(
        "Counters of DataNodes are old",
        METRICS_TIMEOUT,
        line -> {},
        () -> {
          ClusterMetrics now = metrics();
          if (now.total().receivedBytes() < receivedBytes) {
            throw new Poll.NotYet("less is counted than was written");
          }
          return now;
        });
  }

  private void failDisks() throws Exception {
    List<Load.Program> programs =
        new ArrayList<>(ReadLoop.several(client(), ledger, ReadLoop.Ranges.LARGE));
    programs.addAll(WriteLoop.several(client(), ledger, shape.writtenBytes()));
    load = start(programs);
    FailureStep failure = new FailureStep(cluster(), admin, screen);
    failed = failure.choose();
    List<String> each = new ArrayList<>();
    for (DiskTriangle.Disk disk : failed.disks()) {
      each.add(failure.name(disk));
    }
    String names = String.join(", ", each);
    load.requireSound();
    load.failuresBegin();
    failure.fail(failed);
    screen.line(
        "failed %s, each two of which share a superchunk: no replica is left of %s",
        names, count(failed.blocks(), "block"));
    failure.awaitNoticed(failed);
    report.row("disks lost", "%s, and all replicas of %s", names, count(failed.blocks(), "block"));
  }

  private void recover() throws Exception {
    long begin = System.nanoTime();
    RecoveryResult recovery = new RecoveryStep(admin, screen).run();
    long ms = Texts.msSince(begin);
    screen.line(
        "%s: %s of %s rebuilt from Lstors and mirrors, %s superchunks of %s copied",
        seconds(ms),
        count(recovery.rebuiltBlocks(), "block"),
        size(recovery.rebuiltBytes()),
        recovery.copied(),
        size(recovery.copiedBytes()));
    load.end();
    screen.line(
        "meanwhile %s right, %s refused, %s wrong; %s written, %s repeated",
        count(load.reads(), "read"),
        load.refusedReads(),
        load.wrongReads(),
        count(load.writes(), "file"),
        count(load.repetitions(), "write"));
    load.requireSound();
    recovery.addTo(report, ms);
    load.addTo(report);
  }

  /** As by default: until disks count as failed no DataNode decodes what was on them. */
  @Override
  int retryWindowMs() {
    return 3000;
  }

  /** The shape that the files need, once they have been looked at. */
  ClusterShape shape() {
    return shape;
  }

  /** Empty disks come in the place of those that failed, and get superchunks. */
  @Override
  void clear() throws Exception {
    load.end();
    delete(FOLDER, WriteLoop.FOLDER);
    new FailureStep(cluster(), admin, screen).replace(failed);
    cluster().applyLayout();
  }

  private void fsck() throws QuickstartException {
    screen.progress("placement, slots, checksums, and parity of every disk recomputed");
    Admin.Answer answer = admin.run(screen::progress, "-fsck -json");
    JsonNode doc = answer.requireJson();
    if (answer.exitCode() != 0 || !doc.path("healthy").asBoolean()) {
      List<String> found = new ArrayList<>();
      for (JsonNode finding : doc.path("findings")) {
        found.add(
            format(
                "%s superchunk %s block %s: %s",
                finding.path("kind").asText(),
                finding.path("superchunk").asText("-"),
                finding.path("block").asText("-"),
                finding.path("detail").asText()));
      }
      throw QuickstartException.cluster(
          "raidp -fsck found %s problems:\n  %s", found.size(), Texts.first(found));
    }
    long blocks = doc.path("blocks").asLong();
    screen.line(
        "healthy: %s, %s, %s read",
        count(doc.path("superchunks").asLong(), "superchunk"),
        count(blocks, "block"),
        size(doc.path("bytesRead").asLong()));
    addHealth(report, blocks);
  }

  static void addHealth(Report report, long blocks) {
    report.row("raidp -fsck", "healthy, %s checked", count(blocks, "block"));
  }

  @Override
  List<String> commands() {
    return List.of(
        "dfs -ls -R " + FOLDER, "raidp -status " + FOLDER, "raidp -layout", "dfsadmin -report");
  }
}
