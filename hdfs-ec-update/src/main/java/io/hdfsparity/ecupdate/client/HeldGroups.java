/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.ecupdate.updater.LockedGroupReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What one session has locked to heal block groups, and may have left locked. Thread-safe. */
final class HeldGroups {
  private final Map<GroupKey, List<LockedGroupReader>> held = new HashMap<>();

  /** Groups that healing that is over has left as after a crash. */
  private final Set<GroupKey> leftLocked = new HashSet<>();

  /** Takes note of one more attempt to heal a group. */
  synchronized LockedGroupReader remembered(GroupKey key, LockedGroupReader opened) {
    List<LockedGroupReader> all = held.computeIfAbsent(key, k -> new ArrayList<>());
    if (all.stream().anyMatch(each -> each.isOver() && each.hasLeftLocks())) {
      leftLocked.add(key);
    }
    all.removeIf(LockedGroupReader::isOver);
    all.add(opened);
    return opened;
  }

  /** Units that have still to hear that an earlier attempt is over would only refuse another. */
  synchronized boolean isReleasing(GroupKey key, Set<Integer> units) {
    return held.getOrDefault(key, List.of()).stream().anyMatch(each -> each.isReleasing(units));
  }

  /** Groups with stripes that are as after a crash, also those that are in no file any more. */
  synchronized Set<GroupKey> leftLocked() {
    Set<GroupKey> left = new HashSet<>(leftLocked);
    held.forEach(
        (key, all) -> {
          if (all.stream().anyMatch(LockedGroupReader::hasLeftLocks)) {
            left.add(key);
          }
        });
    return left;
  }

  /** The file has the group no more: what was left of it matters to nobody. */
  synchronized void forget(GroupKey gone) {
    held.remove(gone);
    leftLocked.remove(gone);
  }
}
