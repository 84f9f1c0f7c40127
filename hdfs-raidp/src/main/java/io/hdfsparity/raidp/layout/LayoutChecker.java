/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Verifies the rules of paper section 3.1 on given superchunks. Not thread-safe. */
final class LayoutChecker {
  private final Layout layout;
  private final ShapeIndex index;
  private final List<SuperchunkPair> pairs;

  LayoutChecker(Layout layout) {
    this.layout = layout;
    this.index = layout.shape().index();
    this.pairs = layout.pairs();
  }

  List<LayoutViolation> check() {
    List<LayoutViolation> found = new ArrayList<>();
    long[] ids = new long[pairs.size()];
    long[] shared = new long[pairs.size()];
    @Nullable SuperchunkPair[] claimed = new SuperchunkPair[index.frameCount()];
    Map<FrameId, SuperchunkPair> claimedUnknown = new HashMap<>();
    int bothKnown = 0;
    for (int p = 0; p < ids.length; p++) {
      SuperchunkPair pair = pairs.get(p);
      ids[p] = pair.id();
      int leader = layout.leaderFrame(p);
      int follower = layout.followerFrame(p);
      claim(pair, pair.leader(), leader, claimed, claimedUnknown, found);
      claim(pair, pair.follower(), follower, claimed, claimedUnknown, found);
      if (leader >= 0 && follower >= 0) {
        int a = index.diskOfFrame(leader);
        int b = index.diskOfFrame(follower);
        checkDisks(pair, a, b, found);
        shared[bothKnown++] = pairKey(a, b);
      }
    }
    if (hasDuplicate(ids, ids.length)) {
      findDuplicateIds(found);
    }
    if (hasDuplicate(shared, bothKnown)) {
      findDoubleSharing(found);
    }
    long disks = index.diskCount();
    long max = disks * (disks - 1) / 2;
    if (pairs.size() > max) {
      found.add(
          new LayoutViolation(
              LayoutRule.MAX_SUPERCHUNKS,
              "superchunks="
                  + pairs.size()
                  + ", expected at most N(N-1)/2="
                  + max
                  + " for N="
                  + disks
                  + " disks"));
    }
    return found;
  }

  private void claim(
      SuperchunkPair pair,
      FrameId id,
      int frame,
      @Nullable SuperchunkPair[] claimed,
      Map<FrameId, SuperchunkPair> claimedUnknown,
      List<LayoutViolation> found) {
    @Nullable SuperchunkPair first;
    if (frame < 0) {
      found.add(violation(LayoutRule.KNOWN_FRAME, pair, "expected a known frame, frame=" + id));
      first = claimedUnknown.putIfAbsent(id, pair);
    } else {
      first = claimed[frame];
      claimed[frame] = first == null ? pair : first;
    }
    if (first != null) {
      found.add(
          violation(
              LayoutRule.ONE_MIRRORING,
              pair,
              "expected a frame in one superchunk,"
                  + " frame="
                  + id
                  + " is also in superchunk "
                  + first.id()));
    }
  }

  private void checkDisks(SuperchunkPair pair, int a, int b, List<LayoutViolation> found) {
    if (a == b) {
      found.add(
          violation(
              LayoutRule.ONE_MIRRORING,
              pair,
              "expected frames of two disks, disk=" + index.disk(a).id()));
    } else if (index.node(a) == index.node(b)) {
      found.add(
          violation(
              LayoutRule.DIFFERENT_NODES,
              pair,
              "expected two nodes, node=" + index.disk(a).node()));
    } else if (index.racks() >= 2 && index.rack(a) == index.rack(b)) {
      found.add(
          violation(
              LayoutRule.DIFFERENT_RACKS,
              pair,
              "expected two racks, rack=" + index.disk(a).rack()));
    }
  }

  /**
   * Sorting finds out that all is well much faster than a map does, and all is well nearly always.
   */
  private static boolean hasDuplicate(long[] values, int count) {
    Arrays.sort(values, 0, count);
    for (int i = 1; i < count; i++) {
      if (values[i] == values[i - 1]) {
        return true;
      }
    }
    return false;
  }

  private void findDuplicateIds(List<LayoutViolation> found) {
    Set<Long> ids = new HashSet<>();
    for (SuperchunkPair pair : pairs) {
      if (!ids.add(pair.id())) {
        found.add(violation(LayoutRule.UNIQUE_ID, pair, "expected each superchunk id once"));
      }
    }
  }

  private void findDoubleSharing(List<LayoutViolation> found) {
    Map<Long, SuperchunkPair> sharedBy = new HashMap<>();
    for (int p = 0; p < pairs.size(); p++) {
      SuperchunkPair pair = pairs.get(p);
      int leader = layout.leaderFrame(p);
      int follower = layout.followerFrame(p);
      if (leader < 0 || follower < 0) {
        continue;
      }
      int a = index.diskOfFrame(leader);
      int b = index.diskOfFrame(follower);
      @Nullable SuperchunkPair first = a == b ? null : sharedBy.putIfAbsent(pairKey(a, b), pair);
      if (first != null) {
        found.add(
            violation(
                LayoutRule.ONE_SHARING,
                pair,
                "expected at most one superchunk shared by disks "
                    + index.disk(a).id()
                    + " and "
                    + index.disk(b).id()
                    + ", which share superchunk "
                    + first.id()));
      }
    }
  }

  List<LayoutViolation> checkSpare(SpareRule spare) {
    List<LayoutViolation> found = new ArrayList<>();
    for (int d = 0; d < index.diskCount(); d++) {
      Disk disk = index.disk(d);
      int free = index.framesOf(d) - layout.load(d);
      int expected = spare.spareFrames(disk.frames().size());
      if (free < expected) {
        found.add(
            new LayoutViolation(
                LayoutRule.SPARE_FRAMES,
                "spare frames="
                    + free
                    + ", expected at least "
                    + expected
                    + " of "
                    + disk.frames().size()
                    + ", disk="
                    + disk.id()));
      }
    }
    return found;
  }

  private static LayoutViolation violation(LayoutRule rule, SuperchunkPair pair, String expected) {
    return new LayoutViolation(
        rule,
        "superchunk="
            + pair.id()
            + " frames="
            + pair.leader()
            + ","
            + pair.follower()
            + ", "
            + expected);
  }

  private static long pairKey(int a, int b) {
    return ((long) Math.min(a, b) << 32) | Math.max(a, b);
  }
}
