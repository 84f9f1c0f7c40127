/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.store.ByteStore;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes groups and heads, one at a time. After an error of the store it writes nothing any more.
 * Thread-safe.
 *
 * <p>Its lock is taken before that of the log, and held during I/O.
 */
final class LogSink {
  /** Hands out what is to be written, in order, and forgets it. */
  @FunctionalInterface
  interface Source {
    List<GroupWriter.Pending> take();
  }

  /** What is done while nobody else writes. */
  @FunctionalInterface
  interface Action<T> {
    T run() throws IOException;
  }

  private final ByteStore store;
  private final GroupWriter writer;
  private final DurablePoint durable;
  private final Runnable onFailure;
  private final ReentrantLock writing = new ReentrantLock();

  /** Guarded by {@code writing}. */
  private LogHead head;

  /** Set before {@link #failure}: there may be no memory to make that. */
  private volatile boolean isFailed;

  private volatile @Nullable LogFailedException failure;

  /**
   * A sink.
   *
   * @param onFailure is called once, when the store has failed; may take the log's lock
   */
  LogSink(
      ByteStore store, LogHead head, int maxRecordBytes, DurablePoint durable, Runnable onFailure) {
    this.store = store;
    this.head = head;
    this.durable = durable;
    this.onFailure = onFailure;
    writer = new GroupWriter(store, head, maxRecordBytes);
  }

  long salt() {
    // Of all heads of a log the same.
    return writer.salt();
  }

  <T> T exclusively(Action<T> action) throws IOException {
    writing.lock();
    try {
      return action.run();
    } finally {
      writing.unlock();
    }
  }

  /**
   * Makes all that there is durable with one force.
   *
   * @return whether there was anything
   */
  boolean commit(Source source) throws IOException {
    return exclusively(
        () -> {
          checkNotFailed();
          try {
            List<GroupWriter.Pending> group = source.take();
            // Again: a log that was abandoned before they were handed out may have a hole there.
            checkNotFailed();
            if (group.isEmpty()) {
              return false;
            }
            writer.write(group, durable.durable());
            durable.advance(group.get(group.size() - 1).sequence());
            return true;
          } catch (LogFailedException e) {
            throw e;
          } catch (IOException | RuntimeException | Error e) {
            throw fail(e);
          }
        });
  }

  /** Durably releases what is before a record. */
  void writeHead(long position, long sequence) throws IOException {
    exclusively(
        () -> {
          checkNotFailed();
          LogHead next = head.next(head.run(), position, sequence, durable.durable());
          try {
            next.write(store);
          } catch (IOException | RuntimeException | Error e) {
            throw fail(e);
          }
          head = next;
          return next;
        });
  }

  /** Writes down that the last group is durable, if no head says so. */
  void seal() throws IOException {
    exclusively(
        () -> {
          if (!isSealed()) {
            writeHead(head.headPosition(), head.headSequence());
          }
          return head;
        });
  }

  /** Whether a head says that all that is durable is so. */
  boolean isSealed() throws IOException {
    return exclusively(() -> head.forced() >= durable.durable());
  }

  /** Sequence of the last record of which a head says that it is durable. */
  long sealedSequence() throws IOException {
    return exclusively(() -> head.forced());
  }

  void checkNotFailed() throws LogFailedException {
    if (isFailed) {
      LogFailedException first = failure;
      // A new one: the stack of the caller, the cause of the first.
      throw first == null
          ? new LogFailedException("Cannot write an update log: it was abandoned, file=" + store)
          : new LogFailedException(String.valueOf(first.getMessage()), first);
    }
  }

  boolean hasFailed() {
    return isFailed;
  }

  /** Writes nothing any more, as after an error of the store. Idempotent. */
  void abandon(Throwable cause) {
    if (!isFailed) {
      fail(cause);
    }
  }

  private LogFailedException fail(Throwable cause) {
    isFailed = true;
    LogFailedException failed =
        new LogFailedException(
            ErrorMessage.to("write an update log")
                .value("cause", cause)
                .expected("a store that takes writes; reopen the log")
                .where("file", store)
                .message(),
            cause);
    failure = failed;
    onFailure.run();
    durable.fail(failed);
    return failed;
  }
}
