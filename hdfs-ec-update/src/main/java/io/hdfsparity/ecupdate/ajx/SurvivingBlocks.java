/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import io.hdfsparity.ecupdate.ajx.Reply.StateReply;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a recovery (Fig. 6) would make of a stripe, without making it: for when nodes are lost that
 * nobody replaces, so that none can be carried out. Within the bounds that writes were made under,
 * all that was acknowledged is in it. Stateless, thread-safe.
 */
public final class SurvivingBlocks {
  private SurvivingBlocks() {}

  /** As of a node that is lost. */
  public static StateReply lost() {
    return new StateReply(OpMode.INIT, 0, Set.of(), 0, Set.of(), Set.of(), null);
  }

  /**
   * All blocks of a stripe.
   *
   * @param states of all nodes by block, read while all of them were locked
   * @throws InconsistentStripeException if too few blocks fit together
   */
  public static List<Bytes> decode(StripeCode code, List<StateReply> states)
      throws InconsistentStripeException {
    SortedMap<Integer, Bytes> known = new TreeMap<>();
    for (int block : consistent(code.shape(), states)) {
      Bytes bytes = states.get(block).block();
      if (bytes != null) {
        known.put(block, bytes);
      }
    }
    return code.decode(known);
  }

  /**
   * Whether a recovery has begun to write, and no node has ended it: the blocks that fit together
   * are noted, and must stay as they are. No add to one of them helps then.
   */
  public static boolean isBeingRecovered(List<StateReply> states) {
    OptionalLong target = target(states);
    return target.isPresent() && !hasEnded(states, target.getAsLong());
  }

  /** Lines 8 to 13 of the figure, as {@link Recovery} does them. */
  private static SortedSet<Integer> consistent(Shape shape, List<StateReply> states) {
    OptionalLong target = target(states);
    if (target.isEmpty()) {
      return ConsistentSets.find(shape, states);
    }
    if (hasEnded(states, target.getAsLong())) {
      return ConsistentSets.find(shape, states.stream().map(SurvivingBlocks::finalized).toList());
    }
    SortedSet<Integer> written = new TreeSet<>();
    for (int block = 0; block < shape.blocks(); block++) {
      if (states.get(block).opMode() == OpMode.RECONS) {
        written.add(block);
      }
    }
    for (int member : states.get(written.first()).consistentSet()) {
      if (states.get(member).opMode() != OpMode.INIT) {
        written.add(member);
      }
    }
    return written;
  }

  /** The epoch that a recovery leads to which has begun to write; empty: there is none. */
  private static OptionalLong target(List<StateReply> states) {
    return states.stream()
        .filter(each -> each.opMode() == OpMode.RECONS)
        .mapToLong(StateReply::targetEpoch)
        .min();
  }

  /** Whether some node has ended it: so all nodes had been written, and may have served since. */
  private static boolean hasEnded(List<StateReply> states, long target) {
    return states.stream().anyMatch(each -> each.opMode() == OpMode.NORM && each.epoch() >= target);
  }

  private static StateReply finalized(StateReply state) {
    return state.opMode() == OpMode.RECONS
        ? new StateReply(
            OpMode.NORM, state.targetEpoch(), Set.of(), 0, Set.of(), Set.of(), state.block())
        : state;
  }
}
