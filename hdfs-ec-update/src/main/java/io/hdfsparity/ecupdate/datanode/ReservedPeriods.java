/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.check.Timers;
import io.hdfsparity.ecupdate.storage.ShrinkMode;
import java.io.Closeable;
import java.util.Collection;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the periods of Algorithm 1 (PLR paper, section 4.2.2) for all parity replicas of a DataNode.
 * Periods end at multiples of their length since 1970, so with 12 hours at 00:00 and 12:00 UTC as
 * in the paper's section 5.4, however often the DataNode is started again.
 *
 * <p>On a thread of its own, which nobody interrupts: an interrupt in the middle of I/O closes the
 * file. Thread-safe.
 */
final class ReservedPeriods implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ReservedPeriods.class);

  private static final long CLOSE_WAIT_MS = 10_000;

  private final ScheduledExecutorService thread = Timers.daemon("ec-update-reserved-periods");
  private final Supplier<Collection<UpdateVolume>> volumes;
  private final ShrinkMode mode;
  private volatile boolean isClosed;

  private ReservedPeriods(Supplier<Collection<UpdateVolume>> volumes, ShrinkMode mode) {
    this.volumes = volumes;
    this.mode = mode;
  }

  /**
   * Starts the first period.
   *
   * @param periodMs its length, 0 for none
   * @param mode what is done at its end
   * @param nowMs of the wall clock
   */
  static ReservedPeriods start(
      Supplier<Collection<UpdateVolume>> volumes, long periodMs, ShrinkMode mode, long nowMs) {
    ReservedPeriods periods = new ReservedPeriods(volumes, mode);
    if (periodMs > 0) {
      long firstMs = periodMs - Math.floorMod(nowMs, periodMs);
      periods.thread.scheduleAtFixedRate(
          Timers.guarded(
              periods::end,
              e -> LOG.warn("Cannot end a period of reserved space; the next one is tried", e)),
          firstMs,
          periodMs,
          TimeUnit.MILLISECONDS);
    }
    return periods;
  }

  private void end() {
    for (UpdateVolume volume : volumes.get()) {
      try {
        volume.endPeriod(mode, () -> !isClosed);
      } catch (RuntimeException e) {
        LOG.warn(
            "Cannot end the period of reserved space of storageId={}; the next one is tried",
            volume.storageId(),
            e);
      }
    }
  }

  /** Waits for the replica that is being looked after, but not for a disk that hangs. */
  @Override
  public void close() {
    isClosed = true;
    thread.shutdown();
    long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_WAIT_MS);
    boolean isInterrupted = false;
    boolean isDone = false;
    while (!isDone && System.nanoTime() - endNs < 0) {
      try {
        isDone = thread.awaitTermination(endNs - System.nanoTime(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (!isDone) {
      LOG.error("A replica is being looked after on a disk that does not answer; not waited for");
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
