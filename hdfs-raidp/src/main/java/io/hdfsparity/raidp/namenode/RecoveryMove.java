/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.layout.RecoveryPlan.Kind;
import io.hdfsparity.raidp.wire.message.RebuildOrder;
import java.util.Optional;

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
 * @param receiver storage id of the new frame
 * @param receiverNode its DataNode
 * @param epoch under which it becomes the superchunk's
 * @param phase see above
 * @param order the rebuild order, once it is known which blocks are missing
 * @param bytesTotal data bytes to move, as far as known
 * @param bytesDone data bytes moved
 * @param blocksTotal blocks to move
 * @param blocksDone blocks moved
 * @param note why it failed, or which blocks did
 */
record RecoveryMove(
    long superchunkId,
    Kind kind,
    String receiver,
    String receiverNode,
    long epoch,
    Phase phase,
    Optional<RebuildOrder> order,
    long bytesTotal,
    long bytesDone,
    int blocksTotal,
    int blocksDone,
    String note) {
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

  static RecoveryMove start(
      long superchunkId, Kind kind, String receiver, String receiverNode, long epoch) {
    return new RecoveryMove(
        superchunkId,
        kind,
        receiver,
        receiverNode,
        epoch,
        Phase.ASSIGNING,
        Optional.empty(),
        0,
        0,
        0,
        0,
        "");
  }

  RecoveryMove rebuilding(RebuildOrder newOrder, long newBytesTotal) {
    return at(
        Phase.REBUILDING,
        Optional.of(newOrder),
        newBytesTotal,
        0,
        newOrder.expected().size(),
        0,
        note);
  }

  /** The same rebuild, with sources as they are now. */
  RecoveryMove reordered(RebuildOrder newOrder) {
    return at(phase, Optional.of(newOrder), bytesTotal, bytesDone, blocksTotal, blocksDone, note);
  }

  RecoveryMove copying() {
    return at(Phase.COPYING, order, bytesTotal, bytesDone, blocksTotal, blocksDone, note);
  }

  RecoveryMove progress(
      long newBytesTotal, long newBytesDone, int newBlocksTotal, int newBlocksDone) {
    return at(phase, order, newBytesTotal, newBytesDone, newBlocksTotal, newBlocksDone, note);
  }

  RecoveryMove over(Phase end, String newNote) {
    boolean done = end == Phase.DONE;
    return at(
        end,
        order,
        bytesTotal,
        done ? Math.max(bytesTotal, bytesDone) : bytesDone,
        blocksTotal,
        done && newNote.isEmpty() ? blocksTotal : blocksDone,
        newNote);
  }

  /** The same move, further on. */
  private RecoveryMove at(
      Phase newPhase,
      Optional<RebuildOrder> newOrder,
      long newBytesTotal,
      long newBytesDone,
      int newBlocksTotal,
      int newBlocksDone,
      String newNote) {
    return new RecoveryMove(
        superchunkId,
        kind,
        receiver,
        receiverNode,
        epoch,
        newPhase,
        newOrder,
        newBytesTotal,
        newBytesDone,
        newBlocksTotal,
        newBlocksDone,
        newNote);
  }
}
