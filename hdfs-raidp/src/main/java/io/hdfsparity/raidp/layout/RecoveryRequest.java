/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.Map;
import java.util.Set;

/**
 * What has failed, and what may be used to recover from it.
 *
 * <p>A frame is dead when it lies on a failed disk or is in no disk of the shape: a superchunk
 * whose partner frame only its survivor remembers is degraded as well.
 *
 * @param layout the layout before, with the failed disks in its shape where they are known
 * @param failedDisks disks that are gone, all that ever failed and are not yet recovered from
 * @param closedDisks live disks that must not receive (being decommissioned, node not reachable)
 * @param lostLstors failed disks whose Lstor cannot be read either
 * @param postponed superchunks that keep their dead side for now: they get no receiver if one side
 *     is dead
 * @param loads load of a disk, in any unit; a disk that is not named has its superchunks times
 *     {@code loadPerMove}
 * @param loadPerMove load that a superchunk adds to its receiver, at least 0
 * @param seed same request, same plan
 */
public record RecoveryRequest(
    Layout layout,
    Set<DiskId> failedDisks,
    Set<DiskId> closedDisks,
    Set<DiskId> lostLstors,
    Set<Long> postponed,
    Map<DiskId, Long> loads,
    long loadPerMove,
    long seed) {

  public RecoveryRequest {
    failedDisks = Set.copyOf(failedDisks);
    closedDisks = Set.copyOf(closedDisks);
    lostLstors = Set.copyOf(lostLstors);
    postponed = Set.copyOf(postponed);
    loads = Map.copyOf(loads);
    if (loadPerMove < 0) {
      throw new IllegalArgumentException(
          "Cannot plan a recovery: loadPerMove=" + loadPerMove + ", expected loadPerMove >= 0");
    }
    for (DiskId disk : failedDisks) {
      if (layout.shape().disk(disk).isEmpty()) {
        throw new IllegalArgumentException(
            "Cannot plan a recovery: failed disk="
                + disk
                + ", expected a disk of the layout's shape");
      }
    }
  }

  /** Failed disks, load counted in superchunks, everything else usable. */
  public static RecoveryRequest of(Layout layout, Set<DiskId> failedDisks) {
    return new RecoveryRequest(layout, failedDisks, Set.of(), Set.of(), Set.of(), Map.of(), 1, 0);
  }

  public RecoveryRequest withClosedDisks(Set<DiskId> disks) {
    return new RecoveryRequest(
        layout, failedDisks, disks, lostLstors, postponed, loads, loadPerMove, seed);
  }

  public RecoveryRequest withLostLstors(Set<DiskId> disks) {
    return new RecoveryRequest(
        layout, failedDisks, closedDisks, disks, postponed, loads, loadPerMove, seed);
  }

  public RecoveryRequest withPostponed(Set<Long> superchunkIds) {
    return new RecoveryRequest(
        layout, failedDisks, closedDisks, lostLstors, superchunkIds, loads, loadPerMove, seed);
  }

  public RecoveryRequest withLoads(Map<DiskId, Long> newLoads, long newLoadPerMove) {
    return new RecoveryRequest(
        layout, failedDisks, closedDisks, lostLstors, postponed, newLoads, newLoadPerMove, seed);
  }

  public RecoveryRequest withSeed(long newSeed) {
    return new RecoveryRequest(
        layout, failedDisks, closedDisks, lostLstors, postponed, loads, loadPerMove, newSeed);
  }
}
