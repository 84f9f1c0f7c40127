/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.core.check.Attempts;
import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.geometry.ByteOrder;
import io.hdfsparity.core.trace.Access;
import io.hdfsparity.ecupdate.ajx.AjxOptions;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.Patch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A closed erasure-coded file that is changed in place.
 *
 * <p>What is promised: every byte is a regular register. A read returns, for each byte, what the
 * last write has left that ended before the read began, or something that a write beside the read
 * has written; a write is not atomic over more than one byte. Writes of this updater to the same
 * bytes take effect in the order in which they were begun. A write that ended without an error is
 * durable on all blocks of its stripes; with a cache a write is promised only when a {@link #flush}
 * behind it has ended. A write that ended with an error may have been made, in part or whole, now
 * or later.
 *
 * <p>Failure-free costs: for each cell that is read 2 messages, for each write of a cell {@code 2(p
 * + 1)}; cells of one stripe that are written together share the messages to its parity blocks.
 *
 * <p>Thread-safe. Whoever asks for more than may be outstanding waits.
 */
public final class StripedFileUpdater implements Closeable {
  private static final int VERIFIED_AT_ONCE = 16;

  private final FileLayout layout;
  private final ByteOrder order;
  private final AccessLog log;
  private final StripeOperations operations;
  private final FileRecovery recovery;
  private final SessionTerms.Writes writes;
  private final @Nullable WriteBackCache cache;
  private final PendingWrites pending = new PendingWrites();

  private StripedFileUpdater(
      StripeSession session,
      ByteOrder order,
      AccessLog log,
      NodeCalls calls,
      UpdaterOptions options,
      AjxOptions ajx) {
    layout = session.layout();
    this.order = order;
    this.log = log;
    writes = session.terms().writes();
    operations = new StripeOperations(session, calls, options, ajx);
    recovery =
        new FileRecovery(
            layout,
            order,
            operations,
            new StripeRecovery(operations, options.operationMs())::recover,
            options.maxStripes());
    cache =
        options.cacheBytes() == 0
            ? null
            : new WriteBackCache(
                operations::writeInTurn, options.cacheBytes(), options.operationMs());
  }

  /**
   * Begins to use a session.
   *
   * @param session ended by {@link #close}
   * @param calls stays the caller's
   * @throws IllegalArgumentException if the options do not survive the failures that the session
   *     demands (Theorems 1 to 3), or the cache cannot hold a stripe
   */
  public static StripedFileUpdater open(
      StripeSession session, NodeCalls calls, UpdaterOptions options) {
    return open(session, ByteOrder.OWN, calls, options);
  }

  /**
   * Begins to use a session on a file that is stored in another order than its own. Positions are
   * those of the file's own order; what a write changes in one stripe is written together, however
   * far apart it is.
   *
   * @param order of the whole file; whole cells stay together
   * @throws IllegalArgumentException as above
   */
  public static StripedFileUpdater open(
      StripeSession session, ByteOrder order, NodeCalls calls, UpdaterOptions options) {
    return open(session, order, AccessLog.NONE, calls, options);
  }

  /**
   * Begins to use a session, and lets somebody hear what is read and written.
   *
   * @param order of the whole file; whole cells stay together
   * @param log closed by {@link #close}
   * @throws IllegalArgumentException as above
   */
  public static StripedFileUpdater open(
      StripeSession session,
      ByteOrder order,
      AccessLog log,
      NodeCalls calls,
      UpdaterOptions options) {
    FileLayout layout = session.layout();
    AjxOptions ajx = options.ajx(layout.code().shape(), session.terms().demanded());
    long stripeBytes = layout.geometry().stripeDataBytes();
    Checks.argument(
        options.cacheBytes() == 0 || options.cacheBytes() >= stripeBytes,
        "update files in place",
        "cacheBytes",
        options.cacheBytes(),
        "0, or at least a stripe, " + stripeBytes);
    return new StripedFileUpdater(session, order, log, calls, options, ajx);
  }

  /** Of the file, in bytes; it does not change. */
  public long lengthBytes() {
    return layout.lengthBytes();
  }

  /**
   * Writes what remains of {@code source} at a place of the file; durable on return, or with a
   * cache after the next {@link #flush}.
   *
   * @throws IOException if it reaches beyond the end of the file or the file was opened to be read
   *     only, and then nothing is written; or if it is not known whether it was made
   */
  public void write(long position, ByteBuffer source) throws IOException {
    Awaiting.done(writeAsync(position, source));
  }

  /**
   * As {@link #write}, without waiting for it, though perhaps for earlier ones.
   *
   * @param source copied before this returns
   * @return ends when the write is durable, on a thread that must not be blocked; with a cache it
   *     has ended
   */
  public CompletableFuture<Void> writeAsync(long position, ByteBuffer source) throws IOException {
    byte[] bytes = new byte[source.remaining()];
    checkRange("write", position, bytes.length);
    requireWritable();
    operations.checkUsable();
    source.get(bytes);
    log.begun(Access.WRITE, position, bytes.length);
    List<CompletableFuture<Bytes>> made = new ArrayList<>();
    try {
      for (StripeRange range : StripeRange.of(layout, order, position, bytes.length)) {
        if (cache != null) {
          cache.put(range, bytes);
        } else {
          CompletableFuture<Bytes> write = operations.write(range.key(), patches(range, bytes));
          pending.add(write);
          made.add(write);
        }
      }
    } catch (InterruptedException e) {
      throw Awaiting.interrupted(e);
    }
    return CompletableFuture.allOf(made.toArray(CompletableFuture[]::new));
  }

  private void requireWritable() throws IOException {
    if (writes == SessionTerms.Writes.REFUSED) {
      throw new IOException(
          ErrorMessage.to("write in place")
              .value("opened", "to be read only")
              .expected("a file that was opened to be written: open it again")
              .message());
    }
  }

  private void checkRange(String doing, long position, long lengthBytes) throws IOException {
    if (position < 0 || position > layout.lengthBytes() - lengthBytes) {
      throw new IOException(
          ErrorMessage.to(doing + " in place")
              .value("position", position)
              .value("bytes", lengthBytes)
              .expected("a range inside the file, length=" + layout.lengthBytes())
              .message());
    }
  }

  private static SortedMap<Integer, Patch> patches(StripeRange range, byte[] bytes) {
    SortedMap<Integer, Patch> patches = new TreeMap<>();
    for (StripeRange.Cell cell : range.cells()) {
      byte[] part = Arrays.copyOfRange(bytes, cell.from(), cell.from() + cell.lengthBytes());
      patches.put(cell.block(), new Patch(cell.offset(), Bytes.wrap(part)));
    }
    return patches;
  }

  /**
   * Reads into {@code target}, from the nodes that have the bytes and what the cache holds: not
   * from parity, which a recovery is for.
   *
   * @return how many bytes: fewer than remain at the end of the file, -1 behind it
   */
  public int read(long position, ByteBuffer target) throws IOException {
    if (position < 0) {
      checkRange("read", position, 0);
    }
    if (position >= layout.lengthBytes()) {
      return -1;
    }
    int lengthBytes = (int) Math.min(target.remaining(), layout.lengthBytes() - position);
    target.put(Awaiting.done(readAsync(position, lengthBytes)));
    return lengthBytes;
  }

  /**
   * Reads a range that must be inside the file.
   *
   * @return ends with its bytes
   */
  public CompletableFuture<byte[]> readAsync(long position, int lengthBytes) throws IOException {
    checkRange("read", position, lengthBytes);
    operations.checkUsable();
    log.begun(Access.READ, position, lengthBytes);
    byte[] target = new byte[lengthBytes];
    List<StripeRange> ranges = StripeRange.of(layout, order, position, lengthBytes);
    List<WriteBackCache.Piece> before = kept(ranges);
    List<CompletableFuture<Void>> reads = new ArrayList<>();
    for (StripeRange range : ranges) {
      for (StripeRange.Cell cell : range.cells()) {
        reads.add(
            operations
                .read(range.key(), cell.block(), cell.offset(), cell.lengthBytes())
                .thenAccept(bytes -> bytes.buffer().get(target, cell.from(), cell.lengthBytes())));
      }
    }
    return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new))
        .thenApply(
            done -> {
              // What was flushed meanwhile may not have been there yet when the nodes were asked.
              before.forEach(piece -> piece.copyTo(target));
              kept(ranges).forEach(piece -> piece.copyTo(target));
              return target;
            });
  }

  private List<WriteBackCache.Piece> kept(List<StripeRange> ranges) {
    List<WriteBackCache.Piece> kept = new ArrayList<>();
    if (cache != null) {
      ranges.forEach(range -> kept.addAll(cache.within(range)));
    }
    return kept;
  }

  /**
   * Waits until all writes that were begun are durable.
   *
   * @throws IOException if some are not; what the cache holds of them it keeps, and the next flush
   *     tries again. Writes without a cache are reported once
   */
  public void flush() throws IOException {
    operations.checkUsable();
    try {
      if (cache != null) {
        WriteBackCache.Flushed flushed = cache.flushAll();
        if (flushed.failed() > 0) {
          throw new IOException(
              ErrorMessage.to("flush")
                  .value("stripes", flushed.failed())
                  .expected("all of them written; their bytes are kept, try again")
                  .message(),
              flushed.first());
        }
      }
      pending.await();
    } catch (InterruptedException e) {
      throw Awaiting.interrupted(e);
    }
  }

  /**
   * Looks for what crashed clients and lost blocks have left in the stripes of a range, and sees to
   * its recovery.
   *
   * @param pauseMs between looks: the age of a write is counted in them, so at least as long as a
   *     write of a living client may take
   * @throws IOException if a stripe is not healthy after the time for an operation
   */
  public void recover(long position, long lengthBytes, long pauseMs) throws IOException {
    checkRange("recover", position, lengthBytes);
    operations.checkUsable();
    recovery.recover(position, lengthBytes, pauseMs);
  }

  /**
   * What {@link #settle} has done.
   *
   * @param settled sessions that ended without leaving, and were crossed out
   * @param left block groups that other sessions may still be changing: open ones, or somebody of
   *     whom nothing is known
   */
  public record Settled(Set<Long> settled, Set<Integer> left) {
    public Settled {
      settled = Set.copyOf(settled);
      left = Set.copyOf(left);
    }
  }

  /**
   * As {@link #recover} for the whole file, and then tells all units that the sessions which ended
   * without leaving have left nothing: HDFS may decode and rebuild the file again. In this order
   * for each block group: all units say that a session is over; all stripes are recovered; all
   * units cross the session out. May be repeated.
   *
   * @param progress hears how many bytes have been recovered
   * @throws IOException as for {@link #recover}, or if not all units of a group answer
   */
  public Settled settle(long pauseMs, LongConsumer progress) throws IOException {
    return recovery.settle(noted -> true, pauseMs, progress);
  }

  /** As {@link #settle}, of those block groups only that a session has left without closing. */
  public Settled settleUnclean(long pauseMs, LongConsumer progress) throws IOException {
    return recovery.settle(StripeSession.OtherSessions::isAny, pauseMs, progress);
  }

  /**
   * Reads all units of all stripes from their nodes, and recomputes the parity. Changes nothing.
   * What a cache holds is not looked at.
   *
   * @param waitMs how long one stripe that is being written, or a node that is offline, is waited
   *     for
   * @param findings hears what is wrong, in the order of the file, on the caller's thread
   * @param progress hears after each stripe how many have been looked at
   * @return how many stripes the file has
   * @throws IOException if it is not known where units are
   */
  public long verify(long waitMs, Consumer<StripeFinding> findings, LongConsumer progress)
      throws IOException {
    Deque<Future<Optional<StripeFinding>>> under = new ArrayDeque<>();
    long looked = 0;
    for (int group = 0; group < layout.groups().size(); group++) {
      long stripes = layout.geometry().stripeCount(layout.groups().get(group).lengthBytes());
      for (int stripe = 0; stripe < stripes; stripe++) {
        operations.checkUsable();
        under.add(operations.verify(new StripeKey(group, stripe), waitMs));
        if (under.size() >= VERIFIED_AT_ONCE) {
          Awaiting.done(under.remove()).ifPresent(findings);
          progress.accept(++looked);
        }
      }
    }
    while (!under.isEmpty()) {
      Awaiting.done(under.remove()).ifPresent(findings);
      progress.accept(++looked);
    }
    return looked;
  }

  /** For tests: bytes that a flush would write. */
  long cachedBytes() {
    return cache == null ? 0 : cache.bytes();
  }

  /** For tests: stripes whose state is kept. */
  int stripes() {
    return operations.stripes();
  }

  /**
   * Flushes and ends the session, whatever becomes of the flush.
   *
   * @throws IOException if not all is durable: what the cache holds is gone then
   */
  @Override
  public void close() throws IOException {
    if (!operations.beginClosing()) {
      return;
    }
    log.close();
    Attempts attempts = new Attempts();
    attempts.run(this::flush);
    attempts.run(operations::close);
    attempts.throwFirst();
  }
}
