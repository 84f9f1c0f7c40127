/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.firstLine;
import static io.hdfsparity.localcluster.quickstart.Texts.format;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends everything exactly once: at the end of the run, or when the JVM is told to end (Ctrl-C,
 * SIGTERM, a closed terminal), whichever comes first.
 *
 * <p>Thread-safe.
 */
final class Cleanup {
  private static final Logger LOG = LoggerFactory.getLogger(Cleanup.class);
  private static final long MAX_WAIT_SECONDS = 75;
  private final Screen screen;
  private final Workspace workspace;
  private final ReentrantLock lock = new ReentrantLock();
  private final Thread hook = new Thread(this::interrupted, "cleanup");
  private boolean done;
  private volatile boolean interrupted;
  private volatile String why = "Interrupted";

  Cleanup(Screen screen, Workspace workspace) {
    this.screen = screen;
    this.workspace = workspace;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * To be called when everything is cleared away, or cannot be: from now on the end of the JVM is
   * an ordinary one.
   */
  void disarm() {
    if (!interrupted) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException ending) {
        LOG.info("The hook runs already", ending);
      }
    }
  }

  /** Whether the JVM is ending because somebody told it to. */
  boolean wasInterrupted() {
    return interrupted;
  }

  /** What is cleared away. */
  Workspace workspace() {
    return workspace;
  }

  /**
   * Ends all processes and deletes the folder.
   *
   * @return false when the hook is at it, or was
   */
  boolean clear() throws IOException, InterruptedException {
    return unlessDone(workspace::clear);
  }

  /**
   * The same after the cluster has failed: the logs of its daemons are kept.
   *
   * @param told where they are
   */
  boolean clearButLogs(Consumer<String> told) throws IOException, InterruptedException {
    return unlessDone(
        () -> {
          workspace.killAll();
          told.accept("The logs of the daemons are in " + workspace.saveLogs());
          workspace.clear();
        });
  }

  /** Leaves the cluster to the user. */
  void keep() throws IOException, InterruptedException {
    unlessDone(workspace::keep);
  }

  private interface End {
    void run() throws IOException, InterruptedException;
  }

  private boolean unlessDone(End end) throws IOException, InterruptedException {
    lock.lock();
    try {
      if (interrupted || done) {
        return false;
      }
      end.run();
      done = true;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Says of an end that is told to this program from now on that it was no interruption. */
  void failed() {
    why = "Failed";
  }

  private void interrupted() {
    try {
      if (!lock.tryLock(MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
        String still = "%s, and still stopping the cluster; see what is left with: %s";
        screen.close(format(still, why, workspace.endCommand()));
        return;
      }
      try {
        if (!done) {
          interrupted = true;
          screen.close(why + ": ending the cluster and deleting what it has stored ...");
          workspace.clear();
          System.out.println("Nothing is left running.");
        }
      } finally {
        lock.unlock();
      }
    } catch (IOException | RuntimeException e) {
      System.out.println(leftOver(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Says what could not be cleared away why, and what does it by hand. */
  String leftOver(Exception e) {
    String command = workspace.endCommand();
    return format("Cannot clear away everything: %s\nDo it with: %s", firstLine(e), command);
  }
}
