/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of memory that connections share: those of a user, and within the node's those of all.
 * Bytes are taken when they have come. So connections that each have a part of a frame may have
 * taken all there is: one at a time may go beyond it, until its frame is whole. Fair otherwise.
 *
 * <p>A frame that has gone beyond the budget is executed and answered, and takes memory for that.
 * So nobody goes beyond it while more than a quarter of it is owed: many that do so in turn would
 * have any amount. Parts of frames alone never owe anything, and what is executed ends.
 *
 * <p>Thread-safe.
 */
final class FrameBudget {
  private static final int MAX_DEBT_SHARE = 4;

  private record Waiter(Object taker, boolean isInFrame, long bytes, Runnable whenTaken) {}

  private final @Nullable FrameBudget whole;
  private final long maxDebt;
  private final Deque<Waiter> waiters = new ArrayDeque<>();

  /** Negative: so much is owed. */
  private long free;

  /** Who goes beyond the budget, if anybody. */
  private @Nullable Object overdrawer;

  /** A node's. */
  FrameBudget(long bytes) {
    this(bytes, null);
  }

  /**
   * A share.
   *
   * @param whole from which the same bytes are taken, too; null if this is the whole
   */
  FrameBudget(long bytes, @Nullable FrameBudget whole) {
    free = bytes;
    maxDebt = bytes / MAX_DEBT_SHARE;
    this.whole = whole;
  }

  /**
   * Takes bytes if there are so many, or queues up for them.
   *
   * @param taker a connection; it takes once at a time
   * @param isInFrame whether it has taken bytes of the same frame before
   * @param whenTaken called, perhaps on another thread, when they have been taken after all
   * @return whether they have been taken at once; {@code whenTaken} is not called then
   */
  boolean take(Object taker, boolean isInFrame, long bytes, Runnable whenTaken) {
    boolean isTaken;
    synchronized (this) {
      isTaken = waiters.isEmpty() && free >= bytes || isInFrame && overdraws(taker);
      if (isTaken) {
        free -= bytes;
      } else {
        waiters.add(new Waiter(taker, isInFrame, bytes, whenTaken));
      }
    }
    if (whole == null) {
      return isTaken;
    } else if (isTaken) {
      return whole.take(taker, isInFrame, bytes, whenTaken);
    }
    // It has no deadline while it waits; when its turn comes it may go beyond the whole again.
    whole.frameEnded(taker);
    return false;
  }

  private boolean overdraws(Object taker) {
    if (mayOverdraw()) {
      overdrawer = taker;
    }
    return overdrawer == taker;
  }

  private boolean mayOverdraw() {
    return overdrawer == null && free >= -maxDebt;
  }

  /** Takes bytes that cannot be waited for; others wait for them instead. */
  void takeAnyway(long bytes) {
    synchronized (this) {
      free -= bytes;
    }
    if (whole != null) {
      whole.takeAnyway(bytes);
    }
  }

  /** The taker's frame is whole, or will never be. */
  void frameEnded(Object taker) {
    List<Waiter> served = List.of();
    synchronized (this) {
      if (overdrawer == taker) {
        overdrawer = null;
        served = serve();
      }
    }
    served.forEach(this::taken);
    if (whole != null) {
      whole.frameEnded(taker);
    }
  }

  /** Whether the taker goes beyond the budget: others wait for its frame. */
  boolean isOverdrawn(Object taker) {
    synchronized (this) {
      if (overdrawer == taker) {
        return true;
      }
    }
    return whole != null && whole.isOverdrawn(taker);
  }

  /** Gives bytes back. */
  void give(long bytes) {
    List<Waiter> served;
    synchronized (this) {
      free += bytes;
      served = serve();
    }
    if (whole != null) {
      whole.give(bytes);
    }
    served.forEach(this::taken);
  }

  private List<Waiter> serve() {
    List<Waiter> served = new ArrayList<>();
    for (Waiter next = waiters.peek(); next != null && next.bytes <= free; next = waiters.peek()) {
      free -= next.bytes;
      served.add(waiters.remove());
    }
    for (Iterator<Waiter> each = waiters.iterator(); mayOverdraw() && each.hasNext(); ) {
      Waiter next = each.next();
      if (next.isInFrame) {
        each.remove();
        overdrawer = next.taker;
        free -= next.bytes;
        served.add(next);
      }
    }
    return served;
  }

  private void taken(Waiter waiter) {
    if (whole == null
        || whole.take(waiter.taker, waiter.isInFrame, waiter.bytes, waiter.whenTaken)) {
      waiter.whenTaken.run();
    }
  }

  /** For tests: what nobody has. */
  synchronized long free() {
    return free;
  }
}
