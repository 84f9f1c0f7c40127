/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The frame that a connection is reading: the memory that its bytes take, and the time that is left
 * for the rest of it.
 *
 * <p>Invariant: bytes are charged to the user's budget when they have arrived, whatever a header
 * announces; while memory for them is waited for, none are charged.
 *
 * <p>Not thread-safe: for the thread of the connection's event loop.
 */
final class IncomingFrame {
  private final FrameBudget budget;
  private final ServerTimeouts timeouts;
  private final Runnable onNewDeadline;
  private long chargedBytes;
  private boolean isAwaitingMemory;
  private @Nullable Overdraft overdraft;

  /**
   * Nothing has arrived yet.
   *
   * @param budget the user's
   * @param onNewDeadline called when a time that was waited for no longer counts
   */
  IncomingFrame(FrameBudget budget, ServerTimeouts timeouts, Runnable onNewDeadline) {
    this.budget = budget;
    this.timeouts = timeouts;
    this.onNewDeadline = onNewDeadline;
  }

  boolean isAwaitingMemory() {
    return isAwaitingMemory;
  }

  /**
   * Charges what has arrived, or queues for the memory.
   *
   * @param arrivedBytes of the frame, from its start
   * @param whenCharged called, perhaps on another thread, with the bytes that were charged after
   *     waiting; {@link #charged} or {@link #refund} has to follow on the loop
   * @return whether they were charged at once; {@code whenCharged} is not called then
   */
  boolean charge(int arrivedBytes, LongConsumer whenCharged) {
    long more = arrivedBytes - chargedBytes;
    if (more <= 0) {
      return true;
    }
    if (!budget.take(this, chargedBytes > 0, more, () -> whenCharged.accept(more))) {
      isAwaitingMemory = true;
      overdraft = null;
      onNewDeadline.run();
      return false;
    }
    add(more);
    return true;
  }

  /** Bytes were charged after waiting. */
  void charged(long bytes) {
    isAwaitingMemory = false;
    add(bytes);
  }

  /** Bytes were charged after waiting, and nobody needs them. */
  void refund(long bytes) {
    isAwaitingMemory = false;
    budget.give(bytes);
    budget.frameEnded(this);
  }

  private void add(long bytes) {
    if (overdraft == null && budget.isOverdrawn(this)) {
      overdraft =
          new Overdraft(
              System.nanoTime(),
              chargedBytes,
              timeouts.overdraftMs(),
              timeouts.overdraftBytesPerSecond());
      onNewDeadline.run();
    }
    chargedBytes += bytes;
  }

  /** How long the rest of the frame may take, in milliseconds. */
  long timeoutMs(long nowNanos) {
    Overdraft beyond = overdraft;
    return beyond == null
        ? timeouts.frameMs()
        : Math.min(timeouts.frameMs(), Math.max(1, beyond.leftMs(nowNanos, chargedBytes)));
  }

  /** Whether the frame goes beyond the memory there is, and has time left. */
  boolean hasOverdraftLeft(long nowNanos) {
    Overdraft beyond = overdraft;
    return beyond != null && beyond.leftMs(nowNanos, chargedBytes) > 0;
  }

  /**
   * Hands the memory of the frame, which is whole, to its request.
   *
   * @param replyBytes more that the answer may take; they are charged without waiting
   */
  MemoryCharge handOver(long replyBytes) {
    budget.takeAnyway(replyBytes);
    MemoryCharge charge = new MemoryCharge(budget, chargedBytes + replyBytes);
    chargedBytes = 0;
    if (overdraft != null) {
      overdraft = null;
      budget.frameEnded(this); // not before the answer is charged, which may be longer by far
    }
    return charge;
  }

  /** The connection is gone. */
  void release() {
    budget.give(chargedBytes);
    budget.frameEnded(this);
    chargedBytes = 0;
  }
}
