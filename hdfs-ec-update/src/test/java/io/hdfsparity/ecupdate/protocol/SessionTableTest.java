/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.protocol.SessionTable.Hold;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leases against a list that is searched, on a clock that the test moves. */
class SessionTableTest {
  private static final SessionTimes TIMES = new SessionTimes(100, 40, 10, 5, 3);
  private static final Lease.End END =
      new Lease.End(RefusalKind.GONE.because("file", "none", "the file", "/f"), true);

  private final AtomicLong clockMs = new AtomicLong(1000);
  private final AtomicLong numbers = new AtomicLong();
  private final NodeRegistry nodes = new NodeRegistry(TIMES, clockMs::get);
  private final SessionTable table =
      new SessionTable(TIMES, clockMs::get, numbers::incrementAndGet);

  private SessionId open(long inode, String user) {
    return table
        .open(inode, OptionalLong.of(-16 * inode), "/f" + inode, user, request(Sharing.SHARED))
        .id()
        .orElseThrow();
  }

  private static OpenRequest request(Sharing sharing) {
    return new OpenRequest("/f", "test", 0, sharing);
  }

  private Optional<Hold> hold(long inode) {
    return table.holdOn(inode, names(gone -> false, -16 * inode));
  }

  private void pastGrace() {
    clockMs.addAndGet(TIMES.graceMs());
  }

  private Opening ask(long inode, Sharing sharing) {
    return table.open(inode, OptionalLong.of(-16 * inode), "/f" + inode, "u", request(sharing));
  }

  private static String kind(Opening refused) {
    return refused.refusal().orElseThrow().kind();
  }

  @Test
  void anExclusiveSessionIsAloneUntilNoDataNodeExecutesItsRequests() {
    table.in(7);
    pastGrace();
    SessionId alone = ask(1, Sharing.EXCLUSIVE).id().orElseThrow();
    assertThat(kind(ask(1, Sharing.EXCLUSIVE))).isEqualTo("in-use");
    assertThat(kind(ask(1, Sharing.SHARED))).isEqualTo("in-use");
    assertThat(ask(2, Sharing.EXCLUSIVE).id()).isPresent();
    assertThat(table.find(alone).orElseThrow().sharing()).isEqualTo(Sharing.EXCLUSIVE);
    assertThat(table.list()).allMatch(SessionStatus::isExclusive);
    // Its program has died: the session ends, and DataNodes may not know that yet.
    clockMs.addAndGet(TIMES.leaseMs());
    assertThat(table.expire()).anyMatch(lease -> lease.id().equals(alone));
    assertThat(ask(1, Sharing.EXCLUSIVE).refusal().orElseThrow().reason())
        .contains("ending, of user u");
    table.forget(alone); // as the sweeper does when it is fenced
    SessionId next = ask(1, Sharing.EXCLUSIVE).id().orElseThrow();
    assertThat(next).isNotEqualTo(alone);
    // Those that are shared reckon with others anyway.
    table.end(next, END);
    assertThat(ask(1, Sharing.SHARED).id()).isPresent();
  }

  @Test
  void aFileThatIsSharedIsNotOpenedExclusively() {
    table.in(7);
    pastGrace();
    SessionId shared = ask(1, Sharing.SHARED).id().orElseThrow();
    SessionId other = ask(1, Sharing.SHARED).id().orElseThrow();
    assertThat(kind(ask(1, Sharing.EXCLUSIVE))).isEqualTo("in-use");
    table.end(shared, END);
    table.forget(shared);
    assertThat(kind(ask(1, Sharing.EXCLUSIVE))).isEqualTo("in-use");
    table.end(other, END);
    assertThat(kind(ask(1, Sharing.EXCLUSIVE))).isEqualTo("in-use");
    table.forget(other);
    assertThat(ask(1, Sharing.EXCLUSIVE).id()).isPresent();
  }

  /** Sessions that the NameNode has granted that was active before may still be used. */
  @Test
  void noSessionIsExclusiveWhileThoseOfAnotherNameNodeMayBeUsed() {
    table.in(7);
    clockMs.addAndGet(TIMES.graceMs() - 1);
    assertThat(ask(1, Sharing.EXCLUSIVE).refusal().orElseThrow().reason()).contains("ms=1");
    assertThat(ask(2, Sharing.SHARED).id()).isPresent();
    clockMs.incrementAndGet();
    assertThat(ask(1, Sharing.EXCLUSIVE).id()).isPresent();
    table.in(8);
    assertThat(kind(ask(1, Sharing.EXCLUSIVE))).isEqualTo("in-use");
  }

  @Test
  void allFilesAreHeldUntilNoDataNodeGoesByAnothersWord() {
    table.in(7);
    assertThat(hold(1)).contains(Hold.GRACE);
    clockMs.addAndGet(TIMES.graceMs() - 1);
    assertThat(hold(1)).contains(Hold.GRACE);
    clockMs.incrementAndGet();
    assertThat(hold(1)).isEmpty();
    assertThat(table.in(7)).isFalse();
    assertThat(hold(1)).isEmpty();
    assertThat(table.in(8)).isTrue();
    assertThat(hold(1)).contains(Hold.GRACE);
  }

  @Test
  void anotherTermForgetsAllSessionsAndIsAnotherIncarnation() {
    table.in(1);
    SessionId id = open(1, "u");
    long before = table.live().incarnation();
    table.in(2);
    assertThat(table.find(id)).isEmpty();
    assertThat(table.renew(id)).isFalse();
    assertThat(table.live().ids()).isEmpty();
    assertThat(table.live().incarnation()).isNotEqualTo(before);
    table.leave();
    assertThat(table.in(2)).isTrue();
  }

  private static Lease lease(SessionId id, long inode, String user) {
    return new Lease(id, inode, "/f" + inode, user, "test", Sharing.SHARED, Optional.empty());
  }

  private Opening attach(SessionId id, long inode, String user) {
    return table.attach(lease(id, inode, user), OptionalLong.of(-16 * inode));
  }

  private static void assertAttached(Opening opening, SessionId id, boolean isNew) {
    assertThat(opening.id()).contains(id);
    assertThat(opening.isNew()).isEqualTo(isNew);
  }

  @Test
  void theGraceIsHalfALeaseWithinBounds() {
    assertThat(new SessionTimes(60_000, 15_000, 2_000, 1, 1).graceMs()).isEqualTo(30_000);
    assertThat(new SessionTimes(4_000, 15_000, 2_000, 1, 1).graceMs()).isEqualTo(16_875);
    assertThat(new SessionTimes(600_000, 15_000, 2_000, 1, 1).graceMs()).isEqualTo(33_750);
  }

  @Test
  void aSessionOfAnEarlierTermIsAttachedOnlyInTheGrace() {
    SessionId id = new SessionId(-5);
    table.in(1);
    assertThat(table.isAttachable(id)).isTrue();
    clockMs.addAndGet(TIMES.graceMs() - 1);
    assertAttached(attach(id, 1, "u"), id, /* isNew= */ true);
    assertAttached(attach(id, 1, "u"), id, /* isNew= */ false);
    assertThat(kind(attach(id, 1, "v"))).as("another user").isEqualTo("unknown-session");
    assertThat(kind(attach(id, 2, "u"))).as("another file").isEqualTo("unknown-session");
    assertThat(table.live().live()).containsEntry(id, SessionOwner.of(1, "u", Sharing.SHARED));
    assertThat(table.live().provisional()).isTrue();
    assertThat(table.list()).allMatch(each -> each.grant().attached());
    clockMs.incrementAndGet();
    assertThat(table.live().provisional()).isFalse();
    assertThat(table.isAttachable(new SessionId(-6))).isFalse();
    assertThat(kind(attach(new SessionId(-6), 1, "u"))).isEqualTo("unknown-session");
    assertAttached(attach(id, 1, "u"), id, /* isNew= */ false); // as long as it is open
    assertThat(hold(1)).contains(Hold.OPEN);
    table.end(id, END);
    assertThat(kind(attach(id, 1, "u"))).isEqualTo("unknown-session");
  }

  @Test
  void whatHasEndedInTheGraceIsNotAttachedAndIsCalledOver() {
    table.in(1);
    SessionId id = new SessionId(-5);
    attach(id, 1, "u");
    table.end(id, END);
    assertThat(table.live().ended()).containsExactly(id);
    table.forget(id);
    assertThat(table.isAttachable(id)).isFalse();
    assertThat(kind(attach(id, 1, "u"))).isEqualTo("unknown-session");
    pastGrace();
    assertThat(table.live().ended()).isEmpty();
    table.in(2);
    assertThat(table.live().ended()).isEmpty();
  }

  @Test
  void anExclusiveSessionIsAttachedAloneAndStaysExclusive() {
    table.in(1);
    Lease exclusive =
        new Lease(new SessionId(-5), 1, "/f1", "u", "test", Sharing.EXCLUSIVE, Optional.empty());
    SessionId other = open(1, "v");
    assertThat(kind(table.attach(exclusive, OptionalLong.of(-16)))).isEqualTo("in-use");
    table.end(other, END);
    assertThat(table.attach(exclusive, OptionalLong.of(-16)).refusal().orElseThrow().reason())
        .as("the other one is not fenced")
        .contains("ending, of user v");
    table.forget(other);
    assertAttached(table.attach(exclusive, OptionalLong.of(-16)), exclusive.id(), true);
    assertThat(kind(attach(exclusive.id(), 1, "u")))
        .as("as a shared one")
        .isEqualTo("unknown-session");
    assertThat(kind(attach(new SessionId(-6), 1, "u"))).isEqualTo("in-use");
    assertThat(table.open(1, OptionalLong.empty(), "/f1", "v", new OpenRequest("/f1", "c", 0)).id())
        .isEmpty();
  }

  @Test
  void attachedSessionsCountToTheLimits() {
    table.in(1);
    for (int i = 1; i <= TIMES.maxPerUser(); i++) {
      assertAttached(attach(new SessionId(-i), i, "u"), new SessionId(-i), true);
    }
    assertThat(kind(attach(new SessionId(-9), 9, "u"))).isEqualTo("too-many-sessions");
  }

  @Test
  void inSafeModeTheGraceBeginsAnewUntilItHasEnded() {
    table.in(1);
    clockMs.addAndGet(TIMES.graceMs() - 1);
    table.stillStarting();
    clockMs.addAndGet(TIMES.graceMs() - 1);
    assertThat(hold(1)).contains(Hold.GRACE);
    clockMs.incrementAndGet();
    table.stillStarting();
    assertThat(hold(1)).as("over for good").isEmpty();
    assertThat(table.live().provisional()).isFalse();
  }

  @Test
  void aSessionThatIsOverHoldsItsFileUntilItIsForgotten() {
    table.in(1);
    pastGrace();
    report(0);
    SessionId id = open(1, "u");
    assertThat(hold(1)).contains(Hold.OPEN);
    assertThat(hold(2)).isEmpty();
    report(table.live().version());
    table.end(id, END);
    assertThat(hold(1)).contains(Hold.ENDING);
    assertThat(table.fenced(nodes)).isEmpty();
    report(table.live().version());
    assertThat(table.fenced(nodes)).extracting(Lease::id).containsExactly(id);
    assertThat(hold(1)).contains(Hold.ENDING);
    table.forget(id);
    assertThat(hold(1)).isEmpty();
  }

  @Test
  void aDataNodeThatDoesNotConfirmAnEndIsNamedAfterATime() {
    table.in(1);
    pastGrace();
    SessionId id = open(1, "u");
    open(2, "u");
    long before = table.live().version();
    report(before);
    table.end(id, END);
    assertThat(table.ending()).isEqualTo(1);
    for (int reports = 0; reports < 10; reports++) {
      assertThat(table.late(nodes, 100)).isEmpty();
      clockMs.addAndGet(10);
      report(before);
    }
    assertThat(table.late(nodes, 100)).extracting(UpdateNode::uuid).containsExactly("dn");
    assertThat(table.fenced(nodes)).isEmpty();
    open(3, "u");
    assertThat(table.open(4, OptionalLong.empty(), "/f4", "u", request(Sharing.SHARED)).refusal())
        .hasValueSatisfying(
            refusal ->
                assertThat(refusal.reason())
                    .contains("2 open, 1 over and not confirmed by all DataNodes"));
    report(table.live().version());
    assertThat(table.late(nodes, 100)).as("it has confirmed").isEmpty();
    table.fenced(nodes).forEach(lease -> table.forget(lease.id()));
    assertThat(table.ending()).isZero();
  }

  /** As when a disk hangs: the other one ends, and may be opened again. */
  @Test
  void aSessionOfWhichSomethingHangsKeepsNoOtherOneFromEnding() {
    table.in(1);
    pastGrace();
    SessionId hung = open(1, "u");
    SessionId other = open(2, "u");
    long before = table.live().version();
    report(before);
    table.end(hung, END);
    table.end(other, END);
    for (int reports = 0; reports < 20; reports++) {
      clockMs.addAndGet(10);
      report(before, hung);
    }
    assertThat(table.fenced(nodes)).extracting(Lease::id).containsExactly(other);
    assertThat(table.late(nodes, 100)).extracting(UpdateNode::uuid).containsExactly("dn");
    table.forget(other);
    assertThat(hold(1)).contains(Hold.ENDING);
    assertThat(hold(2)).isEmpty();
    SessionId again = open(2, "u");
    report(before, hung);
    table.end(again, END);
    assertThat(table.fenced(nodes)).as("its end is not known yet").isEmpty();
    report(before, hung);
    assertThat(table.fenced(nodes)).extracting(Lease::id).containsExactly(again);
    report(table.live().version());
    assertThat(table.fenced(nodes)).extracting(Lease::id).containsExactlyInAnyOrder(hung, again);
    assertThat(table.late(nodes, 100)).isEmpty();
  }

  @Test
  void aDataNodeThatIsSilentIsNotNamed() {
    table.in(1);
    pastGrace();
    SessionId id = open(1, "u");
    report(table.live().version());
    table.end(id, END);
    clockMs.addAndGet(TIMES.fenceMs() + 1);
    assertThat(table.late(nodes, 0)).isEmpty();
  }

  @Test
  void aSilentDataNodeIsWaitedFor() {
    table.in(1);
    pastGrace();
    SessionId id = open(1, "u");
    report(table.live().version());
    table.end(id, END);
    clockMs.addAndGet(TIMES.fenceMs());
    assertThat(table.fenced(nodes)).isEmpty();
    assertThat(nodes.capable("dn")).isEmpty();
    clockMs.incrementAndGet();
    assertThat(table.fenced(nodes)).hasSize(1);
  }

  /** Some inodes are gone; the file that is asked about has some block groups. */
  private static SessionTable.Namespace names(LongPredicate gone, Long... groups) {
    return new SessionTable.Namespace() {
      @Override
      public boolean exists(long inodeId) {
        return !gone.test(inodeId);
      }

      @Override
      public boolean has(long groupId) {
        return List.of(groups).contains(groupId);
      }
    };
  }

  /** Whoever opens and deletes files in a loop would keep all others as they are. */
  @Test
  void aSessionOfAFileThatWasDeletedHoldsNoOther() {
    table.in(1);
    pastGrace();
    SessionId id = open(1, "u");
    assertThat(table.holdOn(2, names(inode -> inode == 1, -32L))).isEmpty();
    table.end(id, END);
    assertThat(table.holdOn(2, names(inode -> inode == 1, -32L))).isEmpty();
  }

  @Test
  void aSessionOfAFileThatWasJoinedToAnotherHoldsThat() {
    table.in(1);
    pastGrace();
    SessionId id = open(1, "u");
    assertThat(table.holdOn(2, names(inode -> inode == 1, -32L, -16L))).contains(Hold.JOINED);
    table.end(id, END);
    assertThat(table.holdOn(2, names(inode -> inode == 1, -32L, -16L))).contains(Hold.JOINED);
    table.forget(id);
    assertThat(table.holdOn(2, names(inode -> inode == 1, -32L, -16L))).isEmpty();
  }

  /** Its first group has another id since, or has not if that has failed. */
  @Test
  void aFileWhoseFirstGroupWasReplacedIsFoundWhereItWasJoined() {
    table.in(1);
    pastGrace();
    open(1, "u");
    table.replacing(1, -16, -160);
    table.replacing(1, -160, -1600);
    table.replacing(3, -16, -48);
    for (long first : new long[] {-16, -160, -1600}) {
      assertThat(table.holdOn(2, names(inode -> inode == 1, first))).contains(Hold.JOINED);
    }
    assertThat(table.holdOn(2, names(inode -> inode == 1, -48L))).isEmpty();
  }

  @Test
  void anOpenSessionIsNotForgotten() {
    table.in(1);
    SessionId id = open(1, "u");
    table.forget(id);
    assertThat(table.find(id)).isPresent();
  }

  private static Healing healing(long attempt, Integer... units) {
    return new Healing(Set.of("dn"), 0, Set.of(units), attempt);
  }

  @Test
  void whatWasAskedWithOtherLostUnitsIsForgotten() {
    table.in(1);
    SessionId a = open(1, "u");
    SessionId b = open(1, "v");
    table.askedToHeal(a, -16, healing(1, 1), 100, before -> true);
    table.askedToHeal(a, -32, healing(2, 1), 101, before -> true);
    table.askedToHeal(b, -16, healing(3, 1), 102, before -> true);
    assertThat(table.healingAskedMs(a, -16, healing(1, 1))).hasValue(100);
    assertThat(table.healingAskedMs(a, -16, healing(3, 1))).as("another attempt").isEmpty();
    assertThat(table.healingAskedMs(a, -16, healing(1, 2))).as("another unit").isEmpty();
    assertThat(table.healingAskedMs(b, -16, healing(3, 1))).hasValue(102);
    table.end(a, END);
    table.askedToHeal(b, -16, healing(4, 1, 2), 103, before -> true);
    assertThat(table.healingAskedMs(a, -16, healing(1, 1))).isEmpty();
    assertThat(table.healingAskedMs(b, -16, healing(3, 1))).isEmpty();
    assertThat(table.healingAskedMs(b, -16, healing(4, 2, 1))).hasValue(103);
    assertThat(table.healingAskedMs(a, -32, healing(2, 1))).as("another group").hasValue(101);
  }

  @Test
  void whatWasAskedBeforeWithTheSameUnitsCountsForTheNewAttempt() {
    table.in(1);
    SessionId id = open(1, "u");
    table.askedToHeal(id, -16, healing(1, 1, 2), 100, before -> true);
    table.askedToHeal(id, -16, healing(2, 2, 1), 200, before -> before == 100);
    assertThat(table.healingAskedMs(id, -16, healing(1, 1, 2))).isEmpty();
    assertThat(table.healingAskedMs(id, -16, healing(2, 1, 2))).hasValue(100);
    table.askedToHeal(id, -16, healing(3, 1, 2), 300, before -> false);
    assertThat(table.healingAskedMs(id, -16, healing(3, 1, 2))).hasValue(300);
    table.askedToHeal(id, -16, healing(4, 1), 400, before -> true);
    assertThat(table.healingAskedMs(id, -16, healing(4, 1))).hasValue(400);
  }

  @Test
  void attemptsOfASessionOnlyGrow() {
    table.in(1);
    SessionId a = open(1, "u");
    SessionId b = open(1, "v");
    assertThat(table.askedToHeal(a, -16, healing(5, 1), 100, before -> true)).isTrue();
    assertThat(table.askedToHeal(a, -16, healing(5, 1), 101, before -> true)).isFalse();
    assertThat(table.healingAskedMs(a, -16, healing(5, 1))).hasValue(100);
    assertThat(table.askedToHeal(b, -16, healing(1, 2), 102, before -> true)).isTrue();
    for (long attempt : new long[] {4, 5}) {
      assertThat(table.askedToHeal(a, -16, healing(attempt, 1), 103, before -> true))
          .as("attempt %d, which is void", attempt)
          .isFalse();
    }
    assertThat(table.healingAskedMs(b, -16, healing(1, 2))).as("nothing has changed").hasValue(102);
    assertThat(table.askedToHeal(a, -16, healing(6, 1), 104, before -> true)).isTrue();
    assertThat(table.healingAskedMs(a, -16, healing(6, 1))).as("not since 100").hasValue(104);
    assertThat(table.askedToHeal(new SessionId(-1), -16, healing(7, 1), 105, before -> true))
        .as("nobody's session")
        .isFalse();
  }

  @Test
  void anAttemptThatIsNotKeptInMindAnyMoreIsNotNewEither() {
    table.in(1);
    SessionId id = open(1, "u");
    int many = 1000;
    for (int attempt = 1; attempt <= many; attempt++) {
      assertThat(table.askedToHeal(id, -16L * attempt, healing(attempt, 1), 100, before -> true))
          .isTrue();
    }
    assertThat(table.healingAskedMs(id, -16L * many, healing(many, 1))).isPresent();
    assertThat(table.healingAskedMs(id, -16, healing(1, 1))).as("the first one").isEmpty();
    for (int attempt = 1; attempt <= many; attempt++) {
      assertThat(table.askedToHeal(id, -16L * attempt, healing(attempt, 1), 100, before -> true))
          .as("attempt %d", attempt)
          .isFalse();
    }
  }

  /** All that is over has ended there, but for some sessions. */
  private void report(long applied, SessionId... lingering) {
    nodes.reported(
        new NodeReport(
            new UpdateNode("dn", 1, "h", 2),
            table.live().incarnation(),
            applied,
            new LingeringSessions(table.live().version(), Set.of(lingering)),
            true,
            Map.of(),
            Set.of()));
  }

  private void report(long applied) {
    nodes.reported(
        new NodeReport(new UpdateNode("dn", 1, "h", 2), table.live().incarnation(), applied));
  }

  private static final class Twin {
    final SessionId id;
    final long inode;
    final String user;
    long deadlineMs;
    boolean over;

    Twin(SessionId id, long inode, String user, long deadlineMs) {
      this.id = id;
      this.inode = inode;
      this.user = user;
      this.deadlineMs = deadlineMs;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void agreesWithAList(long seed) {
    Random random = new Random(seed);
    List<Twin> twins = new ArrayList<>();
    table.in(1);
    pastGrace();
    for (int step = 0; step < 3000; step++) {
      switch (random.nextInt(6)) {
        case 0 -> openBoth(random, twins);
        case 1 -> pick(random, twins).ifPresent(this::renewBoth);
        case 2 -> pick(random, twins).ifPresent(this::endBoth);
        case 3 -> expireBoth(twins);
        case 4 -> forgetBoth(twins);
        default -> clockMs.addAndGet(random.nextInt(30));
      }
      compare(twins);
    }
  }

  private void openBoth(Random random, List<Twin> twins) {
    long inode = random.nextInt(4);
    String user = "u" + random.nextInt(3);
    Optional<SessionId> id =
        table.open(inode, OptionalLong.empty(), "/f", user, request(Sharing.SHARED)).id();
    long ofUser = twins.stream().filter(twin -> twin.user.equals(user)).count();
    assertThat(id.isPresent())
        .isEqualTo(twins.size() < TIMES.maxSessions() && ofUser < TIMES.maxPerUser());
    id.ifPresent(each -> twins.add(new Twin(each, inode, user, clockMs.get() + TIMES.leaseMs())));
  }

  private static Optional<Twin> pick(Random random, List<Twin> twins) {
    return twins.isEmpty()
        ? Optional.empty()
        : Optional.of(twins.get(random.nextInt(twins.size())));
  }

  private void renewBoth(Twin twin) {
    assertThat(table.renew(twin.id)).isEqualTo(!twin.over);
    if (!twin.over) {
      twin.deadlineMs = clockMs.get() + TIMES.leaseMs();
    }
  }

  private void endBoth(Twin twin) {
    assertThat(table.end(twin.id, END)).isEqualTo(!twin.over);
    twin.over = true;
  }

  private void expireBoth(List<Twin> twins) {
    TreeSet<SessionId> expected = new TreeSet<>();
    for (Twin twin : twins) {
      if (!twin.over && twin.deadlineMs <= clockMs.get()) {
        twin.over = true;
        expected.add(twin.id);
      }
    }
    assertThat(table.expire()).extracting(Lease::id).containsExactlyInAnyOrderElementsOf(expected);
  }

  /** No DataNode has ever reported, so that whatever is over is fenced. */
  private void forgetBoth(List<Twin> twins) {
    table.fenced(nodes).forEach(lease -> table.forget(lease.id()));
    twins.removeIf(twin -> twin.over);
  }

  private void compare(List<Twin> twins) {
    Map<Long, Hold> holds = new HashMap<>();
    TreeMap<SessionId, Boolean> over = new TreeMap<>();
    for (Twin twin : twins) {
      holds.merge(
          twin.inode, twin.over ? Hold.ENDING : Hold.OPEN, (a, b) -> a == Hold.OPEN ? a : b);
      over.put(twin.id, twin.over);
    }
    for (long inode = 0; inode < 4; inode++) {
      assertThat(hold(inode)).isEqualTo(Optional.ofNullable(holds.get(inode)));
    }
    assertThat(table.live().ids())
        .containsExactlyInAnyOrderElementsOf(
            over.entrySet().stream().filter(e -> !e.getValue()).map(Map.Entry::getKey).toList());
    assertThat(table.list()).extracting(SessionStatus::id).containsExactlyElementsOf(over.keySet());
  }
}
