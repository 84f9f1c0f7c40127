/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * HBase as it comes on the suite's clusters: it is killed under load and started again, and every
 * operation that it has acknowledged is there. The record is {@code docs/reference/clients-soak.md}; {@code
 * -Dsoak.hbase.rounds=N} chooses how often it is killed.
 */
@Tag("soak")
@Timeout(7200)
class HBaseSoak {
  private static final int ROWS = 5003;
  private static final int ROUND_OPERATIONS = 6_000;
  private static final String ROOT = "/hbase";

  @TempDir Path root;

  /** What happens to HDFS while HBase is loaded and killed. */
  interface Mishap {
    /** In the middle of the load. */
    void underLoad() throws Exception;

    /** Right after HBase was killed, before it is started again. */
    void afterKill() throws Exception;

    /** Nothing happens. */
    Mishap NONE =
        new Mishap() {
          @Override
          public void underLoad() {}

          @Override
          public void afterKill() {}
        };
  }

  /** What a table of the page has a row for. */
  private record Run(String what, long operations, long flushes, int kills, long rows) {}

  /** What was acknowledged of a row, and what may have been done since: numbers of operations. */
  private static final class Ledger {
    private final Map<Long, Long> acknowledged = new HashMap<>();
    private long acknowledgedTo;
    private long triedTo;
    private long flushes;

    private static long row(long number) {
      return number * 7919 % ROWS;
    }

    void note(String line) {
      String[] words = line.split(" ");
      switch (words[0]) {
        case "try" -> triedTo = Long.parseLong(words[2]);
        case "ack" -> {
          for (long number = Long.parseLong(words[1]);
              number < Long.parseLong(words[2]);
              number++) {
            acknowledged.put(row(number), number);
          }
          acknowledgedTo = Long.parseLong(words[2]);
        }
        case "flushed" -> flushes++;
        default -> throw new AssertionError(line);
      }
    }

    /** What is missing or wrong; what was sent and not acknowledged may have been done. */
    List<String> problems(List<String> scanned) {
      List<String> problems = new ArrayList<>();
      Map<Long, Long> found = new HashMap<>();
      for (String line : scanned) {
        String[] words = line.split(" ");
        if (words[0].equals("row")) {
          found.put(Long.parseLong(words[1]), Long.parseLong(words[2]));
        } else {
          problems.add(line);
        }
      }
      Map<Long, Long> open = new HashMap<>();
      for (long number = acknowledgedTo; number < triedTo; number++) {
        open.put(row(number), number);
      }
      for (long row = 0; row < ROWS; row++) {
        Long last = acknowledged.get(row);
        Long maybe = open.get(row);
        Long is = found.get(row);
        boolean isRight =
            is == null ? isGone(last) || isGone(maybe) : is.equals(last) || is.equals(maybe);
        if (!isRight) {
          problems.add("row " + row + " has " + is + ", expected " + last + " or " + maybe);
        } else {
          settle(row, is, maybe);
        }
      }
      return problems;
    }

    /** What an operation without an answer has done stays done. */
    private void settle(long row, Long is, Long maybe) {
      if (maybe != null && (is == null ? isGone(maybe) : is.equals(maybe))) {
        acknowledged.put(row, maybe);
      }
    }

    private static boolean isGone(Long number) {
      return number == null || number % 10 == 9;
    }
  }

  @Test
  void whatWasAcknowledgedIsThereAfterKills() throws Exception {
    List<Run> runs = new ArrayList<>();
    try (StripedCluster cluster = new StripedCluster(root.resolve("striped"), /* appended= */ 0)) {
      DistributedFileSystem fs = cluster.dfs().getFileSystem();
      runs.add(run("replicated", cluster.conf(), noMishaps()));
      fs.delete(new org.apache.hadoop.fs.Path(ROOT), true);
      org.apache.hadoop.fs.Path data = new org.apache.hadoop.fs.Path(ROOT, "data");
      fs.mkdirs(data);
      fs.setErasureCodingPolicy(data, FileKind.RS.policy());
      runs.add(run("HFiles in RS(3,2), logs replicated", cluster.conf(), noMishaps()));
      assertThat(isStriped(fs)).as("HFiles are striped").isTrue();
    }
    try (ProtectedCluster cluster = new ProtectedCluster(root.resolve("raidp"), ROOT)) {
      // HBase's own keys: as it comes.
      runs.add(
          run(
              "RAIDP; a DataNode is killed, then the disks of a log one after the other",
              cluster.conf(),
              List.of(Mishap.NONE, cluster.dataNodeDies(), cluster.disksOfLogDie())));
      cluster.assertCovered();
    }
    StringBuilder page = new StringBuilder();
    page.append("\n## HBase 2.6.4 (Hadoop client 3.4.2), without our jar\n\n");
    page.append(
        "A program puts, deletes and flushes; HBase is killed with -9 and started again. Then all rows are read.\nRAIDP protects the root of HBase, which has its own default keys.\n\n");
    page.append(
        "| files | acknowledged operations | flushes | kills | rows read at the end | lost or wrong |\n");
    page.append("|---|---|---|---|---|---|\n");
    for (Run run : runs) {
      page.append(
          String.format(
              "| %s | %,d | %d | %d | %,d | 0 |\n",
              run.what(), run.operations(), run.flushes(), run.kills(), run.rows()));
    }
    SoakPage.writeHBase(page.toString());
  }

  private static boolean isStriped(DistributedFileSystem fs) throws IOException {
    var files = fs.listFiles(new org.apache.hadoop.fs.Path(ROOT, "data/default/soak"), true);
    boolean isStriped = false;
    while (files.hasNext()) {
      var file = files.next();
      isStriped |= file.getPath().getParent().getName().equals("f") && file.isErasureCoded();
    }
    return isStriped;
  }

  private static List<Mishap> noMishaps() {
    return Collections.nCopies(Integer.getInteger("soak.hbase.rounds", 4), Mishap.NONE);
  }

  /** A round for each mishap. */
  private Run run(String what, Configuration cluster, List<Mishap> mishaps) throws Exception {
    Ledger ledger = new Ledger();
    Path folder = Files.createTempDirectory(root, "hbase");
    try (HBaseServer hbase = new HBaseServer(folder, cluster, ROOT)) {
      hbase.start();
      List<String> rows = List.of();
      for (int round = 0; round < mishaps.size(); round++) {
        load(hbase, ledger, mishaps.get(round));
        hbase.start();
        rows = hbase.scan();
        assertThat(ledger.problems(rows)).as("%s, round %d", what, round).isEmpty();
        System.out.println(
            what + ": round " + round + ", " + ledger.acknowledgedTo + " operations");
      }
      return new Run(what, ledger.acknowledgedTo, ledger.flushes, mishaps.size(), rows.size());
    }
  }

  /** Loads it for a round, and kills it while it is loaded. */
  private static void load(HBaseServer hbase, Ledger ledger, Mishap mishap) throws Exception {
    long enough = ledger.acknowledgedTo + ROUND_OPERATIONS;
    long half = ledger.acknowledgedTo + ROUND_OPERATIONS / 2;
    boolean isHit = false;
    // Numbers that were tried are not used again: what they did is not known.
    Process load = hbase.load(ledger.triedTo);
    boolean isKilled = false;
    try (BufferedReader in = load.inputReader()) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith("::")) {
          ledger.note(line.substring(2));
        }
        if (!isHit && ledger.acknowledgedTo >= half) {
          isHit = true;
          mishap.underLoad();
        }
        if (!isKilled && ledger.acknowledgedTo >= enough) {
          isKilled = true;
          hbase.kill();
          load.destroyForcibly();
        }
      }
    } catch (IOException e) {
      // The pipe of a process that was killed.
      if (!isKilled) {
        throw e;
      }
    }
    assertThat(isKilled).as("the load has ended by itself: %s", hbase.errors()).isTrue();
    assertThat(load.waitFor(60, TimeUnit.SECONDS)).isTrue();
    mishap.afterKill();
  }
}
