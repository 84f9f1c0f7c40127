/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.check.Clock;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Bounds the bytes of a disk that its parity covers and about which the partners have not answered
 * (paper section 3.4): the journal depth. A write beyond the bound waits, then is refused.
 *
 * <p>Bytes count from the end of the block's write until the partner answers a question about the
 * block. They count towards no partner that was declared dead.
 *
 * <p><b>No node waits for the journal of another one.</b> Each end of a write waits for answers,
 * and an answer must never wait for the end of a write, here or there. For this reason
 *
 * <ul>
 *   <li>any answer counts, not only one that acknowledges the block. Else two nodes hold each other
 *       up: each has ended the write of a block, whose bytes fill its journal, and each is about to
 *       end the other one's block. A partner whose replica is still being written acknowledges it
 *       later; one whose replica is of another stamp never does;
 *   <li>a block that is being written does not count, and one that is reopened stops counting
 *       ({@link #reopen}): no question is asked about it ({@link Settler}). Else a few open blocks
 *       hold each other up, or one holds up itself;
 *   <li>nobody waits here with a block's lock, and {@link PeerService#covered} and the threads of
 *       the settler come past no gate.
 * </ul>
 *
 * <p>Of a block at most what its row covers is booked: what leaves the parity is given back ({@link
 * #uncovered}), also when it is covered again in other units.
 *
 * <p>Thread-safe.
 */
final class JournalGate {
  private static final long POLL_MS = 1000;

  private record Key(int frame, long blockId) {}

  private final long limitBytes;
  private final long waitMs;
  private final Clock clock;
  private final Predicate<Integer> counts;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<Key, Long> outstanding = new HashMap<>();
  private final Map<Key, Long> unfinished = new HashMap<>();
  private final Map<Key, Long> admitted = new HashMap<>();
  private long waits;
  private long waitNanos;

  /**
   * @param counts whether bytes of a frame count: its partner is not dead
   */
  JournalGate(long limitBytes, long waitMs, Clock clock, Predicate<Integer> counts) {
    this.limitBytes = limitBytes;
    this.waitMs = waitMs;
    this.clock = clock;
    this.counts = counts;
  }

  /**
   * As {@link #await}, for a block whose write is about to end: it does not wait again. Until
   * {@link #finish}, {@link #withdraw} or {@link #forget}. Its bytes do not count before its write
   * has ended, or blocks would wait for the XOR of others.
   */
  void admit(int frame, long blockId, long more) throws IOException {
    Key key = new Key(frame, blockId);
    lock.lock();
    try {
      await(frame, blockId, more);
      long bytes = more + unfinished.getOrDefault(key, 0L);
      if (bytes > 0) {
        admitted.put(key, bytes);
      }
    } finally {
      lock.unlock();
    }
  }

  /** A block that was admitted goes on being written. */
  void withdraw(int frame, long blockId) {
    lock.lock();
    try {
      admitted.remove(new Key(frame, blockId));
    } finally {
      lock.unlock();
    }
  }

  /** Waits until {@code more} bytes fit, and those that were noted of the block. */
  void await(int frame, long blockId, long more) throws IOException {
    lock.lock();
    try {
      Key key = new Key(frame, blockId);
      long bytes = more + unfinished.getOrDefault(key, 0L);
      if (bytes <= admitted.getOrDefault(key, 0L)) {
        return;
      }
      admitted.remove(key);
      if (fits(frame, bytes)) {
        return;
      }
      waits++;
      long start = clock.nanoTime();
      long leftMs = waitMs;
      while (leftMs > 0) {
        // A partner is declared dead without a signal here, so look again now and then.
        long pieceMs = Math.min(leftMs, POLL_MS);
        clock.await(lock, changed, pieceMs);
        leftMs = waitMs - (clock.nanoTime() - start) / 1_000_000;
        if (fits(frame, bytes)) {
          waitNanos += clock.nanoTime() - start;
          return;
        }
      }
      waitNanos += clock.nanoTime() - start;
      throw new IOException(
          "Cannot cover block: block="
              + blockId
              + " journalDepthBytes="
              + depthLocked()
              + " blockBytes="
              + bytes
              + ", expected at most dfs.parity.raidp.journal.size="
              + limitBytes
              + " unanswered bytes within dfs.parity.raidp.journal.wait.timeout="
              + waitMs
              + "ms");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(
          "Cannot cover block: block=" + blockId + ", expected not to be interrupted");
    } finally {
      lock.unlock();
    }
  }

  private boolean fits(int frame, long bytes) {
    if (!counts.test(frame)) {
      return true;
    }
    long depth = depthLocked();
    // A block larger than the limit does not wait until it is alone: it might wait for ever.
    return depth + bytes <= limitBytes || bytes > limitBytes && depth < limitBytes;
  }

  /** Bytes covered of a block whose write is not over: they do not count yet. */
  void note(int frame, long blockId, long bytes) {
    if (bytes <= 0) {
      return;
    }
    lock.lock();
    try {
      unfinished.merge(new Key(frame, blockId), bytes, Long::sum);
    } finally {
      lock.unlock();
    }
  }

  /**
   * What was noted counts from now on.
   *
   * @param pending whether the partner has yet to acknowledge the block
   */
  void finish(int frame, long blockId, boolean pending) {
    lock.lock();
    try {
      Key key = new Key(frame, blockId);
      Long bytes = unfinished.remove(key);
      admitted.remove(key);
      if (bytes != null && pending) {
        outstanding.merge(key, bytes, Long::sum);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The block is being written again: what counts of it counts again when that ends. */
  void reopen(int frame, long blockId) {
    lock.lock();
    try {
      Key key = new Key(frame, blockId);
      Long bytes = outstanding.remove(key);
      if (bytes != null) {
        unfinished.merge(key, bytes, Long::sum);
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** So many bytes at the end of the covered prefix have left the parity. */
  void uncovered(int frame, long blockId, long bytes) {
    if (bytes <= 0) {
      return;
    }
    lock.lock();
    try {
      Key key = new Key(frame, blockId);
      long newest = unfinished.getOrDefault(key, 0L);
      reduce(unfinished, key, bytes);
      reduce(outstanding, key, bytes - newest);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private static void reduce(Map<Key, Long> booked, Key key, long bytes) {
    if (bytes > 0) {
      booked.computeIfPresent(key, (each, now) -> now > bytes ? now - bytes : null);
    }
  }

  /** Forgets a block that is being let go of. */
  void forget(int frame, long blockId) {
    lock.lock();
    try {
      unfinished.remove(new Key(frame, blockId));
      withdraw(frame, blockId);
      settle(frame, blockId);
    } finally {
      lock.unlock();
    }
  }

  /** The partner has answered for what is finished. */
  void settle(int frame, long blockId) {
    lock.lock();
    try {
      if (outstanding.remove(new Key(frame, blockId)) != null) {
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Bytes that count. */
  long depthBytes() {
    lock.lock();
    try {
      return depthLocked();
    } finally {
      lock.unlock();
    }
  }

  /** All that is booked, of blocks that are being written as well. */
  long bookedBytes() {
    lock.lock();
    try {
      return Stream.of(unfinished, outstanding)
          .flatMap(each -> each.values().stream())
          .mapToLong(Long::longValue)
          .sum();
    } finally {
      lock.unlock();
    }
  }

  /** As {@link #bookedBytes()}, of one block: at most what its row covers. */
  long bookedBytes(int frame, long blockId) {
    Key key = new Key(frame, blockId);
    lock.lock();
    try {
      return unfinished.getOrDefault(key, 0L) + outstanding.getOrDefault(key, 0L);
    } finally {
      lock.unlock();
    }
  }

  /** How many writes had to wait. */
  long waits() {
    lock.lock();
    try {
      return waits;
    } finally {
      lock.unlock();
    }
  }

  /** For how long, in all, in nanoseconds. */
  long waitNanos() {
    lock.lock();
    try {
      return waitNanos;
    } finally {
      lock.unlock();
    }
  }

  private long depthLocked() {
    long sum = 0;
    for (Map.Entry<Key, Long> each : outstanding.entrySet()) {
      if (counts.test(each.getKey().frame())) {
        sum += each.getValue();
      }
    }
    return sum;
  }
}
