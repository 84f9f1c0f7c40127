/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

/**
 * Limits a rate of bytes. Pure: time is an argument, waiting is the caller's. Thread-safe.
 *
 * <p>A request larger than the burst is granted too; it makes a debt that its requester waits off.
 */
public final class TokenBucket {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** Unused rate that may be saved up. */
  private static final long BURST_NANOS = NANOS_PER_SECOND / 10;

  private final long bytesPerSecond;
  private long paidUntilNs;
  private boolean started;

  /**
   * @param bytesPerSecond rate; 0 for no limit
   */
  public TokenBucket(long bytesPerSecond) {
    if (bytesPerSecond < 0) {
      throw new IllegalArgumentException(
          "Cannot throttle: bytesPerSecond=" + bytesPerSecond + ", expected >= 0");
    }
    this.bytesPerSecond = bytesPerSecond;
  }

  /**
   * Takes bytes out of the bucket.
   *
   * @param bytes at least 0
   * @param nowNs a monotonic clock in nanoseconds
   * @return nanoseconds to wait before the bytes may be moved
   */
  public synchronized long reserve(long bytes, long nowNs) {
    if (bytesPerSecond == 0) {
      return 0;
    }
    if (!started || paidUntilNs - nowNs < -BURST_NANOS) {
      paidUntilNs = nowNs - BURST_NANOS;
      started = true;
    }
    paidUntilNs += (long) ((double) bytes * NANOS_PER_SECOND / bytesPerSecond);
    return Math.max(0, paidUntilNs - nowNs);
  }
}
