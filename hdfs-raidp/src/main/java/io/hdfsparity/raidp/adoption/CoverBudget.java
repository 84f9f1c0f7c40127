/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

/**
 * Bytes that may be covered now. What is not used is saved up for two seconds; a block that is
 * larger makes a debt. Not thread-safe; time is passed in.
 */
final class CoverBudget {
  private static final long SAVED_MS = 2_000;
  private final long bytesPerSecond;
  private double bytes;
  private long sinceMs = -1;

  /**
   * @param bytesPerSecond 0: no limit
   */
  CoverBudget(long bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  void advance(long nowMs) {
    long passedMs = sinceMs < 0 ? 1_000 : Math.max(0, nowMs - sinceMs);
    sinceMs = nowMs;
    bytes = Math.min(bytesPerSecond * SAVED_MS / 1e3, bytes + bytesPerSecond * (passedMs / 1e3));
  }

  boolean isLeft() {
    return bytesPerSecond == 0 || bytes > 0;
  }

  void take(long taken) {
    bytes -= taken;
  }
}
