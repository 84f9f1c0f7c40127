/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.core.check.Clock;
import java.io.InterruptedIOException;

/** A {@link TokenBucket} with a clock. Thread-safe. */
public final class Throttle {
  private final TokenBucket bucket;
  private final Clock clock;
  private final CancelToken cancel;

  /**
   * @param bytesPerSecond rate; 0 for no limit
   * @param cancel ends all waiting
   */
  public Throttle(long bytesPerSecond, Clock clock, CancelToken cancel) {
    this.bucket = new TokenBucket(bytesPerSecond);
    this.clock = clock;
    this.cancel = cancel;
  }

  /**
   * Waits until so many bytes may be read.
   *
   * @throws java.util.concurrent.CancellationException when cancelled meanwhile
   */
  public void acquire(long bytes) throws InterruptedIOException {
    long nowNs = clock.nanoTime();
    long waitNs = bucket.reserve(bytes, nowNs);
    if (waitNs > 0) {
      try {
        cancel.awaitUntil(clock, nowNs + waitNs);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (InterruptedIOException)
            new InterruptedIOException("Cannot wait for throttle: interrupted").initCause(e);
      }
    }
  }
}
