/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.level;

/**
 * Limits changes to a number of block groups a second on average: after groups were looked at, says
 * how long to wait before the next. Paths count, too, since each takes the NameNode's lock, whether
 * or not there is a file. Idle time is not saved up. Not thread-safe; time is passed in.
 */
public final class GroupPacer {
  /** So many cost as much as one group. */
  private static final int PATHS_A_GROUP = 10;

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

  /** Groups of some paths were looked at just now, whether or not they were changed. */
  public void took(long groups, int paths, long nowMs) {
    if (groupsPerSecond > 0) {
      long cost = groups + (paths + PATHS_A_GROUP - 1) / PATHS_A_GROUP;
      freeAtMs = Math.max(freeAtMs, nowMs) + (cost * 1000 + groupsPerSecond - 1) / groupsPerSecond;
    }
  }
}
