/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.InconsistentStripeException;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.Reply.StateReply;
import io.hdfsparity.ecupdate.ajx.SurvivingBlocks;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a block group that has lost units while programs change it, and holds on to what was read:
 * a stripe that was read is locked on all units that there are, and nobody changes it until this is
 * closed. What is read is what a recovery would make of it, see {@link DegradedReader}. Changes no
 * byte.
 *
 * <pre>
 *   READING --end of the group--&gt; READ --keep--&gt; KEPT (locks stay, whatever is closed)
 *      |                           |--expire--&gt; EXPIRED (as if this client had crashed)
 *      |                           |
 *      +--trouble, or close--------+--close--&gt; RELEASED: locks are as they were before
 * </pre>
 *
 * <p>Stripes are locked one after the other, and a few more than have been read. Where writers are
 * in the middle of writes, so that too few units fit together, parity units are weakened to L0 for
 * a while, as a recovery does (ADR 0010, 7 and 15); but not where a recovery has begun to write.
 *
 * <p>Locks that nobody released, because a unit did not answer or this process died, expire with
 * the session or the connection: they count as those of a recovery that crashed.
 *
 * <p>For one thread. Waits can be interrupted.
 */
public final class LockedGroupReader implements Closeable {
  private static final System.Logger LOG = System.getLogger(LockedGroupReader.class.getName());
  private static final int PAUSE_MS = 50;
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Stripes that are locked and looked at before they are read. */
  private static final int MAX_AHEAD = 4;

  /** Of a group that can be held: nodes remember each lock of a client, while it is connected. */
  public static final int MAX_STRIPES = 1 << 18;

  /** Bytes of those, of all units. */
  private static final long MAX_AHEAD_BYTES = 16L << 20;

  private final FileLayout layout;
  private final int group;
  private final long lengthBytes;
  private final int stripes;
  private final int stripesAhead;
  private final UnitCalls units;
  private final long operationMs;
  private final LockWait waiting;
  private final long client;
  private final KeptLocks kept;

  /** Locked, or about to be; their states have been asked for. */
  private final Deque<StripeLocks> ahead = new ArrayDeque<>();

  /** Cells of the stripe that is being read. */
  private final StripeCells cells;

  private long recoveries;
  private int nextToLock;
  private long position;
  private long releaseEndNanos;
  private volatile boolean isKept;
  private volatile boolean hasUnnotifiedUnits;

  /** By unit: ends when it has released a lock of which it is not known whether it was granted. */
  private final Map<Integer, CompletableFuture<Void>> unsureReleases = new ConcurrentHashMap<>();

  private volatile boolean isBegun;
  private volatile @Nullable CompletableFuture<Void> released;

  /**
   * Locks nothing yet.
   *
   * @param group index in the layout
   * @param places of the units that there are, by unit; they have admitted the session
   * @param calls stays the caller's, and must be open until this is closed
   * @param session as {@link SessionTerms#number}
   * @param operationMs how long a stripe is tried, and how long units are asked to release their
   *     locks
   */
  public LockedGroupReader(
      FileLayout layout,
      int group,
      Map<Integer, UnitLocation> places,
      NodeCalls calls,
      int session,
      long operationMs) {
    this(layout, group, places, calls, session, operationMs, LockWait.DEFAULT);
  }

  /**
   * Locks nothing yet.
   *
   * @param waiting notified while somebody else is waited for
   */
  public LockedGroupReader(
      FileLayout layout,
      int group,
      Map<Integer, UnitLocation> places,
      NodeCalls calls,
      int session,
      long operationMs,
      LockWait waiting) {
    this.waiting = waiting;
    Checks.index("hold a group", "group", group, layout.groups().size());
    this.layout = layout;
    cells = new StripeCells(layout.cellBytes());
    this.group = group;
    this.operationMs = operationMs;
    lengthBytes = layout.groups().get(group).lengthBytes();
    stripes = (int) Math.min(layout.geometry().stripeCount(lengthBytes), Integer.MAX_VALUE);
    units = new UnitCalls(layout, group, places, calls, waiting::isOfUse);
    client = (long) session << 32 | Integer.toUnsignedLong(new SecureRandom().nextInt());
    kept = new KeptLocks(units, client, Math.min(stripes, MAX_STRIPES));
    stripesAhead =
        (int)
            Math.max(
                1,
                Math.min(MAX_AHEAD, MAX_AHEAD_BYTES / ((long) units.units() * layout.cellBytes())));
  }

  /** Of the group's data. */
  public long lengthBytes() {
    return lengthBytes;
  }

  /**
   * Reads on, in the order in which the group is stored: the first byte is that at the group's
   * offset in the file, as it is stored.
   *
   * @return bytes read, as many as {@code target} has room for unless the group ends; -1 at its end
   * @throws IOException if too few units of a stripe fit together for as long as a stripe is tried,
   *     one does not answer, somebody else has locked it, or this thread was interrupted. All locks
   *     are being released then, for which {@link #close} waits; of a group that has been replaced
   *     by now they are {@link #keep kept}
   */
  public int read(ByteBuffer target) throws IOException {
    if (released != null) {
      throw new IOException("Cannot read group " + group + ": its locks have been released");
    }
    if (isKept) {
      throw new IOException("Cannot read group " + group + ": it has been replaced");
    }
    if (position == lengthBytes) {
      return -1;
    }
    int read = 0;
    while (target.hasRemaining() && position < lengthBytes) {
      if (cells.isEmpty()) {
        readStripe();
      }
      int length = cells.copyTo(target);
      position += length;
      read += length;
    }
    return read;
  }

  private void readStripe() throws IOException {
    boolean isDone = false;
    try {
      requireEnough();
      lockAhead();
      StripeLocks stripe = ahead.element();
      cells.put(
          decode(stripe),
          layout.geometry().stripeRange(stripe.stripe(), lengthBytes).lengthBytes());
      kept.put(ahead.remove());
      isDone = true;
    } catch (InterruptedException e) {
      throw Awaiting.interrupted(e);
    } finally {
      if (!isDone) {
        releaseUnlessReplaced();
      }
    }
  }

  /** One who has waited for another one's locks may find that he has replaced the group. */
  private void releaseUnlessReplaced() {
    if (waiting.isOfUse()) {
      release();
    } else {
      keep();
    }
  }

  /** With fewer units, nothing that writers do can help. */
  private void requireEnough() throws IOException {
    if (stripes > MAX_STRIPES) {
      throw new IOException(
          ErrorMessage.to("hold group " + group)
              .value("stripes", stripes)
              .expected("<= " + MAX_STRIPES)
              .message());
    }
    long lost = IntStream.range(0, units.units()).filter(units::isLost).count();
    if (units.units() - lost < layout.code().shape().dataBlocks()) {
      throw new IOException(
          ErrorMessage.to("read group " + group)
              .value("units there", units.places().keySet())
              .expected("at least " + layout.code().shape().dataBlocks() + " of its units")
              .message());
    }
  }

  private void lockAhead() throws IOException, InterruptedException {
    isBegun = true;
    while (nextToLock < stripes && ahead.size() < stripesAhead) {
      StripeLocks locks = newLocks(nextToLock++);
      ahead.add(locks);
      lock(locks);
    }
  }

  private StripeLocks newLocks(int stripe) {
    LockId id = new LockId(client, ++recoveries);
    return new StripeLocks(units, stripe, id, unit -> hasUnnotifiedUnits = true);
  }

  /** Locks the last stripe of those ahead, and asks for its states. */
  private void lock(StripeLocks first) throws IOException, InterruptedException {
    StripeLocks locks = first;
    long waitMs = first.stripe() == 0 ? waiting.timeoutMs(operationMs) : operationMs;
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMs);
    while (!locks.lock(endNanos(), waiting)) {
      locks.release(endNanos());
      pause(locks.stripe(), endNanos, "nobody else to lock it for so long", null);
      ahead.removeLast();
      locks = newLocks(locks.stripe());
      ahead.add(locks);
    }
    locks.askStates();
  }

  private long endNanos() {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(operationMs);
  }

  private void pause(
      int stripe, long endNanos, String expected, @Nullable InconsistentStripeException cause)
      throws IOException, InterruptedException {
    if (System.nanoTime() - endNanos > 0) {
      throw new IOException(
          ErrorMessage.to("read " + new StripeKey(group, stripe))
              .value("ms", operationMs)
              .value("units there", units.places().keySet())
              .expected(expected)
              .message(),
          cause);
    }
    waiting.checkProgress();
    TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
  }

  /** The blocks of a stripe, whose states have been asked for. */
  private List<Bytes> decode(StripeLocks stripe) throws IOException, InterruptedException {
    long endNanos = endNanos();
    while (true) {
      List<StateReply> states = stripe.states(endNanos, waiting);
      if (states == null) {
        relock(stripe, endNanos);
      } else {
        try {
          return SurvivingBlocks.decode(
              layout.codeOf(new StripeKey(group, stripe.stripe())), states);
        } catch (InconsistentStripeException e) {
          if (SurvivingBlocks.isBeingRecovered(states)) {
            pause(stripe.stripe(), endNanos, "units that a recovery had when it wrote", e);
          } else {
            letWritersEnd(stripe, endNanos, e);
          }
        }
      }
      stripe.askStates();
    }
  }

  /** A unit was started again, or took us for dead: its lock has expired, the others still hold. */
  private void relock(StripeLocks stripe, long endNanos) throws IOException, InterruptedException {
    while (!stripe.lock(endNanos, waiting)) {
      pause(stripe.stripe(), endNanos, "nobody else to lock it for so long", null);
    }
  }

  /** Data units stay frozen: nothing is begun, and what was begun comes to all parity units. */
  private void letWritersEnd(StripeLocks stripe, long endNanos, InconsistentStripeException missing)
      throws IOException, InterruptedException {
    waiting.beforeWritersEnd();
    stripe.setParity(LockMode.L0, endNanos);
    pause(
        stripe.stripe(),
        endNanos,
        "units that fit together, or writers that end what they have begun: "
            + missing.getMessage(),
        missing);
    stripe.setParity(LockMode.L1, endNanos);
  }

  /**
   * Nothing is released from now on, whatever happens: the group's place has been taken, and what
   * is left of it must stay as it is.
   *
   * @throws IllegalStateException if locks have been released before
   */
  public void keep() {
    if (released != null) {
      throw new IllegalStateException(
          "Cannot keep the locks of group " + group + ": they have been released");
    }
    isKept = true;
    ahead.forEach(StripeLocks::giveUp);
  }

  /**
   * Releases all locks as if this client had crashed, as nobody knows whether the group's place has
   * been taken: nothing changes before all units are there again, but others may take the locks.
   *
   * @throws InterruptedIOException as for {@link #close}
   * @throws IllegalStateException if not the whole group was read: then nobody can have replaced it
   */
  public void expire() throws IOException {
    if (released != null || !ahead.isEmpty()) {
      throw new IllegalStateException(
          "Cannot let locks of group " + group + " expire: not all of it was read");
    }
    kept.expire();
    close();
  }

  /**
   * Whether stripes are left as a client leaves them that crashes, or may be: until they are
   * recovered HDFS neither decodes nor rebuilds the group. Of one that was {@link #keep kept}: no.
   * For any thread.
   */
  public boolean hasLeftLocks() {
    CompletableFuture<Void> releasing = released;
    return !isKept
        && isBegun
        && (releasing == null || !releasing.isDone() || kept.isAnyLeft() || hasUnnotifiedUnits);
  }

  /**
   * Whether some units are still being asked to release their locks: there is no use in locking
   * them again before they have been notified. For any thread.
   *
   * @param some by index
   */
  public boolean isReleasing(Set<Integer> some) {
    return released != null
        && (kept.isReleasing(some)
            || some.stream()
                .map(unsureReleases::get)
                .anyMatch(each -> each != null && !each.isDone()));
  }

  /** Whether nothing is going on any more. For any thread. */
  public boolean isOver() {
    CompletableFuture<Void> releasing = released;
    return isKept || releasing != null && releasing.isDone();
  }

  private void release() {
    if (isKept || released != null) {
      return;
    }
    releaseEndNanos = endNanos();
    long endNanos = releaseEndNanos;
    List<CompletableFuture<Void>> notified = new ArrayList<>();
    for (StripeLocks locks : ahead) {
      locks.giveUp();
      kept.put(locks);
      OptionalInt unsure = locks.unsureUnit();
      CompletableFuture<Void> release =
          locks.releaseUnsure(endNanos).exceptionally(e -> unnotified(locks, e));
      unsure.ifPresent(unit -> unsureReleases.put(unit, release));
      notified.add(release);
    }
    ahead.clear();
    cells.clear();
    notified.add(kept.release());
    released = CompletableFuture.allOf(notified.toArray(new CompletableFuture<?>[0]));
  }

  private @Nullable Void unnotified(StripeLocks locks, Throwable why) {
    hasUnnotifiedUnits = true;
    LOG.log(
        Level.WARNING,
        "Cannot release a lock of stripe " + locks.stripe() + ": it expires with the session",
        why);
    return null;
  }

  /**
   * Restores all locks to what they were before, unless they are to be {@link #keep kept}, and
   * waits until units have been notified, for as long as a stripe is tried. One that does not
   * answer by then continues being notified until the calls are closed; then its locks expire with
   * the session.
   *
   * @throws InterruptedIOException if interrupted while it waits; units are notified all the same.
   *     A thread that was interrupted before waits for some seconds
   */
  @Override
  public void close() throws IOException {
    release();
    CompletableFuture<Void> releasing = released;
    if (releasing == null) {
      return;
    }
    // Who was interrupted while he read must still release: else all of it expires with the
    // session.
    long leftNanos = Math.max(0, releaseEndNanos - System.nanoTime());
    if (!Awaiting.ended(releasing, leftNanos, GRACE_NANOS)) {
      LOG.log(Level.WARNING, "Units are still being asked to release group " + group);
    }
  }
}
