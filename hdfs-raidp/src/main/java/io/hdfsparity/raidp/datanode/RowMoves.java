/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.lstor.Extents;
import io.hdfsparity.raidp.lstor.Lstor;
import io.hdfsparity.raidp.lstor.LstorException;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotCause;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Moves rows of a follower to the units that the leader has for them. Thread-safe. */
final class RowMoves {
  private static final Logger LOG = LoggerFactory.getLogger(RowMoves.class);

  private final Frame frame;
  private final Coverage coverage;
  private final Lstor lstor;

  RowMoves(Frame frame, Coverage coverage) {
    this.frame = frame;
    this.coverage = coverage;
    this.lstor = frame.disk().lstor();
  }

  /**
   * Moves a block of the follower to where the leader has it: out of the parity, and in again at
   * the other place. A crash between leaves a replica that is not covered, which the next start
   * covers.
   */
  void move(SlotEntry row, List<Run> runs) throws IOException {
    LOG.info(
        "Moving a block to the leader's extents: block={} from={} to={} storageId={}",
        row.blockId(),
        row.runs(),
        runs,
        frame.storageId());
    requireFree(row, runs);
    SlotEntry cleared = coverage.uncover(row);
    boolean isCoveredAgainLater = row.coversAnything() && row.state() == SlotState.LIVE;
    frame.allocation().lock();
    try {
      // Nobody else may take the units between, or the replica would have no row.
      requireFree(row, runs);
      lstor.remove(frame.index(), row.blockId(), SlotCause.MOVED_OUT);
      lstor.reserve(frame.index(), row.blockId(), runs, row.generationStamp());
    } catch (LstorException.Overlap e) {
      // Covered again where it is.
      frame.schedule(row.blockId());
      throw e;
    } finally {
      frame.allocation().unlock();
    }
    if (cleared.state() == SlotState.LIMBO) {
      lstor.apply(frame.index(), row.blockId(), SlotCause.MOVED_IN_LIMBO);
    } else if (cleared.state() == SlotState.LIVE && !isCoveredAgainLater) {
      lstor.apply(frame.index(), row.blockId(), SlotCause.MOVED_LIVE);
    }
    frame.schedule(row.blockId());
  }

  /**
   * Takes a block out of the parity and releases the units that it would leave at its move, so that
   * others can move there; nothing, if no unit of its new place is taken any more. It keeps what it
   * keeps at the move, or one unit. It is covered again when it is next settled, after a crash at
   * the start.
   *
   * @throws LstorException.NoSpace if it would keep nothing, and no unit is free
   */
  void yieldUnits(SlotEntry row, List<Run> runs) throws IOException {
    if (Extents.isPrefix(row.runs(), runs)
        || Extents.isPrefix(runs, row.runs())
        || lstor.isFree(frame.index(), Extents.without(runs, row.runs()))) {
      return;
    }
    LOG.info(
        "A block yields its units to others: block={} from={} to={} storageId={}",
        row.blockId(),
        row.runs(),
        runs,
        frame.storageId());
    // Refuses before anything has changed.
    rest(row, runs);
    coverage.uncover(row);
    frame.schedule(row.blockId());
    frame.allocation().lock();
    try {
      lstor.resize(frame.index(), row.blockId(), rest(row, runs));
    } finally {
      frame.allocation().unlock();
    }
  }

  /** What it keeps: of its new place if it can, where the leader sends nobody else. */
  private List<Run> rest(SlotEntry row, List<Run> runs) throws IOException {
    List<Run> kept = Extents.commonPrefix(row.runs(), runs);
    if (!kept.isEmpty()) {
      return kept;
    }
    for (int unit : Extents.unitsOf(runs).stream().toArray()) {
      List<Run> one = List.of(new Run(unit, 1));
      if (lstor.isFree(frame.index(), Extents.without(one, row.runs()))) {
        return one;
      }
    }
    return lstor.allocate(frame.index(), 1);
  }

  private void requireFree(SlotEntry row, List<Run> runs) throws LstorException.Overlap {
    if (!lstor.isFree(frame.index(), Extents.without(runs, row.runs()))) {
      throw new LstorException.Overlap(
          "Cannot move block: block="
              + row.blockId()
              + " runs="
              + runs
              + ", expected units that no other block holds, storageId="
              + frame.storageId());
    }
  }
}
