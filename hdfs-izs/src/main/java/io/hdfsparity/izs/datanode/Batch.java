/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.datanode;

import io.hdfsparity.bridge.datanode.RebuildTask;
import io.hdfsparity.izs.repair.StripeReads;
import io.hdfsparity.izs.repair.UnitRead;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.ChecksumException;

/**
 * The reads of one stripe, all helpers at the same time, each into a buffer of its own. Used by one
 * thread.
 */
final class Batch implements AutoCloseable {
  /** A read ends at once when its connection is closed, unless it is just being made. */
  private static final long LAST_WAIT_MS = 1000;

  private final RebuildTask task;
  private final StripeReads reads;
  private final List<PendingRead> pending = new ArrayList<>();

  /** A read that goes on, or is done, in another thread. */
  private record PendingRead(HelperStream stream, ByteBuffer buffer, Future<?> outcome) {}

  /** Streams by place in {@code reads}. */
  Batch(
      RebuildTask task,
      StripeReads reads,
      List<HelperStream> streams,
      int codewordBytes,
      ExecutorService readers) {
    this.task = task;
    this.reads = reads;
    for (int i = 0; i < streams.size(); i++) {
      HelperStream stream = streams.get(i);
      int bytes = (int) reads.reads().get(i).lengthBytes();
      // Columns are of one length; what a shorter cell lacks counts as zero.
      int columnBytes = reads.isHalf() ? bytes : codewordBytes;
      ByteBuffer buffer = task.allocate(columnBytes);
      buffer.clear().limit(bytes);
      stream.expectProgress();
      Future<?> outcome =
          readers.submit(
              () -> {
                stream.read(buffer);
                fillUp(buffer, columnBytes);
                return null;
              });
      pending.add(new PendingRead(stream, buffer, outcome));
    }
  }

  private static void fillUp(ByteBuffer buffer, int columnBytes) {
    buffer.limit(columnBytes);
    while (buffer.hasRemaining()) {
      buffer.put((byte) 0);
    }
    buffer.flip();
  }

  StripeReads reads() {
    return reads;
  }

  List<UnitRead> units() {
    return reads.reads();
  }

  /**
   * Waits for all reads.
   *
   * @param timeoutMs that any of them may go without progress; 0: any time
   */
  void await(long timeoutMs) throws HelperFailedException, InterruptedIOException {
    for (PendingRead read : pending) {
      await(read, timeoutMs);
    }
  }

  private void await(PendingRead read, long timeoutMs)
      throws HelperFailedException, InterruptedIOException {
    while (true) {
      try {
        if (timeoutMs == 0) {
          read.outcome.get();
        } else {
          long quietNanos = System.nanoTime() - read.stream.progressNanos();
          long leftNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMs) - quietNanos;
          read.outcome.get(Math.max(1, leftNanos), TimeUnit.NANOSECONDS);
        }
        return;
      } catch (TimeoutException e) {
        long quietNanos = System.nanoTime() - read.stream.progressNanos();
        if (quietNanos >= TimeUnit.MILLISECONDS.toNanos(timeoutMs)) {
          throw failure(read, HelperFailedException.Fault.SLOW, e);
        }
      } catch (ExecutionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        throw failure(
            read,
            cause instanceof ChecksumException
                ? HelperFailedException.Fault.CORRUPT
                : HelperFailedException.Fault.FAILED,
            cause);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while reading helpers");
      }
    }
  }

  private HelperFailedException failure(
      PendingRead read, HelperFailedException.Fault fault, Throwable cause) {
    HelperConnection to = read.stream.connection();
    return new HelperFailedException(
        to.unit(),
        fault,
        "Cannot read: block=" + task.block(to.unit()) + ", node=" + to.node() + ", fault=" + fault,
        cause);
  }

  /** Columns or runs by place in {@link #units}, after {@link #await}. */
  ByteBuffer[] buffers() {
    return pending.stream().map(PendingRead::buffer).toArray(ByteBuffer[]::new);
  }

  /**
   * Gives buffers back; the streams of reads that go on have been closed. Should one not end even
   * so, its buffer is left to the garbage collector: a late byte must not end up in somebody else's
   * buffer.
   */
  @Override
  public void close() {
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LAST_WAIT_MS);
    for (PendingRead read : pending) {
      if (hasEnded(read.outcome, endNanos - System.nanoTime())) {
        task.free(read.buffer);
      }
    }
    pending.clear();
  }

  private static boolean hasEnded(Future<?> outcome, long waitNanos) {
    try {
      outcome.get(Math.max(0, waitNanos), TimeUnit.NANOSECONDS);
      return true;
    } catch (ExecutionException e) {
      // Of no interest: nobody waits for these bytes any more.
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return outcome.isDone();
    }
  }
}
