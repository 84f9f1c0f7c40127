/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import io.hdfsparity.core.check.Timers;
import io.hdfsparity.core.cli.SizesAndDurations;
import java.io.PrintStream;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Prints a line of progress every second until it is closed, and one then. */
final class Ticker implements AutoCloseable {
  private static final long PERIOD_MS = 1000;

  private final PrintStream out;
  private final Supplier<String> line;
  private final LongSupplier bytes;
  private final ScheduledExecutorService timer;
  private long shownBytes;

  Ticker(PrintStream out, Supplier<String> line, LongSupplier bytes) {
    this.out = out;
    this.line = line;
    this.bytes = bytes;
    this.timer = Timers.daemon("izs-apply-progress");
    timer.scheduleAtFixedRate(this::show, PERIOD_MS, PERIOD_MS, TimeUnit.MILLISECONDS);
  }

  private synchronized void show() {
    long now = bytes.getAsLong();
    out.println(line.get() + ", reading " + SizesAndDurations.bytes(now - shownBytes) + "/s");
    shownBytes = now;
  }

  @Override
  public void close() {
    timer.shutdownNow();
    out.println(line.get());
  }
}
