/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.protocol.NodeRegistry.Suspension;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Which DataNodes can have served since when; on a clock that the test moves. */
class NodeRegistryTest {
  private static final SessionTimes TIMES = new SessionTimes(100, 40, 10, 5, 3);
  private static final long FENCE_MS = 45;
  private static final SessionId SESSION = new SessionId(1);
  private static final SessionId OTHER = new SessionId(2);

  private final AtomicLong clockMs = new AtomicLong(1000);
  private final NodeRegistry nodes = new NodeRegistry(TIMES, clockMs::get);

  private void report(String uuid, long atMs) {
    clockMs.set(atMs);
    nodes.reported(new NodeReport(new UpdateNode(uuid, 1, "h", 2), 0, 0));
  }

  @Test
  void aDataNodeMayServeUntilItsLastAnswerIsVoid() {
    report("a", 1100);
    report("b", 1200);
    assertThat(TIMES.fenceMs()).isEqualTo(FENCE_MS);
    assertThat(nodes.mayHaveExecutedSince(Set.of("a"), Set.of(), 1100 + FENCE_MS))
        .containsExactly("a");
    assertThat(nodes.mayHaveExecutedSince(Set.of("a"), Set.of(), 1101 + FENCE_MS)).isEmpty();
    assertThat(nodes.mayHaveExecutedSince(Set.of("b", "a"), Set.of(), 1101 + FENCE_MS))
        .containsExactly("b");
    assertThat(nodes.mayHaveExecutedSince(Set.of("b", "a"), Set.of(), 1200)).containsExactly("b");
    assertThat(nodes.mayHaveExecutedSince(Set.of("b", "a"), Set.of(), 1100))
        .containsExactly("a", "b");
    report("a", 1300);
    assertThat(nodes.mayHaveExecutedSince(Set.of("a"), Set.of(), 1250)).containsExactly("a");
  }

  private void reportInVain(String uuid, long atMs) {
    clockMs.set(atMs);
    nodes.reportedInVain(new NodeReport(new UpdateNode(uuid, 1, "h", 2), 0, 0, false, Map.of()));
  }

  /** Or it would be waited for as long as it reports: it learns nothing that it could apply. */
  @Test
  void oneThatIsHeldBackGoesByItsLastAnswerForNoLongerThanOneThatIsSilent() {
    report("a", 1100);
    for (long atMs = 1101; atMs <= 1100 + FENCE_MS; atMs++) {
      reportInVain("a", atMs);
      assertThat(nodes.hasEnded(7, SESSION, 7)).isFalse();
    }
    reportInVain("a", 1101 + FENCE_MS);
    assertThat(nodes.hasEnded(7, SESSION, 7)).isTrue();
    assertThat(nodes.mayHaveExecutedSince(Set.of("a"), Set.of(), 1100 + FENCE_MS))
        .containsExactly("a");
    assertThat(nodes.mayHaveExecutedSince(Set.of("a"), Set.of(), 1101 + FENCE_MS)).isEmpty();
    report("a", 1102 + FENCE_MS);
    assertThat(nodes.hasEnded(7, SESSION, 7)).as("it is notified again").isFalse();
    assertThat(nodes.mayHaveExecutedSince(Set.of("a"), Set.of(), 1101 + FENCE_MS))
        .containsExactly("a");
  }

  @Test
  void oneThatIsHeldBackAndWasNotKnownMayGoByWhatItWasToldBefore() {
    reportInVain("a", 1010);
    assertThat(nodes.mayHaveExecutedSince(Set.of("a"), Set.of(), 1000 + FENCE_MS))
        .containsExactly("a");
    assertThat(nodes.mayHaveExecutedSince(Set.of("a"), Set.of(), 1001 + FENCE_MS)).isEmpty();
    clockMs.set(1000 + FENCE_MS);
    assertThat(nodes.hasEnded(7, SESSION, 7)).isFalse();
    clockMs.incrementAndGet();
    assertThat(nodes.hasEnded(7, SESSION, 7)).isTrue();
  }

  @Test
  void oneThatIsNotKnownMayHaveBeenThereBeforeTheRegistry() {
    assertThat(nodes.mayHaveExecutedSince(Set.of("a"), Set.of(), 1000 + FENCE_MS))
        .containsExactly("a");
    assertThat(nodes.mayHaveExecutedSince(Set.of("a"), Set.of(), 1001 + FENCE_MS)).isEmpty();
  }

  @Test
  void oneThatWasForgottenIsNotTakenForOneThatNeverReported() {
    report("a", 2000);
    long laterMs = 2001 + 10 * FENCE_MS;
    report("b", laterMs);
    assertThat(nodes.hasEnded(7, SESSION, 7)).as("b has not applied it").isFalse();
    clockMs.set(laterMs + 1 + FENCE_MS);
    assertThat(nodes.hasEnded(7, SESSION, 7)).as("a is forgotten, b silent").isTrue();
    assertThat(nodes.mayHaveExecutedSince(Set.of("a", "c"), Set.of(), 2000 + FENCE_MS))
        .containsExactly("a", "c");
    assertThat(nodes.mayHaveExecutedSince(Set.of("a", "c"), Set.of(), 2001 + FENCE_MS)).isEmpty();
  }

  private NodeReport lingering(
      String uuid, long incarnation, long appliedVersion, long version, SessionId... ids) {
    return new NodeReport(
        new UpdateNode(uuid, 1, "h", 2),
        incarnation,
        appliedVersion,
        new LingeringSessions(version, Set.of(ids)),
        true,
        Map.of(),
        Set.of());
  }

  /** Of the session, over since version 5 of the list of incarnation 7. */
  @Test
  void aSessionHasEndedOnANodeThatHasAppliedItsEndOrNamesOthersThatLinger() {
    record Row(String what, NodeReport report, boolean hasEnded) {}
    for (Row row :
        List.of(
            new Row("applied", new NodeReport(new UpdateNode("a", 1, "h", 2), 7, 5), true),
            new Row("not seen", new NodeReport(new UpdateNode("a", 1, "h", 2), 7, 4), false),
            new Row("of another term", lingering("a", 8, 9, 9), false),
            new Row("another one lingers", lingering("a", 7, 4, 5, OTHER), true),
            new Row("seen later", lingering("a", 7, 0, 9, OTHER), true),
            new Row("it lingers", lingering("a", 7, 4, 5, SESSION), false),
            new Row("both linger", lingering("a", 7, 4, 9, OTHER, SESSION), false),
            new Row("not seen, another one lingers", lingering("a", 7, 3, 4, OTHER), false),
            new Row("another term's lingers", lingering("a", 8, 4, 5, OTHER), false),
            new Row("applied before others lingered", lingering("a", 7, 5, 6, OTHER), true),
            new Row("too many linger", lingering("a", 7, 4, 4), false))) {
      nodes.reported(row.report());
      assertThat(nodes.hasEnded(7, SESSION, 5)).as(row.what()).isEqualTo(row.hasEnded());
      assertThat(nodes.notEnded(7, Map.of(SESSION, 5L)).isEmpty())
          .as(row.what())
          .isEqualTo(row.hasEnded());
    }
  }

  @Test
  void eachNodeIsAskedOfEachSession() {
    nodes.reported(lingering("a", 7, 4, 5, SESSION));
    nodes.reported(lingering("b", 7, 5, 5));
    assertThat(nodes.hasEnded(7, SESSION, 5)).isFalse();
    assertThat(nodes.hasEnded(7, OTHER, 5)).isTrue();
    nodes.reported(lingering("b", 7, 4, 5, OTHER));
    assertThat(nodes.hasEnded(7, OTHER, 5)).isFalse();
    assertThat(nodes.notEnded(7, Map.of(SESSION, 5L, OTHER, 5L)))
        .extracting(UpdateNode::uuid)
        .containsExactly("a", "b");
    assertThat(nodes.notEnded(7, Map.of(OTHER, 5L)))
        .extracting(UpdateNode::uuid)
        .containsExactly("b");
    assertThat(nodes.notEnded(7, Map.of())).isEmpty();
    clockMs.addAndGet(FENCE_MS + 1);
    assertThat(nodes.hasEnded(7, SESSION, 5)).as("both are silent").isTrue();
  }

  private void reportSuspended(String uuid, long incarnation, Map<SessionId, SessionOwner> those) {
    nodes.reported(new NodeReport(new UpdateNode(uuid, 1, "h", 2), incarnation, 1, true, those));
  }

  @Test
  void aSessionIsSuspendedIfEachNodeSaysSoOfThisTermForItsOwner() {
    SessionId id = new SessionId(7);
    SessionOwner owner = SessionOwner.of(16_386, "u", Sharing.SHARED);
    Set<String> both = Set.of("a", "b");
    assertThat(nodes.suspension(both, 9, id, owner)).isEqualTo(Suspension.NOT_KNOWN);
    reportSuspended("a", 9, Map.of(id, owner));
    assertThat(nodes.suspension(both, 9, id, owner)).isEqualTo(Suspension.NOT_KNOWN);
    assertThat(nodes.suspension(Set.of("a"), 9, id, owner)).isEqualTo(Suspension.SUSPENDED);
    reportSuspended("b", 8, Map.of(id, owner));
    assertThat(nodes.suspension(both, 9, id, owner)).isEqualTo(Suspension.NOT_KNOWN);
    reportSuspended("b", 9, Map.of());
    assertThat(nodes.suspension(both, 9, id, owner)).isEqualTo(Suspension.NONE);
    reportSuspended("b", 9, Map.of(id, owner));
    assertThat(nodes.suspension(both, 9, id, owner)).isEqualTo(Suspension.SUSPENDED);
    for (SessionOwner other :
        List.of(
            SessionOwner.of(16_387, "u", Sharing.SHARED),
            SessionOwner.of(16_386, "v", Sharing.SHARED),
            SessionOwner.of(16_386, "u", Sharing.EXCLUSIVE),
            SessionOwner.UNKNOWN)) {
      assertThat(nodes.suspension(both, 9, id, other)).isEqualTo(Suspension.NONE);
    }
    assertThat(nodes.suspension(Set.of(), 9, id, owner)).as("nobody").isEqualTo(Suspension.NONE);
    reportSuspended("b", 9, Map.of(id, SessionOwner.UNKNOWN));
    assertThat(nodes.suspension(both, 9, id, SessionOwner.UNKNOWN)).isEqualTo(Suspension.NONE);
    clockMs.addAndGet(TIMES.validMs() + 1);
    assertThat(nodes.suspension(both, 9, id, owner)).isEqualTo(Suspension.NOT_KNOWN);
  }

  @Test
  void whoDoesNotKeepASessionIsNamed() {
    SessionId id = new SessionId(7);
    SessionOwner owner = SessionOwner.of(16_386, "u", Sharing.SHARED);
    reportSuspended("a", 9, Map.of(id, owner));
    nodes.reported(new NodeReport(new UpdateNode("b", 1, "restarted", 3), 9, 1, true, Map.of()));
    reportSuspended("c", 8, Map.of());
    assertThat(nodes.withoutIt(Set.of("a", "b", "c", "d"), 9, id, owner))
        .as("c and d have not said")
        .containsExactly("restarted:3");
  }

  private void reportGivenUp(String uuid, long bootEpoch, long atMs, Long... units) {
    clockMs.set(atMs);
    UpdateNode node = new UpdateNode(uuid, bootEpoch, "h", 2);
    nodes.reported(new NodeReport(node, 0, 0, true, Map.of(), Set.of(units)));
  }

  private boolean mayHaveExecuted(long unit, long sinceMs) {
    return !nodes.mayHaveExecutedSince(Set.of("a"), Set.of(unit), sinceMs).isEmpty();
  }

  @Test
  void oneThatHasGivenAUnitUpExecutesNothingOfItFromItsFirstReportOfThatOn() {
    reportGivenUp("a", 1, 1100);
    reportGivenUp("a", 1, 1110, -7L);
    assertThat(nodes.hasGivenUp("a", -7)).isTrue();
    assertThat(nodes.hasGivenUp("a", -8)).isFalse();
    assertThat(nodes.hasGivenUp("b", -7)).isFalse();
    assertThat(mayHaveExecuted(-7, 1109)).isTrue();
    assertThat(mayHaveExecuted(-7, 1110)).isFalse();
    assertThat(mayHaveExecuted(-8, 1110)).isTrue();
    reportGivenUp("a", 1, 1120, -7L, -8L);
    assertThat(mayHaveExecuted(-7, 1110)).isFalse();
    assertThat(mayHaveExecuted(-8, 1119)).isTrue();
    assertThat(mayHaveExecuted(-8, 1120)).isFalse();
    assertThat(nodes.mayHaveExecutedSince(Set.of("a", "b"), Set.of(-7L), 1010))
        .as("b is not known")
        .containsExactly("a", "b");
    assertThat(nodes.mayHaveExecutedSince(Set.of("a"), Set.of(), 1120)).containsExactly("a");
  }

  @Test
  void whatIsNotGivenUpInOneReportCountsAnew() {
    reportGivenUp("a", 1, 1110, -7L);
    reportGivenUp("a", 1, 1120);
    assertThat(mayHaveExecuted(-7, 1120)).isTrue();
    assertThat(nodes.hasGivenUp("a", -7)).isFalse();
    reportGivenUp("a", 1, 1130, -7L);
    assertThat(mayHaveExecuted(-7, 1129)).isTrue();
    assertThat(mayHaveExecuted(-7, 1130)).isFalse();
  }

  @Test
  void aProcessSaysNothingOfWhatTheOneBeforeHasExecuted() {
    reportGivenUp("a", 1, 1110, -7L);
    reportGivenUp("a", 2, 1120, -7L);
    assertThat(mayHaveExecuted(-7, 1119)).isTrue();
    assertThat(mayHaveExecuted(-7, 1120)).isFalse();
  }

  @Test
  void aLateReportOfAProcessThatHasEndedGivesNothingUp() {
    reportGivenUp("a", 1, 1110, -7L);
    reportGivenUp("a", 2, 1120);
    reportGivenUp("a", 1, 1130, -7L);
    assertThat(nodes.hasGivenUp("a", -7)).isFalse();
    assertThat(mayHaveExecuted(-7, 1130)).isTrue();
    reportGivenUp("a", 2, 1140, -7L);
    assertThat(mayHaveExecuted(-7, 1140)).isFalse();
  }
}
