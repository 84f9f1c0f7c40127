/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.cli;

import io.hdfsparity.core.check.Timers;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Prints what is being done every second until it is closed; work that takes less prints nothing.
 * Thread-safe.
 */
public final class Progress implements AutoCloseable {
  private static final long PERIOD_MS = 1000;

  private record Stage(String name, long count, String unit) {}

  private final PrintStream err;
  private final long beganNanos = System.nanoTime();
  private final ScheduledExecutorService timer;
  private volatile Stage stage = new Stage("beginning", 0, "");

  /** Begins to print. */
  public Progress(PrintStream err) {
    this.err = err;
    this.timer = Timers.daemon("progress");
    timer.scheduleAtFixedRate(this::show, PERIOD_MS, PERIOD_MS, TimeUnit.MILLISECONDS);
  }

  /** What is done from now on. */
  public void stage(String name) {
    stage = new Stage(name, 0, "");
  }

  /** How far it is. */
  public void count(String name, long count, String unit) {
    stage = new Stage(name, count, unit);
  }

  /** How long it has been. */
  public long elapsedMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
  }

  private void show() {
    Stage now = stage;
    String count =
        now.unit().isEmpty() ? "" : String.format(Locale.ROOT, ": %,d %s", now.count(), now.unit());
    err.println(elapsedMs() / 1000 + " s, " + now.name() + count);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
