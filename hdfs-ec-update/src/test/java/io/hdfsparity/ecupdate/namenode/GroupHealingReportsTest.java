/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.update.GroupRule;
import io.hdfsparity.ecupdate.protocol.Lease;
import io.hdfsparity.ecupdate.protocol.NodeReport;
import io.hdfsparity.ecupdate.protocol.OpenRequest;
import io.hdfsparity.ecupdate.protocol.RefusalKind;
import io.hdfsparity.ecupdate.protocol.UpdateNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What DataNodes report and are answered while a group is healed, and what is listed. */
class GroupHealingReportsTest extends GroupHealingFixture {
  private static final Refusal GONE = RefusalKind.GONE.because("file", "none", "the file", "/f");

  @Test
  void aReportBeforeItIsJudgedKeepsItFromBeingHealed() throws IOException {
    nowMs += 1000;
    assertThat(ask(0)).isEmpty();
    assertThat(
            heal(
                0,
                false,
                rule -> {
                  comeBack();
                  assertThat(isServed()).as("for the moment").isFalse();
                  return rule.veto(change(WOUNDED, false));
                }))
        .contains("node-back");
    comeBack();
    assertThat(isServed()).as("it was not healed").isTrue();
  }

  @Test
  void aReportAfterItWasJudgedIsAnsweredWithTheGroup() throws IOException {
    nowMs += 1000;
    assertThat(ask(0)).isEmpty();
    assertThat(
            heal(
                0,
                false,
                rule -> {
                  Optional<Refusal> veto = rule.veto(change(WOUNDED, false));
                  comeBack();
                  assertThat(live.isLive(session)).isTrue();
                  assertThat(isServed()).isFalse();
                  return veto;
                }))
        .isEmpty();
    assertThat(isServed()).isFalse();
  }

  @Test
  void aReportThatIsNotedJustAfterItWasHealedIsAnsweredWithTheGroup() throws IOException {
    nowMs += 1000;
    assertThat(ask(0)).isEmpty();
    List<Optional<String>> refusals = new ArrayList<>();
    atNextLook =
        () -> {
          try {
            refusals.add(replace(0));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    comeBack();
    assertThat(refusals).containsExactly(Optional.empty());
    assertThat(live.isLive(session)).isTrue();
    assertThat(isServed()).isFalse();
  }

  @Test
  void whatFailedIsListedOnlyIfItMayBeReplaced() throws IOException {
    nowMs += 1000;
    assertThat(ask(0)).isEmpty();
    assertThatThrownBy(
            () ->
                heal(
                    0,
                    false,
                    rule -> {
                      throw new IOException("not active");
                    }))
        .hasMessage("not active");
    assertThat(active.replaced.ids()).isEmpty();
    assertThatThrownBy(
            () ->
                heal(
                    0,
                    false,
                    rule -> {
                      assertThat(rule.veto(change(WOUNDED, false))).isEmpty();
                      throw new IOException("the log is gone");
                    }))
        .hasMessage("the log is gone");
    assertThat(active.replaced.idle().get(GROUP).outcome).isEqualTo(ReplacedGroups.Outcome.UNKNOWN);
  }

  @Test
  void whatElseIsJudgedIsAskedToo() throws IOException {
    nowMs += 1000;
    GroupRule<Refusal> others =
        change -> Optional.of(RefusalKind.REPLACED.because("group", "none", "it", "/f"));
    for (boolean isAsking : new boolean[] {true, false}) {
      assertThat(
              active
                  .healing
                  .heal(
                      new GroupHealing.HealingRequest(
                          session, FILE.inodeId(), GROUP, isAsking, healing(0, LOST)),
                      others,
                      rule -> rule.veto(change(WOUNDED, isAsking)))
                  .map(Refusal::kind))
          .contains("replaced");
    }
    assertThat(active.table.healingAskedMs(session, GROUP, healing(0, LOST))).isEmpty();
    assertThat(active.replaced.ids()).isEmpty();
  }

  @Test
  void aGroupIsNotListedForWhoMayNotHealIt() throws IOException {
    nowMs += 1000;
    assertThat(ask(0)).isEmpty();
    attempt = 2;
    nowMs += 10;
    assertThat(
            heal(
                1,
                false,
                rule -> {
                  assertThat(active.replaced.ids()).as("another attempt").isEmpty();
                  attempt = 1;
                  assertThat(ask(0)).as("the second one").isEmpty();
                  return rule.veto(change(WOUNDED, false));
                }))
        .as("it was allowed too late: it is not listed")
        .contains("node-back");
    session =
        active
            .table
            .open(FILE.inodeId(), OptionalLong.empty(), "/f", "u", new OpenRequest("/f", "c", 0))
            .id()
            .orElseThrow();
    for (Optional<Refusal> others :
        List.of(
            Optional.<Refusal>empty(),
            Optional.of(RefusalKind.REPLACED.because("group", "none", "it", "/f")))) {
      assertThat(
              active
                  .healing
                  .heal(
                      new GroupHealing.HealingRequest(
                          session, FILE.inodeId(), GROUP, /* isAsking= */ false, healing(1, LOST)),
                      change -> others,
                      rule -> {
                        assertThat(active.replaced.ids()).as("another session").isEmpty();
                        return rule.veto(change(WOUNDED, false));
                      })
                  .map(Refusal::kind))
          .contains(others.map(Refusal::kind).orElse("node-back"));
    }
    assertThat(active.replaced.ids()).isEmpty();
  }

  @Test
  void aDataNodeThatDoesNotHeedTheListIsToldNothing() {
    NodeReport old = new NodeReport(new UpdateNode("dn" + LOST, 1, "h", 1), 0, 0, false, Map.of());
    assertThat(active.handle(old).active()).isTrue();
    active.replaced.begin(GROUP, FILE.inodeId());
    assertThat(active.handle(old).active()).isFalse();
    assertThat(active.handle(report(active)).active()).isTrue();
    active.replaced.end(GROUP, ReplacedGroups.Outcome.NO);
    assertThat(active.handle(old).active()).isTrue();
  }

  /** It learns nothing that it could apply. */
  @Test
  void aDataNodeThatDoesNotHeedTheListKeepsNoSessionFromEnding() {
    NodeReport old = new NodeReport(new UpdateNode("dn" + LOST, 1, "h", 1), 0, 0, false, Map.of());
    assertThat(active.handle(old).active()).isTrue();
    active.replaced.begin(GROUP, FILE.inodeId());
    active.replaced.end(GROUP, ReplacedGroups.Outcome.YES);
    active.table.end(session, new Lease.End(GONE, /* untouched= */ false));
    for (long ms = 0; ms <= FENCE_MS; ms += 5) {
      assertThat(active.handle(old).active()).isFalse();
      assertThat(active.table.fenced(active.nodes))
          .as("it goes by what it learned before")
          .isEmpty();
      nowMs += 5;
    }
    assertThat(active.handle(old).active()).isFalse();
    assertThat(active.table.fenced(active.nodes)).extracting(Lease::id).containsExactly(session);
  }

  @Test
  void whetherADataNodeIsHeldBackIsSettledBeforeItIsNoted() {
    NodeReport old = new NodeReport(new UpdateNode("dn" + LOST, 1, "h", 1), 0, 0, false, Map.of());
    Set<String> node = Set.of("dn" + LOST);
    long sinceMs = nowMs;
    atNextLook = () -> active.replaced.begin(GROUP, FILE.inodeId());
    assertThat(active.handle(old).active()).as("listed since").isFalse();
    assertThat(active.nodes.mayHaveExecutedSince(node, Set.of(), sinceMs))
        .as("it could have learned it")
        .isNotEmpty();
    nowMs += 2 * FENCE_MS;
    atNextLook = () -> active.replaced.end(GROUP, ReplacedGroups.Outcome.NO);
    assertThat(active.handle(old).active()).as("not listed any more").isFalse();
    assertThat(active.nodes.mayHaveExecutedSince(node, Set.of(), nowMs))
        .as("it has not learned it")
        .isEmpty();
    assertThat(active.handle(old).active()).isTrue();
    assertThat(active.nodes.mayHaveExecutedSince(node, Set.of(), nowMs)).isNotEmpty();
  }
}
