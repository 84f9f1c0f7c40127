/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.level.CodePolicy;
import io.hdfsparity.bridge.level.ParityDoubts.Doubt;
import io.hdfsparity.bridge.level.StripedFile;
import io.hdfsparity.bridge.level.StripedFile.Trait;
import io.hdfsparity.bridge.level.StripedGroup;
import io.hdfsparity.bridge.level.StripedGroup.Units;
import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.update.GroupChange;
import io.hdfsparity.bridge.update.GroupChange.OldUnits;
import io.hdfsparity.bridge.update.GroupFacts;
import io.hdfsparity.bridge.update.UnitPlace;
import io.hdfsparity.ecupdate.config.SchemeOptions;
import io.hdfsparity.ecupdate.namenode.SessionRules.Cause;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SessionRulesTest {
  private static final int MAX_GROUPS = 10;
  private static final Cause RENEWED = Cause.OLD_UNITS;
  private static final CodePolicy RS =
      new CodePolicy(1, "RS-4-2-16k", "rs", 4, 2, 16_384, Map.of(), true);
  private static final CodePolicy XOR =
      new CodePolicy(2, "XOR-2-1", "xor", 2, 1, 16_384, Map.of(), true);

  private final AtomicLong clockMs = new AtomicLong();
  private final NodeRegistry nodes =
      new NodeRegistry(new SessionTimes(100, 40, 10, 5, 5), clockMs::get);
  private final SessionRules rules = new SessionRules(MAX_GROUPS, new SchemeOptions("PL"), nodes);

  @BeforeEach
  void allNodesReport() {
    for (int unit = 0; unit < RS.units(); unit++) {
      nodes.reported(new NodeReport(new UpdateNode("dn" + unit, 1, "h", 1), 0, 0));
    }
  }

  private static StripedFile file(
      CodePolicy policy, int groups, boolean open, boolean shared, boolean encrypted) {
    return new StripedFile("/f", 7, Optional.ofNullable(policy), groups, open, shared, encrypted);
  }

  private static StripedFile with(Trait trait, boolean open) {
    return new StripedFile(
        "/f",
        7,
        Optional.of(RS),
        1,
        open,
        /* shared= */ false,
        /* encrypted= */ false,
        Set.of(trait));
  }

  private static final StripedFile FILE = file(RS, 1, false, false, false);

  private String kind(StripedFile file, boolean upgrade) {
    Refusal refusal = rules.judge(file, upgrade).orElseThrow();
    assertThat(refusal.reason()).startsWith("Cannot update: ").contains("expected", "file=/f");
    assertThat(refusal.remedy()).isNotBlank();
    return refusal.kind();
  }

  @Test
  void filesAreRefusedOneByOne() {
    assertThat(rules.judge(FILE, false)).isEmpty();
    assertThat(kind(file(null, 1, false, false, false), false)).isEqualTo("not-striped");
    assertThat(kind(file(XOR, 1, false, false, false), false)).isEqualTo("codec");
    assertThat(kind(file(RS, 1, true, false, false), false)).isEqualTo("open");
    assertThat(kind(file(RS, 1, false, true, false), false)).isEqualTo("snapshot");
    assertThat(kind(file(RS, 1, false, false, true), false)).isEqualTo("encrypted");
    assertThat(kind(file(RS, MAX_GROUPS + 1, false, false, false), false))
        .isEqualTo("too-many-groups");
    assertThat(kind(FILE, true)).isEqualTo("upgrade");
    assertThat(kind(with(Trait.INTERRUPTED, true), false)).isEqualTo("interrupted");
  }

  @Test
  void anAppendDoesNotEndASession() {
    assertThat(rules.judgeOpened(file(RS, MAX_GROUPS + 1, true, false, false), false)).isEmpty();
    assertThat(rules.judgeOpened(file(RS, 1, true, true, false), false)).isPresent();
  }

  private static StripedGroup state(
      boolean complete, int filled, int repeated, int corrupt, int pending, boolean excess) {
    return new StripedGroup(
        -1, complete, filled, new Units(0, repeated, 0, 0, 0, 0), corrupt, pending, excess);
  }

  private static final StripedGroup SOUND = state(true, 4, 0, 0, 0, false);

  private static GroupFacts group(StripedGroup state, int... units) {
    List<UnitPlace> places = new ArrayList<>();
    for (int unit : units) {
      places.add(new UnitPlace(unit, "dn" + unit, "10.0.0." + unit, "s", "DISK", true));
    }
    return new GroupFacts(state, -1024, 1001, 100_000, places);
  }

  private static final GroupFacts WHOLE = group(SOUND, 0, 1, 2, 3, 4, 5);
  private static final StripedFile COPY =
      new StripedFile("/c", 8, Optional.of(RS), 1, false, false, false);

  private static GroupChange change(StripedFile file, StripedFile copy, GroupFacts... copied) {
    return new GroupChange(
        file,
        100,
        Optional.of(WHOLE),
        OldUnits.SOUND,
        Optional.of(new GroupChange.Copy(copy, 100, List.of(copied), false)));
  }

  private static GroupChange asked(StripedFile file, Optional<GroupFacts> group) {
    return new GroupChange(file, 100, group, OldUnits.SOUND, Optional.empty());
  }

  private static GroupChange with(OldUnits old, GroupChange change) {
    return new GroupChange(change.file(), change.blockBytes(), change.group(), old, change.copy());
  }

  private String kind(GroupChange change) {
    return rules.judgeReplacement(change, RENEWED, false).orElseThrow().kind();
  }

  @Test
  void aGroupIsReplacedByThatOfAWholeCopyOnly() {
    assertThat(rules.judgeReplacement(change(FILE, COPY, WHOLE), RENEWED, false)).isEmpty();
    assertThat(rules.judgeReplacement(change(FILE, COPY, WHOLE), RENEWED, true)).isPresent();
    GroupChange asked = asked(FILE, Optional.of(WHOLE));
    assertThat(rules.judgeReplacement(asked, RENEWED, false)).isEmpty();
    assertThat(rules.judgeReplacement(asked, RENEWED, true)).isPresent();
    assertThat(kind(change(file(RS, 1, true, false, false), COPY, WHOLE))).isEqualTo("open");
    assertThat(kind(change(file(RS, 1, false, true, false), COPY, WHOLE))).isEqualTo("snapshot");
    assertThat(kind(asked(FILE, Optional.empty()))).isEqualTo("replaced");
    StripedFile inSnapshot = file(RS, 1, false, true, false);
    assertThat(kind(asked(inSnapshot, Optional.empty())))
        .as("whatever else: its locks are kept")
        .isEqualTo("replaced");
    assertThat(
            kind(
                new GroupChange(
                    FILE,
                    100,
                    Optional.of(WHOLE),
                    OldUnits.SOUND,
                    Optional.of(new GroupChange.Copy(COPY, 99, List.of(WHOLE), false)))))
        .isEqualTo("copy");
    assertThat(kind(change(FILE, FILE, WHOLE))).isEqualTo("copy");
    assertThat(kind(change(FILE, COPY))).isEqualTo("copy");
    assertThat(kind(change(FILE, COPY, WHOLE, WHOLE))).isEqualTo("copy");
    assertThat(kind(change(FILE, COPY, new GroupFacts(SOUND, -2048, 1, 99, WHOLE.places()))))
        .isEqualTo("copy");
    CodePolicy other = new CodePolicy(3, "RS-4-3-16k", "rs", 4, 3, 16_384, Map.of(), true);
    assertThat(
            kind(
                change(
                    FILE,
                    new StripedFile("/c", 8, Optional.of(other), 1, false, false, false),
                    WHOLE)))
        .isEqualTo("copy");
    assertThat(
            kind(
                change(
                    FILE, new StripedFile("/c", 8, Optional.of(RS), 1, true, false, false), WHOLE)))
        .isEqualTo("open");
    assertThat(kind(change(FILE, COPY, group(SOUND, 0, 1, 2, 3, 4)))).isEqualTo("missing-unit");
    assertThat(kind(change(FILE, COPY, group(state(false, 4, 0, 0, 0, false), 0, 1, 2, 3, 4, 5))))
        .isEqualTo("group-open");
  }

  /**
   * The parity that is deleted may be what has the right bytes, or what a copy was decoded from.
   */
  @Test
  void aGroupWhoseParityIsDoubtedIsNotReplaced() {
    Map<Doubt, String> kinds =
        Map.of(
            Doubt.FOUND, "contradiction",
            Doubt.UNLISTED, "contradiction",
            Doubt.UNKNOWN, "doubts-unknown");
    kinds.forEach(
        (doubt, kind) -> {
          OldUnits doubted = new OldUnits(doubt, 0);
          for (Cause cause : Cause.values()) {
            for (GroupChange each :
                List.of(asked(FILE, Optional.of(WHOLE)), change(FILE, COPY, WHOLE))) {
              Refusal refusal =
                  rules.judgeReplacement(with(doubted, each), cause, false).orElseThrow();
              assertThat(refusal.kind()).isEqualTo(kind);
              assertThat(refusal.reason()).contains("file=/f", "group=blk_-1");
            }
          }
          assertThat(kind(with(doubted, asked(FILE, Optional.empty()))))
              .as("whatever else: its locks are kept")
              .isEqualTo("replaced");
        });
  }

  /** Without it, what was read in its place was decoded. Whoever heals has nothing else. */
  @Test
  void aGroupWithoutAllDataUnitsIsReplacedOnlyToHealIt() {
    GroupChange change = with(new OldUnits(Doubt.NONE, 1), change(FILE, COPY, WHOLE));
    Refusal refusal = rules.judgeReplacement(change, RENEWED, false).orElseThrow();
    assertThat(refusal.kind()).isEqualTo("missing-unit");
    assertThat(refusal.reason()).contains("missingDataUnits=1", "group=blk_-1");
    assertThat(rules.judgeReplacement(change, Cause.LOST_UNITS, false)).isEmpty();
    GroupChange asked = with(change.oldUnits(), asked(FILE, Optional.of(WHOLE)));
    assertThat(rules.judgeReplacement(asked, RENEWED, false))
        .as("who heals asks so, too, whether it was replaced")
        .isEmpty();
  }

  private String kind(StripedGroup state) {
    return rules.judge(FILE, group(state, 0, 1, 2, 3, 4, 5), 0).orElseThrow().kind();
  }

  @Test
  void groupsMustBeWholeAndAtRest() {
    assertThat(rules.judge(FILE, group(SOUND, 0, 1, 2, 3, 4, 5), 0)).isEmpty();
    assertThat(kind(state(false, 4, 0, 0, 0, false))).isEqualTo("group-open");
    assertThat(kind(state(true, 4, 0, 1, 0, false))).isEqualTo("corrupt");
    assertThat(kind(state(true, 4, 0, 0, 1, false))).isEqualTo("rebuilding");
    assertThat(kind(state(true, 4, 2, 0, 0, false))).isEqualTo("superfluous");
    assertThat(kind(state(true, 4, 0, 0, 0, true))).isEqualTo("superfluous");
    assertThat(rules.judge(FILE, group(state(true, 4, 0, 0, 1, false), 0, 1, 2, 3, 4, 5), 1))
        .isEmpty();
  }

  @Test
  void unitsThatHoldBytesMustBeThere() {
    Refusal refusal = rules.judge(FILE, group(SOUND, 0, 1, 3, 5), 1).orElseThrow();
    assertThat(refusal.kind()).isEqualTo("missing-unit");
    assertThat(refusal.reason()).contains("missingUnits=[2, 4]", "at most 1", "group=blk_-1");
    assertThat(rules.judge(FILE, group(SOUND, 0, 1, 3, 5), 2)).isEmpty();
    StripedGroup shortGroup = state(true, 1, 0, 0, 0, false);
    assertThat(rules.judge(FILE, group(shortGroup, 0, 4, 5), 0)).isEmpty();
    assertThat(rules.judge(FILE, group(shortGroup, 4, 5), 0)).isPresent();
  }

  @Test
  void aUnitOnADeadNodeIsMissing() {
    GroupFacts group = group(SOUND, 0, 1, 2, 3, 4);
    List<UnitPlace> places = new ArrayList<>(group.places());
    places.add(new UnitPlace(5, "dn5", "10.0.0.5", "s", "DISK", /* alive= */ false));
    GroupFacts dead = new GroupFacts(SOUND, -1024, 1001, 100_000, places);
    assertThat(rules.judge(FILE, dead, 0).orElseThrow().kind()).isEqualTo("missing-unit");
  }

  /** What only a client has reported as damaged is served on. */
  @Test
  void aUnitThatWasGivenUpIsMissingButForWhomUsesIt() {
    StripedGroup corrupt = state(true, 4, 0, 1, 0, false);
    GroupFacts reported = group(corrupt, 0, 1, 2, 3, 4, 5);
    assertThat(rules.judge(FILE, reported, 0).orElseThrow().kind()).isEqualTo("corrupt");
    assertThat(rules.judge(FILE, reported, 1)).isEmpty();
    assertThat(rules.judgeInUse(FILE, reported, 0)).isEmpty();
    assertThat(SessionRules.whereServed(reported, 5, nodes)).isPresent();
    UpdateNode node = new UpdateNode("dn5", 1, "h", 1);
    nodes.reported(new NodeReport(node, 0, 0, true, Map.of(), Set.of(-1024L + 5)));
    GroupFacts givenUp = group(SOUND, 0, 1, 2, 3, 4, 5);
    assertThat(rules.judge(FILE, givenUp, 0).orElseThrow().reason()).contains("missingUnits=[5]");
    assertThat(rules.judge(FILE, givenUp, 1)).isEmpty();
    assertThat(rules.judgeInUse(FILE, givenUp, 0)).isEmpty();
    assertThat(SessionRules.whereServed(givenUp, 5, nodes)).isEmpty();
    assertThat(rules.judgeInUse(FILE, group(SOUND, 0, 1, 2, 3, 4), 0).orElseThrow().kind())
        .as("its DataNode is no witness")
        .isEqualTo("missing-unit");
  }

  @Test
  void eachNodeMustHaveReportedLately() {
    clockMs.set(30);
    for (int unit = 0; unit < RS.units() - 1; unit++) {
      nodes.reported(new NodeReport(new UpdateNode("dn" + unit, 1, "h", 1), 0, 0));
    }
    clockMs.set(41);
    Refusal refusal = rules.judge(FILE, group(SOUND, 0, 1, 2, 3, 4, 5), 2).orElseThrow();
    assertThat(refusal.kind()).isEqualTo("no-capability");
    assertThat(refusal.reason()).contains("node=10.0.0.5 dn5", "for unit 5");
  }
}
