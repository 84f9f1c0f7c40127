/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import io.hdfsparity.ecupdate.ajx.Reply.StateReply;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which blocks belong to one codeword, judged by the writes that they have seen: {@code
 * find_consistent} of Fig. 6. Stateless, thread-safe.
 *
 * <p>The paper subtracts the old lists of the set's own members. Here those of all nodes in normal
 * mode are: a tid is retired anywhere only when its write is complete everywhere, so it says the
 * same of every node, and the largest set is then found by trying each parity block's list once
 * instead of each subset of nodes.
 */
final class ConsistentSets {
  private ConsistentSets() {}

  /**
   * A largest consistent set; the data blocks if no other is larger, since they keep every write.
   *
   * @param states by block, all n of them
   */
  static SortedSet<Integer> find(Shape shape, List<StateReply> states) {
    Set<Tid> complete = new HashSet<>();
    for (StateReply state : states) {
      if (state.opMode() == OpMode.NORM) {
        complete.addAll(state.oldList());
      }
    }
    Map<Integer, Set<Tid>> open = new HashMap<>();
    SortedSet<Integer> best = new TreeSet<>();
    for (int block = 0; block < shape.blocks(); block++) {
      if (states.get(block).opMode() == OpMode.NORM) {
        Set<Tid> tids = new HashSet<>(states.get(block).recentList());
        tids.removeAll(complete);
        open.put(block, tids);
        if (!shape.isParity(block)) {
          best.add(block); // data blocks alone are consistent, whatever they have seen
        }
      }
    }
    for (int parity = shape.dataBlocks(); parity < shape.blocks(); parity++) {
      Set<Tid> seen = open.get(parity);
      if (seen != null) {
        SortedSet<Integer> set = around(shape, open, seen);
        if (set.size() > best.size()) {
          best = set;
        }
      }
    }
    return best;
  }

  /** All blocks that fit to a parity block that has seen these writes. */
  private static SortedSet<Integer> around(
      Shape shape, Map<Integer, Set<Tid>> open, Set<Tid> seen) {
    SortedSet<Integer> set = new TreeSet<>();
    for (Map.Entry<Integer, Set<Tid>> entry : open.entrySet()) {
      int block = entry.getKey();
      Set<Tid> expected = shape.isParity(block) ? seen : ofBlock(seen, block);
      if (entry.getValue().equals(expected)) {
        set.add(block);
      }
    }
    return set;
  }

  /** The paper's H: writes of one data block. */
  private static Set<Tid> ofBlock(Set<Tid> tids, int block) {
    Set<Tid> own = new HashSet<>();
    for (Tid tid : tids) {
      if (tid.block() == block) {
        own.add(tid);
      }
    }
    return own;
  }
}
