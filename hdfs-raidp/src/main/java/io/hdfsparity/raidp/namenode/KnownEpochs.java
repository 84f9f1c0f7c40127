/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.FrameReport;
import java.util.HashMap;
import java.util.Map;

/**
 * Epochs of superchunks besides those that their frames have now. Bounded, whatever DataNodes
 * report: where too many superchunks have left their frames, one epoch that is high enough stands
 * for all. Not thread-safe.
 */
final class KnownEpochs {
  /** About 20 MB. */
  static final int MAX_PAST = 1 << 18;

  /** Highest of superchunks, where no frame has them now. */
  private final Map<Long, Long> past = new HashMap<>();

  /** Highest that this manager has ever ordered. */
  private final Map<Long, Long> ordered = new HashMap<>();

  private long highest;

  /** No past epoch that was forgotten is higher. */
  private long pastFloor;

  /** Epochs that are in no view any more, by superchunk. */
  void passed(Map<Long, Long> epochs) {
    epochs.forEach(this::addPast);
  }

  /** One view takes the place of another. */
  void replaced(ClusterView before, ClusterView now) {
    for (SuperchunkView superchunk : before.all()) {
      SuperchunkView next = now.superchunks().get(superchunk.id());
      if (next == null || next.epoch() < superchunk.epoch()) {
        addPast(superchunk.id(), superchunk.epoch());
      }
    }
  }

  /**
   * A frame was reported.
   *
   * @param view with it
   */
  void reported(FrameReport frame, ClusterView view) {
    frame
        .pairing()
        .ifPresent(
            pairing -> {
              highest = Math.max(highest, pairing.epoch());
              SuperchunkView superchunk = view.superchunks().get(pairing.superchunkId());
              if (superchunk == null || superchunk.epoch() < pairing.epoch()) {
                addPast(pairing.superchunkId(), pairing.epoch());
              }
            });
  }

  void ordered(Assignment order) {
    ordered.merge(order.pairing().superchunkId(), order.pairing().epoch(), Math::max);
    highest = Math.max(highest, order.pairing().epoch());
  }

  private void addPast(long superchunkId, long epoch) {
    highest = Math.max(highest, epoch);
    past.merge(superchunkId, epoch, Math::max);
    if (past.size() > MAX_PAST) {
      // Epochs need not follow each other, only rise.
      pastFloor = highest;
      past.clear();
    }
  }

  /** No less than any that was reported of a superchunk and is in no view; 0: none. */
  long pastOf(long superchunkId) {
    return Math.max(pastFloor, past.getOrDefault(superchunkId, 0L));
  }

  /** Highest that was ordered of a superchunk; 0: none. */
  long orderedOf(long superchunkId) {
    return ordered.getOrDefault(superchunkId, 0L);
  }

  /** Highest of any superchunk; 0: none. */
  long highest() {
    return highest;
  }
}
