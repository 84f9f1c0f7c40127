/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongPredicate;

/** What one session has asked to heal; see {@link SessionTable#askedToHeal}. Not thread-safe. */
final class HealingAttempts {
  /** Groups that are kept in mind. */
  private static final int MAX_HEALINGS = 256;

  /** In the order of asking, by group. */
  private final Map<Long, HealingAttempt> healings = new LinkedHashMap<>();

  /** No attempt up to this one is new, of whatever group. */
  private long oldestAttempt = Long.MIN_VALUE;

  /**
   * To heal a group.
   *
   * @param atMs since when nothing may have happened that would keep it from being healed
   * @param attempt the last one
   * @param isVoid somebody has asked with other units since; kept for the number of the attempt
   */
  private record HealingAttempt(long atMs, Set<Integer> lostUnits, long attempt, boolean isVoid) {
    boolean isFor(Healing healing) {
      return !isVoid && lostUnits.equals(healing.lostUnits()) && attempt == healing.attempt();
    }

    HealingAttempt besides(Set<Integer> units) {
      return new HealingAttempt(atMs, lostUnits, attempt, isVoid || !lostUnits.equals(units));
    }
  }

  /** Whether an attempt is later than each of the group before. */
  boolean isNew(long groupId, long attempt) {
    HealingAttempt last = healings.get(groupId);
    return attempt > oldestAttempt && (last == null || attempt > last.attempt());
  }

  /** Somebody has asked to heal a group that lacks some units. */
  void voidOthers(long groupId, Set<Integer> lostUnits) {
    healings.computeIfPresent(groupId, (group, asked) -> asked.besides(lostUnits));
  }

  /**
   * Keeps in mind what was asked.
   *
   * @param counts whether what was asked at a time, and is not void, still counts
   */
  void keep(long groupId, Healing healing, long askedMs, LongPredicate counts) {
    HealingAttempt before = healings.remove(groupId);
    long sinceMs =
        before != null && !before.isVoid() && counts.test(before.atMs()) ? before.atMs() : askedMs;
    healings.put(
        groupId, new HealingAttempt(sinceMs, healing.lostUnits(), healing.attempt(), false));
    if (healings.size() > MAX_HEALINGS) {
      Iterator<HealingAttempt> all = healings.values().iterator();
      oldestAttempt = Math.max(oldestAttempt, all.next().attempt());
      all.remove();
    }
  }

  /** When it was asked; empty: not this, or it is void. */
  OptionalLong askedMs(long groupId, Healing healing) {
    HealingAttempt asked = healings.get(groupId);
    return asked == null || !asked.isFor(healing)
        ? OptionalLong.empty()
        : OptionalLong.of(asked.atMs());
  }
}
