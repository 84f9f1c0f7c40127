/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import io.hdfsparity.bridge.level.CodePolicy;
import io.hdfsparity.bridge.level.StripedFile;
import io.hdfsparity.bridge.level.StripedFile.Trait;
import io.hdfsparity.bridge.level.StripedGroup;
import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.update.FileView;
import io.hdfsparity.bridge.update.GroupChange;
import io.hdfsparity.bridge.update.GroupFacts;
import io.hdfsparity.bridge.update.UnitPlace;
import io.hdfsparity.ecupdate.config.SchemeOptions;
import io.hdfsparity.ecupdate.protocol.NodeRegistry;
import io.hdfsparity.ecupdate.protocol.OpenRequest;
import io.hdfsparity.ecupdate.protocol.OpeningProgram;
import io.hdfsparity.ecupdate.protocol.RefusalKind;
import io.hdfsparity.ecupdate.protocol.UpdateNode;
import io.hdfsparity.ecupdate.storage.UpdateScheme;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Which files may be updated in place. Decides on records; thread-safe.
 *
 * <p><b>Invariant</b>: a file is opened only when each unit that holds bytes is known in one place
 * exactly, on a DataNode that has the plugin: one without it would serve bytes that updates have
 * not reached.
 */
final class SessionRules {
  /** Codecs whose parity changes by a linear function of what changes in a data unit. */
  private static final Set<String> CODECS = Set.of("rs", "izs");

  /** Why a group is replaced. */
  enum Cause {
    /** Its units take no more updates: a copy has what was read of them. */
    OLD_UNITS,
    /** Units of it are lost: a copy has what was decoded from the others. */
    LOST_UNITS
  }

  private final int maxGroups;
  private final SchemeOptions schemes;
  private final NodeRegistry nodes;

  SessionRules(int maxGroups, SchemeOptions schemes, NodeRegistry nodes) {
    this.maxGroups = maxGroups;
    this.schemes = schemes;
    this.nodes = nodes;
  }

  /** Why a file cannot be opened, but for its groups. */
  Optional<Refusal> judge(StripedFile file, boolean upgradeOpen) {
    if (file.is(Trait.INTERRUPTED)) {
      return because(
          RefusalKind.INTERRUPTED,
          "interrupted",
          true,
          "no change that a crash has interrupted",
          file);
    }
    if (file.open()) {
      return because(RefusalKind.OPEN, "open", true, "a closed file", file);
    }
    if (file.groups() > maxGroups) {
      return because(
          RefusalKind.TOO_MANY_GROUPS, "groups", file.groups(), "at most " + maxGroups, file);
    }
    return judgeOpened(file, upgradeOpen);
  }

  /**
   * Why a session of a file cannot continue. A file that is open again is no reason: an append puts
   * further groups behind those of the session.
   */
  Optional<Refusal> judgeOpened(StripedFile file, boolean upgradeOpen) {
    if (file.policy().isEmpty()) {
      return because(
          RefusalKind.NOT_STRIPED, "policy", "replication", "an erasure-coded file", file);
    }
    CodePolicy policy = file.policy().get();
    if (!CODECS.contains(policy.codec())) {
      return because(RefusalKind.CODEC, "codec", policy.codec(), "rs or izs", file);
    }
    if (file.shared()) {
      return because(RefusalKind.SNAPSHOT, "inSnapshot", true, "a file in no snapshot", file);
    }
    if (file.encrypted()) {
      return because(RefusalKind.ENCRYPTED, "encrypted", true, "no encryption zone", file);
    }
    return upgradeOpen
        ? because(RefusalKind.UPGRADE, "upgrade", "in progress", "none", file)
        : Optional.empty();
  }

  /** Why a program cannot continue: what it repeats would be written over what others wrote. */
  static Optional<Refusal> judgeProgram(SessionLayout.Read read, OpenRequest request) {
    Optional<OpeningProgram> continuing =
        request.program().filter(program -> program.kind() == OpeningProgram.OpenKind.CONTINUED);
    return continuing.isEmpty()
            || read.lastProgram().equals(OptionalLong.of(continuing.get().number()))
        ? Optional.empty()
        : Optional.of(
            RefusalKind.OPENED_SINCE.because(
                "opened",
                "by another program since the session ended",
                "by none: it may have written",
                read.path()));
  }

  /** The scheme that updates of a file are to use, which need not be one that there is. */
  String scheme(FileView view) {
    return view.inherited(SchemeOptions.ATTRIBUTE).orElse(schemes.defaultScheme());
  }

  /** Why a file cannot be updated with a scheme. Anybody may set an attribute to anything. */
  Optional<Refusal> judgeScheme(StripedFile file, String scheme) {
    return UpdateScheme.NAMES.contains(scheme)
        ? Optional.empty()
        : because(
            RefusalKind.SCHEME,
            SchemeOptions.ATTRIBUTE,
            scheme,
            "one of " + UpdateScheme.NAMES,
            file);
  }

  private static Optional<Refusal> because(
      RefusalKind kind, String name, Object value, String rule, StripedFile file) {
    return Optional.of(kind.because(name, value, rule, file.path()));
  }

  /**
   * Why a file cannot be opened because of one of its groups.
   *
   * @param missingUnits how many units of a group may be missing
   */
  Optional<Refusal> judge(StripedFile file, GroupFacts group, int missingUnits) {
    StripedGroup state = group.state();
    // Else one that its DataNode has found damaged as well counts as missing.
    if (state.complete() && state.corruptReplicas() > 0 && missingUnits == 0) {
      return Optional.of(
          RefusalKind.CORRUPT.because(
              "corruptReplicas", state.corruptReplicas(), "0", where(file, group)));
    }
    return judge(file, group, missingUnits, (of, unit) -> whereServed(of, unit, nodes));
  }

  /**
   * Why a session of a file cannot be attached because of one of its groups. A unit that was given
   * up counts as there: its DataNode knows the session, which has to live on to rewrite the group.
   *
   * @param missingUnits as for {@link #judge(StripedFile, GroupFacts, int)}
   */
  Optional<Refusal> judgeInUse(StripedFile file, GroupFacts group, int missingUnits) {
    return judge(file, group, missingUnits, SessionRules::whereStored);
  }

  private static String where(StripedFile file, GroupFacts group) {
    return file.path() + " group=" + group.state().name();
  }

  private Optional<Refusal> judge(
      StripedFile file, GroupFacts group, int missingUnits, Places places) {
    StripedGroup state = group.state();
    String where = where(file, group);
    if (!state.complete()) {
      return Optional.of(RefusalKind.GROUP_OPEN.because("complete", false, "true", where));
    }
    if (state.pendingRebuilds() > 0 && missingUnits == 0) {
      return Optional.of(
          RefusalKind.REBUILDING.because("pendingRebuilds", state.pendingRebuilds(), "0", where));
    }
    if (state.units().repeated() != 0 || state.excess()) {
      return Optional.of(
          RefusalKind.SUPERFLUOUS.because(
              "repeatedUnits", Integer.toBinaryString(state.units().repeated()), "none", where));
    }
    return judgeUnits(file, group, missingUnits, places);
  }

  private Optional<Refusal> judgeUnits(
      StripedFile file, GroupFacts group, int missingUnits, Places places) {
    CodePolicy policy = file.policy().orElseThrow();
    String where = where(file, group);
    List<Integer> missing = new ArrayList<>();
    for (int unit : unitsWithBytes(policy, group).toArray()) {
      Optional<UnitPlace> place = places.of(group, unit);
      if (place.isEmpty()) {
        missing.add(unit);
      } else if (nodes.capable(place.get().nodeUuid()).isEmpty()) {
        return Optional.of(
            RefusalKind.NO_CAPABILITY.because(
                "node",
                place.get().nodeHost() + " " + place.get().nodeUuid(),
                "a DataNode that reports to the session manager, for unit " + unit,
                where));
      }
    }
    return missing.size() > missingUnits
        ? Optional.of(
            RefusalKind.MISSING_UNIT.because(
                "missingUnits", missing, "at most " + missingUnits, where))
        : Optional.empty();
  }

  /**
   * Why a group cannot be replaced by that of a copy, or, without one, by none at all. That both
   * have the same bytes is not judged.
   */
  Optional<Refusal> judgeReplacement(GroupChange change, Cause cause, boolean upgradeOpen) {
    StripedFile file = change.file();
    // First: what is said of a group that was found in the file lets who has locked it let it go.
    if (change.group().isEmpty()) {
      return because(RefusalKind.REPLACED, "group", "none", "a group of the file", file);
    }
    Optional<Refusal> refusal = judge(file, upgradeOpen);
    if (refusal.isPresent()) {
      return refusal;
    }
    GroupFacts group = change.group().get();
    if (!group.state().complete()) {
      return because(RefusalKind.GROUP_OPEN, "complete", false, "true", file);
    }
    return judgeOldUnits(change, cause, where(file, group))
        .or(() -> change.copy().flatMap(copy -> judgeCopy(change, group, copy, upgradeOpen)));
  }

  /**
   * Why the old units must stay, whatever the copy. Which units of a contradictory group are wrong
   * is not known. If units of it are lost, the copy has what parity claims. Else it has no byte
   * that the group has not, but the parity that may show the right ones would be deleted.
   */
  private static Optional<Refusal> judgeOldUnits(GroupChange change, Cause cause, String where) {
    return switch (change.oldUnits().doubt()) {
      case NONE -> judgeMissing(change, cause, where);
      case FOUND ->
          Optional.of(RefusalKind.CONTRADICTION.because("parityFits", false, "true", where));
      case UNLISTED ->
          Optional.of(
              RefusalKind.UNLISTED_CONTRADICTION.because(
                  "contradictoryGroups", "more than are listed", "a list of them all", where));
      case UNKNOWN ->
          Optional.of(
              RefusalKind.DOUBTS_UNKNOWN.because(
                  "contradictoryGroups", "not loaded", "a list of them all", where));
    };
  }

  /** A unit that is missing may differ from what was decoded in its place. */
  private static Optional<Refusal> judgeMissing(GroupChange change, Cause cause, String where) {
    int missing = change.oldUnits().missingDataUnits();
    // Without a copy it is only asked, also by who heals, whether the group was replaced.
    return missing == 0 || cause == Cause.LOST_UNITS || change.copy().isEmpty()
        ? Optional.empty()
        : Optional.of(
            RefusalKind.MISSING_UNIT.because(
                "missingDataUnits", missing, "0: copied is what data units hold", where));
  }

  private Optional<Refusal> judgeCopy(
      GroupChange change, GroupFacts group, GroupChange.Copy copy, boolean upgradeOpen) {
    if (copy.isLowered()) {
      return because(
          RefusalKind.COPY,
          "levelLowered",
          true,
          "a copy whose level was never lowered",
          copy.file());
    }
    return judge(copy.file(), upgradeOpen)
        .or(() -> judgeForm(change, copy))
        .or(() -> judgeCopied(group, copy.file(), copy.groups().get(0)));
  }

  private static Optional<Refusal> judgeForm(GroupChange change, GroupChange.Copy of) {
    StripedFile copy = of.file();
    if (copy.inodeId() == change.file().inodeId()) {
      return because(RefusalKind.COPY, "copy", "the file itself", "another file", copy);
    }
    if (copy.policy().orElseThrow().id() != change.file().policy().orElseThrow().id()) {
      return because(
          RefusalKind.COPY, "policy", copy.policy().get().name(), "that of the file", copy);
    }
    if (of.blockBytes() != change.blockBytes()) {
      return because(
          RefusalKind.COPY,
          "blockBytes",
          of.blockBytes(),
          change.blockBytes() + " as in the file",
          copy);
    }
    return of.groups().size() == 1
        ? Optional.empty()
        : because(RefusalKind.COPY, "groups", copy.groups(), "1", copy);
  }

  private Optional<Refusal> judgeCopied(GroupFacts group, StripedFile copy, GroupFacts copied) {
    return copied.lengthBytes() == group.lengthBytes()
        ? judge(copy, copied, /* missingUnits= */ 0)
        : because(
            RefusalKind.COPY,
            "lengthBytes",
            copied.lengthBytes(),
            group.lengthBytes() + " as in the group",
            copy);
  }

  /** DataNodes that files may have units on. */
  List<UpdateNode> nodes() {
    return nodes.capable();
  }

  /** Units of a group that hold bytes: not all data units of one that is shorter than a stripe. */
  static IntStream unitsWithBytes(CodePolicy policy, GroupFacts group) {
    return IntStream.range(0, policy.units())
        .filter(unit -> unit < group.state().filledDataUnits() || unit >= policy.dataUnits());
  }

  /** Where a unit is. */
  @FunctionalInterface
  private interface Places {
    Optional<UnitPlace> of(GroupFacts group, int unit);
  }

  /** Where updates of a unit are executed: not where it was given up. */
  static Optional<UnitPlace> whereServed(GroupFacts group, int unit, NodeRegistry nodes) {
    return group.places().stream()
        .filter(each -> each.unit() == unit && each.alive())
        .filter(each -> !nodes.hasGivenUp(each.nodeUuid(), group.groupId() + unit))
        .findFirst();
  }

  /** Where a unit is stored, given up or not. */
  static Optional<UnitPlace> whereStored(GroupFacts group, int unit) {
    return group.places().stream().filter(each -> each.unit() == unit && each.alive()).findFirst();
  }
}
