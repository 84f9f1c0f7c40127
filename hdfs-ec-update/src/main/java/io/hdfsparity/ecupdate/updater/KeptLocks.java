/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which locks of a block group are held, and what they were before: eight bytes a stripe and one a
 * unit of it, as there may be a hundred thousand stripes. Not thread-safe, but for what {@link
 * #release} does behind the scenes.
 */
final class KeptLocks {
  private static final System.Logger LOG = System.getLogger(KeptLocks.class.getName());

  /** Of one unit, notified at a time. */
  private static final int OUTSTANDING = 16;

  private static final LockMode[] MODES = LockMode.values();

  private final UnitCalls units;
  private final long client;

  /** By stripe: the number of the lock's id. */
  private final long[] recoveries;

  /** By stripe and unit: 0 if not held, else one more than the ordinal of what the lock was. */
  private final byte[] before;

  /** By unit: ends when it has been notified, or refuses. */
  private final Map<Integer, CompletableFuture<Void>> notifications = new ConcurrentHashMap<>();

  private volatile boolean isAnyLeft;

  /**
   * None is held.
   *
   * @param client as in {@link LockId}
   */
  KeptLocks(UnitCalls units, long client, int stripes) {
    this.units = units;
    this.client = client;
    recoveries = new long[stripes];
    before = new byte[Math.multiplyExact(stripes, units.units())];
  }

  /** Those of a stripe, in the place of what was known of it. */
  void put(StripeLocks locks) {
    int stripe = locks.stripe();
    recoveries[stripe] = locks.id().recovery();
    Map<Integer, LockMode> modes = locks.before();
    for (int unit = 0; unit < units.units(); unit++) {
      LockMode mode = modes.get(unit);
      before[stripe * units.units() + unit] = (byte) (mode == null ? 0 : mode.ordinal() + 1);
    }
  }

  /** From now on they count as those of a client that has crashed, whatever they were before. */
  void expire() {
    for (int i = 0; i < before.length; i++) {
      if (before[i] != 0) {
        before[i] = (byte) (LockMode.EXP.ordinal() + 1);
      }
    }
    isAnyLeft = true;
  }

  /** Whether a stripe is known that is left as after a crash, or may be; after it was released. */
  boolean isAnyLeft() {
    return isAnyLeft;
  }

  /**
   * Releases all as they were. To be called once; nothing may be {@link #put} afterwards. A unit
   * that does not answer is notified again for as long as that may be of use: its locks would stay
   * for as long as this client's session is live, and keep everybody out.
   *
   * @return completes when all have been notified, or refuse; never exceptionally
   */
  CompletableFuture<Void> release() {
    for (byte mode : before) {
      // Somebody has crashed, or the unit was started again while we had it.
      isAnyLeft |= mode == LockMode.EXP.ordinal() + 1;
    }
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int unit = 0; unit < units.units(); unit++) {
      if (!units.isLost(unit)) {
        Unit each = new Unit(unit);
        each.tell();
        all.add(each.done);
        notifications.put(unit, each.done);
      }
    }
    return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]));
  }

  /** Whether one of some units is still being notified. */
  boolean isReleasing(Set<Integer> some) {
    return some.stream().map(notifications::get).anyMatch(each -> each != null && !each.isDone());
  }

  /** A unit that is notified, whatever becomes of the others. */
  private final class Unit {
    private final int unit;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private int stripe;
    private int outstanding;
    private int unnotified;
    private @Nullable Throwable trouble;

    Unit(int unit) {
      this.unit = unit;
    }

    /** Tells as many as may be under way. */
    void tell() {
      int next = next();
      while (next >= 0) {
        LockMode mode = MODES[before[next * units.units() + unit] - 1];
        UnitCall call =
            units.ask(next, unit, new Request.SetLock(mode, new LockId(client, recoveries[next])));
        Objects.requireNonNull(call).whenDone(this::answered);
        next = next();
      }
    }

    /** The next stripe to be notified of; negative if there is none now. */
    private synchronized int next() {
      while (stripe < recoveries.length && outstanding < OUTSTANDING) {
        int next = stripe++;
        if (before[next * units.units() + unit] == 0) {
          continue;
        }
        if (trouble == null) {
          outstanding++;
          return next;
        }
        unnotified++; // it refuses
      }
      if (outstanding == 0) {
        end();
      }
      return -1;
    }

    private void answered(@Nullable Reply reply, @Nullable Throwable e) {
      if (reply instanceof Reply.NotHolder lost && lost.lockMode() != LockMode.UNL) {
        isAnyLeft = true; // it had expired before
      }
      synchronized (this) {
        outstanding--;
        if (e != null) {
          unnotified++;
          trouble = e;
        }
      }
      tell();
    }

    private void end() {
      if (unnotified > 0) {
        isAnyLeft = true;
      }
      if (done.complete(null) && unnotified > 0) {
        LOG.log(
            Level.WARNING,
            "Cannot release "
                + unnotified
                + " locks of unit "
                + unit
                + " of group "
                + units.group()
                + ": they expire with the session, at "
                + units.places().get(unit),
            trouble);
      }
    }
  }
}
