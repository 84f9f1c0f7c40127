/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.level;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.level.CodePolicy;
import io.hdfsparity.bridge.level.LevelRule.Change;
import io.hdfsparity.bridge.level.LevelRule.Decision;
import io.hdfsparity.bridge.level.LevelRule.Keep;
import io.hdfsparity.bridge.level.LevelRule.Refuse;
import io.hdfsparity.bridge.level.ParityDoubts;
import io.hdfsparity.bridge.level.ParityDoubts.Doubt;
import io.hdfsparity.bridge.level.StripedFile;
import io.hdfsparity.bridge.level.StripedFile.Trait;
import io.hdfsparity.bridge.level.StripedGroup;
import io.hdfsparity.bridge.level.StripedGroup.Units;
import io.hdfsparity.bridge.refusal.Refusal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LevelRulesTest {
  private static final int K = 4;
  private static final List<CodePolicy> POLICIES =
      List.of(policy("izs", 1, true), policy("izs", 2, true), policy("izs", 3, false));

  private static CodePolicy policy(String codec, int level, boolean enabled) {
    return new CodePolicy(
        64 + level, codec + "-" + level, codec, K, level, 65_536, Map.of(), enabled);
  }

  private static StripedFile file(CodePolicy policy) {
    return new StripedFile("/f", 7, Optional.ofNullable(policy), 10, false, false, false);
  }

  private static void assertRefused(Decision decision, String kind, String words) {
    assertThat(decision).isInstanceOf(Refuse.class);
    Refusal refusal = ((Refuse) decision).refusal();
    assertThat(refusal.kind()).isEqualTo(kind);
    assertThat(refusal.reason())
        .startsWith("Cannot change the level: ")
        .contains(words)
        .contains("file=/f");
  }

  private static LevelRules rules(int level, int maxGroups) {
    return new LevelRules(level, maxGroups, ParityDoubts.NONE);
  }

  /**
   * With a unit less, what contradicts itself would be believed; with a unit more, which is encoded
   * from the data, right parity would be found wrong.
   */
  @Test
  void keepsTheLevelOfContradictoryGroups() {
    StripedGroup group =
        new StripedGroup(-16, true, K, new Units(0b11_1111, 0, 0, 0, 0, 0), 0, 0, false);
    ParityDoubts doubts =
        (codec, id) -> codec.equals("izs") && id == -16 ? Doubt.FOUND : Doubt.NONE;
    LevelRules down = new LevelRules(1, 100, doubts);
    Refusal refusal = down.judge(file(POLICIES.get(1)), POLICIES.get(0), group).orElseThrow();
    assertThat(refusal.kind()).isEqualTo("contradiction");
    assertThat(refusal.reason())
        .isEqualTo(
            "Cannot change the level: parityFits=false, expected true, file=/f group=blk_-16");
    assertThat(refusal.remedy()).contains("hdfs izs -verify");
    LevelRules up = new LevelRules(3, 100, doubts);
    assertThat(up.judge(file(POLICIES.get(1)), POLICIES.get(2), group)).contains(refusal);
    StripedGroup other =
        new StripedGroup(-32, true, K, new Units(0b11_1111, 0, 0, 0, 0, 0), 0, 0, false);
    assertThat(down.judge(file(POLICIES.get(1)), POLICIES.get(0), other)).isEmpty();
    assertThat(up.judge(file(POLICIES.get(1)), POLICIES.get(2), other)).isEmpty();
  }

  /** HDFS lists units of silent nodes and failed disks for minutes: they are not counted on. */
  @Test
  void lowersNothingThatHasKeptUnitsOnSilentNodes() {
    StripedGroup group =
        new StripedGroup(-16, true, K, new Units(0b11_1111, 0, 0, 0, 0b10_0011, 0), 0, 0, false);
    Refusal refusal =
        rules(1, 100).judge(file(POLICIES.get(1)), POLICIES.get(0), group).orElseThrow();
    assertThat(refusal.kind()).isEqualTo("stale");
    assertThat(refusal.reason())
        .isEqualTo(
            "Cannot change the level: unitsOnSilentNodesOrFailedStorages=[0, 1], expected none,"
                + " file=/f group=blk_-16");
    assertThat(refusal.remedy()).contains("hdfs dfsadmin -report");
    assertThat(rules(3, 100).judge(file(POLICIES.get(1)), POLICIES.get(2), group))
        .as("a unit more takes nothing away")
        .isEmpty();
    StripedGroup dropped =
        new StripedGroup(-16, true, K, new Units(0b11_1111, 0, 0, 0, 0b10_0000, 0), 0, 0, false);
    assertThat(rules(1, 100).judge(file(POLICIES.get(1)), POLICIES.get(0), dropped))
        .as("the unit that is dropped is not counted on")
        .isEmpty();
  }

  /** Any group may be one of those that are not listed. */
  @Test
  void keepsTheLevelWhileNotAllContradictoryGroupsAreListed() {
    StripedGroup group =
        new StripedGroup(-16, true, K, new Units(0b11_1111, 0, 0, 0, 0, 0), 0, 0, false);
    ParityDoubts doubts = (codec, id) -> Doubt.UNLISTED;
    Refusal refusal =
        new LevelRules(1, 100, doubts)
            .judge(file(POLICIES.get(1)), POLICIES.get(0), group)
            .orElseThrow();
    assertThat(refusal.kind()).isEqualTo("contradiction");
    assertThat(refusal.reason()).contains("contradictoryGroups=more than are listed");
    assertThat(refusal.remedy()).contains("-setfattr -x trusted.parity.izs.verified /");
    assertThat(new LevelRules(3, 100, doubts).judge(file(POLICIES.get(1)), POLICIES.get(2), group))
        .isEmpty();
  }

  @Test
  void keepsTheLevelWhileContradictoryGroupsAreNotKnown() {
    StripedGroup group =
        new StripedGroup(-16, true, K, new Units(0b11_1111, 0, 0, 0, 0, 0), 0, 0, false);
    ParityDoubts doubts = (codec, id) -> Doubt.UNKNOWN;
    Refusal refusal =
        new LevelRules(1, 100, doubts)
            .judge(file(POLICIES.get(1)), POLICIES.get(0), group)
            .orElseThrow();
    assertThat(refusal.kind()).isEqualTo("doubts-unknown");
    assertThat(refusal.reason()).contains("contradictoryGroups=not loaded");
    assertThat(refusal.remedy()).contains("hdfs izs -status");
    assertThat(new LevelRules(3, 100, doubts).judge(file(POLICIES.get(1)), POLICIES.get(2), group))
        .isEmpty();
  }

  @Test
  void changesToTheEnabledPolicyOfTheSameCode() {
    assertThat(rules(2, 100).decide(file(POLICIES.get(0)), POLICIES))
        .isEqualTo(new Change(POLICIES.get(1)));
    assertThat(rules(1, 100).decide(file(POLICIES.get(0)), POLICIES)).isEqualTo(new Keep());
  }

  @Test
  void refusesWhatIsNoLevelOfTheFile() {
    LevelRules up = rules(2, 100);
    assertRefused(up.decide(file(null), POLICIES), "not-striped", "policy=replication");
    assertRefused(up.decide(file(policy("xor", 1, true)), POLICIES), "codec", "codec=xor");
    assertRefused(up.decide(file(policy("rs-legacy", 1, true)), POLICIES), "codec", "rs-legacy");
    assertRefused(up.decide(file(policy("rs", 4, true)), POLICIES), "other-level", "=4");
    assertRefused(up.decide(file(policy("rs", 1, true)), POLICIES), "no-policy", "rs-4-2");
    assertRefused(
        rules(3, 100).decide(file(POLICIES.get(0)), POLICIES),
        "policy-disabled",
        "disabledPolicy=izs-3");
    assertThatThrownBy(() -> rules(0, 1)).hasMessageContaining("level=0, expected 1..3");
    assertThatThrownBy(() -> rules(4, 1)).hasMessageContaining("level=4, expected 1..3");
  }

  @Test
  void otherCellsAndOptionsAreAnotherCode() {
    CodePolicy own = POLICIES.get(0);
    CodePolicy cells = new CodePolicy(9, "a", "izs", K, 2, 1024, Map.of(), true);
    CodePolicy units = new CodePolicy(9, "b", "izs", 6, 2, 65_536, Map.of(), true);
    CodePolicy options = new CodePolicy(9, "c", "izs", K, 2, 65_536, Map.of("x", "y"), true);
    assertRefused(
        rules(2, 100).decide(file(own), List.of(own, cells, units, options)),
        "no-policy",
        "policy=izs-1");
  }

  @Test
  void refusesFilesThatAreInUse() {
    LevelRules up = rules(2, 10);
    Optional<CodePolicy> own = Optional.of(POLICIES.get(0));
    assertRefused(
        up.decide(new StripedFile("/f", 1, own, 1, true, false, false), POLICIES), "open", "true");
    Set<Trait> interrupted = Set.of(Trait.INTERRUPTED);
    assertRefused(
        up.decide(new StripedFile("/f", 1, own, 1, true, false, false, interrupted), POLICIES),
        "interrupted",
        "interrupted=true");
    assertRefused(
        up.decide(new StripedFile("/f", 1, own, 1, false, true, false), POLICIES),
        "snapshot",
        "true");
    assertRefused(
        up.decide(new StripedFile("/f", 1, own, 1, false, false, true), POLICIES),
        "encrypted",
        "true");
    assertRefused(
        up.decide(new StripedFile("/f", 1, own, 11, false, false, false), POLICIES),
        "too-many-groups",
        "groups=11, expected at most 10");
  }

  /** A twin that says unit by unit what a group must have. */
  private static Optional<String> twin(int from, int to, StripedGroup group) {
    if (!group.complete()) {
      return Optional.of("group-open");
    }
    if (group.corruptReplicas() > 0) {
      return Optional.of("corrupt");
    }
    if (group.pendingRebuilds() > 0) {
      return Optional.of("rebuilding");
    }
    boolean stale = false;
    for (int unit = 0; unit < K + Math.min(from, to); unit++) {
      boolean empty = unit >= group.filledDataUnits() && unit < K;
      if (!empty && (group.units().present() >> unit & 1) == 0) {
        return Optional.of("missing-unit");
      }
      stale |= !empty && (group.units().stale() >> unit & 1) != 0;
      stale |= !empty && (group.units().unavailable() >> unit & 1) != 0;
    }
    if (group.units().draining() != 0) {
      return Optional.of("draining");
    }
    if (group.units().repeated() != 0) {
      return Optional.of("superfluous");
    }
    if (group.units().queuedDeletes() != 0) {
      return Optional.of("queued-delete");
    }
    if (to > from && group.units().present() >> (K + from) != 0) {
      return Optional.of("surplus");
    }
    if (group.excess()) {
      return Optional.of("superfluous");
    }
    return stale && to < from ? Optional.of("stale") : Optional.empty();
  }

  @Test
  void judgesGroupsAsItsTwin() {
    long seed = Long.getLong("test.seed", 20_261_121L);
    Random random = new Random(seed);
    int allowed = 0;
    for (int i = 0; i < 200_000; i++) {
      int from = 1 + random.nextInt(3);
      int to = 1 + random.nextInt(3);
      int all = (1 << (K + from)) - 1;
      StripedGroup group =
          new StripedGroup(
              -16,
              random.nextInt(20) > 0,
              1 + random.nextInt(K),
              new Units(
                  random.nextInt(3) > 0 ? all : random.nextInt(1 << (K + 3)),
                  rarely(random) << random.nextInt(K + 3),
                  rarely(random) << random.nextInt(K + 3),
                  rarely(random) << random.nextInt(K + 3),
                  rarely(random) << random.nextInt(K + 3),
                  rarely(random) << random.nextInt(K + 3)),
              rarely(random),
              rarely(random),
              rarely(random) == 1);
      Optional<Refusal> refusal =
          rules(to, 100).judge(file(policy("izs", from, true)), policy("izs", to, true), group);
      assertThat(refusal.map(Refusal::kind))
          .as("seed %d, %d to %d, %s", seed, from, to, group)
          .isEqualTo(twin(from, to, group));
      allowed += refusal.isEmpty() ? 1 : 0;
    }
    assertThat(allowed).isBetween(20_000, 180_000);
  }

  private static int rarely(Random random) {
    return random.nextInt(12) == 0 ? 1 : 0;
  }

  @Test
  void namesTheUnitsInTheReason() {
    StripedGroup group =
        new StripedGroup(-16, true, K, new Units(0b01_0110, 0, 0, 0, 0, 0), 0, 0, false);
    assertThat(
            rules(2, 100)
                .judge(file(POLICIES.get(0)), POLICIES.get(1), group)
                .orElseThrow()
                .reason())
        .isEqualTo(
            "Cannot change the level: missingUnits=[0, 3], expected none, file=/f group=blk_-16");
  }

  @Test
  void pacesGroups() {
    GroupPacer pacer = new GroupPacer(100);
    assertThat(pacer.waitMs(5)).isZero();
    pacer.took(50, 0, 1_000);
    assertThat(pacer.waitMs(1_000)).isEqualTo(500);
    pacer.took(10, 0, 1_400);
    assertThat(pacer.waitMs(1_500)).isEqualTo(100);
    // Idle time is not saved up.
    pacer.took(10, 0, 9_000);
    assertThat(pacer.waitMs(9_000)).isEqualTo(100);
    // Paths of files that there are not hold the lock, too: a call costs a group at least.
    pacer.took(0, 1, 20_000);
    assertThat(pacer.waitMs(20_000)).isEqualTo(10);
    pacer.took(0, 200, 30_000);
    assertThat(pacer.waitMs(30_000)).isEqualTo(200);
    GroupPacer unlimited = new GroupPacer(0);
    unlimited.took(1_000_000, 7, 0);
    assertThat(unlimited.waitMs(0)).isZero();
  }
}
