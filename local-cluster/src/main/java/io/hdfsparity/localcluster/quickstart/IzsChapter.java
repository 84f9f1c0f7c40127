/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.count;
import static io.hdfsparity.localcluster.quickstart.Texts.firstLine;
import static io.hdfsparity.localcluster.quickstart.Texts.format;
import static io.hdfsparity.localcluster.quickstart.Texts.seconds;
import static io.hdfsparity.localcluster.quickstart.Texts.size;

import io.hdfsparity.localcluster.ClusterPaths;
import io.hdfsparity.localcluster.RepairCounters;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileSystem;

/**
 * The chapter on codec izs: a node dies and is rebuilt by half reads, the level goes up, three more
 * nodes die, and the level goes down. Used by one thread.
 */
final class IzsChapter extends Chapter {
  private static final String FOLDER = "/archive";
  private static final String SET_LEVEL = "izs -setLevel %s " + FOLDER + " -R";
  private static final Duration PLACES_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration NOTICE_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration REBUILD_TIMEOUT = Duration.ofMinutes(30);
  private static final Duration DELETE_TIMEOUT = Duration.ofSeconds(120);
  private final TreeSet<Integer> dead = new TreeSet<>();
  private UnitMap units;
  private UnitMap.Holding lost;
  private long readsWhileRebuilt;
  private long readsWhileRaised;
  private long bytesBefore;
  private long bytesHigher;

  IzsChapter(Runner runner) {
    super(ChapterName.IZS, runner, IzsShape.BLOCK_BYTES, NAME_WIDTH);
  }

  @Override
  ClusterPlan plan(List<SourceFile> chosen) {
    String title =
        format(
            "%s DataNodes in %s racks, each with repair by half reads; a level manager in the "
                + "NameNode",
            IzsShape.NODES, IzsShape.RACKS);
    long maxBytes = IzsShape.maxBytes(chosen);
    return new ClusterPlan(title, IzsShape::describe, maxBytes);
  }

  @Override
  List<Step> steps() {
    String policy = IzsShape.policy(IzsShape.LEVEL);
    return List.of(
        store(FOLDER, policy, "", this::stored),
        new Step(this::killTitle, this::kill),
        Step.of("Rebuild what it held on the other nodes, while files are read", this::rebuild),
        Step.of(
            format(
                "Raise the level: " + SET_LEVEL + ", while files are read", IzsShape.HIGHER_LEVEL),
            this::raise),
        new Step(
            () ->
                format(
                    "Kill %s of the seven that are left, and read all with the suite's file system",
                    String.join(", ", victims())),
            this::loseAsManyAsTheLevel),
        Step.of(format("Lower the level: " + SET_LEVEL, IzsShape.LOWER_LEVEL), this::lower),
        compareAll(
            this::stock,
            " with Hadoop's own client and compare SHA-256 with the source",
            result -> ""));
  }

  private void stored() throws Exception {
    List<String> paths = ledger.all().stream().map(Ledger.Entry::path).toList();
    StripedSpace space = IzsShape.space(IzsShape.LEVEL);
    units = new UnitMap(stock(), paths, space, cluster().spec().nodes());
    await("The units are not all there", PLACES_TIMEOUT, () -> units.requireAll(IzsShape.LEVEL));
    bytesBefore = liveBytes();
    screen.line(
        "on disks %s, any two units of a block group may be lost; three replicas would take %s",
        size(bytesBefore), size(3 * FileChoice.totalBytes(files())));
    addStored(report, files());
  }

  /** The node whose loss costs most. */
  private String killTitle() throws QuickstartException {
    lost =
        units.holdings().stream()
            .max(
                Comparator.comparingLong(UnitMap.Holding::fullDataStripes)
                    .thenComparingLong(UnitMap.Holding::units))
            .orElseThrow();
    return "Kill " + lost.name() + " (kill -9), and read all with Hadoop's own client";
  }

  /** Reads all before the NameNode has noticed. */
  private void kill() throws Exception {
    cluster().kill(lost.name());
    dead.add(lost.node());
    screen.line(
        "lost %s of %s; what is missing is decoded while it is read",
        count(lost.units(), "unit"), size(lost.bytes()));
    compare(stock());
  }

  private Load readers(FileSystem fileSystem) {
    return start(ReadLoop.several(fileSystem, ledger, ReadLoop.Ranges.LARGE));
  }

  private void rebuild() throws Exception {
    Load load = readers(stock());
    await(
        "The NameNode does not notice that the node is dead",
        NOTICE_TIMEOUT,
        () -> {
          if (units.holdings().get(lost.node()).units() > 0) {
            throw new Poll.NotYet("the NameNode has not noticed yet");
          }
        });
    long begin = System.nanoTime();
    awaitUnits(IzsShape.LEVEL, lost.units(), "unit", "rebuilt");
    long ms = Texts.msSince(begin);
    RepairCounters counters = cluster().repairCounters();
    load.end();
    IzsRepair repair = new IzsRepair(lost, counters, ms);
    screen.line(
        "%s in %s: %s by half reads, %s from four units",
        count(lost.units(), "unit"),
        seconds(ms),
        count(counters.halfReads(), "block group"),
        counters.rebuilt() - counters.halfReads());
    repair.table().forEach(screen::line);
    tellReads(load);
    if (!repair.isFiveEighths()) {
      screen.line("not all full stripes were rebuilt by half reads: helpers were busy or slow");
    }
    repair.addTo(report);
    readsWhileRebuilt = load.reads();
  }

  private LevelStep.Result setLevel(int level) throws Exception {
    return new LevelStep(Admin.izs(conf()), screen).run(level, FOLDER);
  }

  private void raise() throws Exception {
    Load load = readers(client());
    long begin = System.nanoTime();
    LevelStep.Result raised = setLevel(IzsShape.HIGHER_LEVEL);
    screen.line(
        "%s with %s changed in place in %s",
        count(raised.files(), "file"), count(raised.groups(), "block group"), seconds(raised.ms()));
    awaitUnits(IzsShape.HIGHER_LEVEL, raised.groups(), "new parity unit", "built");
    long ms = Texts.msSince(begin);
    load.end();
    screen.line("all have three parity units after %s", seconds(ms));
    tellReads(load);
    addRaised(report, raised, ms);
    readsWhileRaised = load.reads();
    bytesHigher = liveBytes();
  }

  /** The first nodes that are alive, as many as the level. */
  private List<String> victims() {
    return IntStream.range(0, cluster().spec().nodes())
        .filter(node -> !dead.contains(node))
        .limit(IzsShape.HIGHER_LEVEL)
        .mapToObj(node -> "dn" + node)
        .toList();
  }

  private int survived() {
    return dead.size() + IzsShape.HIGHER_LEVEL;
  }

  private void loseAsManyAsTheLevel() throws Exception {
    List<String> names = victims();
    for (String name : names) {
      cluster().kill(name);
    }
    screen.line(
        "%s of %s nodes are dead; block groups have lost up to three of their seven units",
        survived(), cluster().spec().nodes());
    compare(client());
    String again = String.join(", ", names) + " again";
    screen.progress("starting " + again + " ...");
    cluster().restart(names);
    awaitLive();
    screen.line("started " + again);
  }

  private void lower() throws Exception {
    int level = IzsShape.LOWER_LEVEL;
    await("Not all units came back", PLACES_TIMEOUT, () -> units.requireAll(IzsShape.HIGHER_LEVEL));
    LevelStep.Result lowered = setLevel(level);
    String files = count(lowered.files(), "file");
    screen.line("%s changed in place in %s", files, seconds(lowered.ms()));
    long expected = IzsShape.space(level).fileBytes(files());
    await(
        "The dropped parity units are not deleted",
        DELETE_TIMEOUT,
        () -> {
          long bytes = liveBytes();
          if (bytes > expected) {
            throw new Poll.NotYet("%s on disks, expected at most %s", size(bytes), size(expected));
          }
        });
    IzsSpace space = new IzsSpace(bytesBefore, bytesHigher, liveBytes());
    space.table(FileChoice.totalBytes(files())).forEach(screen::line);
    addLowered(report, lowered.ms());
    space.addTo(report);
    addReads(report, readsWhileRebuilt, readsWhileRaised);
    addSurvived(report, survived(), cluster().spec().nodes());
  }

  static void addRaised(Report report, LevelStep.Result raised, long ms) {
    String groups = count(raised.groups(), "block group");
    report.row(
        "level 2 to 3",
        "%s in %s, new parity units there after %s",
        groups,
        seconds(raised.ms()),
        seconds(ms));
  }

  static void addLowered(Report report, long ms) {
    report.row("level 3 to 1", "in %s", seconds(ms));
  }

  static void addReads(Report report, long whileRebuilt, long whileRaised) {
    report.row(
        "read meanwhile",
        "%s ranges during the repair, %s during the change of level: all right, none refused",
        whileRebuilt,
        whileRaised);
  }

  static void addSurvived(Report report, int survived, int nodes) {
    report.row("nodes dead at once", "%s of %s, and all files read", survived, nodes);
  }

  /** Waits until the NameNode holds those for alive that are, and no others. */
  private void awaitLive() throws QuickstartException, InterruptedException {
    int expected = cluster().spec().nodes() - dead.size();
    await(
        "The NameNode does not know which nodes are alive",
        NOTICE_TIMEOUT,
        () -> {
          int live = metrics().liveNodes();
          if (live != expected) {
            throw new Poll.NotYet(
                "the NameNode holds %s nodes for alive, waiting for %s", live, expected);
          }
        });
  }

  private void awaitUnits(int level, long built, String noun, String verb)
      throws QuickstartException, InterruptedException {
    Poll.await(
        "Not all units could be built",
        REBUILD_TIMEOUT,
        line -> {},
        () -> {
          long missing = units.missing(level);
          long done = Math.max(0, built - missing);
          double share = (double) done / Math.max(built, 1);
          screen.progress(share, "%s of %s %s", done, count(built, noun), verb);
          if (missing > 0) {
            throw new Poll.NotYet("%s units have no place", missing);
          }
        });
    screen.keepProgress();
  }

  private void tellReads(Load load) throws QuickstartException {
    load.requireSound();
    screen.line(
        "meanwhile %s of %s right, none refused, none wrong",
        count(load.reads(), "read"), size(load.readBytes()));
  }

  /** Bytes of units and their checksums on the nodes that have not died for good. */
  private long liveBytes() throws QuickstartException {
    ClusterPaths paths = new ClusterPaths(cluster().dir());
    long bytes = 0;
    try {
      for (int node = 0; node < cluster().spec().nodes(); node++) {
        bytes += dead.contains(node) ? 0 : Machine.replicaBytes(paths.diskRoot(node, 0));
      }
    } catch (IOException e) {
      throw QuickstartException.cluster(e, "Cannot look at the disks: %s", firstLine(e));
    }
    return bytes;
  }

  /** Starts again what is dead, too. */
  @Override
  void clear() throws Exception {
    delete(FOLDER);
    cluster().restart(dead.stream().map(node -> "dn" + node).toList());
    dead.clear();
    awaitLive();
  }

  @Override
  List<String> commands() {
    return List.of(
        "dfs -ls -R " + FOLDER,
        "fsck " + FOLDER + " -files -blocks -locations",
        "hdfs org.apache.hadoop.hdfs.tools.ECAdmin -listPolicies",
        "izs -getLevel " + FOLDER + " -R",
        "izs -status",
        "izs -advise " + FOLDER + " -R",
        "dfsadmin -report");
  }
}
