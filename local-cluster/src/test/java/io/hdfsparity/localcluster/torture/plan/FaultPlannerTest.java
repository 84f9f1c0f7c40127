/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.localcluster.ClusterMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Schedules follow from their seed, and never take more away than is survived. */
class FaultPlannerTest {
  private static final Set<FaultKind> ALL = EnumSet.allOf(FaultKind.class);

  @TempDir Path dir;

  @Test
  void aScheduleFollowsFromItsSeedAndSurvivesItsFile() throws IOException {
    Schedule schedule = FaultPlanner.plan(5, 10, Set.of(Feature.ECUPDATE, Feature.STOCK), ALL, 6);
    assertThat(FaultPlanner.plan(5, 10, Set.of(Feature.STOCK, Feature.ECUPDATE), ALL, 6))
        .isEqualTo(schedule);
    assertThat(FaultPlanner.plan(6, 10, schedule.features(), ALL, 6).episodes())
        .isNotEqualTo(schedule.episodes());
    Path file = dir.resolve("schedule.json");
    Files.writeString(file, schedule.toJson());
    assertThat(Schedule.load(file)).isEqualTo(schedule);
    assertThat(schedule.random("a").nextLong()).isEqualTo(schedule.random("a").nextLong());
    assertThat(schedule.random("a").nextLong()).isNotEqualTo(schedule.random("b").nextLong());
  }

  private static <T> T anyOf(T[] values, Random random) {
    return values[random.nextInt(values.length)];
  }

  @Test
  void noScheduleTakesMoreAwayThanIsSurvived() {
    SeededRuns.of(300)
        .check(
            random -> {
              Set<Feature> features = EnumSet.of(anyOf(Feature.values(), random));
              features.add(anyOf(Feature.values(), random));
              Schedule schedule = FaultPlanner.plan(random.nextLong(), 15, features, ALL, 6);
              assertThat(schedule.episodes()).hasSizeGreaterThan(10);
              long end = 0;
              for (Episode episode : schedule.episodes()) {
                // Healed before the next.
                assertThat(episode.beginMs()).isGreaterThan(end);
                end = episode.beginMs() + episode.holdMs();
                long nodes =
                    episode.faults().stream().filter(f -> f.kind().takesDataNode()).count();
                assertThat(nodes).isLessThanOrEqualTo(Feature.maxAway(features));
              }
              assertThat(end).isLessThan(15 * 60_000L);
              assertThat(ALL).allMatch(schedule::has);
            });
  }

  @Test
  void aMinuteHasAFault() {
    SeededRuns.of(200)
        .check(
            random ->
                assertThat(
                        FaultPlanner.plan(
                                random.nextLong(),
                                1,
                                Set.of(Feature.ECUPDATE),
                                Set.of(FaultKind.KILL),
                                6)
                            .has(FaultKind.KILL))
                    .isTrue());
  }

  @Test
  void aFileThatTakesTooMuchAwayIsRefused() throws IOException {
    Schedule right =
        new Schedule(
            1,
            1,
            Set.of(Feature.RAIDP),
            6,
            List.of(new Episode(1, 2, List.of(new Fault(FaultKind.KILL, 0)))));
    Path file = dir.resolve("schedule.json");
    Files.writeString(file, right.toJson().replace("\"node\" : 0", "\"node\" : 6"));
    assertThatThrownBy(() -> Schedule.load(file))
        .isInstanceOf(IOException.class)
        .hasStackTraceContaining("kill dn6")
        .hasStackTraceContaining("expected 1 to 1 different DataNodes of 6");
    assertThatThrownBy(
            () ->
                new Schedule(
                    1,
                    1,
                    Set.of(Feature.RAIDP),
                    6,
                    List.of(
                        new Episode(
                            1,
                            2,
                            List.of(new Fault(FaultKind.KILL, 0), new Fault(FaultKind.STOP, 1))))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("faults=[kill dn0, stop dn1]");
  }

  @Test
  void severalFeaturesHaveAClusterOfAll() {
    assertThat(Feature.mode(Set.of(Feature.STOCK))).isEqualTo(ClusterMode.STOCK);
    assertThat(Feature.mode(Set.of(Feature.STOCK, Feature.ECUPDATE)))
        .isEqualTo(ClusterMode.EC_UPDATE);
    assertThat(Feature.mode(Set.of(Feature.RAIDP, Feature.ECUPDATE))).isEqualTo(ClusterMode.ALL);
    assertThat(Feature.mode(Set.of(Feature.CASO, Feature.STOCK))).isEqualTo(ClusterMode.CASO);
    assertThat(Feature.mode(Set.of(Feature.CASO, Feature.ECUPDATE))).isEqualTo(ClusterMode.CASO);
    assertThat(Feature.mode(Set.of(Feature.CASO, Feature.IZS))).isEqualTo(ClusterMode.ALL);
  }

  @Test
  void newKindsComeLastSoThatOldSeedsStillGiveTheSameFaults() {
    assertThat(FaultKind.values())
        .extracting(FaultKind::label)
        .startsWith(
            "kill",
            "stop",
            "restart",
            "failover",
            "namenode-restart",
            "disk-fail",
            "bit-flip",
            "partition",
            "partition-namenode",
            "disk-full",
            "refuse-readers",
            "reply-loss",
            "slow-link",
            "disk-pair-fail",
            "clock");
    Set<FaultKind> old = Set.of(FaultKind.KILL, FaultKind.STOP, FaultKind.RESTART);
    assertThat(FaultPlanner.plan(1, 2, Set.of(Feature.RAIDP), old, 6).episodes())
        .flatExtracting(Episode::faults)
        .extracting(Fault::describe)
        .containsExactly("stop dn3", "restart dn4", "kill dn2", "stop dn0", "kill dn2");
  }

  @Test
  void aClockThatJumpsTakesNobodyAway() {
    Schedule schedule =
        FaultPlanner.plan(
            1, 9, Set.of(Feature.ECUPDATE), Set.of(FaultKind.CLOCK, FaultKind.KILL), 6);
    assertThat(schedule.episodes())
        .anyMatch(
            episode ->
                episode.faults().stream()
                    .map(Fault::kind)
                    .toList()
                    .containsAll(List.of(FaultKind.CLOCK, FaultKind.KILL)));
    assertThat(schedule.episodes())
        .flatExtracting(Episode::faults)
        .extracting(Fault::describe)
        .contains("clock");
  }

  @Test
  void faultsOfClientsTakeADataNodeEach() {
    assertThat(FaultKind.ofClients()).isNotEmpty().allMatch(FaultKind::takesDataNode);
    assertThat(
            FaultPlanner.plan(1, 1, Set.of(Feature.ECUPDATE), FaultKind.ofClients(), 6).episodes())
        .flatExtracting(Episode::faults)
        .isNotEmpty()
        .allMatch(fault -> FaultKind.ofClients().contains(fault.kind()));
  }
}
