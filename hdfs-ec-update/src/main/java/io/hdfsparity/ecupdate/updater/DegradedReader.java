/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.geometry.ByteOrder;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.InconsistentStripeException;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.Reply.StateReply;
import io.hdfsparity.ecupdate.ajx.SurvivingBlocks;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file of which units are missing, and which programs that died have left in the middle of
 * writes: neither can HDFS decode it, nor AJX recover it. What is read of a stripe is what a
 * recovery would make of it: all that was acknowledged, within the failures that updates had to
 * survive. Changes no byte: nodes are locked, looked at, and released as they were.
 *
 * <p>A stripe at a time, for one thread.
 */
public final class DegradedReader implements Closeable {
  private static final System.Logger LOG = System.getLogger(DegradedReader.class.getName());
  private static final int PAUSE_MS = 50;

  /** The right to look at a file with units missing. */
  public interface Session {
    FileLayout layout();

    /** As {@link SessionTerms#number}. */
    int number();

    /**
     * Where the units of a group are that there are; they have let the session in.
     *
     * @throws IOException if one of them does not
     */
    Map<Integer, UnitLocation> locate(int group) throws IOException;

    /** Gives the right back; calls have ended. */
    void end() throws IOException;
  }

  private final Session session;
  private final FileLayout layout;
  private final ByteOrder order;
  private final NodeCalls calls;
  private final long operationMs;
  private final long client;
  private long recoveries;

  /**
   * Begins to use a session.
   *
   * @param session ended by {@link #close}
   * @param order that the file is stored in; positions are those of its own order
   * @param calls stays the caller's
   * @param operationMs how long a stripe is tried
   */
  public DegradedReader(Session session, ByteOrder order, NodeCalls calls, long operationMs) {
    this.session = session;
    this.order = order;
    this.calls = calls;
    this.operationMs = operationMs;
    layout = session.layout();
    client = (long) session.number() << 32 | Integer.toUnsignedLong(new SecureRandom().nextInt());
  }

  /** Of the file, in bytes. */
  public long lengthBytes() {
    return layout.lengthBytes();
  }

  /**
   * Fills what remains of {@code target}.
   *
   * @param position of a range that is inside the file
   * @throws IOException if too few units of a stripe fit together, or one does not answer
   */
  public void read(long position, ByteBuffer target) throws IOException {
    if (position < 0 || position > layout.lengthBytes() - target.remaining()) {
      throw new IOException(
          ErrorMessage.to("read")
              .value("position", position)
              .value("bytes", target.remaining())
              .expected("a range inside the file, length=" + layout.lengthBytes())
              .message());
    }
    byte[] bytes = new byte[target.remaining()];
    for (StripeRange range : StripeRange.of(layout, order, position, bytes.length)) {
      List<Bytes> blocks = blocks(range.key());
      for (StripeRange.Cell cell : range.cells()) {
        blocks
            .get(cell.block())
            .slice(cell.offset(), cell.lengthBytes())
            .buffer()
            .get(bytes, cell.from(), cell.lengthBytes());
      }
    }
    target.put(bytes);
  }

  private List<Bytes> blocks(StripeKey stripe) throws IOException {
    Map<Integer, UnitLocation> places = session.locate(stripe.group());
    UnitCalls units = new UnitCalls(layout, stripe.group(), places, calls, () -> true);
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(operationMs);
    try {
      while (true) {
        List<StateReply> states =
            states(
                new StripeLocks(units, stripe.stripe(), new LockId(client, ++recoveries)),
                endNanos);
        if (states != null) {
          return SurvivingBlocks.decode(layout.codeOf(stripe), states);
        }
        if (System.nanoTime() - endNanos > 0) {
          throw new IOException(
              ErrorMessage.to("read " + stripe)
                  .value("ms", operationMs)
                  .expected("nobody else to lock it for so long")
                  .message());
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      }
    } catch (InconsistentStripeException e) {
      throw new IOException(
          "Cannot read " + stripe + ": units there=" + places.keySet() + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Cannot read " + stripe + ": interrupted");
    }
  }

  /** All states at one time; null if somebody else is at it. */
  private static @Nullable List<StateReply> states(StripeLocks locks, long endNanos)
      throws IOException, InterruptedException {
    try {
      if (!locks.lock(endNanos, LockWait.DEFAULT)) {
        return null;
      }
      locks.askStates();
      return locks.states(endNanos, LockWait.DEFAULT);
    } finally {
      locks.giveUp();
      release(locks, endNanos);
    }
  }

  /** One that does not hear it has the lock expire with the session: then a recovery sees to it. */
  private static void release(StripeLocks locks, long endNanos) throws InterruptedException {
    try {
      locks.release(endNanos);
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "A lock expires with the session", e);
    }
  }

  @Override
  public void close() throws IOException {
    session.end();
  }
}
