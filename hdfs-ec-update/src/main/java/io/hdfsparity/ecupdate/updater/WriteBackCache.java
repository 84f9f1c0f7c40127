/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.ecupdate.ajx.Patch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes that are kept until a flush, the latest of each byte: several of one cell become one.
 * Bounded: the stripes that were touched longest ago are written to make room. A stripe whose write
 * has failed keeps its bytes.
 *
 * <p>Invariants: bytes being written to nodes stay visible until that has succeeded; at most one
 * write of a stripe is under way. Thread-safe; the lock is not held while a write is begun.
 */
final class WriteBackCache {
  /** Writes stripes. May block; never on a thread that completes writes. */
  @FunctionalInterface
  interface Writer {
    /**
     * Writes to a stripe.
     *
     * @param rounds patches by data block, one after the other
     */
    CompletableFuture<Void> write(StripeKey stripe, List<SortedMap<Integer, Patch>> rounds)
        throws IOException;
  }

  private static final class Dirty {
    /** By data block; not written yet. */
    SortedMap<Integer, CellRanges> cells = new TreeMap<>();

    /** By data block; being written. */
    SortedMap<Integer, CellRanges> leaving = new TreeMap<>();

    @Nullable CompletableFuture<Void> flush;
  }

  private final Writer writer;
  private final long maxBytes;
  private final long waitMs;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<StripeKey, Dirty> stripes = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;
  private long failures;
  private @Nullable Throwable lastFailure;

  /**
   * An empty cache.
   *
   * @param maxBytes that are held; at least those of a stripe
   * @param waitMs for room
   */
  WriteBackCache(Writer writer, long maxBytes, long waitMs) {
    this.writer = writer;
    this.maxBytes = maxBytes;
    this.waitMs = waitMs;
  }

  /**
   * Keeps a write.
   *
   * @param source has the bytes of the whole range that {@code range} is a part of
   * @throws IOException if there is no room, because writes fail or take too long; then nothing is
   *     kept
   */
  void put(StripeRange range, byte[] source) throws IOException, InterruptedException {
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMs);
    long failedBefore = -1;
    while (true) {
      StripeKey eldest;
      lock.lock();
      try {
        failedBefore = failedBefore < 0 ? failures : failedBefore;
        if (bytes + range.lengthBytes() <= maxBytes) {
          keep(range, source);
          return;
        }
        if (failures > failedBefore || System.nanoTime() - deadlineNanos >= 0) {
          throw noRoom();
        }
        eldest = eldest();
        if (eldest == null) {
          changed.awaitNanos(deadlineNanos - System.nanoTime());
        }
      } finally {
        lock.unlock();
      }
      if (eldest != null) {
        flush(eldest);
      }
    }
  }

  private void keep(StripeRange range, byte[] source) {
    Dirty dirty = stripes.computeIfAbsent(range.key(), key -> new Dirty());
    for (StripeRange.Cell cell : range.cells()) {
      CellRanges ranges = dirty.cells.computeIfAbsent(cell.block(), block -> new CellRanges());
      byte[] part = Arrays.copyOfRange(source, cell.from(), cell.from() + cell.lengthBytes());
      bytes -= ranges.bytes();
      ranges.put(cell.offset(), part);
      bytes += ranges.bytes();
    }
  }

  private IOException noRoom() {
    return new IOException(
        ErrorMessage.to("keep a write")
            .value("bytes that are not written yet", bytes)
            .expected("<= " + maxBytes + " after flushing the oldest; they are kept")
            .message(),
        lastFailure);
  }

  /** Of those that are not being written; null if there is none. */
  private @Nullable StripeKey eldest() {
    for (Map.Entry<StripeKey, Dirty> stripe : stripes.entrySet()) {
      if (stripe.getValue().flush == null) {
        return stripe.getKey();
      }
    }
    return null;
  }

  /**
   * Begins to write a stripe.
   *
   * @return the write that is under way, this one or an earlier one; done if there is nothing to
   *     write
   */
  private CompletableFuture<Void> flush(StripeKey key) {
    CompletableFuture<Void> flush = new CompletableFuture<>();
    Dirty dirty;
    List<SortedMap<Integer, Patch>> rounds;
    lock.lock();
    try {
      dirty = stripes.get(key);
      if (dirty == null) {
        return CompletableFuture.completedFuture(null);
      }
      if (dirty.flush != null) {
        return dirty.flush;
      }
      // What may find no memory comes first: from then on it has begun.
      rounds = rounds(dirty.cells);
      SortedMap<Integer, CellRanges> none = new TreeMap<>();
      dirty.leaving = dirty.cells;
      dirty.cells = none;
      dirty.flush = flush;
    } finally {
      lock.unlock();
    }
    try {
      writer.write(key, rounds).whenComplete((done, failure) -> end(key, dirty, flush, failure));
    } catch (IOException | RuntimeException | Error e) {
      end(key, dirty, flush, e);
    }
    return flush;
  }

  /** Whatever happens, nobody waits any longer. */
  private void end(
      StripeKey key, Dirty dirty, CompletableFuture<Void> flush, @Nullable Throwable failure) {
    Throwable reason = failure;
    try {
      ended(key, dirty, failure);
    } catch (RuntimeException | Error e) {
      // It stays the one that is under way: the stripe keeps its bytes, and every flush fails.
      reason = e;
    }
    if (reason == null) {
      flush.complete(null);
    } else {
      flush.completeExceptionally(reason);
    }
  }

  private static List<SortedMap<Integer, Patch>> rounds(SortedMap<Integer, CellRanges> cells) {
    SortedMap<Integer, List<Patch>> patches = new TreeMap<>();
    cells.forEach((block, ranges) -> patches.put(block, ranges.patches()));
    return PatchRounds.of(patches);
  }

  private void ended(StripeKey key, Dirty dirty, @Nullable Throwable failure) {
    lock.lock();
    try {
      bytes -= held(dirty.leaving) + held(dirty.cells);
      if (failure != null) {
        failures++;
        lastFailure = failure;
        dirty.leaving.forEach(
            (block, older) ->
                dirty.cells.computeIfAbsent(block, b -> new CellRanges()).putUnder(older));
      }
      dirty.leaving = new TreeMap<>();
      bytes += held(dirty.cells);
      dirty.flush = null;
      if (dirty.cells.isEmpty()) {
        stripes.remove(key);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private static long held(SortedMap<Integer, CellRanges> cells) {
    return cells.values().stream().mapToLong(CellRanges::bytes).sum();
  }

  /**
   * Writes all that was kept before.
   *
   * @return how many stripes could not be written, which keep their bytes; with the first reason
   */
  Flushed flushAll() throws InterruptedException {
    List<StripeKey> keys;
    Set<StripeKey> busy = new LinkedHashSet<>();
    List<CompletableFuture<Void>> begun = new ArrayList<>();
    lock.lock();
    try {
      keys = List.copyOf(stripes.keySet());
      for (Map.Entry<StripeKey, Dirty> stripe : stripes.entrySet()) {
        if (stripe.getValue().flush != null) {
          busy.add(stripe.getKey());
        }
      }
    } finally {
      lock.unlock();
    }
    for (StripeKey key : keys) {
      begun.add(flush(key));
    }
    Flushed first = await(begun, busy, keys);
    // What was being written already may have lacked what was kept since.
    List<CompletableFuture<Void>> again = new ArrayList<>();
    busy.forEach(key -> again.add(flush(key)));
    return first.and(await(again, Set.of(), List.copyOf(busy)));
  }

  /** The outcome of those that are not to be tried again. */
  private static Flushed await(
      List<CompletableFuture<Void>> flushes, Set<StripeKey> triedAgain, List<StripeKey> keys)
      throws InterruptedException {
    Flushed flushed = new Flushed(0, null);
    for (int i = 0; i < flushes.size(); i++) {
      try {
        flushes.get(i).get();
      } catch (ExecutionException e) {
        if (!triedAgain.contains(keys.get(i))) {
          flushed = flushed.and(new Flushed(1, e.getCause()));
        }
      }
    }
    return flushed;
  }

  /**
   * How a flush went.
   *
   * @param failed stripes that could not be written
   */
  record Flushed(int failed, @Nullable Throwable first) {
    Flushed and(Flushed other) {
      return new Flushed(failed + other.failed, first == null ? other.first : first);
    }
  }

  /** What is kept of a range: copies, oldest first. */
  List<Piece> within(StripeRange range) {
    List<Piece> pieces = new ArrayList<>();
    lock.lock();
    try {
      Dirty dirty = stripes.get(range.key());
      if (dirty != null) {
        for (StripeRange.Cell cell : range.cells()) {
          add(pieces, dirty.leaving.get(cell.block()), cell);
          add(pieces, dirty.cells.get(cell.block()), cell);
        }
      }
    } finally {
      lock.unlock();
    }
    return pieces;
  }

  private static void add(List<Piece> pieces, @Nullable CellRanges ranges, StripeRange.Cell cell) {
    if (ranges == null) {
      return;
    }
    for (Patch patch : ranges.within(cell.offset(), cell.lengthBytes())) {
      pieces.add(new Piece(cell.from() + patch.offset() - cell.offset(), patch.bytes().toArray()));
    }
  }

  /**
   * Bytes that are kept.
   *
   * @param from where they are in the range that was asked for
   */
  record Piece(int from, byte[] bytes) {
    void copyTo(byte[] target) {
      System.arraycopy(bytes, 0, target, from, bytes.length);
    }
  }

  /** Bytes that are kept, those being written included. */
  long bytes() {
    lock.lock();
    try {
      return bytes;
    } finally {
      lock.unlock();
    }
  }
}
