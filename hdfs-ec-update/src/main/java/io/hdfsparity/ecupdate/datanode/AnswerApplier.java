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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies what the NameNodes of a nameservice have answered: waits until nothing of sessions that
 * are not live is being executed, and notes that in {@link LiveSessions}. Has a thread of its own,
 * for that may take as long as a disk does, and a DataNode that did not report meanwhile would lose
 * all sessions. Answers that come meanwhile are applied together. Thread-safe.
 */
final class AnswerApplier implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(AnswerApplier.class);

  private final LiveSessions live;
  private final SessionEnds ends;
  private final Runnable onNews;
  private final ExecutorService thread = Timers.daemonPool(1, "ecupdate-apply");

  /** Somebody has asked, and the thread has not begun to look since. */
  private final AtomicBoolean isAsked = new AtomicBoolean();

  /** Used by the thread only. */
  private long applied;

  /**
   * @param onNews called when a NameNode should learn at once of what was applied
   */
  AnswerApplier(LiveSessions live, SessionEnds ends, Runnable onNews) {
    this.live = live;
    this.ends = ends;
    this.onNews = onNews;
  }

  /** An answer may have been taken. */
  void look() {
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
    try {
      ends.end(due.over(), due.suspended());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    boolean isNews = live.applied(due);
    applied = due.answer();
    if (isNews) {
      onNews.run();
    }
  }

  /** What is waited for is waited for no more. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
