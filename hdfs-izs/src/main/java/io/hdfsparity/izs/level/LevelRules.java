/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.level;

import io.hdfsparity.bridge.level.CodePolicy;
import io.hdfsparity.bridge.level.LevelRule;
import io.hdfsparity.bridge.level.ParityDoubts;
import io.hdfsparity.bridge.level.ParityDoubts.Doubt;
import io.hdfsparity.bridge.level.StripedFile;
import io.hdfsparity.bridge.level.StripedFile.Trait;
import io.hdfsparity.bridge.level.StripedGroup;
import io.hdfsparity.bridge.refusal.Refusal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which files may get another level in place. Levels of a code are nested: parity unit g is the
 * same at every level that has it, so that only units are added or dropped (paper section 4.3).
 * That holds for codecs izs and rs, for the same k, cell size and options.
 *
 * <p><b>Invariant</b>: a change is allowed only when every unit that the group has before and after
 * it is known to be whole and at rest. When a unit is dropped, their storages work, their nodes
 * send heartbeats, and their reports can be trusted. So a change never takes the last redundancy of
 * anything.
 *
 * <p>Immutable.
 *
 * <p>Nor does it drop a unit that is the evidence against others, or add one that is encoded from
 * data that may be wrong: where verification has found that parity and data contradict each other,
 * with a unit less both may be believed, and with a unit more right parity is outnumbered.
 *
 * @param level wanted number of parity units
 * @param maxGroups limit on the groups of a file, which bounds how long the NameNode's lock is held
 * @param doubts groups that keep their level while they are among these
 */
public record LevelRules(int level, int maxGroups, ParityDoubts doubts) implements LevelRule {
  /** Lowest level. */
  public static final int LOWEST = 1;

  /** Highest level. */
  public static final int HIGHEST = 3;

  /** Codecs whose levels are nested. Not rs-legacy: its parity units differ from level to level. */
  private static final Set<String> NESTED_CODECS = Set.of("izs", "rs");

  /**
   * @throws IllegalArgumentException naming the level
   */
  public LevelRules {
    if (level < LOWEST || level > HIGHEST) {
      throw new IllegalArgumentException(
          "Cannot change levels: level=" + level + ", expected " + LOWEST + ".." + HIGHEST);
    }
  }

  @Override
  public Decision decide(StripedFile file, List<CodePolicy> policies) {
    if (file.policy().isEmpty()) {
      return refuse(
          LevelRefusal.NOT_STRIPED, "policy", "replication", "an erasure-coded file", file);
    }
    CodePolicy own = file.policy().get();
    if (!NESTED_CODECS.contains(own.codec())) {
      return refuse(LevelRefusal.CODEC, "codec", own.codec(), "izs or rs", file);
    }
    if (own.parityUnits() < LOWEST || own.parityUnits() > HIGHEST) {
      return refuse(
          LevelRefusal.OTHER_LEVEL,
          "parityUnits",
          own.parityUnits(),
          LOWEST + ".." + HIGHEST,
          file);
    }
    if (own.parityUnits() == level) {
      return new Keep();
    }
    if (file.is(Trait.INTERRUPTED)) {
      return refuse(
          LevelRefusal.INTERRUPTED,
          "interrupted",
          true,
          "no change that a crash has interrupted",
          file);
    }
    if (file.open()) {
      return refuse(LevelRefusal.OPEN, "open", true, "a closed file", file);
    }
    if (file.shared()) {
      return refuse(LevelRefusal.SNAPSHOT, "inSnapshot", true, "a file in no snapshot", file);
    }
    if (file.encrypted()) {
      return refuse(LevelRefusal.ENCRYPTED, "encrypted", true, "no encryption zone", file);
    }
    if (file.groups() > maxGroups) {
      return refuse(
          LevelRefusal.TOO_MANY_GROUPS, "groups", file.groups(), "at most " + maxGroups, file);
    }
    return target(own, file, policies);
  }

  private Decision target(CodePolicy own, StripedFile file, List<CodePolicy> policies) {
    Optional<CodePolicy> target =
        policies.stream()
            .filter(each -> isSameCode(own, each) && each.parityUnits() == level)
            .max(Comparator.comparing(CodePolicy::enabled));
    String wanted =
        own.codec()
            + "-"
            + own.dataUnits()
            + "-"
            + level
            + " with cells of "
            + own.cellBytes()
            + " bytes";
    if (target.isEmpty()) {
      return refuse(LevelRefusal.NO_POLICY, "policy", own.name(), "also a policy " + wanted, file);
    }
    if (!target.get().enabled()) {
      return refuse(
          LevelRefusal.POLICY_DISABLED, "disabledPolicy", target.get().name(), "it enabled", file);
    }
    return new Change(target.get());
  }

  /** Equal but for the number of parity units, the name and the id. */
  static boolean isSameCode(CodePolicy a, CodePolicy b) {
    return a.codec().equals(b.codec())
        && a.dataUnits() == b.dataUnits()
        && a.cellBytes() == b.cellBytes()
        && a.options().equals(b.options());
  }

  private static Refuse refuse(
      LevelRefusal kind, String name, Object value, String rule, StripedFile file) {
    return new Refuse(kind.because(name, value, rule, file.path()));
  }

  @Override
  public Optional<Refusal> judge(StripedFile file, CodePolicy target, StripedGroup group) {
    CodePolicy own = file.policy().orElseThrow();
    String where = file.path() + " group=" + group.name();
    if (!group.complete()) {
      return Optional.of(LevelRefusal.GROUP_OPEN.because("complete", false, "true", where));
    }
    if (group.corruptReplicas() > 0) {
      return Optional.of(
          LevelRefusal.CORRUPT.because("corruptReplicas", group.corruptReplicas(), "0", where));
    }
    if (group.pendingRebuilds() > 0) {
      return Optional.of(
          LevelRefusal.REBUILDING.because("pendingRebuilds", group.pendingRebuilds(), "0", where));
    }
    int kept = kept(own.dataUnits(), group, Math.min(own.units(), target.units()));
    Optional<Refusal> units =
        none(LevelRefusal.MISSING_UNIT, "missingUnits", kept & ~group.units().present(), where)
            .or(
                () ->
                    none(
                        LevelRefusal.DRAINING,
                        "unitsOnLeavingNodes",
                        group.units().draining(),
                        where))
            .or(
                () ->
                    none(
                        LevelRefusal.SUPERFLUOUS, "repeatedUnits", group.units().repeated(), where))
            .or(
                () ->
                    none(
                        LevelRefusal.QUEUED_DELETE,
                        "deleting",
                        group.units().queuedDeletes(),
                        where))
            .or(
                () ->
                    none(LevelRefusal.SURPLUS, "surplusUnits", surplus(own, target, group), where));
    if (units.isPresent()) {
      return units;
    }
    if (group.excess()) {
      return Optional.of(LevelRefusal.SUPERFLUOUS.because("excess", true, "false", where));
    }
    boolean isLowered = target.parityUnits() < own.parityUnits();
    Doubt doubt = doubts.doubt(own.codec(), group.id());
    if (!isLowered && doubt != Doubt.FOUND) {
      return Optional.empty();
    }
    return switch (doubt) {
      case NONE ->
          none(LevelRefusal.STALE, "unitsOnStaleStorages", group.units().stale() & kept, where)
              .or(
                  () ->
                      none(
                          LevelRefusal.UNAVAILABLE,
                          "unitsOnSilentNodesOrFailedStorages",
                          group.units().unavailable() & kept,
                          where));
      case FOUND ->
          Optional.of(LevelRefusal.CONTRADICTION.because("parityFits", false, "true", where));
      case UNLISTED ->
          Optional.of(
              LevelRefusal.UNLISTED_CONTRADICTION.because(
                  "contradictoryGroups", "more than are listed", "a list of them all", where));
      case UNKNOWN ->
          Optional.of(
              LevelRefusal.DOUBTS_UNKNOWN.because(
                  "contradictoryGroups", "not loaded", "a list of them all", where));
    };
  }

  /**
   * Units that the group has before and after: data units with bytes, and the lower parity units.
   */
  private static int kept(int dataUnits, StripedGroup group, int units) {
    int data = (1 << group.filledDataUnits()) - 1;
    int parity = ((1 << units) - 1) & -(1 << dataUnits);
    return data | parity;
  }

  /** Units that came back, which raising would take for those of the level that it gives. */
  private static int surplus(CodePolicy own, CodePolicy target, StripedGroup group) {
    return target.parityUnits() > own.parityUnits()
        ? group.units().present() & -(1 << own.units())
        : 0;
  }

  private static Optional<Refusal> none(LevelRefusal kind, String name, int units, String where) {
    if (units == 0) {
      return Optional.empty();
    }
    List<Integer> list = new ArrayList<>();
    for (int unit = 0; unit < Integer.SIZE; unit++) {
      if ((units >>> unit & 1) != 0) {
        list.add(unit);
      }
    }
    return Optional.of(kind.because(name, list, "none", where));
  }
}
