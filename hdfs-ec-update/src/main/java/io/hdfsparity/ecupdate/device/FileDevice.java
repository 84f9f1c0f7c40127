/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.device;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.ecupdate.nbd.BlockExport;
import io.hdfsparity.ecupdate.updater.SessionOverException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A file as a block device. A request that fails is made again until it succeeds or its time is up;
 * when the session is over, in another one, which is opened meanwhile. That is right, because
 *
 * <ul>
 *   <li>the next session is granted when no DataNode executes a request of the last one any more,
 *       and what this has left half done has been completed or undone before it is used;
 *   <li>nobody else has written between the two: {@link Opener} sees to that;
 *   <li>a write that overlaps another one begins when that has ended, in whatever session: the
 *       caller sees to that.
 * </ul>
 *
 * <p>With a cache, a session that is over while there are writes that no flush has covered is the
 * end: they are lost, as on a disk that has lost its power, and every request fails from then on,
 * so that no client goes on without them.
 *
 * <p>Thread-safe.
 */
public final class FileDevice implements BlockExport, Closeable {
  private static final System.Logger LOG = System.getLogger(FileDevice.class.getName());

  /** A piece is copied twice while it is begun: as a whole, and by cells. */
  private static final int ZEROES_BYTES = MAX_ZEROES_BYTES / 2;

  private static final byte[] ZEROES = new byte[ZEROES_BYTES];

  private final Opener opener;
  private final DeviceOptions options;
  private final long sizeBytes;

  /** Guards the three below; held for moments only. */
  private final Object state = new Object();

  /** Writes that have ended. */
  private long written;

  /** How many of them a flush has covered at least. */
  private long flushed;

  /** Of the session: a write that has ended counts only in the one in which it was begun. */
  private long generation;

  /** Guards opening another session. */
  private final Object reopening = new Object();

  private volatile DeviceFile file;
  private volatile @Nullable IOException lost;
  private volatile boolean isClosed;

  /** Opens the file of the device, the same one each time. */
  @FunctionalInterface
  public interface Opener {
    /**
     * Opens the file in a new session.
     *
     * @throws FileChangedException if it is not the file that it was, or another program has opened
     *     it since
     * @throws IOException if it cannot be opened now
     */
    DeviceFile open() throws IOException;
  }

  /** A request, which may be made more than once. */
  @FunctionalInterface
  private interface Attempt<T> {
    T on(DeviceFile file) throws IOException;
  }

  private FileDevice(Opener opener, DeviceOptions options, DeviceFile first) {
    this.opener = opener;
    this.options = options;
    file = first;
    sizeBytes = first.lengthBytes();
  }

  /**
   * Opens a device.
   *
   * @throws IOException if the file cannot be opened
   */
  public static FileDevice open(Opener opener, DeviceOptions options) throws IOException {
    return new FileDevice(opener, options, opener.open());
  }

  @Override
  public long sizeBytes() {
    return sizeBytes;
  }

  @Override
  public void read(long offset, byte[] target) throws IOException {
    byte[] bytes = persist(now -> done(now.readAsync(offset, target.length)));
    System.arraycopy(bytes, 0, target, 0, target.length);
  }

  @Override
  public void write(long offset, ByteBuffer source, Durability durability) throws IOException {
    write(now -> done(now.writeAsync(offset, source.duplicate())), durability);
  }

  @Override
  public void writeZeroes(long offset, long lengthBytes, Durability durability) throws IOException {
    write(
        now -> {
          List<CompletableFuture<Void>> writes = new ArrayList<>();
          for (long at = 0; at < lengthBytes; at += ZEROES_BYTES) {
            int piece = (int) Math.min(ZEROES_BYTES, lengthBytes - at);
            writes.add(now.writeAsync(offset + at, ByteBuffer.wrap(ZEROES, 0, piece)));
          }
          return done(CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new)));
        },
        durability);
  }

  private void write(Attempt<Void> attempt, Durability durability) throws IOException {
    long of;
    do {
      synchronized (state) {
        of = generation;
      }
      persist(attempt);
      // Of another session than it is now, a cache may have it that nobody flushes.
    } while (!isCounted(of));
    if (durability == Durability.IMMEDIATE) {
      flush();
    }
  }

  private boolean isCounted(long of) {
    synchronized (state) {
      if (of == generation) {
        written++;
        return true;
      }
      return false;
    }
  }

  /** Without a cache there is nothing to do: writes are durable when they have ended. */
  @Override
  public void flush() throws IOException {
    if (options.caching() == DeviceOptions.Caching.WRITE_THROUGH) {
      return;
    }
    long covered;
    synchronized (state) {
      covered = written;
    }
    persist(
        now -> {
          now.flush();
          return now;
        });
    synchronized (state) {
      flushed = Math.max(flushed, covered);
    }
  }

  private <T> T persist(Attempt<T> attempt) throws IOException {
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(options.retryMs());
    while (true) {
      DeviceFile now = file;
      IOException why = lost;
      if (why != null) {
        throw new IOException(why.getMessage(), why);
      }
      try {
        return attempt.on(now);
      } catch (IOException e) {
        if (isFinal(deadlineNanos)) {
          throw e;
        }
        LOG.log(Level.WARNING, "A request failed, and is tried again: " + e);
        if (isOver(e)) {
          reopen(now, deadlineNanos, e);
        } else {
          pause();
        }
      }
    }
  }

  private boolean isFinal(long deadlineNanos) {
    return isClosed
        || Thread.currentThread().isInterrupted()
        || System.nanoTime() - deadlineNanos >= 0;
  }

  private static boolean isOver(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof SessionOverException) {
        return true;
      }
    }
    return false;
  }

  /** By one request; the others wait for it. */
  private void reopen(DeviceFile ended, long deadlineNanos, IOException why) throws IOException {
    synchronized (reopening) {
      if (file != ended || lost != null) {
        return;
      }
      if (!beginSession()) {
        throw lose(
            new IOException(
                ErrorMessage.to("continue a block device")
                    .value("writes in the cache", "not flushed")
                    .expected("none when the session ends; they are lost, restart the server")
                    .message(),
                why));
      }
      closeQuietly(ended);
      while (true) {
        try {
          file = opener.open();
          LOG.log(Level.INFO, "Continues in another session");
          return;
        } catch (FileChangedException e) {
          throw lose(e);
        } catch (IOException e) {
          if (isFinal(deadlineNanos)) {
            throw e;
          }
          LOG.log(Level.WARNING, "Cannot open another session yet: " + e.getMessage());
          pause();
        }
      }
    }
  }

  /** False: the cache of the one that is over has writes that are lost. */
  private boolean beginSession() {
    synchronized (state) {
      if (options.caching() == DeviceOptions.Caching.WRITE_BACK && written > flushed) {
        return false;
      }
      generation++;
      return true;
    }
  }

  private IOException lose(IOException why) {
    LOG.log(Level.ERROR, "A block device has failed for good", why);
    lost = why;
    return why;
  }

  /** Whether it has failed for good: every request fails. */
  public boolean isLost() {
    return lost != null;
  }

  private static void closeQuietly(DeviceFile ended) {
    try {
      ended.close();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "The session was over", e);
    }
  }

  private void pause() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(options.pauseMs());
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static <T> T done(CompletableFuture<T> future) throws IOException {
    try {
      return future.get();
    } catch (InterruptedException e) {
      throw interrupted(e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause
          ? new IOException(cause.getMessage(), cause)
          : new IOException(String.valueOf(e.getCause()), e.getCause());
    }
  }

  private static InterruptedIOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    InterruptedIOException failure =
        new InterruptedIOException("Cannot use a block device: interrupted");
    failure.initCause(e);
    return failure;
  }

  /**
   * Flushes, tried again as any request is, and ends the session.
   *
   * @throws IOException if something may not be durable, or the session was over
   */
  @Override
  public void close() throws IOException {
    try {
      if (!isClosed && !isLost()) {
        flush();
      }
    } catch (IOException e) {
      LOG.log(Level.WARNING, "Cannot flush; the end of the session tries it once more", e);
    }
    isClosed = true;
    synchronized (reopening) {
      IOException why = lost;
      if (why != null) {
        throw new IOException(why.getMessage(), why);
      }
      file.close();
    }
  }
}
