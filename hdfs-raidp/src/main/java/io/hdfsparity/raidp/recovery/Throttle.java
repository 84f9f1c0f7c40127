/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import java.io.InterruptedIOException;
import java.util.function.LongSupplier;

/** A {@link TokenBucket} with a clock and a way to wait. Thread-safe. */
public final class Throttle {
  /** Waits. */
  public interface Pause {
    void forNanos(long nanos) throws InterruptedException;
  }

  private final TokenBucket bucket;
  private final LongSupplier nanoClock;
  private final Pause pause;

  public Throttle(TokenBucket bucket, LongSupplier nanoClock, Pause pause) {
    this.bucket = bucket;
    this.nanoClock = nanoClock;
    this.pause = pause;
  }

  /** Waits until so many bytes may be read. */
  public void acquire(long bytes) throws InterruptedIOException {
    long waitNs = bucket.reserve(bytes, nanoClock.getAsLong());
    if (waitNs > 0) {
      try {
        pause.forNanos(waitNs);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (InterruptedIOException) new InterruptedIOException("Cannot wait for throttle: interrupted").initCause(e);
      }
    }
  }
}
