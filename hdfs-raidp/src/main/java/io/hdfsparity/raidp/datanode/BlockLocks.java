/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Locks and touch counts of the blocks of a disk, shared by its frames: a stripe is for the blocks
 * whose ids hash to it, in whichever frame they are. About 80 KB a disk.
 *
 * <p>Invariant: a thread holds one stripe at a time. So the frames of a disk cannot wait for each
 * other in a circle, whichever of their blocks share a stripe. What is done under a stripe concerns
 * its one block: loops over rows (settling, fetching and declaring rows, pairing, reconciling, a
 * scrub) lock one row after the other; agreement, rebuilding and healing of Lstors read the images
 * of other blocks, of which no reader takes a stripe; and no call of a partner that takes one is
 * made under a stripe.
 *
 * <p>Order: a frame's monitor, a stripe, the frame's allocation lock, the Lstor's lock.
 * Thread-safe.
 */
final class BlockLocks {
  private static final int STRIPES = 1024;
  private static final int TOUCH_STRIPES = 4096;

  private final ReentrantLock[] stripes = new ReentrantLock[STRIPES];
  private final AtomicLongArray touches = new AtomicLongArray(TOUCH_STRIPES);

  BlockLocks() {
    Arrays.setAll(stripes, i -> new ReentrantLock());
  }

  void lock(long blockId) {
    ReentrantLock stripe = stripe(blockId);
    assert holdsNoneBut(stripe)
        : "Cannot lock block: block=" + blockId + ", expected no other lock";
    stripe.lock();
  }

  void unlock(long blockId) {
    stripe(blockId).unlock();
  }

  /** What is found out about a block under its lock. */
  <T> T under(long blockId, Supplier<T> question) {
    lock(blockId);
    try {
      return question.get();
    } finally {
      unlock(blockId);
    }
  }

  /** Grows with each change of a block's row or files. */
  long touches(long blockId) {
    return touches.get((int) (mix(blockId) % TOUCH_STRIPES));
  }

  void touch(long blockId) {
    touches.incrementAndGet((int) (mix(blockId) % TOUCH_STRIPES));
  }

  private ReentrantLock stripe(long blockId) {
    return stripes[(int) (mix(blockId) % STRIPES)];
  }

  private boolean holdsNoneBut(ReentrantLock stripe) {
    return Arrays.stream(stripes).noneMatch(each -> each != stripe && each.isHeldByCurrentThread());
  }

  private static long mix(long blockId) {
    return (blockId * 0x9E3779B97F4A7C15L) >>> 33;
  }
}
