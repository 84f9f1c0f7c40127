/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.level.CodePolicy;
import io.hdfsparity.bridge.level.StripedFile;
import io.hdfsparity.bridge.level.StripedGroup;
import io.hdfsparity.bridge.level.StripedGroup.Units;
import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.update.GroupChange;
import io.hdfsparity.bridge.update.GroupFacts;
import io.hdfsparity.bridge.update.GroupRule;
import io.hdfsparity.bridge.update.UnitPlace;
import io.hdfsparity.ecupdate.protocol.Healing;
import io.hdfsparity.ecupdate.protocol.Lease;
import io.hdfsparity.ecupdate.protocol.LiveSessions;
import io.hdfsparity.ecupdate.protocol.NodeAnswer;
import io.hdfsparity.ecupdate.protocol.NodeRegistry;
import io.hdfsparity.ecupdate.protocol.NodeReport;
import io.hdfsparity.ecupdate.protocol.RefusalKind;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.SessionTable;
import io.hdfsparity.ecupdate.protocol.SessionTimes;
import io.hdfsparity.ecupdate.protocol.UpdateNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A group is healed while a DataNode that has a unit of it comes and goes; no clock but ours. */
class GroupHealingTest {
  private static final SessionTimes TIMES = new SessionTimes(1 << 30, 40, 10, 100, 100);
  private static final long FENCE_MS = 45;
  private static final long GROUP = -1024;
  private static final long OTHER_GROUP = -2048;
  private static final int LOST = 2;
  private static final CodePolicy RS =
      new CodePolicy(1, "RS-4-2-16k", "rs", 4, 2, 16_384, Map.of(), true);
  private static final StripedFile FILE =
      new StripedFile("/f", 7, Optional.of(RS), 1, false, false, false);
  private static final GroupFacts WHOLE = group(0, 1, 2, 3, 4, 5);
  private static final GroupFacts WOUNDED = group(0, 1, 3, 4, 5);
  private static final int ALSO_LOST = 4;
  private static final GroupFacts TWICE_WOUNDED = group(0, 1, 3, 5);

  private static final Refusal GONE = RefusalKind.GONE.because("file", "none", "the file", "/f");

  private long nowMs = 1000;

  /** What happens when the registry next looks at its clock, before it notes a report. */
  private Runnable atNextLook = () -> {};

  private final Manager first = new Manager("nn1");
  private final Manager second = new Manager("nn2");

  /** What the DataNode that is lost believes. */
  private final LiveSessions live = new LiveSessions(() -> nowMs);

  private long transactions;
  private long terms;
  private Manager active = first;
  private SessionId session = new SessionId(1);
  private long attempt;

  /** Whether the lost DataNode's software knows the list. */
  private boolean isHeeding = true;

  /** A NameNode, as far as it matters. */
  private final class Manager {
    final String name;
    final SessionTable table = new SessionTable(TIMES, () -> nowMs, new Random(42)::nextLong);
    final NodeRegistry nodes = new NodeRegistry(TIMES, GroupHealingTest.this::registryMs);
    final ReplacedGroups replaced = new ReplacedGroups();
    final NodeAnswers answers = new NodeAnswers(nodes, replaced, TIMES, () -> transactions);
    final GroupHealing healing = new GroupHealing(this::active, nodes, replaced, () -> nowMs);

    Manager(String name) {
      this.name = name;
    }

    Optional<SessionTable> active() {
      return active == this ? Optional.of(table) : Optional.empty();
    }

    NodeAnswer handle(NodeReport report) {
      return answers.answer(report, active());
    }
  }

  private long registryMs() {
    Runnable next = atNextLook;
    atNextLook = () -> {};
    next.run();
    return nowMs;
  }

  private static GroupFacts group(int... units) {
    List<UnitPlace> places = new ArrayList<>();
    for (int unit : units) {
      places.add(new UnitPlace(unit, "dn" + unit, "10.0.0." + unit, "s", "DISK", true));
    }
    StripedGroup state = new StripedGroup("blk_-1", true, 4, new Units(0, 0, 0, 0, 0), 0, 0, false);
    return new GroupFacts(state, GROUP, 1001, 100_000, places);
  }

  @BeforeEach
  void pastGrace() {
    becomeActive(first);
    nowMs += 2 * FENCE_MS;
  }

  private void becomeActive(Manager manager) {
    (manager == first ? second : first).table.leave();
    active = manager;
    transactions++;
    manager.table.in(++terms);
    session =
        manager.table.open(FILE.inodeId(), OptionalLong.empty(), "/f", "u", "c").orElseThrow();
  }

  private void othersReport() {
    for (int node = 0; node < 8; node++) {
      if (node != LOST) {
        active.handle(new NodeReport(new UpdateNode("dn" + node, 1, "h", 1), 0, 0));
      }
    }
  }

  private void allButTheLostReport() {
    for (int node : new int[] {0, 1, 3, 5, 6, 7, 8}) {
      active.handle(new NodeReport(new UpdateNode("dn" + node, 1, "h", 1), 0, 0));
    }
  }

  private NodeReport report(Manager to) {
    LiveSessions.Applied applied = live.appliedOf(to.name);
    return new NodeReport(
        new UpdateNode("dn" + LOST, 1, "h", 1),
        applied.incarnation(),
        applied.version(),
        isHeeding);
  }

  private void arrive(Manager from, NodeAnswer answer, long askedAtMs) {
    live.accept(from.name, answer, askedAtMs);
    live.applied(from.name);
  }

  /** The lost DataNode is there for a moment. */
  private void comeBack() {
    arrive(active, active.handle(report(active)), nowMs);
  }

  private boolean isServed() {
    return isHeeding ? live.isLive(session, GROUP + LOST) : live.isLive(session);
  }

  private static GroupChange change(GroupFacts group, boolean isAsking) {
    StripedFile copy = new StripedFile("/c", 8, Optional.of(RS), 1, false, false, false);
    return new GroupChange(
        FILE,
        100,
        Optional.of(group),
        isAsking ? Optional.empty() : Optional.of(new GroupChange.Copy(copy, 100, List.of(WHOLE))));
  }

  private Healing healing(long heldMs, Integer... units) {
    Set<String> lostNodes = Arrays.stream(units).map(unit -> "dn" + unit).collect(toSet());
    return new Healing(lostNodes, heldMs, Set.of(units), attempt);
  }

  private Optional<String> heal(long heldMs, boolean isAsking, GroupHealing.Replacement how)
      throws IOException {
    return active
        .healing
        .heal(
            new GroupHealing.HealingRequest(
                session, FILE.inodeId(), GROUP, isAsking, healing(heldMs, LOST)),
            change -> Optional.empty(),
            how)
        .map(Refusal::kind);
  }

  /** In an attempt of its own, unless something is locked. */
  private Optional<String> ask(long heldMs) throws IOException {
    if (heldMs == 0) {
      attempt++;
    }
    othersReport();
    return heal(heldMs, true, rule -> rule.veto(change(WOUNDED, true)));
  }

  private Optional<String> replace(long heldMs) throws IOException {
    return heal(heldMs, false, rule -> rule.veto(change(WOUNDED, false)));
  }

  @Test
  void aGroupOfALostNodeIsHealedAndItsOldUnitIsNotServedAnyMore() throws IOException {
    comeBack();
    assertThat(isServed()).isTrue();
    assertThat(ask(0)).contains("node-back");
    nowMs += FENCE_MS;
    assertThat(ask(0)).as("silent for the fence exactly").contains("node-back");
    nowMs++;
    assertThat(ask(0)).isEmpty();
    assertThat(active.replaced.ids()).as("it was only asked").isEmpty();
    nowMs += 1000;
    assertThat(replace(1000)).isEmpty();
    assertThat(active.replaced.ids()).containsExactly(GROUP);
    comeBack();
    assertThat(live.isLive(session)).isTrue();
    assertThat(isServed()).isFalse();
    assertThat(live.isLive(session, GROUP - 16)).as("another group").isTrue();
  }

  @Test
  void whoHasLockedForLongerNeedsALongerSilence() throws IOException {
    comeBack();
    nowMs += FENCE_MS + 1;
    assertThat(ask(0)).isEmpty();
    nowMs += 500;
    assertThat(replace(501)).as("locked before it asked").contains("node-back");
    assertThat(replace(500)).isEmpty();
  }

  @Test
  void whoHasNotAskedBeforeIsRefused() throws IOException {
    nowMs += 1000;
    assertThat(replace(0)).contains("node-back");
    assertThat(ask(1)).as("something is locked already").contains("node-back");
    assertThat(replace(1)).contains("node-back");
    assertThat(ask(0)).isEmpty();
    assertThat(ask(1)).as("it may ask again").isEmpty();
    assertThat(replace(1)).isEmpty();
  }

  @Test
  void aNodeThatCameBackMeanwhileIsSeenHoweverLongTheCallWasOnItsWay() throws IOException {
    comeBack();
    nowMs += 1000;
    assertThat(ask(0)).isEmpty();
    nowMs += 10;
    comeBack();
    assertThat(isServed()).isTrue();
    nowMs += 10 * FENCE_MS;
    assertThat(replace(10)).as("its client had held locks for 10 ms").contains("node-back");
    assertThat(active.replaced.ids()).isEmpty();
    // From then on nothing has been executed: asked anew, it can be healed.
    assertThat(ask(0)).isEmpty();
    nowMs += 10;
    assertThat(replace(10)).isEmpty();
  }

  @Test
  void aNodeThatCameBackAndWasForgottenIsSeenToo() throws IOException {
    nowMs += 1000;
    assertThat(ask(0)).isEmpty();
    nowMs += 10;
    comeBack();
    nowMs += 20 * FENCE_MS;
    othersReport();
    assertThat(replace(5)).contains("node-back");
  }

  @Test
  void whatWasAskedFirstCounts() throws IOException {
    nowMs += 1000;
    assertThat(ask(0)).isEmpty();
    nowMs += 10;
    assertThat(ask(0)).isEmpty();
    // A report that the first one forbids, and the second one would not.
    assertThat(active.table.healingAskedMs(session, GROUP, healing(0, LOST))).hasValue(nowMs - 10);
  }

  /** A program that heals, or several of the same session one after the other. */
  private final class Healer {
    final SessionId id =
        active.table.open(FILE.inodeId(), OptionalLong.empty(), "/f", "u", "c").orElseThrow();
    long number;

    /** Empty: allowed; else what it is refused for. */
    Optional<String> call(GroupFacts now, long heldMs, boolean isAsking, Integer... units)
        throws IOException {
      attempt = number;
      return active
          .healing
          .heal(
              new GroupHealing.HealingRequest(
                  id, FILE.inodeId(), GROUP, isAsking, healing(heldMs, units)),
              change -> Optional.empty(),
              rule -> rule.veto(change(now, isAsking)))
          .map(
              refusal -> {
                assertThat(refusal.kind()).isEqualTo("node-back");
                return refusal.reason().replaceAll("^Cannot update: (\\w+)=.*", "$1");
              });
    }

    Optional<String> ask(GroupFacts now, Integer... units) throws IOException {
      number++;
      return call(now, 0, true, units);
    }

    Optional<String> mayStill(GroupFacts now, Integer... units) throws IOException {
      return call(now, 1, true, units);
    }

    Optional<String> replace(GroupFacts now, Integer... units) throws IOException {
      return call(now, 1, false, units);
    }
  }

  /**
   * The first one decodes an update as not made; the second one, for whom more is lost, lets its
   * writer end it.
   */
  @Test
  void whoDecodedWithoutOtherUnitsThanAnotherSinceIsRefused() throws IOException {
    nowMs += 1000;
    othersReport();
    Healer first = new Healer();
    Healer second = new Healer();
    assertThat(first.ask(WOUNDED, LOST)).isEmpty();
    nowMs += 10;
    assertThat(first.mayStill(WOUNDED, LOST)).isEmpty();
    assertThat(second.ask(WOUNDED, LOST, ALSO_LOST)).as("it is there").contains("heard");
    nowMs += FENCE_MS + 1;
    allButTheLostReport();
    assertThat(first.mayStill(TWICE_WOUNDED, LOST)).contains("missingUnits");
    assertThat(first.replace(TWICE_WOUNDED, LOST)).contains("missingUnits");
    assertThat(second.ask(TWICE_WOUNDED, LOST, ALSO_LOST)).isEmpty();
    nowMs += 10;
    assertThat(second.mayStill(TWICE_WOUNDED, LOST, ALSO_LOST)).isEmpty();
    // Whatever comes back: the update is acknowledged, and the first one's copy does not have it.
    assertThat(first.mayStill(WOUNDED, LOST)).contains("askedBefore");
    assertThat(first.replace(WOUNDED, LOST)).contains("askedBefore");
    assertThat(second.replace(WOUNDED, LOST, ALSO_LOST)).contains("unit");
    assertThat(second.replace(TWICE_WOUNDED, LOST, ALSO_LOST)).isEmpty();
  }

  @Test
  void twoThatDecodeWithoutTheSameUnitsDisturbEachOtherNot() throws IOException {
    nowMs += 1000;
    othersReport();
    Healer first = new Healer();
    Healer second = new Healer();
    assertThat(first.ask(WOUNDED, LOST)).isEmpty();
    assertThat(second.ask(WOUNDED, LOST)).isEmpty();
    nowMs += 10;
    assertThat(second.mayStill(WOUNDED, LOST)).isEmpty();
    assertThat(first.replace(WOUNDED, LOST)).isEmpty();
  }

  @Test
  void aCallOfAnEarlierAttemptComesTooLate() throws IOException {
    nowMs += 1000;
    othersReport();
    Healer healer = new Healer();
    assertThat(healer.ask(WOUNDED, LOST)).isEmpty();
    assertThat(healer.ask(WOUNDED, LOST)).isEmpty();
    nowMs += 10;
    healer.number--;
    assertThat(healer.mayStill(WOUNDED, LOST)).contains("askedBefore");
    assertThat(healer.replace(WOUNDED, LOST)).contains("askedBefore");
    healer.number++;
    assertThat(healer.replace(WOUNDED, LOST)).isEmpty();
  }

  /** As a call that the client, or what is between, has sent again. */
  @Test
  void aQuestionThatIsHeardAgainBringsNothingBack() throws IOException {
    nowMs += 1000;
    othersReport();
    Healer first = new Healer();
    Healer second = new Healer();
    assertThat(first.ask(WOUNDED, LOST)).isEmpty();
    nowMs += FENCE_MS + 1;
    allButTheLostReport();
    assertThat(second.ask(TWICE_WOUNDED, LOST, ALSO_LOST)).isEmpty();
    // What is lost besides comes back.
    nowMs += FENCE_MS + 1;
    othersReport();
    assertThat(first.call(WOUNDED, 0, true, LOST)).contains("attempt");
    nowMs += 10;
    assertThat(first.replace(WOUNDED, LOST)).contains("askedBefore");
    assertThat(first.ask(WOUNDED, LOST)).as("anew").isEmpty();
    assertThat(first.call(WOUNDED, 0, true, LOST))
        .as("also of one that counts")
        .contains("attempt");
    assertThat(first.replace(WOUNDED, LOST)).isEmpty();
  }

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
  void nothingIsHealedInTheGraceNorByWhatWasAskedBeforeAFailover() throws IOException {
    nowMs += 1000;
    assertThat(ask(0)).isEmpty();
    becomeActive(second);
    assertThat(replace(0)).contains("node-back");
    assertThat(ask(0)).as("a node may go by another's word").contains("node-back");
    nowMs += FENCE_MS;
    assertThat(ask(0)).isEmpty();
    assertThat(replace(0)).isEmpty();
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
    session = active.table.open(FILE.inodeId(), OptionalLong.empty(), "/f", "u", "c").orElseThrow();
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
    NodeReport old = new NodeReport(new UpdateNode("dn" + LOST, 1, "h", 1), 0, 0, false);
    assertThat(active.handle(old).active()).isTrue();
    active.replaced.begin(GROUP, FILE.inodeId());
    assertThat(active.handle(old).active()).isFalse();
    assertThat(active.handle(report(active)).active()).isTrue();
    active.replaced.end(GROUP, ReplacedGroups.Outcome.NO);
    assertThat(active.handle(old).active()).isTrue();
  }

  /** It is told nothing that it could apply. */
  @Test
  void aDataNodeThatDoesNotHeedTheListKeepsNoSessionFromEnding() {
    NodeReport old = new NodeReport(new UpdateNode("dn" + LOST, 1, "h", 1), 0, 0, false);
    assertThat(active.handle(old).active()).isTrue();
    active.replaced.begin(GROUP, FILE.inodeId());
    active.replaced.end(GROUP, ReplacedGroups.Outcome.YES);
    active.table.end(session, new Lease.End(GONE, /* untouched= */ false));
    for (long ms = 0; ms <= FENCE_MS; ms += 5) {
      assertThat(active.handle(old).active()).isFalse();
      assertThat(active.table.fenced(active.nodes)).as("it was told before").isEmpty();
      nowMs += 5;
    }
    assertThat(active.handle(old).active()).isFalse();
    assertThat(active.table.fenced(active.nodes)).extracting(Lease::id).containsExactly(session);
  }

  @Test
  void whetherADataNodeIsHeldBackIsSettledBeforeItIsNoted() {
    NodeReport old = new NodeReport(new UpdateNode("dn" + LOST, 1, "h", 1), 0, 0, false);
    Set<String> node = Set.of("dn" + LOST);
    long sinceMs = nowMs;
    atNextLook = () -> active.replaced.begin(GROUP, FILE.inodeId());
    assertThat(active.handle(old).active()).as("listed since").isFalse();
    assertThat(active.nodes.heard(node, sinceMs)).as("it could have been told").isNotEmpty();
    nowMs += 2 * FENCE_MS;
    atNextLook = () -> active.replaced.end(GROUP, ReplacedGroups.Outcome.NO);
    assertThat(active.handle(old).active()).as("not listed any more").isFalse();
    assertThat(active.nodes.heard(node, nowMs)).as("it was not told").isEmpty();
    assertThat(active.handle(old).active()).isTrue();
    assertThat(active.nodes.heard(node, nowMs)).isNotEmpty();
  }

  static LongStream seeds() {
    return Optional.ofNullable(Long.getLong("healing.seed"))
        .map(LongStream::of)
        .orElseGet(() -> LongStream.range(0, 300));
  }

  /**
   * Reports, answers and calls that take their time, NameNodes that take turns; checked after each
   * step. One seed, one schedule: {@code -Dhealing.seed=N} runs it alone.
   */
  @ParameterizedTest
  @MethodSource("seeds")
  void noLostNodeServesWhileItsGroupIsHealedOrAfter(long seed) throws IOException {
    new Schedule(seed).run();
  }

  private final class Schedule {
    final Random random;
    final List<Flight> reports = new ArrayList<>();
    final List<Arrival> answers = new ArrayList<>();

    /** The DataNode is up; it is not for long times, or nobody would be lost. */
    boolean isUp = true;

    /** The client's: -1 nothing is locked. */
    long lockedMs = -1;

    boolean isAllowed;
    boolean hasServed;
    boolean isHealed;

    /** Held in a call that is on its way; -1: none is. */
    long sentHeldMs = -1;

    private record Flight(Manager to, NodeReport report, long askedAtMs) {}

    private record Arrival(Manager from, NodeAnswer answer, long askedAtMs) {}

    Schedule(long seed) {
      random = new Random(seed);
      isHeeding = seed % 3 != 0;
    }

    void run() throws IOException {
      for (int step = 0; step < 500 && !isHealed; step++) {
        step();
        check();
      }
      for (int step = 0; step < 100; step++) {
        isUp = true;
        nodeStep();
        check();
      }
    }

    void step() throws IOException {
      switch (random.nextInt(12)) {
        case 0, 1, 2, 3 -> nodeStep();
        case 4 -> nowMs += random.nextInt(random.nextInt(3) == 0 ? 100 : 10);
        case 5 -> isUp = random.nextInt(6) == 0;
        case 6 -> {
          rarely();
          othersAreHealed();
        }
        default -> clientStep();
      }
    }

    void rarely() {
      if (random.nextInt(10) == 0) {
        becomeActive(random.nextBoolean() ? first : second);
        lockedMs = -1;
        sentHeldMs = -1;
        isAllowed = false;
        hasServed = false;
      }
    }

    /** Of another group. */
    void othersAreHealed() {
      if (active.replaced.ids().contains(OTHER_GROUP)) {
        active.replaced.end(OTHER_GROUP, ReplacedGroups.Outcome.NO);
      } else {
        active.replaced.begin(OTHER_GROUP, FILE.inodeId());
      }
    }

    void nodeStep() {
      switch (random.nextInt(4)) {
        case 0 -> {
          Manager to = random.nextBoolean() ? first : second;
          boolean isWaiting =
              reports.stream().anyMatch(each -> each.to() == to)
                  || answers.stream().anyMatch(each -> each.from() == to);
          if (isUp && !isWaiting) {
            reports.add(new Flight(to, report(to), nowMs));
          }
        }
        case 1 -> {
          if (!reports.isEmpty()) {
            Flight flight = reports.remove(random.nextInt(reports.size()));
            answers.add(
                new Arrival(flight.to(), flight.to().handle(flight.report()), flight.askedAtMs()));
          }
        }
        case 2 -> {
          if (!answers.isEmpty()) {
            Arrival arrival = answers.remove(random.nextInt(answers.size()));
            arrive(arrival.from(), arrival.answer(), arrival.askedAtMs());
          }
        }
        default -> nowMs += random.nextInt(5);
      }
    }

    void clientStep() throws IOException {
      if (!isAllowed) {
        isAllowed = ask(0).isEmpty();
      } else if (lockedMs < 0) {
        lockedMs = nowMs;
        hasServed = false;
      } else if (sentHeldMs < 0) {
        if (random.nextInt(4) == 0) {
          sentHeldMs = nowMs - lockedMs;
        }
      } else if (random.nextInt(3) == 0) {
        handleReplace();
      }
    }

    void handleReplace() throws IOException {
      Optional<String> refusal =
          heal(
              sentHeldMs,
              false,
              rule -> {
                meanwhile();
                Optional<Refusal> veto = rule.veto(change(WOUNDED, false));
                isHealed = veto.isEmpty();
                assertThat(isHealed && hasServed).as("served since it was locked").isFalse();
                meanwhile();
                return veto;
              });
      isHealed = refusal.isEmpty();
      lockedMs = -1;
      sentHeldMs = -1;
      isAllowed = false;
    }

    void meanwhile() {
      for (int i = random.nextInt(4); i > 0; i--) {
        nodeStep();
        check();
      }
    }

    void check() {
      hasServed |= lockedMs >= 0 && isServed();
      assertThat(isHealed && isServed()).as("served after it was healed").isFalse();
    }
  }
}
