/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.check.Clock;
import java.io.IOException;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has HDFS look through all replicas of this node when a frame runs out of units. The first full
 * report of a node that was dead, or to a NameNode that was restarted, deletes nothing: replicas of
 * files that were deleted meanwhile stay until the second one ({@code
 * BlockManager#processFirstBlockReport}), by default for six hours, and with them their units.
 *
 * <p>Used by one thread.
 */
final class LeftoverReports {
  private static final Logger LOG = LoggerFactory.getLogger(LeftoverReports.class);

  private final Trigger trigger;
  private final long intervalNanos;
  private final Clock clock;
  private long lastNanos;

  /** Sends a full block report to all NameNodes, soon. */
  @FunctionalInterface
  interface Trigger {
    void fullReport() throws IOException;
  }

  /**
   * The first one is sent an interval from now at the earliest.
   *
   * @param intervalMs least time between two reports
   */
  LeftoverReports(Trigger trigger, long intervalMs, Clock clock) {
    this.trigger = trigger;
    intervalNanos = TimeUnit.MILLISECONDS.toNanos(intervalMs);
    this.clock = clock;
    lastNanos = clock.nanoTime();
  }

  /** Triggers a report if it is time, and a paired frame of a good disk has few units left. */
  void look(Collection<Frame> frames) throws IOException {
    long now = clock.nanoTime();
    if (now - lastNanos < intervalNanos) {
      return;
    }
    for (Frame frame : frames) {
      if (frame.pairing().isPresent() && frame.disk().failure().isEmpty() && frame.isFillingUp()) {
        LOG.info(
            "Few units are left: sending a full block report, in case HDFS has left replicas of"
                + " deleted files lie: storageId={}",
            frame.storageId());
        lastNanos = now;
        trigger.fullReport();
        return;
      }
    }
  }
}
