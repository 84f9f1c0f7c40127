/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import io.hdfsparity.core.check.ErrorMessage;
import java.util.Set;

/**
 * A block group is rewritten while sessions use it, since some of its units are lost: what the
 * NameNode learns beside it, to judge whether a lost DataNode can have executed anything meanwhile,
 * and whether others go by the same units. Immutable.
 *
 * @param lostNodes uuids of the DataNodes of the units that are lost; at least one
 * @param heldMs for how long at least units of the group have been locked, by the client's clock: 0
 *     only while nothing is locked, and then a session has to ask first; milliseconds
 * @param lostUnits indices in the group of the units that are lost, by which its bytes are decoded,
 *     0 to {@link #MAX_UNIT}; at least one
 * @param attempt higher than of each attempt of the session before: the one with which it was asked
 *     goes with all that follows, and it is asked once
 */
public record Healing(Set<String> lostNodes, long heldMs, Set<Integer> lostUnits, long attempt) {
  /** More than any process runs, and little enough to be counted with. */
  public static final long MAX_HELD_MS = 1L << 50;

  /** No group has a unit beyond it. */
  public static final int MAX_UNIT = 255;

  /**
   * @throws IllegalArgumentException if it cannot be meant
   */
  public Healing {
    lostNodes = Set.copyOf(lostNodes);
    lostUnits = Set.copyOf(lostUnits);
    if (lostNodes.isEmpty()
        || heldMs < 0
        || heldMs > MAX_HELD_MS
        || lostUnits.isEmpty()
        || !lostUnits.stream().allMatch(unit -> unit >= 0 && unit <= MAX_UNIT)) {
      throw new IllegalArgumentException(
          ErrorMessage.to("heal a block group")
              .value("lostNodes", lostNodes.size())
              .value("heldMs", heldMs)
              .value("lostUnits", lostUnits)
              .expected(
                  "at least one node, 0 to "
                      + MAX_HELD_MS
                      + ", and at least one unit of 0 to "
                      + MAX_UNIT)
              .message());
    }
  }
}
