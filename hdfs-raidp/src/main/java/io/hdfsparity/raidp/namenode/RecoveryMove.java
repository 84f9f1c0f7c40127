/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.layout.RecoveryPlan.Kind;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.RebuildCounts;
import io.hdfsparity.raidp.wire.message.RebuildOrder;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One superchunk on its way to a new frame.
 *
 * <pre>
 *   REBUILD: ASSIGNING --receiver stored "alone"--&gt; REBUILDING --all blocks installed--&gt; DONE
 *   COPY:    ASSIGNING --both frames stored the pair--&gt; COPYING --no block single any more--&gt; DONE
 *   any but DONE --a participant is gone, or blocks cannot be rebuilt--&gt; FAILED
 * </pre>
 *
 * @param superchunkId what moves
 * @param kind rebuild or copy
 * @param receiver the new frame
 * @param epoch under which it becomes the superchunk's
 * @param phase see above
 * @param order the rebuild order, once it is known which blocks are missing
 * @param counts how far it is
 * @param note why it failed, or which blocks did
 */
record RecoveryMove(
    long superchunkId,
    Kind kind,
    Receiver receiver,
    long epoch,
    Phase phase,
    Optional<RebuildOrder> order,
    RebuildCounts counts,
    String note) {
  /**
   * Where the superchunk goes.
   *
   * @param frame that takes it
   * @param nodeUuid its DataNode
   */
  record Receiver(FrameRef frame, String nodeUuid) {
    static Receiver of(FrameView frame) {
      return new Receiver(frame.ref(), frame.nodeUuid());
    }

    /** Volume of the frame. */
    String storageId() {
      return frame.storageId();
    }
  }

  /** Where a move stands. */
  enum Phase {
    ASSIGNING,
    REBUILDING,
    COPYING,
    DONE,
    FAILED;

    boolean isOver() {
      return this == DONE || this == FAILED;
    }
  }

  /** Those that are not over, by superchunk. */
  static Map<Long, RecoveryMove> underWay(Collection<RecoveryMove> moves) {
    return moves.stream()
        .filter(move -> !move.phase().isOver())
        .collect(
            Collectors.toMap(
                RecoveryMove::superchunkId, Function.identity(), (old, newer) -> newer));
  }

  /** Whether a frame gets the superchunk. */
  boolean isTo(FrameView frame) {
    return receiver.storageId().equals(frame.storageId());
  }

  static RecoveryMove start(long superchunkId, Kind kind, Receiver receiver, long epoch) {
    return new RecoveryMove(
        superchunkId,
        kind,
        receiver,
        epoch,
        Phase.ASSIGNING,
        Optional.empty(),
        RebuildCounts.NONE,
        "");
  }

  RecoveryMove rebuilding(RebuildOrder newOrder, long newBytesTotal) {
    RebuildCounts none = new RebuildCounts(newBytesTotal, 0, newOrder.expected().size(), 0);
    return at(Phase.REBUILDING, Optional.of(newOrder), none, note);
  }

  /** The same rebuild, with sources as they are now. */
  RecoveryMove reordered(RebuildOrder newOrder) {
    return at(phase, Optional.of(newOrder), counts, note);
  }

  RecoveryMove copying() {
    return at(Phase.COPYING, order, counts, note);
  }

  RecoveryMove progress(RebuildCounts newCounts) {
    return at(phase, order, newCounts, note);
  }

  RecoveryMove over(Phase end, String newNote) {
    if (end != Phase.DONE) {
      return at(end, order, counts, newNote);
    }
    RebuildCounts all =
        new RebuildCounts(
            counts.bytesTotal(),
            Math.max(counts.bytesTotal(), counts.bytesDone()),
            counts.blocksTotal(),
            newNote.isEmpty() ? counts.blocksTotal() : counts.blocksDone());
    return at(end, order, all, newNote);
  }

  /** The same move, further on. */
  private RecoveryMove at(
      Phase newPhase, Optional<RebuildOrder> newOrder, RebuildCounts newCounts, String newNote) {
    return new RecoveryMove(
        superchunkId, kind, receiver, epoch, newPhase, newOrder, newCounts, newNote);
  }
}
