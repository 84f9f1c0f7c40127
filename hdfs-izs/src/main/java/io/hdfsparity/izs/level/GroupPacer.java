/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.level;

/**
 * Limits changes to a number of block groups a second on average: after groups were changed, tells
 * how long to wait before the next. Idle time is not saved up. Not thread-safe; time is passed in.
 */
public final class GroupPacer {
  private final int groupsPerSecond;
  private long freeAtMs = Long.MIN_VALUE;

  /**
   * @param groupsPerSecond 0: no limit
   */
  public GroupPacer(int groupsPerSecond) {
    this.groupsPerSecond = groupsPerSecond;
  }

  /** Milliseconds to wait before the next change. */
  public long waitMs(long nowMs) {
    return freeAtMs <= nowMs ? 0 : freeAtMs - nowMs;
  }

  /** Groups were changed just now. */
  public void took(long groups, long nowMs) {
    if (groupsPerSecond > 0) {
      freeAtMs = Math.max(freeAtMs, nowMs) + groups * 1000 / groupsPerSecond;
    }
  }
}
