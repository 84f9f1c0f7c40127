/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.core.check.Refusal;
import io.hdfsparity.core.geometry.ByteOrder;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.InconsistentStripeException;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Reply.StateReply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.client.SurvivingBlocks;
import io.hdfsparity.ecupdate.wal.SlotKey;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file of which units are missing, and which programs that died have left in the middle of
 * writes: neither can HDFS decode it, nor AJX recover it. What is read of a stripe is what a
 * recovery would make of it: all that was acknowledged, within the failures that updates had to
 * survive. Changes no byte: nodes are locked, looked at, and let go as they were.
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
          Refusal.to("read")
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
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(operationMs);
    try {
      while (true) {
        List<StateReply> states = states(stripe, places, endNanos);
        if (states != null) {
          return SurvivingBlocks.decode(layout.codeOf(stripe), states);
        }
        if (System.nanoTime() - endNanos > 0) {
          throw new IOException(
              Refusal.to("read " + stripe)
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
  private @Nullable List<StateReply> states(
      StripeKey stripe, Map<Integer, UnitLocation> places, long endNanos)
      throws IOException, InterruptedException {
    LockId id = new LockId(client, ++recoveries);
    Map<Integer, LockMode> before = new HashMap<>();
    try {
      // In order, so that two cannot wait for each other.
      for (int unit = 0; unit < layout.code().shape().blocks(); unit++) {
        Reply reply = ask(stripe, places, unit, new Request.TryLock(LockMode.L1, id), endNanos);
        if (reply instanceof Reply.LockReply lock) {
          if (!lock.isGranted()) {
            return null;
          }
          before.put(unit, lock.previous());
        }
      }
      List<StateReply> states = new ArrayList<>();
      for (int unit = 0; unit < layout.code().shape().blocks(); unit++) {
        Reply reply = ask(stripe, places, unit, new Request.GetState(id), endNanos);
        if (reply instanceof StateReply state) {
          states.add(state);
        } else if (reply == null) {
          states.add(SurvivingBlocks.lost());
        } else {
          return null; // a lock was taken from us
        }
      }
      return states;
    } finally {
      for (Map.Entry<Integer, LockMode> each : before.entrySet()) {
        letGo(stripe, places, each.getKey(), new Request.SetLock(each.getValue(), id), endNanos);
      }
    }
  }

  /** One that does not hear it has the lock expire with the session: then a recovery sees to it. */
  private void letGo(
      StripeKey stripe, Map<Integer, UnitLocation> places, int unit, Request request, long endNanos)
      throws InterruptedException {
    try {
      ask(stripe, places, unit, request, endNanos);
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "A lock expires with the session", e);
    }
  }

  /** Null if the unit is lost. */
  private @Nullable Reply ask(
      StripeKey stripe, Map<Integer, UnitLocation> places, int unit, Request request, long endNanos)
      throws IOException, InterruptedException {
    if (!layout.hasUnit(stripe.group(), unit)) {
      return new AbsentUnit(layout.cellBytes()).answer(request);
    }
    UnitLocation place = places.get(unit);
    if (place == null) {
      return null;
    }
    Asked asked = new Asked(place, new SlotKey(place.replica(), stripe.stripe()), request);
    asked.send();
    try {
      long leftMs = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
      return asked.reply.get(Math.max(1000, leftMs), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(
          Refusal.to("read " + stripe)
              .value("unit", unit)
              .expected("an answer of " + place.node())
              .where("last trouble", asked.trouble)
              .message(),
          e);
    } finally {
      asked.reply.cancel(false);
    }
  }

  /** One question, sent again when it was lost: each may be asked twice. */
  private final class Asked implements NodeCalls.Listener {
    private final UnitLocation place;
    private final SlotKey slot;
    private final Request request;
    private final CompletableFuture<Reply> reply = new CompletableFuture<>();
    private volatile String trouble = "none";

    Asked(UnitLocation place, SlotKey slot, Request request) {
      this.place = place;
      this.slot = slot;
      this.request = request;
    }

    void send() {
      calls.call(place.node(), slot, request, this);
    }

    @Override
    public void answered(Reply answer) {
      reply.complete(answer);
    }

    @Override
    public void lost(String why) {
      trouble = why;
      CompletableFuture.delayedExecutor(PAUSE_MS, TimeUnit.MILLISECONDS)
          .execute(
              () -> {
                if (!reply.isDone()) {
                  send();
                }
              });
    }

    @Override
    public void failed(String why) {
      trouble = why;
      reply.completeExceptionally(new IOException(why));
    }

    @Override
    public void delayed(String why) {
      trouble = why;
    }
  }

  @Override
  public void close() throws IOException {
    session.end();
  }
}
