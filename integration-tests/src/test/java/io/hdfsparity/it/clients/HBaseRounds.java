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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/**
 * HBase as it comes is loaded, killed with -9 under load and started again, round after round;
 * every operation that it has acknowledged is there. For one thread.
 */
final class HBaseRounds {
  /** HBase's root directory. */
  static final String ROOT = "/hbase";

  private static final int ROWS = 5003;

  private final Path root;
  private final int operations;

  /**
   * @param root where each run has a folder of its own
   * @param operations that a round has at least
   */
  HBaseRounds(Path root, int operations) {
    this.root = root;
    this.operations = operations;
  }

  /** What a table of the page has a row for. */
  record Run(String what, long operations, long flushes, int kills, long rows) {
    static final String HEAD =
        """
        | files | acknowledged operations | flushes | kills | rows read at the end | lost or wrong |
        |---|---|---|---|---|---|
        """;

    String line() {
      return String.format(
          "| %s | %,d | %d | %d | %,d | 0 |\n", what, operations, flushes, kills, rows);
    }
  }

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

  /** A round for each mishap. */
  Run run(String what, Configuration cluster, List<Mishap> mishaps) throws Exception {
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
  private void load(HBaseServer hbase, Ledger ledger, Mishap mishap) throws Exception {
    long enough = ledger.acknowledgedTo + operations;
    long half = ledger.acknowledgedTo + operations / 2;
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
