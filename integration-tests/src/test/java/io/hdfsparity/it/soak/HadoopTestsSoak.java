/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Hadoop's own tests of erasure coding and DataNodes, each class on plain Hadoop and with the
 * suite's parts in it, side by side. {@code ./check soak} runs it; {@code -Dsoak.classes=A,B}
 * chooses, {@code left} takes those that were not run at this commit. The record is {@code
 * docs/reference/hadoop-tests.md}, written after each class; what tests print is in {@code
 * target/soak}.
 */
@Tag("soak")
class HadoopTestsSoak {
  private static final Path RECORD = Path.of("..", "docs", "reference", "hadoop-tests.md");
  private static final Path WORK = Path.of("target", "soak").toAbsolutePath();
  private static final int RUNS_AGAIN = 2;

  /** Above, it is no matter of chance. */
  private static final int MAX_AGAIN = 8;

  private static final String HDFS = "org.apache.hadoop.hdfs.";
  private static final String DATANODE = HDFS + "server.datanode.";

  private static final List<String> CLASSES =
      List.of(
          DATANODE + "fsdataset.impl.TestFsDatasetImpl",
          HDFS + "TestReadStripedFileWithDecoding",
          HDFS + "TestDFSStripedInputStream",
          DATANODE + "TestDataNodeHotSwapVolumes",
          HDFS + "TestErasureCodingPolicies",
          HDFS + "server.namenode.TestFileTruncate",
          HDFS + "TestFileChecksum",
          HDFS + "TestDFSStripedOutputStream",
          HDFS + "TestReconstructStripedFile",
          HDFS + "TestDecommissionWithStriped",
          HDFS + "TestWriteReadStripedFile",
          HDFS + "TestUnsetAndChangeDirectoryEcPolicy",
          HDFS + "TestDistributedFileSystemWithECFile",
          HDFS + "TestLeaseRecoveryStriped",
          HDFS + "server.namenode.TestAddStripedBlocks",
          DATANODE + "TestBlockReplacement",
          DATANODE + "TestBlockScanner",
          DATANODE + "TestDirectoryScanner",
          DATANODE + "fsdataset.impl.TestFsVolumeList",
          DATANODE + "fsdataset.impl.TestLazyPersistFiles",
          HDFS + "server.diskbalancer.TestDiskBalancer",
          HDFS + "server.mover.TestMover");

  /** Those that bring a dataset without files. */
  private static final Set<String> SIMULATED = Set.of(HDFS + "TestDFSStripedInputStream");

  /** Tests that fail with ours, or may, by class and name, and where the docs say why. */
  private static final Map<String, String> EXPLAINED =
      Map.of(
          "TestFsDatasetImpl.testDnRestartWithHardLink()",
          "the start scans the disks and does not read the replica cache file, so that either of two files"
              + " of a block may be the one in use: [the start](ecupdate-datanode.md#what-stock-readers-get)");

  private final String commit = System.getProperty("soak.commit", "unknown");
  private final Duration limit = Duration.ofMinutes(Long.getLong("soak.minutes", 40));

  @Test
  void whatPassesOnPlainHadoopPassesWithOurs() throws Exception {
    SortedMap<String, String> unexplained = new TreeMap<>();
    for (String name : chosen(System.getProperty("soak.classes", "all"))) {
      HadoopClassResult result = run(name);
      record(result);
      assertThat(result.plain()).as(name).isNotEmpty();
      result.worse().forEach((test, why) -> unexplained.put(result.simpleName() + "." + test, why));
    }
    unexplained.keySet().removeAll(EXPLAINED.keySet());
    assertThat(unexplained).isEmpty();
  }

  private List<String> chosen(String words) throws IOException {
    if (words.equals("all")) {
      return CLASSES;
    }
    if (words.equals("left")) {
      HadoopTestsPage page = page();
      return CLASSES.stream()
          .filter(name -> !page.hasRun(HadoopClassResult.simpleName(name), commit))
          .toList();
    }
    List<String> names = new ArrayList<>();
    for (String word : words.split(",", -1)) {
      names.add(
          CLASSES.stream()
              .filter(name -> HadoopClassResult.simpleName(name).equals(word))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "Cannot run Hadoop's tests: soak.classes="
                              + word
                              + ", expected all, left, or of "
                              + simpleNames())));
    }
    return names;
  }

  private HadoopClassResult run(String name) throws IOException, InterruptedException {
    Instant deadline = Instant.now().plus(limit);
    HadoopTestJvm first = start(name, "plain", name);
    HadoopTestJvm second = start(name, "ours", name);
    SortedMap<String, HadoopTestOutcome> plain = first.outcomes(deadline);
    SortedMap<String, HadoopTestOutcome> ours = second.outcomes(deadline);
    SortedMap<String, String> notes = new TreeMap<>();
    runAgain(name, "plain", ours, plain, notes);
    runAgain(name, "ours", plain, ours, notes);
    return new HadoopClassResult(name, plain, ours, notes);
  }

  private static HadoopTestJvm start(String name, String side, String what) throws IOException {
    Configuration site =
        side.equals("plain")
            ? HadoopTestSites.plain()
            : SIMULATED.contains(name)
                ? HadoopTestSites.oursWithSimulatedDataset()
                : HadoopTestSites.ours();
    String again = what.equals(name) ? "" : "-again";
    return HadoopTestJvm.start(
        WORK.resolve(HadoopClassResult.simpleName(name)).resolve(side + again), site, what);
  }

  /** Takes tests that failed on one side only as passed if they pass alone, and notes it. */
  private void runAgain(
      String name,
      String side,
      SortedMap<String, HadoopTestOutcome> other,
      SortedMap<String, HadoopTestOutcome> outcomes,
      SortedMap<String, String> notes)
      throws IOException, InterruptedException {
    List<String> failed = HadoopClassResult.passedOnlyIn(other, outcomes);
    if (failed.size() > MAX_AGAIN) {
      return;
    }
    for (String test : failed) {
      String id = Objects.requireNonNull(other.get(test)).uniqueId();
      for (int run = 1; run <= RUNS_AGAIN; run++) {
        HadoopTestOutcome again =
            start(name, side, id).outcomes(Instant.now().plus(limit)).get(test);
        if (again != null && again.isPassed()) {
          HadoopTestOutcome before = outcomes.put(test, again);
          notes.put(
              test,
              "failed in the run of the class ("
                  + side
                  + "), passed alone in run "
                  + run
                  + (before == null ? "; had not ended" : "")
                  + ".");
          break;
        }
      }
    }
  }

  private void record(HadoopClassResult result) throws IOException {
    HadoopTestsPage page = page();
    page.put(
        result,
        LocalDate.now(ZoneOffset.UTC).toString(),
        commit,
        test -> EXPLAINED.getOrDefault(test, "not explained"));
    Files.writeString(
        RECORD,
        page.text(simpleNames(), SIMULATED.stream().map(HadoopClassResult::simpleName).toList()));
  }

  private static HadoopTestsPage page() throws IOException {
    return HadoopTestsPage.parse(Files.exists(RECORD) ? Files.readString(RECORD) : "");
  }

  private static List<String> simpleNames() {
    return CLASSES.stream().map(HadoopClassResult::simpleName).toList();
  }
}
