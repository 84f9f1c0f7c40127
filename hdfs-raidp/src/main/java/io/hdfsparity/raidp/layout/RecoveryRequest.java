/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What has failed, and what may be used to recover from it.
 *
 * @param layout the layout before, with the failed disks in its shape
 * @param failedDisks disks that are gone, all that ever failed and are not yet recovered from
 * @param orphans superchunks whose surviving frame is known but whose dead disk is not in the shape
 * @param closedDisks live disks that must not receive (being decommissioned, node not reachable)
 * @param lostLstors failed disks whose Lstor cannot be read either
 * @param loads load of a disk, in any unit; a disk that is not named has its superchunks times {@code loadPerMove}
 * @param loadPerMove load that a superchunk adds to its receiver, at least 0
 * @param seed same request, same plan
 */
public record RecoveryRequest(
    Layout layout,
    Set<DiskId> failedDisks,
    List<Orphan> orphans,
    Set<DiskId> closedDisks,
    Set<DiskId> lostLstors,
    Map<DiskId, Long> loads,
    long loadPerMove,
    long seed) {

  /**
   * A superchunk with one known frame.
   *
   * @param superchunkId its id
   * @param survivor the frame that lives
   */
  public record Orphan(long superchunkId, FrameId survivor) {}

  public RecoveryRequest {
    failedDisks = Set.copyOf(failedDisks);
    orphans = List.copyOf(orphans);
    closedDisks = Set.copyOf(closedDisks);
    lostLstors = Set.copyOf(lostLstors);
    loads = Map.copyOf(loads);
    if (loadPerMove < 0) {
      throw new IllegalArgumentException(
          "Cannot plan a recovery: loadPerMove=" + loadPerMove + ", expected loadPerMove >= 0");
    }
    for (DiskId disk : failedDisks) {
      if (layout.shape().disk(disk).isEmpty()) {
        throw new IllegalArgumentException("Cannot plan a recovery: failed disk=" + disk
            + ", expected a disk of the layout's shape");
      }
    }
    Set<FrameId> seen = new HashSet<>();
    for (Orphan orphan : orphans) {
      if (layout.shape().frame(orphan.survivor()).isEmpty()
          || layout.pairOf(orphan.survivor()).isPresent() || !seen.add(orphan.survivor())) {
        throw new IllegalArgumentException("Cannot plan a recovery: orphan superchunk="
            + orphan.superchunkId() + " frame=" + orphan.survivor()
            + ", expected a known frame without a superchunk in the layout, named once");
      }
    }
  }

  /** Failed disks, load counted in superchunks, everything else usable. */
  public static RecoveryRequest of(Layout layout, Set<DiskId> failedDisks) {
    return new RecoveryRequest(
        layout, failedDisks, List.of(), Set.of(), Set.of(), Map.of(), 1, 0);
  }

  public RecoveryRequest withOrphans(List<Orphan> newOrphans) {
    return new RecoveryRequest(layout, failedDisks, newOrphans, closedDisks, lostLstors, loads,
        loadPerMove, seed);
  }

  public RecoveryRequest withClosedDisks(Set<DiskId> disks) {
    return new RecoveryRequest(layout, failedDisks, orphans, disks, lostLstors, loads, loadPerMove,
        seed);
  }

  public RecoveryRequest withLostLstors(Set<DiskId> disks) {
    return new RecoveryRequest(layout, failedDisks, orphans, closedDisks, disks, loads, loadPerMove,
        seed);
  }

  public RecoveryRequest withLoads(Map<DiskId, Long> newLoads, long newLoadPerMove) {
    return new RecoveryRequest(layout, failedDisks, orphans, closedDisks, lostLstors, newLoads,
        newLoadPerMove, seed);
  }

  public RecoveryRequest withSeed(long newSeed) {
    return new RecoveryRequest(layout, failedDisks, orphans, closedDisks, lostLstors, loads,
        loadPerMove, newSeed);
  }
}
