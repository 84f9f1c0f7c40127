/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.ecupdate.protocol.LiveSessions;
import java.io.Closeable;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
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
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Guarded by {@code lock}. */
  private boolean isAsked;

  /** Guarded by {@code lock}. */
  private boolean isClosed;

  private AnswerApplier(LiveSessions live, SessionEnds ends, Runnable onNews) {
    this.live = live;
    this.ends = ends;
    this.onNews = onNews;
    thread = new Thread(this::run, "ecupdate-apply");
    thread.setDaemon(true);
  }

  /**
   * Starts the thread.
   *
   * @param onNews called when a NameNode should learn at once of what was applied
   */
  static AnswerApplier start(LiveSessions live, SessionEnds ends, Runnable onNews) {
    AnswerApplier applier = new AnswerApplier(live, ends, onNews);
    applier.thread.start();
    return applier;
  }

  /** An answer may have been taken. */
  void look() {
    lock.lock();
    try {
      isAsked = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    try {
      long applied = 0;
      while (await()) {
        LiveSessions.Due due = live.due();
        if (due.answer() > applied && end(due)) {
          applied = due.answer();
          if (live.applied(due)) {
            onNews.run();
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean end(LiveSessions.Due due) throws InterruptedException {
    try {
      ends.end(due.over(), due.suspended());
      return true;
    } catch (RuntimeException e) {
      LOG.warn("Cannot end requests of sessions; tried again after the next report", e);
      return false;
    }
  }

  /** Waits for an answer; false: closed. */
  private boolean await() throws InterruptedException {
    lock.lock();
    try {
      while (!isAsked && !isClosed) {
        changed.await();
      }
      isAsked = false;
      return !isClosed;
    } finally {
      lock.unlock();
    }
  }

  /** What is waited for is waited for no more. */
  @Override
  public void close() {
    lock.lock();
    try {
      isClosed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    thread.interrupt();
  }
}
