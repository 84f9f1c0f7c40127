/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode;

import io.hdfsparity.core.check.Printable;
import io.hdfsparity.core.check.Timers;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.namenode.InterruptedChanges;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.StripedLevels;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes files that a NameNode left in the middle of a change when it died ({@link
 * InterruptedChanges}), as soon as this one is active and out of safe mode. It does so whether or
 * not levels can be changed: HDFS would recover the leases of such files when they are too old, and
 * cut the files to whole stripes. Thread-safe.
 */
final class InterruptedChangeCompletion implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(InterruptedChangeCompletion.class);

  /** Pause between two looks whether changes can be completed now. */
  private static final long POLL_MS = 200;

  private final InterruptedChanges interrupted;
  private final LevelCounters counters;
  private final ScheduledExecutorService timer = Timers.daemon("izs-interrupted-changes");

  private InterruptedChangeCompletion(InterruptedChanges interrupted, LevelCounters counters) {
    this.interrupted = interrupted;
    this.counters = counters;
  }

  /** While the NameNode starts its plugins: keeps such files from HDFS, then looks for them. */
  static InterruptedChangeCompletion start(
      NameNode nameNode, StripedLevels levels, LevelCounters counters) {
    InterruptedChanges interrupted = new InterruptedChanges(nameNode, levels);
    interrupted.shelter();
    InterruptedChangeCompletion made = new InterruptedChangeCompletion(interrupted, counters);
    made.timer.scheduleWithFixedDelay(
        Timers.guarded(made::round, made::failed), POLL_MS, POLL_MS, TimeUnit.MILLISECONDS);
    return made;
  }

  private void round() {
    try {
      List<String> paths = interrupted.round();
      counters.interruptedChangesCompleted.add(paths.size());
      paths.forEach(path -> LOG.warn("Completed the interrupted change of {}", Printable.of(path)));
    } catch (IOException e) {
      failed(e);
    }
  }

  private void failed(Throwable e) {
    counters.failedSweeps.increment();
    LOG.error("Cannot complete interrupted changes now; it is tried again", e);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
