/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;

/**
 * Blocks in superchunks that may lack a side although they have as many replicas as their file asks
 * for: a client has gone on with a plain replica on another node when one of the pair failed. HDFS
 * looks for no replica then, and nobody asks for the rows. Once such a block is complete, it is
 * given to those whose rows are asked for, so that HDFS looks at it again. That is done again,
 * after pauses, until it has both sides: HDFS drops a block that it has queued when its file is
 * opened for append, and does not queue it again.
 *
 * <p>At most {@link #MAX_BLOCKS} are remembered, the latest ones; {@code hdfs raidp -fsck} names
 * the others. Thread-safe.
 */
final class OneSidedBlocks {
  static final int MAX_BLOCKS = 100_000;

  private static final long FIRST_PAUSE_MS = 3_000;
  private static final long LAST_PAUSE_MS = 60_000;

  private final LatestBlocks blockIds = new LatestBlocks(MAX_BLOCKS);
  private final GrowingPauses<Long> pauses =
      new GrowingPauses<>(FIRST_PAUSE_MS, LAST_PAUSE_MS, MAX_BLOCKS);

  synchronized void add(long blockId) {
    blockIds.add(blockId);
  }

  synchronized int size() {
    return blockIds.size();
  }

  synchronized void clear() {
    blockIds.clear();
    pauses.clear();
  }

  /** HDFS looks at one that lacks a side: it stays, and is left alone for a while. */
  void lookedAt(long blockId, long nowMs) {
    pauses.failed(blockId, nowMs);
    add(blockId);
  }

  /** One is as it should be, or in no superchunk any more. */
  void settled(long blockId) {
    pauses.succeeded(blockId);
  }

  private synchronized List<Long> take(int limit) {
    return blockIds.take(limit);
  }

  /**
   * Looks at the next ones. Those that are still written, or are left alone, stay.
   *
   * @param find the block, unless it is deleted
   * @return those that are complete; they are forgotten
   */
  List<StoredBlock> complete(int limit, LongFunction<Optional<StoredBlock>> find, long nowMs) {
    List<StoredBlock> complete = new ArrayList<>();
    for (long blockId : take(limit)) {
      if (pauses.isPaused(blockId, nowMs)) {
        add(blockId);
        continue;
      }
      Optional<StoredBlock> block = find.apply(blockId);
      if (block.filter(StoredBlock::complete).isPresent()) {
        complete.add(block.get());
      } else if (block.isPresent()) {
        add(blockId);
      } else {
        settled(blockId);
      }
    }
    return complete;
  }
}
