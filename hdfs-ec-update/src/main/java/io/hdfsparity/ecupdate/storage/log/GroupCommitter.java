/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * The thread that commits: a group as soon as there is one, and while it is forced the next one
 * gathers. When nothing comes for a while it seals, so that damage to the last group, which looks
 * like a torn tail otherwise, is found by the next opening. It is nobody else's, because an
 * interrupt in the middle of I/O closes the file. Those who wait for a record are called back in
 * it: they must not block.
 */
public final class GroupCommitter implements Closeable {
  private final UpdateLog log;
  private final long sealAfterMs;
  private final Consumer<IOException> onFailure;
  private final Thread thread;

  private GroupCommitter(
      UpdateLog log, String name, long sealAfterMs, Consumer<IOException> onFailure) {
    this.log = log;
    this.sealAfterMs = sealAfterMs;
    this.onFailure = onFailure;
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  /**
   * Begins to commit.
   *
   * @param name of the thread
   * @param sealAfterMs how long nothing must have come before the log is sealed
   * @param onFailure is notified once, in the thread, when the log can no longer be written; those
   *     who wait for it are notified by the log
   */
  public static GroupCommitter start(
      UpdateLog log, String name, long sealAfterMs, Consumer<IOException> onFailure) {
    GroupCommitter committer = new GroupCommitter(log, name, sealAfterMs, onFailure);
    committer.thread.start();
    return committer;
  }

  private void run() {
    try {
      while (log.isUsable()) {
        // Not longer when it is sealed: whoever commits a group himself wakes nobody afterwards.
        log.awaitPending(sealAfterMs);
        if (!log.commitGroup() && log.isUsable()) {
          log.seal();
        }
      }
    } catch (IOException e) {
      onFailure.accept(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      giveUp(e);
    } catch (RuntimeException | Error e) {
      giveUp(e);
    }
  }

  /** Nobody commits any more, so nobody may continue. */
  private void giveUp(Throwable cause) {
    log.abandon(cause);
    onFailure.accept(
        new LogFailedException(
            ErrorMessage.to("commit to an update log")
                .value("cause", cause)
                .expected("a thread that continues; reopen the log")
                .message(),
            cause));
  }

  /** Closes the log, which commits what is left, and ends the thread. */
  @Override
  public void close() throws IOException {
    try {
      log.close();
    } finally {
      join();
    }
  }

  private void join() {
    boolean isInterrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
