/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.raidp.recovery.CancelToken;
import io.hdfsparity.raidp.recovery.Throttle;
import java.io.InterruptedIOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;

/** How far a scrub of a node is, its speed limit, and its end on demand. Thread-safe. */
final class ScrubRun {
  private final CancelToken cancel = new CancelToken();
  private final Throttle throttle;
  private final AtomicLong bytesRead = new AtomicLong();
  private final AtomicLong unitsDone = new AtomicLong();
  private final AtomicLong unitsTotal = new AtomicLong();

  /**
   * @param bytesPerSecond of all disks of the node together; 0: no limit
   */
  ScrubRun(long bytesPerSecond, Clock clock) {
    this.throttle = new Throttle(bytesPerSecond, clock, cancel);
  }

  void expect(long units) {
    unitsTotal.addAndGet(units);
  }

  void compared(long units) {
    unitsDone.addAndGet(units);
  }

  long bytesRead() {
    return bytesRead.get();
  }

  long unitsDone() {
    return unitsDone.get();
  }

  long unitsTotal() {
    return unitsTotal.get();
  }

  /**
   * Accounts for bytes that were read, and waits when they were too many.
   *
   * @throws InterruptedIOException when the run was stopped
   */
  void read(long bytes) throws InterruptedIOException {
    bytesRead.addAndGet(bytes);
    try {
      cancel.check();
      throttle.acquire(bytes);
    } catch (CancellationException e) {
      throw (InterruptedIOException)
          new InterruptedIOException("Cannot scrub: stopped by an administrator").initCause(e);
    }
  }

  void stop() {
    cancel.cancel();
  }
}
