/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import io.hdfsparity.bridge.level.CodePolicy;
import io.hdfsparity.bridge.level.StripedFile;
import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.update.GroupChange;
import io.hdfsparity.bridge.update.GroupFacts;
import io.hdfsparity.bridge.update.UnitPlace;
import io.hdfsparity.ecupdate.protocol.NodeRegistry;
import io.hdfsparity.ecupdate.protocol.RefusalKind;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which block groups may be rewritten while sessions use them. Decides on records, and on what the
 * registry knows now; thread-safe.
 *
 * <p><b>Invariant</b>: a group is healed only if none of the DataNodes of its lost units can have
 * executed a request of it since a time before the first of its other units was locked: it was
 * silent, or had given its unit up; and only if the units that are missing now are those that it
 * was decoded without.
 */
final class HealingRules {
  private final NodeRegistry nodes;

  /**
   * What must not have served.
   *
   * @param nodes uuids of DataNodes
   * @param units indices of the units that the client takes for lost
   * @param sinceMs from when on, on the registry's clock; before anything was locked
   * @param isInGrace whether a DataNode may have gone by another NameNode's answer then
   */
  record Lost(Set<String> nodes, Set<Integer> units, long sinceMs, boolean isInGrace) {
    Lost {
      nodes = Set.copyOf(nodes);
      units = Set.copyOf(units);
    }
  }

  HealingRules(NodeRegistry nodes) {
    this.nodes = nodes;
  }

  /**
   * Why a group may not be healed, with a copy, or without one when it is asked. All else that
   * keeps it from being replaced is judged before, that it is there, too.
   */
  Optional<Refusal> judge(GroupChange change, Lost lost) {
    GroupFacts group = change.group().orElseThrow();
    StripedFile file = change.file();
    String where = file.path() + " group=" + group.state().name();
    CodePolicy policy = file.policy().orElseThrow();
    return judgeSilence(group, lost, where)
        .or(() -> judgeUnits(policy, group, lost, where))
        .or(() -> change.copy().isPresent() ? Optional.empty() : judgeRoom(policy, group, where));
  }

  /**
   * A DataNode that is not known here has not reported for long, or never to this NameNode since it
   * runs; the registry says since when at least. It can have gone by the answer of a NameNode that
   * was active before, and so can one that is known, for that one's answers are not noted here: not
   * after the grace.
   */
  private Optional<Refusal> judgeSilence(GroupFacts group, Lost lost, String where) {
    if (lost.isInGrace()) {
      return refused(
          "activeSince", "just now", "longer, so that no DataNode goes by another's word", where);
    }
    List<String> possible =
        mayHaveExecuted(lost.nodes(), lost.units(), group.groupId(), lost.sinceMs());
    return possible.isEmpty()
        ? Optional.empty()
        : refused("recentlyActive", possible, "no DataNode of a lost unit, for long enough", where);
  }

  /**
   * DataNodes of lost units that may have executed something of a group since then. One that has
   * given a unit up may still have another of the same group, if there are fewer of them than
   * units: then it counts for nothing.
   *
   * @param units indices in the group
   */
  List<String> mayHaveExecuted(
      Set<String> lostNodes, Set<Integer> units, long groupId, long sinceMs) {
    Set<Long> ids =
        lostNodes.size() == units.size()
            ? units.stream().map(unit -> groupId + unit).collect(Collectors.toSet())
            : Set.of();
    return nodes.mayHaveExecutedSince(lostNodes, ids, sinceMs);
  }

  private Optional<Refusal> judgeUnits(
      CodePolicy policy, GroupFacts group, Lost lost, String where) {
    Optional<UnitPlace> back =
        group.places().stream()
            .filter(each -> each.alive() && lost.nodes().contains(each.nodeUuid()))
            .filter(each -> !nodes.hasGivenUp(each.nodeUuid(), group.groupId() + each.unit()))
            .findFirst();
    if (back.isPresent()) {
      return refused("unit", back.get().unit() + " on " + back.get().nodeUuid(), "lost", where);
    }
    List<Integer> missing =
        SessionRules.unitsWithBytes(policy, group)
            .filter(unit -> SessionRules.whereServed(group, unit, nodes).isEmpty())
            .boxed()
            .toList();
    if (missing.size() > policy.parityUnits()) {
      return Optional.of(
          RefusalKind.MISSING_UNIT.because(
              "missingUnits", missing, "at most " + policy.parityUnits(), where));
    }
    // With one more, another may have let writers end what the copy does not have.
    return lost.units().equals(Set.copyOf(missing))
        ? Optional.empty()
        : refused(
            "missingUnits", missing, new TreeSet<>(lost.units()) + ", which it goes by", where);
  }

  /** So that nobody reads a group, and writes a copy, that is refused in the end. */
  private Optional<Refusal> judgeRoom(CodePolicy policy, GroupFacts group, String where) {
    long wanted = SessionRules.unitsWithBytes(policy, group).count();
    int capable = nodes.size();
    return capable < wanted
        ? Optional.of(
            RefusalKind.TOO_FEW_NODES.because(
                "dataNodesThatTakeUpdates", capable, "at least " + wanted, where))
        : Optional.empty();
  }

  private static Optional<Refusal> refused(String name, Object value, String rule, String where) {
    return Optional.of(RefusalKind.NODE_BACK.because(name, value, rule, where));
  }
}
