/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.level.CodePolicy;
import io.hdfsparity.bridge.level.StripedFile;
import io.hdfsparity.bridge.level.StripedGroup;
import io.hdfsparity.bridge.level.StripedGroup.Units;
import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.update.GroupChange;
import io.hdfsparity.bridge.update.GroupFacts;
import io.hdfsparity.bridge.update.UnitPlace;
import io.hdfsparity.ecupdate.protocol.NodeRegistry;
import io.hdfsparity.ecupdate.protocol.NodeReport;
import io.hdfsparity.ecupdate.protocol.SessionTimes;
import io.hdfsparity.ecupdate.protocol.UpdateNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HealingRulesTest {
  private static final long FENCE_MS = 45;
  private static final CodePolicy RS =
      new CodePolicy(1, "RS-4-2-16k", "rs", 4, 2, 16_384, Map.of(), true);
  private static final StripedFile FILE =
      new StripedFile("/f", 7, Optional.of(RS), 1, false, false, false);
  private static final StripedFile COPY =
      new StripedFile("/c", 8, Optional.of(RS), 1, false, false, false);

  private final AtomicLong clockMs = new AtomicLong();
  private final NodeRegistry nodes =
      new NodeRegistry(new SessionTimes(100, 40, 10, 5, 5), clockMs::get);
  private final HealingRules rules = new HealingRules(nodes);

  /** dn0 to dn5 have the units; dn6 to dn8 have none. */
  private void report(int... numbers) {
    for (int number : numbers) {
      nodes.reported(new NodeReport(new UpdateNode("dn" + number, 1, "h", 1), 0, 0));
    }
  }

  private static GroupFacts group(int filled, int... units) {
    List<UnitPlace> places = new ArrayList<>();
    for (int unit : units) {
      places.add(new UnitPlace(unit, "dn" + unit, "10.0.0." + unit, "s", "DISK", true));
    }
    StripedGroup state =
        new StripedGroup(-1, true, filled, new Units(0, 0, 0, 0, 0, 0), 0, 0, false);
    return new GroupFacts(state, -1024, 1001, 100_000, places);
  }

  private static GroupChange asked(GroupFacts group) {
    return new GroupChange(
        FILE, 100, Optional.of(group), GroupChange.OldUnits.SOUND, Optional.empty());
  }

  private static GroupChange change(GroupFacts group) {
    GroupFacts whole = group(4, 0, 1, 2, 3, 4, 5);
    return new GroupChange(
        FILE,
        100,
        Optional.of(group),
        GroupChange.OldUnits.SOUND,
        Optional.of(new GroupChange.Copy(COPY, 100, List.of(whole), false)));
  }

  /** A client that goes by unit 2. */
  private static HealingRules.Lost lost(long sinceMs, String... uuids) {
    return new HealingRules.Lost(Set.of(uuids), Set.of(2), sinceMs, /* isInGrace= */ false);
  }

  private static HealingRules.Lost without(Integer... units) {
    return new HealingRules.Lost(Set.of("dn2"), Set.of(units), 4000, /* isInGrace= */ false);
  }

  private String kind(GroupChange change, HealingRules.Lost lost) {
    Refusal refusal = rules.judge(change, lost).orElseThrow();
    assertThat(refusal.reason())
        .startsWith("Cannot update: ")
        .contains("expected", "file=/f group=blk_-1");
    assertThat(refusal.remedy()).isNotBlank();
    return refusal.kind();
  }

  @Test
  void lostNodesMustHaveBeenSilentForTheFenceWhenAnythingWasLocked() {
    clockMs.set(1000);
    report(2);
    clockMs.set(1100);
    report(0, 1, 3, 4, 5, 6);
    GroupFacts group = group(4, 0, 1, 3, 4, 5);
    for (GroupChange each : List.of(asked(group), change(group))) {
      assertThat(kind(each, lost(1000 + FENCE_MS, "dn2"))).isEqualTo("node-back");
      assertThat(rules.judge(each, lost(1001 + FENCE_MS, "dn2"))).isEmpty();
      assertThat(kind(each, new HealingRules.Lost(Set.of("dn2"), Set.of(2), 1001 + FENCE_MS, true)))
          .isEqualTo("node-back");
      assertThat(rules.judge(each, lost(1001 + FENCE_MS, "dn2", "unheard-of"))).isEmpty();
      assertThat(kind(each, lost(1001 + FENCE_MS, "dn2", "dn3"))).isEqualTo("node-back");
    }
    assertThat(rules.judge(asked(group), lost(1001, "dn2", "unheard-of")).orElseThrow().reason())
        .contains("recentlyActive=[dn2]");
  }

  @Test
  void unitsMustBeLostAndNotTooMany() {
    clockMs.set(5000);
    report(0, 1, 3, 4, 5, 6);
    HealingRules.Lost lost = lost(4000, "dn2");
    GroupFacts whole = group(4, 0, 1, 2, 3, 4, 5);
    assertThat(kind(asked(whole), lost)).as("it is back with HDFS").isEqualTo("node-back");
    assertThat(kind(change(whole), lost(4000, "dn9"))).as("all is there").isEqualTo("node-back");
    assertThat(kind(asked(group(4, 0, 1, 2, 3, 4)), lost)).isEqualTo("node-back");
    assertThat(rules.judge(asked(group(4, 0, 1, 3, 4)), without(2, 5))).isEmpty();
    assertThat(kind(asked(group(4, 0, 1, 3)), lost)).isEqualTo("missing-unit");
    assertThat(kind(change(group(4, 0, 1, 3)), lost)).isEqualTo("missing-unit");
    assertThat(kind(asked(group(1, 0, 4, 5)), lost))
        .as("no bytes were there")
        .isEqualTo("node-back");
    assertThat(rules.judge(asked(group(1, 0, 4)), without(5))).isEmpty();
    List<UnitPlace> places = new ArrayList<>(group(4, 0, 1, 3, 4, 5).places());
    places.add(new UnitPlace(2, "dn2", "10.0.0.2", "s", "DISK", /* alive= */ false));
    assertThat(
            rules.judge(asked(new GroupFacts(whole.state(), -1024, 1001, 100_000, places)), lost))
        .isEmpty();
  }

  /** Another one, for whom more is lost, may have let writers end. */
  @Test
  void theUnitsThatAreMissingMustBeThoseThatItWasDecodedWithout() {
    clockMs.set(5000);
    report(0, 1, 3, 4, 5, 6);
    GroupFacts one = group(4, 0, 1, 3, 4, 5);
    GroupFacts two = group(4, 0, 1, 3, 4);
    for (boolean isAsking : new boolean[] {true, false}) {
      GroupChange missingOne = isAsking ? asked(one) : change(one);
      GroupChange missingTwo = isAsking ? asked(two) : change(two);
      assertThat(rules.judge(missingOne, without(2))).isEmpty();
      assertThat(rules.judge(missingTwo, without(5, 2))).isEmpty();
      assertThat(kind(missingOne, without(5))).isEqualTo("node-back");
      assertThat(kind(missingOne, without(2, 5))).isEqualTo("node-back");
      assertThat(kind(missingTwo, without(2))).isEqualTo("node-back");
      assertThat(rules.judge(missingTwo, without(5)).orElseThrow().reason())
          .contains("missingUnits=[2, 5]", "expected [5]");
    }
  }

  @Test
  void whoAsksIsToldWhenThereIsNoRoomForACopy() {
    clockMs.set(5000);
    report(0, 1, 3, 4, 5);
    HealingRules.Lost lost = lost(4000, "dn2");
    GroupFacts group = group(4, 0, 1, 3, 4, 5);
    assertThat(kind(asked(group), lost)).isEqualTo("too-few-nodes");
    assertThat(rules.judge(change(group), lost)).as("there is a copy").isEmpty();
    assertThat(rules.judge(asked(group(3, 0, 1, 4, 5)), lost)).as("five units").isEmpty();
    report(6);
    assertThat(rules.judge(asked(group), lost)).isEmpty();
  }

  private void giveUp(int number, Long... units) {
    UpdateNode node = new UpdateNode("dn" + number, 1, "h", 1);
    nodes.reported(new NodeReport(node, 0, 0, true, Map.of(), Set.of(units)));
  }

  /** Its DataNode reports all the time. */
  @Test
  void aUnitThatWasGivenUpBeforeAnythingWasLockedIsLost() {
    clockMs.set(1000);
    report(0, 1, 2, 3, 4, 5, 6);
    GroupFacts whole = group(4, 0, 1, 2, 3, 4, 5);
    clockMs.set(1010);
    giveUp(2, -1024L + 2);
    for (GroupChange each : List.of(asked(whole), change(whole))) {
      assertThat(rules.judge(each, lost(1010, "dn2"))).isEmpty();
      assertThat(kind(each, lost(1009, "dn2"))).as("locked before").isEqualTo("node-back");
      assertThat(kind(each, lost(1010, "dn2", "dn3"))).as("dn3 serves").isEqualTo("node-back");
    }
    clockMs.set(1020);
    giveUp(2, -1024L + 3);
    assertThat(kind(asked(whole), lost(1020, "dn2"))).as("another unit").isEqualTo("node-back");
  }

  @Test
  void oneOfTwoUnitsOfADataNodeIsNotEnough() {
    clockMs.set(1000);
    report(0, 1, 3, 4, 5, 6);
    giveUp(2, -1024L + 2);
    GroupFacts group = group(4, 0, 1, 3, 4);
    assertThat(
            kind(
                asked(group),
                new HealingRules.Lost(Set.of("dn2"), Set.of(2, 5), 1000, /* isInGrace= */ false)))
        .isEqualTo("node-back");
  }
}
