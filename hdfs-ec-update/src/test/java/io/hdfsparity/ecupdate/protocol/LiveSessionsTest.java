/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.junit.jupiter.api.Test;

/** What a DataNode believes, and for how long. */
class LiveSessionsTest {
  private static final SessionId ONE = new SessionId(1);
  private static final SessionId TWO = new SessionId(2);
  private static final SessionId THREE = new SessionId(3);
  private static final SessionOwner OWNER = SessionOwner.of(16_386, "u", Sharing.SHARED);

  private final AtomicLong clockMs = new AtomicLong(500);
  private final LiveSessions live = new LiveSessions(clockMs::get);

  private static NodeAnswer answer(long transactionId, long version, SessionId... ids) {
    return new NodeAnswer(
        true, transactionId, SessionList.whole(77, version, Set.of(ids)), 100, 10, Set.of());
  }

  @Test
  void anAnswerIsValidFromWhenItWasAskedFor() {
    clockMs.set(550);
    live.accept("a", answer(5, 1, ONE), 500);
    assertThat(live.isLive(ONE)).isTrue();
    assertThat(live.isLive(TWO)).isFalse();
    clockMs.set(599);
    assertThat(live.isLive(ONE)).isTrue();
    clockMs.set(600);
    assertThat(live.isLive(ONE)).isFalse();
  }

  @Test
  void whatIsNotListedAnyMoreIsOver() {
    live.accept("a", answer(5, 1, ONE, TWO), 500);
    assertThat(live.accept("a", answer(5, 2, TWO), 500)).containsExactly(ONE);
    assertThat(live.isLive(ONE)).isFalse();
    assertThat(live.isLive(TWO)).isTrue();
    assertThat(live.appliedOf("a")).isEqualTo(LiveSessions.Applied.NOTHING);
    // Nobody has said yet that nothing of it goes on, whoever is believed by then.
    LiveSessions.Due before = live.due();
    assertThat(live.accept("b", answer(6, 2, TWO), 500)).containsExactly(ONE);
    live.applied(before, Set.of());
    assertThat(live.appliedOf("a")).isEqualTo(LiveSessions.Applied.NOTHING);
    assertThat(live.appliedOf("b")).isEqualTo(LiveSessions.Applied.NOTHING);
    live.applied(live.due(), Set.of());
    assertThat(live.appliedOf("b")).isEqualTo(new LiveSessions.Applied(77, 2));
    assertThat(live.accept("b", answer(7, 3, TWO), 500)).isEmpty();
  }

  @Test
  void aSessionIsOverWhenAnAnswerToALaterReportDoesNotListItAndNothingOfItGoesOn() {
    Set<SessionId> both = Set.of(ONE, TWO);
    live.accept("a", answer(5, 1, ONE), 500);
    assertThat(live.over(both, 501)).as("not heard since").isEmpty();
    assertThat(live.over(both, 500)).containsExactly(TWO);
    live.accept("a", answer(5, 2, TWO), 501);
    assertThat(live.over(both, 501)).as("somebody may still execute").isEmpty();
    live.applied(live.due(), Set.of());
    assertThat(live.over(both, 501)).containsExactly(ONE);
    // What a standby says, or one that is not believed, is no answer.
    live.accept("b", answer(5, 9), 502);
    live.accept("a", new NodeAnswer(false, 9, SessionList.NONE, 100, 10, Set.of()), 502);
    assertThat(live.over(both, 502)).isEmpty();
    // An answer that has expired still proves that a session was over.
    clockMs.set(10_000);
    assertThat(live.over(both, 501)).containsExactly(ONE);
  }

  /** What nodes keep for a session is found by its number, and after a restart by nothing else. */
  @Test
  void numbersOfNoSessionThatMayBeServedAgainAreOver() {
    Set<Long> asked = Set.of(1L, 2L, 3L);
    assertThat(live.overByNumber(asked)).as("nobody has answered").isEmpty();
    live.accept("a", answer(5, 1, ONE, TWO), 500);
    live.applied(live.due(), Set.of());
    assertThat(live.overByNumber(asked)).containsExactly(3L);
    live.accept("a", answer(5, 2, TWO), 500);
    assertThat(live.overByNumber(asked)).as("somebody may still execute").containsExactly(3L);
    live.applied(live.due(), Set.of());
    assertThat(live.overByNumber(asked)).containsExactlyInAnyOrder(1L, 3L);
    live.accept("b", provisional(6, Set.of(), Set.of()), 501);
    live.applied(live.due(), Set.of());
    assertThat(live.overByNumber(asked)).as("they may be attached again").isEmpty();
    live.accept("b", answer(7, 1), 502);
    live.applied(live.due(), Set.of());
    assertThat(live.overByNumber(asked)).isEqualTo(asked);
    // Another session has the same number.
    live.accept("b", answer(8, 2, new SessionId(1L << 32 | 3)), 503);
    assertThat(live.overByNumber(asked)).containsExactlyInAnyOrder(1L, 2L);
  }

  @Test
  void ofTwoActiveOnesTheOneWithTheLongerLogIsBelieved() {
    live.accept("a", answer(5, 1, ONE), 500);
    assertThat(live.accept("b", answer(5, 1, TWO), 500)).isEmpty();
    assertThat(live.isLive(ONE)).isTrue();
    assertThat(live.accept("b", answer(6, 1, TWO), 500)).containsExactly(ONE);
    assertThat(live.isLive(TWO)).isTrue();
    live.accept("a", answer(6, 2, ONE), 500);
    live.applied(live.due(), Set.of());
    assertThat(live.isLive(ONE)).isFalse();
    assertThat(live.appliedOf("a")).isEqualTo(LiveSessions.Applied.NOTHING);
  }

  @Test
  void aStandbySaysNothing() {
    assertThat(live.isAnsweredSince(0)).isFalse();
    live.accept("a", answer(5, 1, ONE), 500);
    assertThat(live.isAnsweredSince(500)).isTrue();
    live.accept("a", new NodeAnswer(false, 9, SessionList.NONE, 100, 10, Set.of()), 501);
    assertThat(live.isAnsweredSince(501)).isFalse();
    live.accept("a", new NodeAnswer(false, 9, SessionList.NONE, 100, 10, Set.of()), 500);
    assertThat(live.isLive(ONE)).isTrue();
  }

  private static NodeAnswer replaced(boolean isActive, long transactionId, Long... groups) {
    return new NodeAnswer(
        isActive, transactionId, SessionList.whole(77, 1, Set.of(ONE)), 100, 10, Set.of(groups));
  }

  @Test
  void unitsOfAGroupThatIsReplacedAreNotServed() {
    assertThat(LiveSessions.UNIT_MASK).isEqualTo(HdfsServerConstants.BLOCK_GROUP_INDEX_MASK);
    live.accept("a", replaced(true, 5, -1024L), 500);
    for (int unit = 0; unit < HdfsServerConstants.MAX_BLOCKS_IN_GROUP; unit++) {
      assertThat(live.isLive(ONE, -1024 + unit)).as("unit %d", unit).isFalse();
      assertThat(live.isLive(ONE, -1040 + unit)).isTrue();
      assertThat(live.isLive(ONE, -1008 + unit)).isTrue();
    }
    assertThat(live.isLive(ONE)).as("the session goes on").isTrue();
    assertThat(live.isLive(TWO, -1040)).isFalse();
    assertThat(live.accept("a", replaced(true, 5, -1040L), 500)).as("nothing ends").isEmpty();
    assertThat(live.isLive(ONE, -1024)).as("it was not replaced").isTrue();
    assertThat(live.isLive(ONE, -1039)).isFalse();
    clockMs.set(600);
    assertThat(live.isLive(ONE, -1024)).as("the answer is void").isFalse();
  }

  @Test
  void onlyTheBelievedNameNodeSaysWhatIsReplaced() {
    live.accept("a", replaced(true, 5, -1024L), 500);
    live.accept("a", replaced(false, 9), 500);
    assertThat(live.isLive(ONE, -1024)).as("what a standby says").isFalse();
    live.accept("b", replaced(true, 5), 500);
    assertThat(live.isLive(ONE, -1024)).as("its log is not further").isFalse();
    live.accept("b", replaced(false, 9, -1040L), 500);
    assertThat(live.isLive(ONE, -1040)).isTrue();
    live.accept("b", replaced(true, 6), 500);
    assertThat(live.isLive(ONE, -1024)).isTrue();
  }

  private static NodeAnswer provisional(
      long transactionId, Set<SessionId> listed, Set<SessionId> ended) {
    Map<SessionId, SessionOwner> owners = new HashMap<>();
    listed.forEach(id -> owners.put(id, OWNER));
    return new NodeAnswer(
        true, transactionId, new SessionList(78, 1, owners, ended, true), 100, 10, Set.of());
  }

  @Test
  void whatAProvisionalListDoesNotNameIsSuspendedAndNotOver() {
    Set<SessionId> both = Set.of(ONE, TWO);
    live.accept("a", provisional(5, both, Set.of()), 500);
    assertThat(live.suspended()).isEmpty();
    assertThat(live.accept("b", provisional(6, Set.of(), Set.of()), 501)).isEmpty();
    live.applied(live.due(), Set.of());
    assertThat(live.isLive(ONE)).isFalse();
    assertThat(live.suspended()).isEqualTo(both);
    assertThat(live.suspendedFor("b")).isEqualTo(Map.of(ONE, OWNER, TWO, OWNER));
    assertThat(live.suspendedFor("a")).as("it is not believed").isEmpty();
    assertThat(live.over(both, 501)).isEmpty();

    assertThat(live.accept("b", provisional(6, Set.of(ONE), Set.of()), 502)).isEmpty();
    assertThat(live.isLive(ONE)).isTrue();
    assertThat(live.suspended()).containsExactly(TWO);
    assertThat(live.accept("c", provisional(7, Set.of(), Set.of()), 503)).isEmpty();
    assertThat(live.suspended()).as("over two failovers").isEqualTo(both);
    assertThat(live.accept("c", answer(8, 2, ONE), 504)).containsExactly(TWO);
    assertThat(live.suspended()).isEmpty();
    assertThat(live.over(both, 504)).as("somebody may still execute").isEmpty();
    live.applied(live.due(), Set.of());
    assertThat(live.over(both, 504)).containsExactly(TWO);
  }

  @Test
  void whatAProvisionalListCallsEndedIsOver() {
    live.accept("a", provisional(5, Set.of(ONE, TWO), Set.of()), 500);
    assertThat(live.accept("a", provisional(5, Set.of(), Set.of(ONE)), 501)).containsExactly(ONE);
    assertThat(live.suspended()).containsExactly(TWO);
    live.applied(live.due(), Set.of());
    assertThat(live.over(Set.of(ONE, TWO), 501)).containsExactly(ONE);
  }

  @Test
  void whatAnAnswerEndsThatComesMeanwhileIsLeft() {
    live.accept("a", answer(5, 1, ONE, TWO), 500);
    assertThat(live.applied(live.due(), Set.of()))
        .as("of a NameNode that was not believed before")
        .isTrue();
    live.accept("a", answer(5, 2, TWO), 500);
    LiveSessions.Due due = live.due();
    assertThat(due.over()).containsExactly(ONE);
    live.accept("a", answer(5, 3), 500);
    assertThat(live.applied(due, Set.of())).isFalse();
    assertThat(live.appliedOf("a")).isEqualTo(new LiveSessions.Applied(77, 2));
    assertThat(live.over(Set.of(ONE, TWO), 500))
        .as("of the other nobody said it")
        .containsOnly(ONE);
    assertThat(live.due().over()).containsExactly(TWO);
    live.applied(live.due(), Set.of());
    assertThat(live.appliedOf("a")).isEqualTo(new LiveSessions.Applied(77, 3));
    assertThat(live.over(Set.of(ONE, TWO), 500)).containsExactlyInAnyOrder(ONE, TWO);
  }

  @Test
  void whatWasDoneForAnEarlierTermAppliesNothingOfThisOne() {
    live.accept("a", answer(5, 1, ONE), 500);
    LiveSessions.Due inFirst = live.due();
    live.accept("b", provisional(6, Set.of(), Set.of()), 501);
    assertThat(live.applied(inFirst, Set.of())).isFalse();
    assertThat(live.appliedOf("b")).isEqualTo(LiveSessions.Applied.NOTHING);
    assertThat(live.suspendedFor("b")).as("something of it may be under way").isEmpty();
    assertThat(live.applied(live.due(), Set.of())).isTrue();
    assertThat(live.appliedOf("b")).isEqualTo(new LiveSessions.Applied(78, 1));
    assertThat(live.suspendedFor("b")).containsOnlyKeys(ONE);
    // The first one is back, in the same term, and has gone on meanwhile.
    LiveSessions.Due inSecond = live.due();
    live.accept("a", answer(7, 1, TWO), 502);
    assertThat(live.appliedOf("a")).isEqualTo(LiveSessions.Applied.NOTHING);
    live.applied(inSecond, Set.of());
    live.applied(inFirst, Set.of());
    assertThat(live.appliedOf("a")).isEqualTo(LiveSessions.Applied.NOTHING);
    assertThat(live.due().over()).containsExactly(ONE);
  }

  @Test
  void whatIsSuspendedAgainHasToBecomeQuietAgain() {
    live.accept("a", answer(5, 1, ONE), 500);
    live.accept("b", provisional(6, Set.of(), Set.of()), 501);
    LiveSessions.Due before = live.due();
    live.applied(before, Set.of());
    assertThat(live.suspendedFor("b")).containsOnlyKeys(ONE);
    live.accept("b", provisional(6, Set.of(ONE), Set.of()), 502);
    assertThat(live.isLive(ONE)).isTrue();
    live.accept("b", provisional(6, Set.of(), Set.of()), 503);
    live.applied(before, Set.of());
    assertThat(live.suspended()).containsExactly(ONE);
    assertThat(live.suspendedFor("b")).isEmpty();
    assertThat(live.applied(live.due(), Set.of())).isTrue();
    assertThat(live.suspendedFor("b")).containsOnlyKeys(ONE);
  }

  @Test
  void whatWasEndedIsSuspendedNoMore() {
    live.accept("a", answer(5, 1, ONE), 500);
    assertThat(live.accept("a", answer(5, 2), 501)).containsExactly(ONE);
    assertThat(live.accept("b", provisional(6, Set.of(), Set.of()), 502)).containsExactly(ONE);
    assertThat(live.suspended()).isEmpty();
    live.applied(live.due(), Set.of());
    live.accept("b", provisional(6, Set.of(), Set.of()), 503);
    assertThat(live.suspended()).isEmpty();
  }

  private static LiveSessions.Applied but(long version, long later, SessionId... lingering) {
    return new LiveSessions.Applied(77, version, new LingeringSessions(later, Set.of(lingering)));
  }

  @Test
  void allButThoseThatLingerHaveEnded() {
    Set<SessionId> all = Set.of(ONE, TWO, THREE);
    live.accept("a", answer(5, 1, ONE, TWO, THREE), 500);
    live.applied(live.due(), Set.of());
    live.accept("a", answer(5, 2, THREE), 500);
    assertThat(live.applied(live.due(), Set.of(ONE))).isFalse();
    assertThat(live.appliedOf("a")).isEqualTo(but(1, 2, ONE));
    assertThat(live.over(all, 500)).containsExactly(TWO);
    assertThat(live.overByNumber(Set.of(1L, 2L, 3L))).containsExactly(2L);
    assertThat(live.due().over()).as("it is looked for again").containsExactly(ONE);
    live.accept("a", answer(5, 3), 500);
    assertThat(live.appliedOf("a")).as("nobody has looked yet").isEqualTo(but(1, 2, ONE));
    assertThat(live.due().over()).containsExactlyInAnyOrder(ONE, THREE);
    live.applied(live.due(), Set.of(ONE));
    assertThat(live.appliedOf("a")).isEqualTo(but(1, 3, ONE));
    assertThat(live.over(all, 500)).containsExactlyInAnyOrder(TWO, THREE);
    live.applied(live.due(), Set.of());
    assertThat(live.appliedOf("a")).isEqualTo(new LiveSessions.Applied(77, 3));
    assertThat(live.over(all, 500)).isEqualTo(all);
  }

  /** What it does then is looked for when the next one is applied. */
  @Test
  void oneThatWasLiveWhenOthersLingeredIsNotTakenForEnded() {
    live.accept("a", answer(5, 1, ONE, TWO), 500);
    live.applied(live.due(), Set.of());
    live.accept("a", answer(5, 2, TWO), 500);
    LiveSessions.Due due = live.due();
    live.accept("a", answer(5, 3), 500);
    live.applied(due, Set.of(ONE));
    assertThat(live.appliedOf("a")).as("TWO has ended in version 3").isEqualTo(but(1, 2, ONE));
    assertThat(live.due().over()).containsExactlyInAnyOrder(ONE, TWO);
  }

  @Test
  void oneThatLingersOverAFailoverIsNamedToTheNextNameNode() {
    live.accept("a", answer(5, 1, ONE), 500);
    live.applied(live.due(), Set.of());
    live.accept("a", answer(5, 2), 500);
    live.applied(live.due(), Set.of(ONE));
    live.accept("b", provisional(6, Set.of(), Set.of()), 501);
    assertThat(live.appliedOf("b")).isEqualTo(LiveSessions.Applied.NOTHING);
    assertThat(live.applied(live.due(), Set.of(ONE))).as("of another term").isTrue();
    assertThat(live.appliedOf("b"))
        .isEqualTo(new LiveSessions.Applied(78, 0, new LingeringSessions(1, Set.of(ONE))));
    assertThat(live.suspendedFor("b")).isEmpty();
    assertThat(live.over(Set.of(ONE), 501)).isEmpty();
    live.applied(live.due(), Set.of());
    assertThat(live.appliedOf("b")).isEqualTo(new LiveSessions.Applied(78, 1));
  }

  /** Or the NameNode would take one that it may still attach for ended. */
  @Test
  void nothingIsReportedWhileASuspendedOneLingers() {
    live.accept("a", answer(5, 1, ONE, TWO, THREE), 500);
    live.accept("a", answer(5, 2, ONE, TWO), 500);
    live.applied(live.due(), Set.of(THREE));
    live.accept("b", provisional(6, Set.of(), Set.of(TWO)), 501);
    assertThat(live.applied(live.due(), Set.of(ONE))).isFalse();
    assertThat(live.appliedOf("b")).isEqualTo(LiveSessions.Applied.NOTHING);
    assertThat(live.suspendedFor("b")).isEmpty();
    assertThat(live.due().over()).as("they have ended all the same").isEmpty();
    assertThat(live.applied(live.due(), Set.of())).isTrue();
    assertThat(live.appliedOf("b")).isEqualTo(new LiveSessions.Applied(78, 1));
    assertThat(live.suspendedFor("b")).containsOnlyKeys(ONE);
  }

  @Test
  void tooManyThatLingerAreNotNamed() {
    List<SessionId> many =
        LongStream.rangeClosed(1, LingeringSessions.MAX_SESSIONS + 1)
            .mapToObj(SessionId::new)
            .toList();
    live.accept("a", answer(5, 1, many.toArray(new SessionId[0])), 500);
    live.applied(live.due(), Set.of());
    live.accept("a", answer(5, 2, many.get(0)), 500);
    live.applied(live.due(), Set.copyOf(many.subList(1, many.size())));
    assertThat(live.appliedOf("a").lingering().ids()).hasSize(LingeringSessions.MAX_SESSIONS);
    live.accept("a", answer(5, 3), 500);
    live.applied(live.due(), Set.copyOf(many));
    assertThat(live.appliedOf("a").lingering().version()).as("what was said before").isEqualTo(2);
    assertThat(live.appliedOf("a").version()).isEqualTo(1);
    live.accept("a", answer(5, 4), 500);
    live.applied(live.due(), Set.of(TWO));
    assertThat(live.appliedOf("a")).isEqualTo(but(1, 4, TWO));
  }

  @Test
  void aMarkIsReadBackAndNothingElseIs() {
    SessionId id = new SessionId(0xfedc_ba98_0000_0001L);
    assertThat(SessionId.ofMark(id.mark())).contains(id);
    assertThat(SessionId.ofMark(new byte[0])).isEmpty();
    assertThat(SessionId.ofMark("auth-conf".getBytes(java.nio.charset.StandardCharsets.US_ASCII)))
        .isEmpty();
    byte[] broken = id.mark();
    broken[broken.length - 1] = 'x';
    assertThat(SessionId.ofMark(broken)).isEmpty();
  }
}
