/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import io.hdfsparity.localcluster.ClusterPaths;
import io.hdfsparity.localcluster.RepairCounters;
import io.hdfsparity.localcluster.Sizes;
import io.hdfsparity.localcluster.quickstart.QuickstartException.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * The chapter on codec izs: a node dies and is rebuilt by half reads, the level goes up, three more
 * nodes die, and the level goes down. Used by one thread.
 */
final class IzsTour extends Tour {
  static final int STEPS = 9;
  private static final String FOLDER = "/archive";
  private static final Duration PLACES_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration NOTICE_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration REBUILD_TIMEOUT = Duration.ofMinutes(30);
  private static final Duration DELETE_TIMEOUT = Duration.ofSeconds(120);
  private final TreeSet<Integer> dead = new TreeSet<>();
  private UnitMap units;
  private LevelStep levels;

  IzsTour(QuickstartOptions options, Path home, Screen screen) {
    super(options, home, screen);
  }

  @Override
  void plan(List<SourceFile> chosen) {
    // Nothing but room limits what the cluster takes.
  }

  @Override
  ClusterPlan clusterPlan() {
    return new ClusterPlan(
        IzsShape.NODES
            + " DataNodes in "
            + IzsShape.RACKS
            + " racks, each with repair by half reads; a level manager in the NameNode",
        IzsShape.BLOCK_BYTES,
        IzsShape::describe,
        IzsShape.maxBytes(files()));
  }

  @Override
  void show() throws Exception {
    levels = new LevelStep(Admin.izs(conf()), screen());
    try (DistributedFileSystem stock = newStockClient();
        FileSystem own = newClient()) {
      store(stock);
      long before = liveBytes();
      UnitMap.Holding lost = kill(stock);
      Rebuilt rebuilt = rebuild(stock, lost);
      Raised raised = raise(own);
      long higher = liveBytes();
      int survived = loseAsManyAsTheLevel(own);
      long lowerMs = lower();
      IzsReport.Space space = new IzsReport.Space(before, higher, liveBytes());
      space.table(FileChoice.totalBytes(files())).forEach(screen()::line);
      CompareStep.Result compared =
          compareAtTheEnd(stock, " with Hadoop's own client and compare SHA-256 with the source");
      showReport(
          new IzsReport(
                  new Report.Amount(files().size(), FileChoice.totalBytes(files())),
                  rebuilt.repair(),
                  new IzsReport.Levels(
                      raised.change().ms(), raised.ms(), raised.change().groups(), lowerMs),
                  space,
                  new IzsReport.Reads(rebuilt.reads(), raised.reads()),
                  survived,
                  compared.files())
              .lines());
    }
  }

  private record Rebuilt(IzsReport.Repair repair, long reads) {}

  private record Raised(LevelStep.Result change, long ms, long reads) {}

  /** Starts again what is dead, too. */
  @Override
  void clear() throws Exception {
    delete(FOLDER);
    cluster().restart(dead.stream().map(node -> "dn" + node).toList());
    dead.clear();
    awaitLive(NOTICE_TIMEOUT);
  }

  private void store(DistributedFileSystem stock) throws Exception {
    String policy = IzsShape.policy(IzsShape.LEVEL);
    store(stock, FOLDER, policy, "");
    units = new UnitMap(stock, ledger().all());
    await("The units are not all there", PLACES_TIMEOUT, () -> units.missing(IzsShape.LEVEL));
    long bytes = liveBytes();
    screen()
        .line(
            "on disks "
                + Sizes.text(bytes)
                + ", any two units of a block group may be lost; three replicas would take "
                + Sizes.text(3 * FileChoice.totalBytes(files())));
  }

  /** Kills the node whose loss costs most, and reads all before the NameNode has noticed. */
  private UnitMap.Holding kill(FileSystem stock) throws Exception {
    UnitMap.Holding victim =
        units.holdings().stream()
            .max(
                Comparator.comparingLong(UnitMap.Holding::fullDataStripes)
                    .thenComparingLong(UnitMap.Holding::units))
            .orElseThrow();
    screen().step("Kill dn" + victim.node() + " (kill -9), and read all with Hadoop's own client");
    cluster().kill("dn" + victim.node());
    dead.add(victim.node());
    screen()
        .line(
            "lost "
                + Texts.count(victim.units(), "unit")
                + " of "
                + Sizes.text(victim.bytes())
                + "; what is missing is decoded while it is read");
    compare(stock);
    return victim;
  }

  private Rebuilt rebuild(FileSystem stock, UnitMap.Holding lost) throws Exception {
    screen().step("Rebuild what it held on the other nodes, while files are read");
    try (Load load = Load.readers(stock, ledger())) {
      await(
          "The NameNode does not notice that the node is dead",
          NOTICE_TIMEOUT,
          () ->
              units.holdings().get(lost.node()).units() == 0
                  ? Optional.empty()
                  : Optional.of("the NameNode has not noticed yet"));
      long begin = System.nanoTime();
      awaitUnits(IzsShape.LEVEL, lost.units(), "unit", "rebuilt");
      long ms = Texts.msSince(begin);
      RepairCounters counters = cluster().repairCounters();
      LoadCounts counts = end(load);
      IzsReport.Repair repair =
          new IzsReport.Repair(lost.units(), lost.bytes(), lost.fullDataStripes(), counters, ms);
      screen()
          .line(
              Texts.count(lost.units(), "unit")
                  + " in "
                  + Texts.seconds(ms)
                  + ": "
                  + Texts.count(counters.halfReads(), "block group")
                  + " by half reads, "
                  + (counters.rebuilt() - counters.halfReads())
                  + " from four units");
      repair.table().forEach(screen()::line);
      tellReads(counts);
      if (!repair.isFiveEighths()) {
        screen().line("not all full stripes were rebuilt by half reads: helpers were busy or slow");
      }
      return new Rebuilt(repair, counts.reads());
    }
  }

  private Raised raise(FileSystem own) throws Exception {
    int level = IzsShape.HIGHER_LEVEL;
    screen()
        .step(
            "Raise the level: izs -setLevel " + level + " " + FOLDER + " -R, while files are read");
    try (Load load = Load.readers(own, ledger())) {
      long begin = System.nanoTime();
      LevelStep.Result change = levels.run(level, FOLDER);
      screen()
          .line(
              Texts.count(change.files(), "file")
                  + " with "
                  + Texts.count(change.groups(), "block group")
                  + " changed in place in "
                  + Texts.seconds(change.ms()));
      awaitUnits(level, change.groups(), "new parity unit", "built");
      long ms = Texts.msSince(begin);
      LoadCounts counts = end(load);
      screen().line("all have three parity units after " + Texts.seconds(ms));
      tellReads(counts);
      return new Raised(change, ms, counts.reads());
    }
  }

  private int loseAsManyAsTheLevel(FileSystem own) throws Exception {
    List<Integer> victims = new ArrayList<>();
    for (int node = 0; victims.size() < IzsShape.HIGHER_LEVEL; node++) {
      if (!dead.contains(node)) {
        victims.add(node);
      }
    }
    List<String> names = victims.stream().map(node -> "dn" + node).toList();
    screen()
        .step(
            "Kill "
                + String.join(", ", names)
                + " of the seven that are left, and read all with the suite's file system");
    for (String name : names) {
      cluster().kill(name);
    }
    int survived = dead.size() + names.size();
    screen()
        .line(
            survived
                + " of "
                + IzsShape.NODES
                + " nodes are dead; block groups have lost up to three of their seven units");
    compare(own);
    screen().progress("starting " + String.join(", ", names) + " again ...");
    cluster().restart(names);
    awaitLive(NOTICE_TIMEOUT);
    screen().line("started " + String.join(", ", names) + " again");
    return survived;
  }

  private long lower() throws Exception {
    int level = IzsShape.LOWER_LEVEL;
    screen().step("Lower the level: izs -setLevel " + level + " " + FOLDER + " -R");
    await("Not all units came back", PLACES_TIMEOUT, () -> units.missing(IzsShape.HIGHER_LEVEL));
    LevelStep.Result change = levels.run(level, FOLDER);
    screen()
        .line(
            Texts.count(change.files(), "file")
                + " changed in place in "
                + Texts.seconds(change.ms()));
    long expected = IzsShape.diskBytes(files(), level);
    await(
        "The dropped parity units are not deleted",
        DELETE_TIMEOUT,
        () -> {
          long bytes = liveBytes();
          return bytes <= expected
              ? Optional.empty()
              : Optional.of(
                  Sizes.text(bytes) + " on disks, expected at most " + Sizes.text(expected));
        });
    return change.ms();
  }

  /** Waits until the NameNode holds those for alive that are, and no others. */
  private void awaitLive(Duration timeout) throws QuickstartException, InterruptedException {
    int expected = cluster().spec().nodes() - dead.size();
    await(
        "The NameNode does not know which nodes are alive",
        timeout,
        () -> {
          int live = metrics().liveNodes();
          return live == expected
              ? Optional.empty()
              : Optional.of(
                  "the NameNode holds " + live + " nodes for alive, waiting for " + expected);
        });
  }

  private void awaitUnits(int level, long built, String noun, String verb)
      throws QuickstartException, InterruptedException {
    await(
        "Not all units could be built",
        REBUILD_TIMEOUT,
        line -> {},
        () -> {
          long missing = units.count(level).missing();
          long done = Math.max(0, built - missing);
          screen()
              .progress(
                  Screen.bar((double) done / Math.max(built, 1))
                      + " "
                      + done
                      + " of "
                      + Texts.count(built, noun)
                      + " "
                      + verb);
          return missing == 0 ? Optional.empty() : Optional.of(missing + " units have no place");
        });
    screen().keepProgress();
  }

  private void tellReads(LoadCounts counts) throws QuickstartException {
    requireSound(counts);
    screen()
        .line(
            "meanwhile "
                + Texts.count(counts.reads(), "read")
                + " of "
                + Sizes.text(counts.readBytes())
                + " right, none refused, none wrong");
  }

  /** Bytes of units and their checksums on the nodes that have not died for good. */
  private long liveBytes() throws QuickstartException {
    ClusterPaths paths = new ClusterPaths(options().clusterDir());
    long bytes = 0;
    try {
      for (int node = 0; node < IzsShape.NODES; node++) {
        if (!dead.contains(node)) {
          bytes += Machine.replicaBytes(paths.diskRoot(node, 0));
        }
      }
    } catch (IOException e) {
      throw new QuickstartException(
          Kind.CLUSTER, "Cannot look at the disks: " + Texts.firstLine(e), e);
    }
    return bytes;
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
