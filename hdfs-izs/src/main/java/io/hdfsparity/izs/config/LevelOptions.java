/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.config;

import io.hdfsparity.bridge.config.KeyReader;
import org.apache.hadoop.conf.Configuration;

/**
 * What the level manager and its clients are configured with. Immutable, validated together.
 *
 * @param batchFiles limit on the files of one call
 * @param maxGroups limit on the block groups of a file
 * @param lockHoldMs how long the NameNode's lock is held before it is given back
 * @param groupsPerSecond rate of changes; 0: no limit
 * @param callTimeMs how long one call goes on
 * @param sweepIntervalMs pause of the sweeper
 * @param checkPeers the other NameNodes must be guarded
 * @param adminTimeoutMs how long a client waits
 */
public record LevelOptions(
    int batchFiles,
    int maxGroups,
    long lockHoldMs,
    int groupsPerSecond,
    long callTimeMs,
    long sweepIntervalMs,
    boolean checkPeers,
    int adminTimeoutMs) {
  private static final long DAY_MS = 24L * 3600 * 1000;

  /** As many as the guard before the map of blocks remembers. */
  private static final int MAX_GROUPS = 20_000;

  /**
   * Reads and validates all keys.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  public static LevelOptions of(Configuration conf) {
    KeyReader keys = IzsKeys.reader(conf);
    return new LevelOptions(
        keys.count(LevelKey.BATCH_FILES, 1, 10_000),
        keys.count(LevelKey.FILE_GROUPS, 1, MAX_GROUPS),
        keys.millis(LevelKey.LOCK_HOLD, 1, 1000),
        keys.count(LevelKey.GROUPS_PER_SECOND, 0, Integer.MAX_VALUE),
        keys.millis(LevelKey.CALL_TIME, 1, 60_000),
        keys.millis(LevelKey.SWEEP_INTERVAL, 100, DAY_MS),
        keys.flag(LevelKey.PEERS_CHECK),
        (int) keys.millis(LevelKey.ADMIN_TIMEOUT, 1000, DAY_MS));
  }
}
