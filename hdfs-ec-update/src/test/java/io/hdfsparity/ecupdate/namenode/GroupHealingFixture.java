/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import static java.util.stream.Collectors.toSet;

import io.hdfsparity.bridge.level.CodePolicy;
import io.hdfsparity.bridge.level.StripedFile;
import io.hdfsparity.bridge.level.StripedGroup;
import io.hdfsparity.bridge.level.StripedGroup.Units;
import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.update.GroupChange;
import io.hdfsparity.bridge.update.GroupFacts;
import io.hdfsparity.bridge.update.UnitPlace;
import io.hdfsparity.ecupdate.protocol.Healing;
import io.hdfsparity.ecupdate.protocol.LiveSessions;
import io.hdfsparity.ecupdate.protocol.NodeAnswer;
import io.hdfsparity.ecupdate.protocol.NodeRegistry;
import io.hdfsparity.ecupdate.protocol.NodeReport;
import io.hdfsparity.ecupdate.protocol.OpenRequest;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.SessionTable;
import io.hdfsparity.ecupdate.protocol.SessionTimes;
import io.hdfsparity.ecupdate.protocol.UpdateNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;

/** Two session managers, a group, and a DataNode that has a unit of it; no clock but ours. */
abstract class GroupHealingFixture {
  static final SessionTimes TIMES = new SessionTimes(1 << 30, 40, 10, 100, 100);
  static final long FENCE_MS = 45;
  static final long GROUP = -1024;
  static final int LOST = 2;

  static final CodePolicy RS = new CodePolicy(1, "RS-4-2-16k", "rs", 4, 2, 16_384, Map.of(), true);

  static final StripedFile FILE = new StripedFile("/f", 7, Optional.of(RS), 1, false, false, false);

  static final GroupFacts WHOLE = group(0, 1, 2, 3, 4, 5);
  static final GroupFacts WOUNDED = group(0, 1, 3, 4, 5);
  long nowMs = 1000;

  /** What happens when the registry next looks at its clock, before it notes a report. */
  Runnable atNextLook = () -> {};

  final Manager first = new Manager("nn1");
  final Manager second = new Manager("nn2");

  /** What the DataNode that is lost believes. */
  final LiveSessions live = new LiveSessions(() -> nowMs);

  long transactions;
  long terms;
  Manager active = first;
  SessionId session = new SessionId(1);
  long attempt;

  /** Whether the lost DataNode's software knows the list. */
  boolean isHeeding = true;

  /** A NameNode, as far as it matters. */
  final class Manager {
    final String name;
    final SessionTable table = new SessionTable(TIMES, () -> nowMs, new Random(42)::nextLong);
    final NodeRegistry nodes = new NodeRegistry(TIMES, GroupHealingFixture.this::registryMs);
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

  long registryMs() {
    Runnable next = atNextLook;
    atNextLook = () -> {};
    next.run();
    return nowMs;
  }

  static GroupFacts group(int... units) {
    List<UnitPlace> places = new ArrayList<>();
    for (int unit : units) {
      places.add(new UnitPlace(unit, "dn" + unit, "10.0.0." + unit, "s", "DISK", true));
    }
    StripedGroup state = new StripedGroup(-1, true, 4, new Units(0, 0, 0, 0, 0, 0), 0, 0, false);
    return new GroupFacts(state, GROUP, 1001, 100_000, places);
  }

  @BeforeEach
  void pastGrace() {
    becomeActive(first);
    nowMs += 2 * FENCE_MS;
  }

  void becomeActive(Manager manager) {
    (manager == first ? second : first).table.leave();
    active = manager;
    transactions++;
    manager.table.in(++terms);
    session =
        manager
            .table
            .open(FILE.inodeId(), OptionalLong.empty(), "/f", "u", new OpenRequest("/f", "c", 0))
            .id()
            .orElseThrow();
  }

  void othersReport() {
    for (int node = 0; node < 8; node++) {
      if (node != LOST) {
        active.handle(new NodeReport(new UpdateNode("dn" + node, 1, "h", 1), 0, 0));
      }
    }
  }

  NodeReport report(Manager to) {
    LiveSessions.Applied applied = live.appliedOf(to.name);
    return new NodeReport(
        new UpdateNode("dn" + LOST, 1, "h", 1),
        applied.incarnation(),
        applied.version(),
        isHeeding,
        live.suspendedFor(to.name));
  }

  void arrive(Manager from, NodeAnswer answer, long askedAtMs) {
    live.accept(from.name, answer, askedAtMs);
    live.applied(live.due(), Set.of());
  }

  /** The lost DataNode is there for a moment. */
  void comeBack() {
    arrive(active, active.handle(report(active)), nowMs);
  }

  boolean isServed() {
    return isHeeding ? live.isLive(session, GROUP + LOST) : live.isLive(session);
  }

  static GroupChange change(GroupFacts group, boolean isAsking) {
    StripedFile copy = new StripedFile("/c", 8, Optional.of(RS), 1, false, false, false);
    return new GroupChange(
        FILE,
        100,
        Optional.of(group),
        GroupChange.OldUnits.SOUND,
        isAsking
            ? Optional.empty()
            : Optional.of(new GroupChange.Copy(copy, 100, List.of(WHOLE), false)));
  }

  Healing healing(long heldMs, Integer... units) {
    Set<String> lostNodes = Arrays.stream(units).map(unit -> "dn" + unit).collect(toSet());
    return new Healing(lostNodes, heldMs, Set.of(units), attempt);
  }

  Optional<String> heal(long heldMs, boolean isAsking, GroupHealing.Replacement how)
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
  Optional<String> ask(long heldMs) throws IOException {
    if (heldMs == 0) {
      attempt++;
    }
    othersReport();
    return heal(heldMs, true, rule -> rule.veto(change(WOUNDED, true)));
  }

  Optional<String> replace(long heldMs) throws IOException {
    return heal(heldMs, false, rule -> rule.veto(change(WOUNDED, false)));
  }
}
