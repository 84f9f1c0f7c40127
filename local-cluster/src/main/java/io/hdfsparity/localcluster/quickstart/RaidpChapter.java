/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.QuickstartException.require;
import static io.hdfsparity.localcluster.quickstart.Texts.format;
import static io.hdfsparity.localcluster.quickstart.Texts.size;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.localcluster.AdminCommand;
import io.hdfsparity.localcluster.ClusterMetrics;
import io.hdfsparity.localcluster.LstorPlace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The chapter on RAIDP: three disks that share data pairwise die. Used by one thread. */
final class RaidpChapter extends Chapter {
  private static final String FOLDER = "/files";
  private static final String ADOPT = "raidp -protect " + FOLDER + " -adopt -progress";
  static final String RECOVER = "raidp -recover -progress";
  private static final int ATTEMPTS = 3;
  private static final Duration LAYOUT_TIMEOUT = Duration.ofMinutes(5);
  private static final Duration METRICS_TIMEOUT = Duration.ofMinutes(1);
  private static final Duration DELETED_TIMEOUT = Duration.ofMinutes(2);
  private static final Duration SETTLE_TIMEOUT = Duration.ofMinutes(5);

  private ClusterShape shape;
  private Load load;
  private DiskFailure failure;
  private RecoveryResult recovery = RecoveryResult.NONE;

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
    admin().json("raidp -layout -apply -json");
    await("The layout did not take effect", LAYOUT_TIMEOUT, this::requireLayout);
    JsonNode status = admin().json("raidp -status -json");
    return format(
        ": %s superchunks of {bytes}, %s spare frames",
        status.at("/superchunks/active").asLong(),
        shape.frameBytes(),
        status.path("spareFrames").asLong());
  }

  private void requireLayout() throws Poll.NotYet, IOException {
    long usable = admin().json("raidp -status -json").at("/superchunks/usable").asLong();
    int expected = ClusterShape.superchunks(cluster().spec().nodes());
    String template = "%s of %s superchunks can be used, expected all";
    Poll.NotYet.unless(usable == expected, template, usable, expected);
  }

  @Override
  List<Step> steps() {
    return List.of(
        Step.of(
            format(
                "Store the files with Hadoop's own client, three replicas of each, %s at a time",
                Workers.THREADS),
            this::store),
        Step.of("Parity for the third replica, where they lie: " + ADOPT, this::adopt),
        Step.of(
            "Fail three disks that share superchunks pairwise, while files are read and written",
            this::failDisks),
        Step.of("Recover: " + RECOVER, this::recover),
        compareAll(
            this::client,
            " and compare SHA-256 with the source",
            compared -> ", " + size(compared.bytes())),
        Step.of("Check the cluster: raidp -fsck", this::fsck));
  }

  private void store() throws Exception {
    store(FOLDER);
    addStored(report, files());
  }

  /** What a command has left undone, or nothing. */
  private interface Remainder {
    String of(AdminCommand.Answer answer) throws IOException;
  }

  /** Runs a command that shows its progress, again while it leaves something undone. */
  private void runUntilDone(String command, String otherwise, Remainder remainder)
      throws Exception {
    for (int attempt = 1; ; attempt++) {
      AdminCommand.Answer answer = admin().run(screen::progress, command + " -json");
      screen.keepProgress();
      String left = remainder.of(answer);
      if (left.isEmpty()) {
        return;
      }
      require(attempt < ATTEMPTS, "%s: %s", otherwise, left);
      screen.line("not complete (%s); again", reason(left));
    }
  }

  /** The first thing that is left: in the second line if there is one, behind a summary. */
  static String reason(String left) {
    List<String> lines = left.lines().limit(2).toList();
    return lines.get(lines.size() - 1).trim();
  }

  private void adopt() throws Exception {
    Path data = cluster().dir().resolve("data");
    long total = FileChoice.totalBytes(files());
    ClusterMetrics before = countersAfter(ClusterShape.REPLICAS * total);
    long beforeBytes = Machine.replicaBytes(data);
    long begin = System.nanoTime();
    runUntilDone(
        ADOPT,
        "Not all files could be taken into superchunks",
        answer -> {
          String files = answer.requireJson().path("files").toString();
          return answer.exitCode() == 0 ? "" : files;
        });
    long afterBytes =
        Poll.answer(
            "Third replicas were not deleted",
            DELETED_TIMEOUT,
            screen::progress,
            () -> requireTwoOfEach(data, total));
    screen.line("{ms}", Texts.msSince(begin));
    ClusterMetrics.DataNodeCounters sent = metrics().since(before);
    long lstorBytes = LstorPlace.neededBytes(cluster().spec());
    long networkBytes = sent.receivedBytes() + sent.rpcBytes();
    Traffic traffic = new Traffic(total, beforeBytes, afterBytes, lstorBytes, networkBytes);
    traffic.table().forEach(screen::line);
    traffic.addTo(report);
  }

  /** Refuses while there are third replicas; bytes of those that there are. */
  private static long requireTwoOfEach(Path data, long sourceBytes)
      throws Poll.NotYet, QuickstartException {
    long bytes = Machine.replicaBytes(data);
    // Checksum files take less than a hundredth.
    Poll.NotYet.unless(
        bytes <= sourceBytes * 2 + sourceBytes / 50,
        "{bytes} of replicas for {bytes} of files, expected two of each",
        bytes,
        sourceBytes);
    return bytes;
  }

  /**
   * DataNodes answer with counters that may be 10 seconds old (MetricsSourceAdapter): asks until so
   * much is counted.
   */
  private ClusterMetrics countersAfter(long receivedBytes) throws Exception {
    return Poll.answer(
        "Counters of DataNodes are old",
        METRICS_TIMEOUT,
        line -> {},
        () -> {
          ClusterMetrics now = metrics();
          boolean all = now.total().receivedBytes() >= receivedBytes;
          Poll.NotYet.unless(all, "less is counted than was written");
          return now;
        });
  }

  private void failDisks() throws Exception {
    List<Load.Program> programs =
        new ArrayList<>(ReadLoop.several(client(), ledger, ReadLoop.Ranges.LARGE));
    programs.addAll(WriteLoop.several(client(), ledger, shape.writtenBytes()));
    load = start(programs);
    failure = DiskFailure.choose(cluster(), admin(), screen);
    load.requireSound();
    load.failuresBegin();
    failure.failAll();
    long blocks = failure.triangle().blocks();
    screen.line(
        "failed %s, each two of which share a superchunk: no replica is left of {block}",
        failure.names(), blocks);
    failure.awaitNoticed();
    report.row("disks lost", "%s, and all replicas of {block}", failure.names(), blocks);
  }

  private void recover() throws Exception {
    long ms = recoverDisks();
    load.end();
    screen.line(
        "meanwhile {read} right, %s refused, %s wrong; {file} written, {write} repeated",
        load.reads(), load.refusedReads(), load.wrongReads(), load.writes(), load.repetitions());
    load.requireSound();
    recovery.addTo(report, ms);
    load.addTo(report);
  }

  /** Recovers from all disks that have failed; in what time, in milliseconds. */
  long recoverDisks() throws Exception {
    long begin = System.nanoTime();
    runUntilDone(RECOVER, "Recovery is not complete", this::unrecovered);
    await("Recovery ended, but not all is as it was", SETTLE_TIMEOUT, this::requireTwoReplicas);
    long ms = Texts.msSince(begin);
    screen.line(
        "{ms}: {block} of {bytes} rebuilt from Lstors and mirrors, %s superchunks of {bytes} copied",
        ms,
        recovery.rebuiltBlocks(),
        recovery.rebuiltBytes(),
        recovery.copied(),
        recovery.copiedBytes());
    return ms;
  }

  private String unrecovered(AdminCommand.Answer answer) throws IOException {
    recovery = recovery.then(answer.requireJson());
    return recovery.undone();
  }

  /** Refuses until every superchunk has two frames. */
  private void requireTwoReplicas() throws Poll.NotYet, IOException {
    JsonNode superchunks = admin().json("raidp -status -json").path("superchunks");
    long total = superchunks.path("total").asLong();
    long active = superchunks.path("active").asLong();
    String template = "%s of %s superchunks have two replicas, expected all";
    Poll.NotYet.unless(total > 0 && active == total, template, active, total);
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
    failure.replace();
    cluster().applyLayout();
  }

  void fsck() throws Exception {
    screen.progress("placement, slots, checksums, and parity of every disk recomputed");
    AdminCommand.Answer answer = admin().run(screen::progress, "raidp -fsck -json");
    JsonNode doc = answer.requireJson();
    List<String> found = new ArrayList<>();
    String finding = "%s superchunk %s block %s: %s";
    for (JsonNode each : doc.path("findings")) {
      found.add(Texts.ofFields(each, finding, "kind", "superchunk", "block", "detail"));
    }
    require(
        answer.exitCode() == 0 && doc.path("healthy").asBoolean(),
        "raidp -fsck found %s problems:\n  %s",
        found.size(),
        Texts.first(found));
    long superchunks = doc.path("superchunks").asLong();
    long blocks = doc.path("blocks").asLong();
    long bytes = doc.path("bytesRead").asLong();
    screen.line("healthy: {superchunk}, {block}, {bytes} read", superchunks, blocks, bytes);
    addHealth(report, blocks);
  }

  static void addHealth(Report report, long blocks) {
    report.row("raidp -fsck", "healthy, {block} checked", blocks);
  }

  @Override
  List<String> commands() {
    return List.of(
        "dfs -ls -R " + FOLDER, "raidp -status " + FOLDER, "raidp -layout", "dfsadmin -report");
  }
}
