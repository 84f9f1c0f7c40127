/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.check.Timers;
import io.hdfsparity.ecupdate.protocol.LiveSessions;
import java.io.Closeable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies what the NameNodes of a nameservice have answered: waits until nothing of sessions that
 * are not live is being executed, and notes that in {@link LiveSessions}. Has a thread of its own,
 * for that may take as long as a disk does, and a DataNode that did not report meanwhile would lose
 * all sessions. Answers that come meanwhile are applied together. Thread-safe.
 */
final class AnswerApplier implements Closeable {
  /** A wait of that length is called late. */
  static final long LATE_MS = 60_000;

  private static final Logger LOG = LoggerFactory.getLogger(AnswerApplier.class);

  private final LiveSessions live;
  private final SessionEnds ends;
  private final LongSupplier clockMs;
  private final Consumer<LiveSessions.Due> onLate;
  private final Runnable onNews;
  private final ExecutorService thread = Timers.daemonPool(1, "ecupdate-apply");

  /** Somebody has asked, and the thread has not begun to look since. */
  private final AtomicBoolean isAsked = new AtomicBoolean();

  /** Used by the thread only. */
  private long applied;

  /** What is being waited for; null: nothing. */
  private volatile @Nullable Ending ending;

  /** Two threads may say it of the same one. */
  private volatile @Nullable Ending saidLate;

  private record Ending(long sinceMs, LiveSessions.Due due) {}

  /**
   * @param clockMs monotonic
   * @param onLate called once for each wait that is longer than {@link #LATE_MS}
   * @param onNews called when a NameNode should learn at once of what was applied
   */
  AnswerApplier(
      LiveSessions live,
      SessionEnds ends,
      LongSupplier clockMs,
      Consumer<LiveSessions.Due> onLate,
      Runnable onNews) {
    this.live = live;
    this.ends = ends;
    this.clockMs = clockMs;
    this.onLate = onLate;
    this.onNews = onNews;
  }

  /** An answer may have been taken. */
  void look() {
    sayLate();
    if (!isAsked.compareAndSet(false, true)) {
      return;
    }
    try {
      thread.execute(
          Timers.guarded(
              this::apply,
              e ->
                  LOG.warn(
                      "Cannot end requests of sessions; tried again after the next report", e)));
    } catch (RejectedExecutionException e) {
      LOG.debug("An answer came while the reporter was being closed", e);
    } catch (RuntimeException | Error e) {
      isAsked.set(false); // Tried again after the next report.
      throw e;
    }
  }

  private void apply() {
    // First: who asks from now on is looked for again.
    isAsked.set(false);
    LiveSessions.Due due = live.due();
    if (due.answer() <= applied) {
      return;
    }
    ending = new Ending(clockMs.getAsLong(), due);
    try {
      ends.end(due.over(), due.suspended());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    } finally {
      ending = null;
    }
    boolean isNews = live.applied(due);
    applied = due.answer();
    if (isNews) {
      onNews.run();
    }
  }

  /** Says once of each wait that it is long. Called by the threads that report. */
  private void sayLate() {
    Ending now = ending;
    if (now != null && clockMs.getAsLong() - now.sinceMs() >= LATE_MS && !now.equals(saidLate)) {
      saidLate = now;
      onLate.accept(now.due());
    }
  }

  /** What is waited for is waited for no more. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
