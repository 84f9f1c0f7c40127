/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.trace;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.trace.Access;
import io.hdfsparity.core.trace.ByteRequest;
import io.hdfsparity.core.trace.MsrTrace;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the requests of a trace on a file, in their order, several at a time. Writes to the same
 * bytes take effect in the order of the trace. Ends at the first request that fails. Used once, by
 * one thread.
 *
 * <p>A request's time is from when it is begun, or with a speed from when it was due, so that one
 * that had to wait for others is not taken for a fast one.
 */
public final class Replay {
  private static final int CHECK_BYTES = 1 << 20;
  private static final long LOOK_NANOS = 100_000_000;
  private static final long LATE_NANOS = 1_000_000;

  private final StripedFileUpdater file;
  private final ReplayOptions options;
  private final ReplayPlacement placement;
  private final ReplayContent content;
  private final WrittenRanges written = new WrittenRanges();
  private final Latencies reads = new Latencies();
  private final Latencies writes = new Latencies();
  private final ReplaySchedule schedule;
  private final Semaphore room;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private long made;
  private long moved;
  private long late;

  /**
   * @param file with a window of at least the concurrency; stays the caller's
   */
  public Replay(StripedFileUpdater file, ReplayOptions options) {
    this.file = file;
    this.options = options;
    placement = new ReplayPlacement(file.lengthBytes(), options.beyond());
    content = new ReplayContent(options.seed());
    schedule = new ReplaySchedule(options.speed());
    room = new Semaphore(options.concurrency());
  }

  /**
   * Makes all requests.
   *
   * @param progress hears how many were begun
   * @throws IOException if the trace cannot be read, or a request failed
   */
  public ReplayReport run(MsrTrace trace, LongConsumer progress) throws IOException {
    if (file.lengthBytes() == 0) {
      throw new IOException("Cannot replay: length=0, expected a file with bytes");
    }
    long beganNanos = System.nanoTime();
    try {
      while (made < options.limit()) {
        ByteRequest request = trace.next();
        if (request == null) {
          break;
        }
        ReplayPlacement.Place place = placement.of(request);
        long dueNanos = beganNanos + schedule.dueNanos(request.timeTicks());
        await(dueNanos);
        room.acquire();
        if (failure.get() != null) {
          room.release();
          break;
        }
        begin(request.access(), place, dueNanos);
        made++;
        moved += place.isMoved() ? 1 : 0;
        progress.accept(made);
      }
      room.acquire(options.concurrency());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException("Interrupted");
      interrupted.initCause(e);
      throw interrupted;
    }
    refuseFailure();
    file.flush();
    long elapsedNanos = System.nanoTime() - beganNanos;
    return new ReplayReport(
        reads.stats(),
        writes.stats(),
        elapsedNanos,
        moved,
        late,
        options.check() == ReplayOptions.ReadBack.NO
            ? OptionalLong.empty()
            : OptionalLong.of(differing()));
  }

  private void refuseFailure() throws IOException {
    Throwable first = failure.get();
    if (first != null) {
      throw new IOException(
          ErrorMessage.to("replay")
              .value("requests begun", made)
              .value("cause", first.getMessage())
              .expected("no request that fails")
              .message(),
          first);
    }
  }

  /** Waits for a request's time, unless one has failed meanwhile. */
  private void await(long dueNanos) {
    for (long left = dueNanos - System.nanoTime();
        left > 0 && failure.get() == null && !Thread.currentThread().isInterrupted();
        left = dueNanos - System.nanoTime()) {
      LockSupport.parkNanos(Math.min(left, LOOK_NANOS));
    }
  }

  private void begin(Access access, ReplayPlacement.Place place, long dueNanos) {
    boolean isWrite = access == Access.WRITE;
    byte[] bytes = isWrite ? content.bytes(made, place.offset(), place.lengthBytes()) : new byte[0];
    if (isWrite && options.check() == ReplayOptions.ReadBack.AT_THE_END) {
      written.put(place.offset(), place.offset() + place.lengthBytes(), made);
    }
    long nowNanos = System.nanoTime();
    long fromNanos = options.speed() == 0 ? nowNanos : dueNanos;
    late += nowNanos - fromNanos > LATE_NANOS ? 1 : 0;
    Latencies latencies = isWrite ? writes : reads;
    CompletableFuture<?> done;
    try {
      done =
          isWrite
              ? file.writeAsync(place.offset(), ByteBuffer.wrap(bytes))
              : file.readAsync(place.offset(), place.lengthBytes());
    } catch (IOException | RuntimeException e) {
      done = CompletableFuture.failedFuture(e);
    }
    done.whenComplete(
        (result, problem) -> {
          if (problem == null) {
            latencies.add(System.nanoTime() - fromNanos, place.lengthBytes());
          } else {
            failure.compareAndSet(null, problem);
          }
          room.release();
        });
  }

  /** Bytes that are not those of the last write to them. */
  private long differing() throws IOException {
    long differing = 0;
    for (WrittenRanges.Range range : written.ranges()) {
      for (long at = range.start(); at < range.end(); at += CHECK_BYTES) {
        ByteBuffer there = ByteBuffer.allocate((int) Math.min(CHECK_BYTES, range.end() - at));
        file.read(at, there);
        byte[] expected = content.bytes(range.write(), at, there.capacity());
        for (int i = 0; i < expected.length; i++) {
          differing += expected[i] == there.get(i) ? 0 : 1;
        }
      }
    }
    return differing;
  }
}
