/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.core.check.Timers;
import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * The block groups that a session heals because units of them are lost: some at a time, and none
 * again at once that could not be healed. Thread-safe.
 */
final class GroupHealings {
  private static final System.Logger LOG = System.getLogger(GroupHealings.class.getName());

  /** How often own recoveries are asked to yield while a group is healed. */
  private static final long GIVE_WAY_EVERY_MS = 200;

  /**
   * Groups that are healed at one time: each has a copy open, and up to some MB of stripes in
   * memory. The others are begun when they are asked for again.
   */
  static final int MAX_AT_A_TIME = 4;

  /** After a group could not be healed, for as many times as long as was tried. */
  private static final int REST_AFTER_TRIES = 4;

  /** At most: by then what was missing may be there. */
  private static final long MAX_REST_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** As {@link StripeSession#heal}. */
  interface Heal {
    boolean heal(int group, StripeSession.Healer healer) throws IOException;
  }

  /** Finds out where a group is. */
  interface Look {
    /** Looks a group up by a question that is asked from now on, and runs something then. */
    void look(int group, Runnable then);
  }

  private final Heal heal;
  private final Executor mayBlock;
  private final ScheduledExecutorService work;
  private final IntConsumer yieldNow;
  private final Look look;
  private final Map<Integer, Long> againNanos = new HashMap<>();

  /** By group; a future ends with its healing, whatever came of it. */
  private final Map<Integer, CompletableFuture<Void>> atWork = new HashMap<>();

  /** All of those, until it is known where the groups are. */
  private final Set<CompletableFuture<Void>> unended = new HashSet<>();

  private boolean isOver;

  /**
   * Nothing is healed yet.
   *
   * @param mayBlock where groups are healed
   * @param work for what takes no time
   * @param yieldNow recoveries in a group are to let their locks go, and writes not to wait for
   *     lost nodes
   */
  GroupHealings(
      Heal heal,
      Executor mayBlock,
      ScheduledExecutorService work,
      IntConsumer yieldNow,
      Look look) {
    this.heal = heal;
    this.mayBlock = mayBlock;
    this.work = work;
    this.yieldNow = yieldNow;
    this.look = look;
  }

  /** Begins to heal a group, unless that is under way, or it has to wait. Does not wait itself. */
  void heal(int group) {
    boolean isItsTurn;
    synchronized (this) {
      Long again = againNanos.get(group);
      boolean isResting = again != null && System.nanoTime() - again < 0;
      if (isOver || isResting || atWork.containsKey(group)) {
        return;
      }
      isItsTurn = atWork.size() < MAX_AT_A_TIME;
      if (isItsTurn) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        atWork.put(group, ended);
        unended.add(ended);
      }
    }
    if (isItsTurn) {
      begin(group);
    } else {
      // Another program may be at it, and need the locks.
      yieldNow.accept(group);
    }
  }

  /** A unit that is missing may come back meanwhile: the group is looked up as before. */
  private void begin(int group) {
    try {
      mayBlock.execute(() -> healNow(group));
    } catch (RejectedExecutionException e) {
      LOG.log(Level.DEBUG, "The updater is being closed", e);
      ended(end(group, /* isHealed= */ false, System.nanoTime()));
    } catch (RuntimeException | Error e) {
      // As when the system gives no thread more: it is tried again when it is missed again.
      LOG.log(Level.WARNING, "Cannot heal block group " + group + " of an updated file", e);
      ended(end(group, /* isHealed= */ false, System.nanoTime()));
    }
  }

  private void healNow(int group) {
    long begunNanos = System.nanoTime();
    boolean isHealed = false;
    try {
      isHealed = heal.heal(group, new GroupHealer(group));
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.WARNING, "Cannot heal block group " + group + " of an updated file", e);
    } finally {
      CompletableFuture<Void> ended = end(group, isHealed, begunNanos);
      look.look(group, () -> ended(ended));
    }
  }

  private synchronized CompletableFuture<Void> end(int group, boolean isHealed, long begunNanos) {
    if (!isHealed) {
      long now = System.nanoTime();
      long restNanos = Math.min(MAX_REST_NANOS, REST_AFTER_TRIES * (now - begunNanos));
      againNanos.put(group, now + restNanos);
    }
    return Objects.requireNonNull(atWork.remove(group));
  }

  private void ended(CompletableFuture<Void> ended) {
    synchronized (this) {
      unended.remove(ended);
    }
    ended.complete(null);
  }

  /** Ends with all that is being healed, whatever comes of it. */
  synchronized CompletableFuture<Void> underWay() {
    return CompletableFuture.allOf(unended.toArray(new CompletableFuture<?>[0]));
  }

  /**
   * Nothing is healed from now on; what is being healed is aborted, unless it is nearly done.
   *
   * @return {@link #underWay}
   */
  synchronized CompletableFuture<Void> stop() {
    isOver = true;
    return underWay();
  }

  private synchronized void requireNotOver(int group) throws IOException {
    if (isOver) {
      throw new IOException("Cannot heal group " + group + ": the updater is being closed");
    }
  }

  private final class GroupHealer implements StripeSession.Healer {
    private final int group;

    GroupHealer(int group) {
      this.group = group;
    }

    @Override
    public Closeable yielding() {
      Future<?> again =
          work.scheduleWithFixedDelay(
              Timers.guarded(
                  () -> yieldNow.accept(group),
                  e -> LOG.log(Level.WARNING, "Cannot yield the locks of group " + group, e)),
              0,
              GIVE_WAY_EVERY_MS,
              TimeUnit.MILLISECONDS);
      return () -> again.cancel(false);
    }

    @Override
    public void requireWanted() throws IOException {
      requireNotOver(group);
    }
  }
}
