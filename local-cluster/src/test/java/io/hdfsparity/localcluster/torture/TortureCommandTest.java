/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.localcluster.torture.history.HistoryLog;
import io.hdfsparity.localcluster.torture.history.OperationKind;
import io.hdfsparity.localcluster.torture.plan.FaultKind;
import io.hdfsparity.localcluster.torture.plan.FaultPlanner;
import io.hdfsparity.localcluster.torture.plan.Feature;
import io.hdfsparity.localcluster.torture.plan.Schedule;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Command lines, and histories that are checked without a cluster. */
class TortureCommandTest {
  @TempDir Path dir;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  private int run(String... args) {
    PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8);
    return new TortureCommand(stream, stream).run(List.of(args));
  }

  private String printed() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  @Test
  void helpIsNoError() {
    assertThat(run("--help")).isZero();
    assertThat(printed()).startsWith("Usage: hdfs-parity torture");
  }

  @Test
  void whatCannotBeDoneIsRefusedByName() {
    for (String fault :
        List.of(
            "partition",
            "partition-namenode",
            "disk-full",
            "refuse-readers",
            "reply-loss",
            "slow-link")) {
      printed.reset();
      assertThat(run("--faults", fault)).isEqualTo(2);
      assertThat(printed())
          .contains(
              "Cannot make namespaces for partition, partition-namenode, disk-full,"
                  + " refuse-readers, reply-loss, slow-link")
          .contains("expected root by bin/hdfs-parity");
      assertThat(run("--faults", fault, "--keep")).isEqualTo(2);
      assertThat(printed()).contains("--keep with any of partition");
    }
    assertThat(run("--features", "cas")).isEqualTo(2);
    assertThat(printed())
        .contains("--features=cas is unknown, expected some of stock, ecupdate, raidp, izs, caso");
    assertThat(run("--faults", "dance")).isEqualTo(2);
    assertThat(printed())
        .contains("--faults=dance is unknown, expected some of kill, stop, restart");
    assertThat(run("--minutes", "0")).isEqualTo(2);
    assertThat(printed()).contains("--minutes=0, expected a whole number from 1 to 240");
    for (String fault : List.of("disk-fail", "disk-pair-fail")) {
      assertThat(run("--features", "ecupdate", "--faults", fault)).isEqualTo(2);
      assertThat(printed()).contains("expected raidp, or raidp,stock");
      printed.reset();
    }
    for (String fault : List.of("reply-loss", "slow-link")) {
      assertThat(run("--features", "stock", "--faults", fault)).isEqualTo(2);
      assertThat(printed()).contains("expected ecupdate among them");
      printed.reset();
    }
    assertThat(run("--minutes", "9", "--faults", "failover,namenode-restart")).isEqualTo(2);
    assertThat(printed()).contains("expected one of both");
    assertThat(run("--replay", dir.resolve("none").toString(), "--seed", "1")).isEqualTo(2);
    assertThat(printed()).contains("--replay has --seed in its file");
    assertThat(run("--replay", dir.resolve("none").toString())).isEqualTo(2);
  }

  @Test
  void clocksNeedALibraryWhoseNameIsSaid() {
    Schedule schedule =
        FaultPlanner.plan(1, 1, Set.of(Feature.STOCK), Set.of(FaultKind.CLOCK, FaultKind.KILL), 6);
    assertThatThrownBy(() -> TortureOptions.requireClocks(schedule, Optional.empty()))
        .isInstanceOf(Exception.class)
        .hasMessageContaining("Cannot change the clocks of daemons")
        .hasMessageContaining("libfaketimeMT.so.1")
        .hasMessageContaining("package faketime");
  }

  @Test
  void onlyFaultsOfClocksNeedIt() throws Exception {
    Set<FaultKind> others = EnumSet.complementOf(EnumSet.of(FaultKind.CLOCK));
    TortureOptions.requireClocks(
        FaultPlanner.plan(1, 9, Set.of(Feature.STOCK), others, 6), Optional.empty());
  }

  @Test
  void aReplayIsTheScheduleOfTheFile() throws Exception {
    List<String> args = List.of("--seed", "3", "--faults", "kill", "--features", "raidp");
    TortureOptions options = TortureOptions.parse(args, 0);
    assertThat(options.schedule().has(FaultKind.KILL)).isTrue();
    assertThat(options.schedule().features()).containsExactly(Feature.RAIDP);
    assertThat(options.dir()).endsWithRaw(Path.of("run/torture/3"));
    Path file = dir.resolve("schedule.json");
    Files.writeString(file, options.schedule().toJson());
    assertThat(TortureOptions.parse(List.of("--replay", file.toString()), 9).schedule())
        .isEqualTo(options.schedule());
    assertThat(TortureOptions.parse(List.of("--faults", "none"), 9).schedule().episodes())
        .isEmpty();
  }

  @Test
  void aHistoryIsCheckedAgain() throws IOException {
    Path file = dir.resolve("history.jsonl");
    AtomicLong now = new AtomicLong();
    try (HistoryLog log = new HistoryLog(file, now::incrementAndGet)) {
      log.acknowledge(log.begin("a", OperationKind.UPDATE, "/f#1", "0.0"));
      log.acknowledge(log.begin("a", OperationKind.UPDATE, "/f#1", "1.0"));
      log.answer(log.begin("a", OperationKind.UPDATER_READ, "/f#1", ""), "1.0");
      assertThat(run("--check", file.toString())).isZero();
      assertThat(printed()).contains("RIGHT");
      log.answer(log.begin("a", OperationKind.UPDATER_READ, "/f#1", ""), "0.0");
    }
    assertThat(run("--check", file.toString())).isEqualTo(1);
    assertThat(printed()).contains("VIOLATION STALE /f#1").contains("VIOLATIONS FOUND");
    assertThat(run("--check", dir.resolve("none").toString())).isEqualTo(2);
  }
}
