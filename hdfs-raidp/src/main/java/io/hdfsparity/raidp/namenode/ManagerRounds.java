/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.core.check.Timers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Periodic work of the manager. Each work has a thread of its own: one that waits for a daemon, or
 * for the NameNode's lock, delays no other. Thread-safe.
 */
final class ManagerRounds {
  private static final Logger LOG = LoggerFactory.getLogger(ManagerRounds.class);

  private final List<ScheduledExecutorService> timers = new ArrayList<>();

  /** One round of a work. */
  @FunctionalInterface
  interface Round {
    void run() throws IOException;
  }

  /** Begins a work. A round that fails is logged, and the next one tries again. */
  synchronized void start(String name, long periodMs, Round round) {
    ScheduledExecutorService timer = Timers.daemon(name);
    timers.add(timer);
    timer.scheduleWithFixedDelay(
        Timers.guarded(() -> run(name, round), e -> failed(name, e)),
        periodMs,
        periodMs,
        TimeUnit.MILLISECONDS);
  }

  private static void run(String name, Round round) {
    try {
      round.run();
    } catch (IOException e) {
      failed(name, e);
    }
  }

  private static void failed(String name, Throwable e) {
    LOG.error("RAIDP manager: a round of {} failed; the next one tries again", name, e);
  }

  /** Ends all; rounds that are under way are interrupted. */
  synchronized void stop() {
    timers.forEach(ScheduledExecutorService::shutdownNow);
    timers.clear();
  }
}
