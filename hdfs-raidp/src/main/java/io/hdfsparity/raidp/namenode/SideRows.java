/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Compares the rows of both sides of a superchunk. Pure.
 *
 * @param ofLeader of the leader's volume, also of its other frames
 * @param ofFollower of the follower's frame
 */
record SideRows(SuperchunkView superchunk, List<SlotEntry> ofLeader, List<SlotEntry> ofFollower) {
  SideRows {
    ofLeader =
        ofLeader.stream()
            .filter(row -> row.frameIndex() == superchunk.leader().frameIndex())
            .toList();
    ofFollower = List.copyOf(ofFollower);
  }

  /** The rows of a block, which are not the same on both sides. */
  record Difference(SlotEntry ofLeader, SlotEntry ofFollower) {
    long blockId() {
      return ofLeader.blockId();
    }
  }

  List<Difference> differences() {
    Map<Long, SlotEntry> others = new HashMap<>();
    ofFollower.forEach(row -> others.put(row.blockId(), row));
    List<Difference> differences = new ArrayList<>();
    for (SlotEntry row : ofLeader) {
      SlotEntry other = others.get(row.blockId());
      if (other != null
          && row.state() == SlotState.LIVE
          && other.state() == SlotState.LIVE
          && !(row.runs().equals(other.runs())
              && row.generationStamp() == other.generationStamp()
              && row.coveredBytes() == other.coveredBytes())) {
        differences.add(new Difference(row, other));
      }
    }
    return differences;
  }

  /** Blocks without a row on a side, which the other side has one of. */
  Set<Long> lackingAt(FrameView side) {
    boolean isLeader = side.isSameFrame(superchunk.leader());
    Set<Long> lacking = new HashSet<>(blocks(isLeader ? ofFollower : ofLeader));
    lacking.removeAll(blocks(isLeader ? ofLeader : ofFollower));
    return lacking;
  }

  private static Set<Long> blocks(List<SlotEntry> rows) {
    return rows.stream()
        .filter(row -> row.state() != SlotState.LIMBO)
        .map(SlotEntry::blockId)
        .collect(Collectors.toSet());
  }
}
