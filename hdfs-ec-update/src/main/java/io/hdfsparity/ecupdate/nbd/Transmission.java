/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import io.hdfsparity.ecupdate.nbd.BlockExport.Durability;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Requests of one client. They are read by one thread, carried out by as many at a time as the
 * limits allow, and answered in the order in which they end. Writes of overlapping ranges are made
 * in the order in which they were read, over all connections of the export.
 *
 * <p>A flush covers every write that was answered before it was read: by {@link BlockExport#flush}.
 * A request whose client has gone is carried out to its end.
 *
 * <p>What the device cannot do is answered as NBD_EIO, and the connection continues. What cannot be
 * answered ends it, so that its client does not wait for the answer.
 *
 * <p>{@link #run} is called by one thread, {@link #stop} and {@link #stalledMs} by any.
 */
final class Transmission {
  private static final System.Logger LOG = System.getLogger(Transmission.class.getName());
  private static final byte[] NOTHING = new byte[0];

  private final ServedExport export;
  private final RequestReader in;
  private final ReplyWriter out;
  private final RequestRules rules;
  private final RequestMemory.Share memory;
  private final int maxOwnBytes;
  private final int maxInFlight;

  /** Permits: requests that may still begin. Fair, so that {@link #stop} gets all of them. */
  private final Semaphore free;

  private final ExecutorService workers;
  private final Runnable disconnect;
  private volatile boolean isStopping;

  /**
   * @param agreed of the handshake
   * @param limits of the server
   * @param memory of the server
   * @param threads for requests
   * @param disconnect closes the connection at once
   */
  Transmission(
      Handshake.Agreed agreed,
      ServerLimits limits,
      RequestMemory memory,
      NbdServer.Threads threads,
      Runnable disconnect)
      throws IOException {
    this.disconnect = disconnect;
    export = agreed.export();
    DataInputStream input = agreed.in();
    in = new RequestReader(input);
    out = new ReplyWriter(agreed.peer().out(), agreed.form());
    rules =
        new RequestRules(export.device().sizeBytes(), export.access(), limits.maxPayloadBytes());
    this.memory = memory.share(export);
    maxOwnBytes = limits.maxBufferedBytesEach();
    maxInFlight = limits.maxInFlight();
    free = new Semaphore(maxInFlight, true);
    workers = Executors.newFixedThreadPool(maxInFlight, work -> threads.of("nbd-request", work));
  }

  /**
   * Serves until the client disconnects, and what is under way has ended.
   *
   * @throws IOException if the connection fails, or the client breaks a rule
   */
  void run() throws IOException, InterruptedException {
    try {
      for (Optional<Request> next = in.next(); next.isPresent(); next = in.next()) {
        if (next.get().type() == NbdConstants.CMD_DISC) {
          return;
        }
        accept(next.get());
      }
    } finally {
      workers.shutdown();
      workers.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    }
  }

  private void accept(Request request) throws IOException, InterruptedException {
    Optional<RequestRules.Refusal> refusal = rules.judge(request);
    if (isStopping) {
      refusal =
          Optional.of(new RequestRules.Refusal(NbdError.ESHUTDOWN, "the server is being stopped"));
    }
    if (refusal.isPresent()) {
      in.skip(request.payloadBytes());
      out.error(request, refusal.get().error(), refusal.get().message());
      return;
    }
    free.acquire();
    int bytes = bufferBytes(request);
    boolean isBegun = false;
    memory.acquire(bytes);
    try {
      begin(request, in.payload((int) request.payloadBytes()), bytes);
      isBegun = true;
    } finally {
      if (!isBegun) {
        release(bytes);
      }
    }
  }

  private void begin(Request request, byte[] payload, int bytes) {
    // Here, not by the worker: the order is that in which requests were read.
    RangeOrder.Entry place =
        request.isWrite() ? export.order().enter(request.offset(), request.lengthBytes()) : null;
    boolean isBegun = false;
    try {
      workers.execute(() -> carryOut(request, payload, place, bytes));
      isBegun = true;
    } finally {
      // Without a thread for it; later writes do not wait for one that never begins.
      if (!isBegun && place != null) {
        place.close();
      }
    }
  }

  private int bufferBytes(Request request) {
    if (request.type() == NbdConstants.CMD_WRITE_ZEROES) {
      int mostBytes = Math.min(BlockExport.MAX_ZEROES_BYTES, maxOwnBytes);
      return (int) Math.min(request.lengthBytes(), mostBytes);
    }
    return (int) request.lengthBytes(); // that of a flush is 0
  }

  private void release(int bytes) {
    memory.release(bytes);
    free.release();
  }

  private void carryOut(
      Request request, byte[] payload, RangeOrder.@Nullable Entry place, int bytes) {
    boolean isAnswered = false;
    try {
      answer(request, payload, place);
      isAnswered = true;
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "Cannot answer a client that has gone", e);
    } catch (RuntimeException | Error e) {
      LOG.log(Level.WARNING, "Cannot answer " + request + "; its connection is closed", e);
    } finally {
      if (!isAnswered) {
        disconnect.run();
      }
      release(bytes);
    }
  }

  private void answer(Request request, byte[] payload, RangeOrder.@Nullable Entry place)
      throws IOException {
    byte[] data;
    try {
      data = execute(request, payload, place);
    } catch (IOException | RuntimeException | Error e) {
      LOG.log(Level.WARNING, "Cannot carry out " + request + " on " + export.name(), e);
      out.error(request, NbdError.EIO, String.valueOf(e.getMessage()));
      return;
    }
    if (request.type() == NbdConstants.CMD_READ) {
      out.data(request, data);
    } else {
      out.done(request);
    }
  }

  /** What is to be answered. */
  private byte[] execute(Request request, byte[] payload, RangeOrder.@Nullable Entry place)
      throws IOException {
    if (place == null) {
      return read(request);
    }
    try (place) {
      place.await();
      write(request, payload);
      return NOTHING;
    }
  }

  private byte[] read(Request request) throws IOException {
    if (request.type() == NbdConstants.CMD_FLUSH) {
      export.device().flush();
      return NOTHING;
    }
    byte[] data = new byte[(int) request.lengthBytes()];
    if (data.length > 0) {
      export.device().read(request.offset(), data);
    }
    return data;
  }

  private void write(Request request, byte[] payload) throws IOException {
    Durability durability =
        request.has(NbdConstants.CMD_FLAG_FUA) ? Durability.IMMEDIATE : Durability.DEFERRED;
    if (request.lengthBytes() == 0) {
      return;
    }
    if (request.type() == NbdConstants.CMD_WRITE) {
      export.device().write(request.offset(), ByteBuffer.wrap(payload), durability);
    } else {
      export.device().writeZeroes(request.offset(), request.lengthBytes(), durability);
    }
  }

  /**
   * How long the client has taken for a piece of a reply that is written, or of a payload that it
   * has announced, in milliseconds.
   */
  long stalledMs() {
    return Math.max(in.waitedMs(), out.waitedMs());
  }

  /**
   * Refuses further requests, and waits for those that are under way.
   *
   * @return false: some have not ended in time
   */
  boolean stop(long waitMs) throws InterruptedException {
    isStopping = true;
    if (!free.tryAcquire(maxInFlight, waitMs, TimeUnit.MILLISECONDS)) {
      return false;
    }
    free.release(maxInFlight);
    return true;
  }
}
