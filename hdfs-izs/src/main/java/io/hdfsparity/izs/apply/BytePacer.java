/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.apply;

/**
 * Limits bytes to a number a second on average: after bytes went by, tells how long to wait before
 * the next. Idle time is not saved up. Thread-safe; time is passed in.
 */
public final class BytePacer {
  private static final long NANOS = 1_000_000_000L;

  private final long bytesPerSecond;
  private long freeAtNs;
  private boolean begun;

  /**
   * @param bytesPerSecond 0: no limit
   */
  public BytePacer(long bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  /**
   * Bytes went by just now.
   *
   * @param nowNs monotonic
   * @return nanoseconds to wait before the next
   */
  public synchronized long took(long bytes, long nowNs) {
    if (bytesPerSecond == 0) {
      return 0;
    }
    long from = begun && freeAtNs - nowNs > 0 ? freeAtNs : nowNs;
    begun = true;
    freeAtNs = from + Math.round((double) bytes / bytesPerSecond * NANOS);
    return freeAtNs - nowNs;
  }
}
