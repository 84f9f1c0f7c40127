/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.ecupdate.storage.log.GroupCommitter;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The threads of an engine: one commits groups, one moves changes on and makes room, one writes
 * down which replicas are given up. None is anybody else's: an interrupt in the middle of I/O
 * closes the file.
 */
public final class EngineThreads implements Closeable {
  private final BlockEngine engine;
  private final GroupCommitter committer;
  private final Consumer<IOException> onFailure;
  private final StepThread dropper;
  private final Thread mover;
  private volatile boolean isClosed;

  private EngineThreads(BlockEngine engine, String name, Consumer<IOException> onFailure) {
    this.engine = engine;
    this.onFailure = onFailure;
    committer =
        GroupCommitter.start(
            engine.log(),
            name + "-committer",
            engine.options().sealAfterMs(),
            e -> onFailure.accept(engine.fail(e)));
    dropper = StepThread.start(name + "-dropper");
    engine.removal().runOn(dropper::run);
    mover = new Thread(this::run, name + "-mover");
    mover.setDaemon(true);
  }

  /**
   * Starts the threads.
   *
   * @param name their prefix
   * @param onFailure is notified when one of them cannot continue; the engine has failed then
   */
  public static EngineThreads start(
      BlockEngine engine, String name, Consumer<IOException> onFailure) {
    EngineThreads threads = new EngineThreads(engine, name, onFailure);
    threads.mover.start();
    return threads;
  }

  private void run() {
    try {
      long restNs = TimeUnit.MILLISECONDS.toNanos(engine.options().quiescentAfterMs());
      long restAtNs = System.nanoTime() + restNs;
      while (!isClosed) {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(restAtNs - System.nanoTime());
        boolean isWork =
            engine.signal().await(engine.options().drainDelayMs(), Math.max(1, leftMs));
        if (isWork && !isClosed) {
          engine.drainAll();
          makeRoom();
        }
        if (!isClosed && System.nanoTime() - restAtNs >= 0) {
          engine.rest();
          restAtNs = System.nanoTime() + restNs;
        }
      }
    } catch (IOException e) {
      onFailure.accept(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      onFailure.accept(engine.fail(e));
    } catch (RuntimeException | Error e) {
      onFailure.accept(engine.fail(e));
    }
  }

  /** Pins of readers may keep it from having any effect; then it is tried again later. */
  private void makeRoom() throws IOException {
    if (engine.needsRoom()) {
      engine.makeRoom();
    }
    if (engine.isAwaited() || engine.isPostponed()) {
      engine.signal().work();
    }
  }

  /** Ends the threads and closes the engine. */
  @Override
  public void close() throws IOException {
    isClosed = true;
    engine.signal().urgent();
    boolean isInterrupted = false;
    while (mover.isAlive()) {
      try {
        mover.join();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    try {
      engine.close();
    } finally {
      dropper.close();
      committer.close();
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
