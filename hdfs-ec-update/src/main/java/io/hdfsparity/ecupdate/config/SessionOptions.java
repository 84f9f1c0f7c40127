/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.config;

import io.hdfsparity.bridge.config.KeyReader;
import io.hdfsparity.ecupdate.protocol.SessionTimes;
import org.apache.hadoop.conf.Configuration;

/**
 * What the session manager and its clients are configured with. Immutable, validated together.
 *
 * @param maxGroups most block groups of a file
 * @param sweepIntervalMs pause of the sweeper
 * @param clientTimeoutMs how long a client waits
 * @param times of leases and reports, and how many sessions there may be
 */
public record SessionOptions(
    int maxGroups, long sweepIntervalMs, int clientTimeoutMs, SessionTimes times) {
  private static final long DAY_MS = 24L * 3600 * 1000;
  private static final int MAX_GROUPS = 20_000;

  /** Of the validity: reports that a DataNode may miss, and one more. */
  private static final int REPORTS = 3;

  /**
   * Reads and validates all keys.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  public static SessionOptions of(Configuration conf) {
    KeyReader keys = UpdateKey.reader(conf);
    SessionTimes times =
        new SessionTimes(
            keys.millis(SessionKey.LEASE, 1000, DAY_MS),
            keys.millis(SessionKey.NODE_VALIDITY, 300, DAY_MS),
            keys.millis(SessionKey.NODE_REPORT, 100, DAY_MS),
            keys.count(SessionKey.MAX_SESSIONS, 1, 100_000),
            keys.count(SessionKey.MAX_PER_USER, 1, 100_000));
    if (times.validMs() < REPORTS * times.reportEveryMs()) {
      throw KeyReader.refused(
          SessionKey.NODE_VALIDITY.key(),
          keys.text(SessionKey.NODE_VALIDITY),
          "at least " + REPORTS + " times " + SessionKey.NODE_REPORT.key(),
          /* cause= */ null);
    }
    return new SessionOptions(
        keys.count(SessionKey.FILE_GROUPS, 1, MAX_GROUPS),
        keys.millis(SessionKey.SWEEP_INTERVAL, 10, DAY_MS),
        (int) keys.millis(SessionKey.CLIENT_TIMEOUT, 1000, DAY_MS),
        times);
  }
}
