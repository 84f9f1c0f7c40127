/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Verifies the rules of paper section 3.1 on given superchunks, in one pass. Not thread-safe. */
final class LayoutChecker {
  private final ClusterShape shape;
  private final ShapeIndex index;
  private final List<SuperchunkPair> pairs;

  LayoutChecker(ClusterShape shape, List<SuperchunkPair> pairs) {
    this.shape = shape;
    this.index = shape.index();
    this.pairs = pairs;
  }

  List<LayoutViolation> check() {
    List<LayoutViolation> found = new ArrayList<>();
    Set<Long> ids = new HashSet<>();
    Map<FrameId, Long> claimed = new HashMap<>();
    Map<Long, Long> sharedBy = new HashMap<>();
    for (SuperchunkPair pair : pairs) {
      if (!ids.add(pair.id())) {
        found.add(violation(LayoutRule.UNIQUE_ID, pair, "expected each superchunk id once"));
      }
      claim(pair, pair.leader(), claimed, found);
      claim(pair, pair.follower(), claimed, found);
      int leader = index.frameIndex(pair.leader());
      int follower = index.frameIndex(pair.follower());
      if (leader >= 0 && follower >= 0) {
        checkDisks(pair, index.diskOfFrame(leader), index.diskOfFrame(follower), sharedBy, found);
      }
    }
    long disks = index.diskCount();
    long max = disks * (disks - 1) / 2;
    if (pairs.size() > max) {
      found.add(new LayoutViolation(LayoutRule.MAX_SUPERCHUNKS, "superchunks=" + pairs.size()
          + ", expected at most N(N-1)/2=" + max + " for N=" + disks + " disks"));
    }
    return found;
  }

  private void claim(SuperchunkPair pair, FrameId frame, Map<FrameId, Long> claimed,
      List<LayoutViolation> found) {
    if (index.frameIndex(frame) < 0) {
      found.add(violation(LayoutRule.KNOWN_FRAME, pair, "expected a known frame, frame=" + frame));
    }
    Long first = claimed.putIfAbsent(frame, pair.id());
    if (first != null) {
      found.add(violation(LayoutRule.ONE_MIRRORING, pair,
          "expected a frame in one superchunk, frame=" + frame + " is also in superchunk " + first));
    }
  }

  private void checkDisks(SuperchunkPair pair, int a, int b, Map<Long, Long> sharedBy,
      List<LayoutViolation> found) {
    if (a == b) {
      found.add(violation(LayoutRule.ONE_MIRRORING, pair,
          "expected frames of two disks, disk=" + index.disk(a).id()));
      return;
    }
    Long first = sharedBy.putIfAbsent(pairKey(a, b), pair.id());
    if (first != null) {
      found.add(violation(LayoutRule.ONE_SHARING, pair,
          "expected at most one superchunk shared by disks " + index.disk(a).id() + " and "
              + index.disk(b).id() + ", which share superchunk " + first));
    }
    if (index.node(a) == index.node(b)) {
      found.add(violation(LayoutRule.DIFFERENT_NODES, pair,
          "expected two nodes, node=" + index.disk(a).node()));
    } else if (index.racks() >= 2 && index.rack(a) == index.rack(b)) {
      found.add(violation(LayoutRule.DIFFERENT_RACKS, pair,
          "expected two racks, rack=" + index.disk(a).rack()));
    }
  }

  List<LayoutViolation> checkSpare(SpareRule spare) {
    Layout layout = Layout.of(shape, pairs);
    List<LayoutViolation> found = new ArrayList<>();
    for (Disk disk : shape.disks()) {
      int free = layout.spareFrames(disk.id()).size();
      int expected = spare.spareFrames(disk.frames().size());
      if (free < expected) {
        found.add(new LayoutViolation(LayoutRule.SPARE_FRAMES, "spare frames=" + free
            + ", expected at least " + expected + " of " + disk.frames().size() + ", disk="
            + disk.id()));
      }
    }
    return found;
  }

  private static LayoutViolation violation(LayoutRule rule, SuperchunkPair pair, String expected) {
    return new LayoutViolation(rule, "superchunk=" + pair.id() + " frames=" + pair.leader() + ","
        + pair.follower() + ", " + expected);
  }

  private static long pairKey(int a, int b) {
    return ((long) Math.min(a, b) << 32) | Math.max(a, b);
  }
}
