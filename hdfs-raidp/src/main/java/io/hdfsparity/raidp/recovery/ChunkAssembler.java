/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.raidp.lstor.ParityKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Carries out {@link ChunkPlan}s: reads parity and all contributors of a chunk at the same time,
 * each on a thread of the given executor, and adds each to the chunk's buffer as it comes in, times
 * its factor, under the chosen lock (paper section 6.4). Thread-safe.
 */
final class ChunkAssembler {
  private static final byte[] ZEROS = new byte[1 << 16];

  private final Executor executor;
  private final Kernel kernel;
  private final XorLock lock;
  private final Throttle throttle;
  private final CancelToken cancel;
  private final BufferPool scratch;

  ChunkAssembler(
      Executor executor,
      Kernel kernel,
      XorLock lock,
      Throttle throttle,
      CancelToken cancel,
      int bufferBytes) {
    this.executor = executor;
    this.kernel = kernel;
    this.lock = lock;
    this.throttle = throttle;
    this.cancel = cancel;
    this.scratch = new BufferPool(bufferBytes);
  }

  /** A chunk on its way. */
  final class Pending {
    private final ByteBuffer accumulator;
    private final CountDownLatch tasks;
    private final List<SourceFailure> failures = new ArrayList<>();
    private @Nullable Error error;

    private Pending(ByteBuffer accumulator, int tasks) {
      this.accumulator = accumulator;
      this.tasks = new CountDownLatch(tasks);
    }

    private synchronized void fail(SourceFailure failure) {
      failures.add(failure);
    }

    private synchronized void fail(Error thrown) {
      error = thrown;
    }

    /**
     * Waits until no thread touches the buffer any more.
     *
     * @return what went wrong; empty when the buffer holds the decoded range
     * @throws ReceiverFailedException after an error in this process, which says nothing of a
     *     source
     */
    List<SourceFailure> await() throws InterruptedException, ReceiverFailedException {
      awaitQuiet();
      cancel.check();
      synchronized (this) {
        if (error != null) {
          throw new ReceiverFailedException("Cannot decode: " + error, error);
        }
        return List.copyOf(failures);
      }
    }

    /**
     * Waits until no thread touches the buffer any more, whatever has come of it. An interrupt is
     * thrown after that: the caller gives the buffer to others.
     */
    void awaitQuiet() throws InterruptedException {
      boolean interrupted = false;
      while (true) {
        try {
          tasks.await();
          break;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        throw new InterruptedException();
      }
    }
  }

  /**
   * Starts to assemble a range into {@code accumulator}, whose position 0 and limit are the range.
   */
  Pending start(ChunkPlan plan, ByteBuffer accumulator) {
    zero(accumulator);
    Pending pending = new Pending(accumulator, plan.parts().size());
    plan.parts().forEach(part -> submit(pending, plan.kind(), part));
    return pending;
  }

  private void submit(Pending pending, ParityKind kind, ChunkPlan.Part part) {
    executor.execute(
        () -> {
          try {
            fetch(pending.accumulator, kind, part);
          } catch (IOException | RuntimeException e) {
            pending.fail(failure(part, String.valueOf(e.getMessage())));
          } catch (Error e) {
            // Out of memory, say: the chunk must not look complete, and the thread's handler shall
            // learn of it.
            pending.fail(e);
            throw e;
          } finally {
            pending.tasks.countDown();
          }
        });
  }

  private static SourceFailure failure(ChunkPlan.Part part, String message) {
    return new SourceFailure(part.source(), part.contributor().orElse(null), message);
  }

  private void fetch(ByteBuffer accumulator, ParityKind kind, ChunkPlan.Part part)
      throws IOException {
    for (ChunkPlan.Piece piece : part.pieces()) {
      cancel.check();
      throttle.acquire(piece.lengthBytes());
      ByteBuffer buffer = scratch.take(piece.lengthBytes());
      try {
        read(part, kind, piece.sourcePosition(), buffer);
        if (buffer.hasRemaining()) {
          throw new IOException(
              "Cannot decode: short read by "
                  + buffer.remaining()
                  + " bytes, expected "
                  + piece.lengthBytes());
        }
        ByteBuffer target = accumulator.duplicate();
        target.limit(piece.chunkOffset() + piece.lengthBytes()).position(piece.chunkOffset());
        long from = lockOffset(kind, piece.regionOffset());
        lock.run(
            from,
            from + piece.lengthBytes(),
            () -> kernel.multiplyAdd(piece.factor(), buffer.flip(), target));
      } finally {
        scratch.give(buffer);
      }
    }
  }

  private static void read(ChunkPlan.Part part, ParityKind kind, long position, ByteBuffer dst)
      throws IOException {
    if (part.contributor().isPresent()) {
      part.source().readImage(part.contributor().get(), kind, position, dst);
    } else {
      part.source().readParity(kind, position, dst);
    }
  }

  /** Checksum bytes get lock ranges of their own, apart from those of the data. */
  private static long lockOffset(ParityKind kind, long regionOffset) {
    return kind == ParityKind.DATA ? regionOffset : -1 - (Long.MAX_VALUE >> 1) + regionOffset;
  }

  private static void zero(ByteBuffer buffer) {
    ByteBuffer view = buffer.duplicate();
    while (view.hasRemaining()) {
      view.put(ZEROS, 0, Math.min(ZEROS.length, view.remaining()));
    }
  }
}
