/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Reply.StateReply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SurvivingBlocks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The units that there are of one stripe, locked by one client to look at all of them at one time.
 * Changes no byte. Not thread-safe.
 *
 * <p>A lock of which it is not known whether it was granted is asked for again when it is released,
 * as only the answer says what it was before. If none comes it is left EXP, which is what a crash
 * of this client would have led to.
 */
final class StripeLocks {
  /** Between looks whether it is of use to wait for an answer. */
  private static final long LOOK_MS = 500;

  private final UnitCalls units;
  private final int stripe;
  private final LockId id;
  private final IntConsumer left;

  /** What locks were before, by unit; of those that are held. */
  private final Map<Integer, LockMode> before = new HashMap<>();

  /** A lock that may be held, or may come to be. */
  private @Nullable UnitCall unsure;

  private int unsureUnit;
  private List<@Nullable UnitCall> asked = List.of();

  /**
   * Locks nothing yet.
   *
   * @param id of no lock before
   */
  StripeLocks(UnitCalls units, int stripe, LockId id) {
    this(units, stripe, id, unit -> {});
  }

  /**
   * Locks nothing yet.
   *
   * @param left learns of units of which a lock is left as after a crash
   */
  StripeLocks(UnitCalls units, int stripe, LockId id, IntConsumer left) {
    this.left = left;
    this.units = units;
    this.stripe = stripe;
    this.id = id;
  }

  int stripe() {
    return stripe;
  }

  LockId id() {
    return id;
  }

  /** What the locks were before, by unit; of those that are held. */
  Map<Integer, LockMode> before() {
    return Map.copyOf(before);
  }

  /**
   * Locks all, or those that were lost since. If it cannot, those that it has stay locked.
   *
   * @param waiting notified while there is no answer
   * @return whether all are locked; somebody else is at it if not
   * @throws IOException if a unit does not answer, or waiting for it is of no use
   */
  boolean lock(long endNanos, LockWait waiting) throws IOException, InterruptedException {
    // In order, so that two cannot wait for each other.
    for (int unit = 0; unit < units.units(); unit++) {
      int asking = unit;
      UnitCall call =
          units.ask(
              stripe, unit, new Request.TryLock(LockMode.L1, id), late -> lockedLate(asking, late));
      if (call == null) {
        continue;
      }
      before.remove(unit);
      unsure = call;
      unsureUnit = unit;
      look(call, endNanos, waiting);
      Reply.LockReply lock = (Reply.LockReply) call.awaitNow(endNanos);
      unsure = null;
      if (!lock.isGranted()) {
        return false;
      }
      before.put(unit, lock.previous());
    }
    return true;
  }

  /** Until it has ended, or there is little time left. */
  private static void look(UnitCall call, long endNanos, LockWait waiting)
      throws IOException, InterruptedException {
    while (!call.hasEndedWithin(LOOK_MS)
        && endNanos - System.nanoTime() > TimeUnit.MILLISECONDS.toNanos(LOOK_MS)) {
      waiting.checkProgress();
    }
  }

  /** After nobody waited for a lock any more: release what was to be released before it came. */
  private void lockedLate(int unit, Optional<Reply> late) {
    if (late.isEmpty()) {
      release(unit, LockMode.EXP, new CompletableFuture<>());
    } else if (late.get() instanceof Reply.LockReply lock && lock.isGranted()) {
      release(unit, lock.previous(), new CompletableFuture<>());
    }
  }

  /** Asks all units for their states; all must be locked. */
  void askStates() {
    asked = new ArrayList<>();
    for (int unit = 0; unit < units.units(); unit++) {
      asked.add(units.ask(stripe, unit, new Request.GetState(id)));
    }
  }

  /**
   * The states that were asked for, all at one time, by unit; null if a lock was taken from us.
   *
   * @param waiting notified while there is no answer
   * @throws IOException if a unit does not answer, or waiting for it is of no use
   */
  @Nullable List<StateReply> states(long endNanos, LockWait waiting)
      throws IOException, InterruptedException {
    List<StateReply> states = new ArrayList<>();
    boolean isOurs = true;
    for (UnitCall call : asked) {
      if (call == null) {
        states.add(SurvivingBlocks.lost());
        continue;
      }
      look(call, endNanos, waiting);
      if (call.await(endNanos) instanceof StateReply state) {
        states.add(state);
      } else {
        isOurs = false;
      }
    }
    asked = List.of();
    return isOurs ? states : null;
  }

  /** Nobody waits for states any more. */
  void giveUp() {
    for (UnitCall call : asked) {
      if (call != null) {
        call.giveUp();
      }
    }
    asked = List.of();
  }

  /**
   * Changes the locks of parity units: in L0 writers end what they have begun, while data units
   * stay as they are. A lock that was lost meanwhile is reported by the next {@link #states}.
   */
  void setParity(LockMode mode, long endNanos) throws IOException, InterruptedException {
    set(units.layout().code().shape()::isParity, unit -> mode, endNanos);
  }

  /**
   * Releases them as they were. If one cannot be notified, all stay in {@link #before}.
   *
   * @throws IOException if a unit does not answer; the others have been released
   */
  void release(long endNanos) throws IOException, InterruptedException {
    CompletableFuture<Void> last = releaseUnsure(endNanos);
    set(before::containsKey, before::get, endNanos);
    before.clear();
    try {
      last.get();
    } catch (ExecutionException e) {
      throw new IOException("Cannot release " + new StripeKey(units.group(), stripe), e);
    }
  }

  /** Of the lock of which nothing is known, if there is one. */
  OptionalInt unsureUnit() {
    return unsure == null ? OptionalInt.empty() : OptionalInt.of(unsureUnit);
  }

  /**
   * Lets go of the lock of which nothing is known, if there is one; it is not in {@link #before}.
   *
   * @param endNanos how long it is asked what the lock was before
   * @return completes when the unit has been notified, which takes for as long as it may be of use;
   *     exceptionally if it refuses
   */
  CompletableFuture<Void> releaseUnsure(long endNanos) {
    CompletableFuture<Void> notified = new CompletableFuture<>();
    UnitCall call = unsure;
    if (call == null) {
      notified.complete(null);
      return notified;
    }
    unsure = null;
    int unit = unsureUnit;
    call.whenDone(
        endNanos,
        (reply, failure) -> {
          if (reply instanceof Reply.LockReply lock) {
            release(unit, lock.isGranted() ? lock.previous() : null, notified);
          } else {
            release(unit, LockMode.EXP, notified);
          }
        });
    return notified;
  }

  private void release(int unit, @Nullable LockMode mode, CompletableFuture<Void> notified) {
    UnitCall call = mode == null ? null : units.ask(stripe, unit, new Request.SetLock(mode, id));
    if (call == null) {
      notified.complete(null);
      return;
    }
    call.whenDone(
        (reply, failure) -> {
          if (failure != null || reply != null && isLeft(mode, reply)) {
            left.accept(unit);
          }
          if (failure == null) {
            notified.complete(null);
          } else {
            notified.completeExceptionally(failure);
          }
        });
  }

  /** Whether a lock is left as after a crash, or was before it was released. */
  private static boolean isLeft(@Nullable LockMode mode, Reply reply) {
    return reply instanceof Reply.NotHolder other
        ? mode != LockMode.EXP && other.lockMode() != LockMode.UNL
        : mode == LockMode.EXP;
  }

  private void set(IntPredicate which, IntFunction<LockMode> mode, long endNanos)
      throws IOException, InterruptedException {
    List<UnitCall> notified = new ArrayList<>();
    for (int unit = 0; unit < units.units(); unit++) {
      if (which.test(unit)) {
        UnitCall call = units.ask(stripe, unit, new Request.SetLock(mode.apply(unit), id));
        if (call != null) {
          notified.add(call);
        }
      }
    }
    IOException failure = null;
    for (UnitCall call : notified) {
      try {
        call.await(endNanos);
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
