/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.format;

import io.hdfsparity.localcluster.ClusterPaths;
import io.hdfsparity.localcluster.RepairCounters;
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
  private static final Duration LEVEL_TIMEOUT = Duration.ofMinutes(5);
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
    String with = "repair by half reads; a level manager in the NameNode";
    String title = IzsShape.NODES + " DataNodes in " + IzsShape.RACKS + " racks, each with " + with;
    return new ClusterPlan(title, IzsShape::describe, IzsShape.maxBytes(chosen));
  }

  @Override
  List<Step> steps() {
    String raise = "Raise the level: " + SET_LEVEL + ", while files are read";
    return List.of(
        store(FOLDER, IzsShape.policy(IzsShape.LEVEL), "", this::stored),
        new Step(this::killTitle, this::kill),
        Step.of("Rebuild what it held on the other nodes, while files are read", this::rebuild),
        Step.of(format(raise, IzsShape.HIGHER_LEVEL), this::raise),
        new Step(this::killMoreTitle, this::loseAsManyAsTheLevel),
        Step.of(format("Lower the level: " + SET_LEVEL, IzsShape.LOWER_LEVEL), this::lower),
        compareAll(
            this::stock,
            " with Hadoop's own client and compare SHA-256 with the source",
            result -> ""));
  }

  private void stored() throws Exception {
    List<String> paths = ledger.all().stream().map(Ledger.Entry::path).toList();
    units = new UnitMap(stock(), paths, IzsShape.space(IzsShape.LEVEL), nodes());
    await("The units are not all there", PLACES_TIMEOUT, () -> units.requireAll(IzsShape.LEVEL));
    bytesBefore = liveBytes();
    screen.line(
        "on disks {bytes}, any two units of a block group may be lost; three replicas would take "
            + "{bytes}",
        bytesBefore,
        3 * FileChoice.totalBytes(files()));
    addStored(report, files());
  }

  private int nodes() {
    return cluster().spec().nodes();
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
    String template = "lost {unit} of {bytes}; what is missing is decoded while it is read";
    screen.line(template, lost.units(), lost.bytes());
    compare(stock());
  }

  private Load readers(FileSystem fileSystem) {
    return start(ReadLoop.several(fileSystem, ledger, ReadLoop.Ranges.LARGE));
  }

  private void rebuild() throws Exception {
    Load load = readers(stock());
    String otherwise = "The NameNode does not notice that the node is dead";
    await(otherwise, NOTICE_TIMEOUT, this::requireNoticed);
    long begin = System.nanoTime();
    awaitUnits(IzsShape.LEVEL, lost.units(), "{unit} rebuilt");
    long ms = Texts.msSince(begin);
    RepairCounters counters = cluster().repairCounters();
    load.end();
    IzsRepair repair = new IzsRepair(lost, counters, ms);
    screen.line(
        "{unit} in {ms}: {block group} by half reads, %s from four units",
        lost.units(), ms, counters.halfReads(), counters.rebuilt() - counters.halfReads());
    repair.table().forEach(screen::line);
    tellReads(load);
    if (!repair.isFiveEighths()) {
      screen.line("not all full stripes were rebuilt by half reads: helpers were busy or slow");
    }
    repair.addTo(report);
    readsWhileRebuilt = load.reads();
  }

  private void requireNoticed() throws Poll.NotYet, QuickstartException {
    long held = units.holdings().get(lost.node()).units();
    Poll.NotYet.unless(held == 0, "the NameNode has not noticed yet");
  }

  private LevelChange setLevel(int level) throws Exception {
    LevelChange change = new LevelChange();
    await(
        "izs -setLevel failed",
        LEVEL_TIMEOUT,
        () -> change.runOnce(admin(), screen::progress, SET_LEVEL + " -json", level));
    return change;
  }

  private void raise() throws Exception {
    Load load = readers(client());
    long begin = System.nanoTime();
    LevelChange raised = setLevel(IzsShape.HIGHER_LEVEL);
    screen.line(
        "{file} with {block group} changed in place in {ms}",
        raised.files(),
        raised.groups(),
        raised.ms());
    awaitUnits(IzsShape.HIGHER_LEVEL, raised.groups(), "{new parity unit} built");
    long ms = Texts.msSince(begin);
    load.end();
    screen.line("all have three parity units after {ms}", ms);
    tellReads(load);
    addRaised(report, raised.groups(), raised.ms(), ms);
    readsWhileRaised = load.reads();
    bytesHigher = liveBytes();
  }

  /** The first nodes that are alive, as many as the level. */
  private List<String> victims() {
    return IntStream.range(0, nodes())
        .filter(node -> !dead.contains(node))
        .limit(IzsShape.HIGHER_LEVEL)
        .mapToObj(node -> "dn" + node)
        .toList();
  }

  private String killMoreTitle() {
    return format(
        "Kill %s of the seven that are left, and read all with the suite's file system",
        String.join(", ", victims()));
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
        survived(), nodes());
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
    LevelChange lowered = setLevel(level);
    screen.line("{file} changed in place in {ms}", lowered.files(), lowered.ms());
    long most = IzsShape.space(level).fileBytes(files());
    String otherwise = "The dropped parity units are not deleted";
    await(otherwise, DELETE_TIMEOUT, () -> requireAtMost(most));
    IzsSpace space = new IzsSpace(bytesBefore, bytesHigher, liveBytes());
    space.table(FileChoice.totalBytes(files())).forEach(screen::line);
    addLowered(report, lowered.ms());
    space.addTo(report);
    addReads(report, readsWhileRebuilt, readsWhileRaised);
    addSurvived(report, survived(), nodes());
  }

  private void requireAtMost(long mostBytes) throws Poll.NotYet, QuickstartException {
    long bytes = liveBytes();
    String template = "{bytes} on disks, expected at most {bytes}";
    Poll.NotYet.unless(bytes <= mostBytes, template, bytes, mostBytes);
  }

  static void addRaised(Report report, long groups, long ms, long builtMs) {
    String template = "{block group} in {ms}, new parity units there after {ms}";
    report.row("level 2 to 3", template, groups, ms, builtMs);
  }

  static void addLowered(Report report, long ms) {
    report.row("level 3 to 1", "in {ms}", ms);
  }

  static void addReads(Report report, long whileRebuilt, long whileRaised) {
    String template =
        "%s ranges during the repair, %s during the change of level: all right, none refused";
    report.row("read meanwhile", template, whileRebuilt, whileRaised);
  }

  static void addSurvived(Report report, int survived, int nodes) {
    report.row("nodes dead at once", "%s of %s, and all files read", survived, nodes);
  }

  /** Waits until the NameNode holds those for alive that are, and no others. */
  private void awaitLive() throws Exception {
    String otherwise = "The NameNode does not know which nodes are alive";
    await(otherwise, NOTICE_TIMEOUT, this::requireLive);
  }

  private void requireLive() throws Poll.NotYet, QuickstartException {
    int live = metrics().liveNodes();
    int expected = nodes() - dead.size();
    String template = "the NameNode holds %s nodes for alive, waiting for %s";
    Poll.NotYet.unless(live == expected, template, live, expected);
  }

  /**
   * Waits until all units have a place.
   *
   * @param built how many have none at the beginning
   * @param what these are, and what is done to them
   */
  private void awaitUnits(int level, long built, String what) throws Exception {
    Poll.Condition allThere =
        () -> {
          long missing = units.missing(level);
          long done = Math.max(0, built - missing);
          screen.progress((double) done / Math.max(built, 1), "%s of " + what, done, built);
          Poll.NotYet.unless(missing == 0, "%s units have no place", missing);
        };
    Poll.answer("Not all units could be built", REBUILD_TIMEOUT, line -> {}, allThere);
    screen.keepProgress();
  }

  private void tellReads(Load load) throws QuickstartException {
    load.requireSound();
    String template = "meanwhile {read} of {bytes} right, none refused, none wrong";
    screen.line(template, load.reads(), load.readBytes());
  }

  /** Bytes of units and their checksums on the nodes that have not died for good. */
  private long liveBytes() throws QuickstartException {
    ClusterPaths paths = new ClusterPaths(cluster().dir());
    long bytes = 0;
    for (int node = 0; node < nodes(); node++) {
      bytes += dead.contains(node) ? 0 : Machine.replicaBytes(paths.diskRoot(node, 0));
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
