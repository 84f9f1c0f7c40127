/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ends a decode from another thread. Once cancelled it stays so. Thread-safe. */
public final class CancelToken {
  private final CountDownLatch cancelled = new CountDownLatch(1);

  public void cancel() {
    cancelled.countDown();
  }

  public boolean isCancelled() {
    return cancelled.getCount() == 0;
  }

  /** @throws CancellationException once {@link #cancel} was called */
  public void check() {
    if (isCancelled()) {
      throw new CancellationException("Cannot go on decoding: cancelled");
    }
  }

  /** Waits so many nanoseconds, or until cancelled. */
  public void await(long nanos) throws InterruptedException {
    // Its result only says why the wait ended, which check() tells the caller.
    if (cancelled.await(nanos, TimeUnit.NANOSECONDS)) {
      check();
    }
  }
}
