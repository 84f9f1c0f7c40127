/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.check.Timers;
import io.hdfsparity.ecupdate.protocol.LiveSessions;
import io.hdfsparity.ecupdate.protocol.SessionId;
import java.io.Closeable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies what the NameNodes of a nameservice have answered: has the requests of sessions end that
 * are not live, and notes in {@link LiveSessions} of which of them nothing is being executed. The
 * others linger, and are looked for again after each report. Has a thread of its own, for that may
 * take some time, and a DataNode that did not report meanwhile would lose all sessions. Answers
 * that come meanwhile are applied together. Thread-safe.
 */
final class AnswerApplier implements Closeable {
  /** A session that lingers for that long is called late. */
  static final long LATE_MS = 60_000;

  private static final Logger LOG = LoggerFactory.getLogger(AnswerApplier.class);

  private final LiveSessions live;
  private final SessionEnds ends;
  private final LongSupplier clockMs;
  private final Consumer<Set<SessionId>> onLate;
  private final Runnable onNews;
  private final ExecutorService thread = Timers.daemonPool(1, "ecupdate-apply");

  /** Somebody has asked, and the thread has not begun to look since. */
  private final AtomicBoolean isAsked = new AtomicBoolean();

  /** Used by the thread only. */
  private long applied;

  /** Used by the thread only. */
  private Set<SessionId> lingering = Set.of();

  /** Sessions that are to end, and have not; since when, on the clock. Guarded by itself. */
  private final Map<SessionId, Long> awaitedSinceMs = new HashMap<>();

  /** Of these, those that were called late. Guarded by {@link #awaitedSinceMs}. */
  private final Set<SessionId> calledLate = new HashSet<>();

  /**
   * @param clockMs monotonic
   * @param onLate called once of each session that lingers for {@link #LATE_MS} or longer
   * @param onNews called when a NameNode should learn at once of what was applied
   */
  AnswerApplier(
      LiveSessions live,
      SessionEnds ends,
      LongSupplier clockMs,
      Consumer<Set<SessionId>> onLate,
      Runnable onNews) {
    this.live = live;
    this.ends = ends;
    this.clockMs = clockMs;
    this.onLate = onLate;
    this.onNews = onNews;
  }

  /** An answer may have been taken. */
  void look() {
    callLate();
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
    if (due.answer() <= applied && lingering.isEmpty()) {
      return;
    }
    await(due);
    try {
      lingering = ends.end(due.over(), due.suspended(), lingering);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    awaitOnly(lingering);
    boolean isNews = live.applied(due, lingering);
    applied = due.answer();
    if (isNews) {
      onNews.run();
    }
  }

  private void await(LiveSessions.Due due) {
    long nowMs = clockMs.getAsLong();
    synchronized (awaitedSinceMs) {
      due.over().forEach(id -> awaitedSinceMs.putIfAbsent(id, nowMs));
      due.suspended().forEach(id -> awaitedSinceMs.putIfAbsent(id, nowMs));
    }
  }

  private void awaitOnly(Set<SessionId> ids) {
    synchronized (awaitedSinceMs) {
      awaitedSinceMs.keySet().retainAll(ids);
      calledLate.retainAll(ids);
    }
  }

  /** Says once of each session that it lingers. Called by the threads that report. */
  private void callLate() {
    long nowMs = clockMs.getAsLong();
    Set<SessionId> late = new TreeSet<>();
    synchronized (awaitedSinceMs) {
      awaitedSinceMs.forEach(
          (id, sinceMs) -> {
            if (nowMs - sinceMs >= LATE_MS && calledLate.add(id)) {
              late.add(id);
            }
          });
    }
    if (!late.isEmpty()) {
      onLate.accept(late);
    }
  }

  /** What is waited for is waited for no more. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
