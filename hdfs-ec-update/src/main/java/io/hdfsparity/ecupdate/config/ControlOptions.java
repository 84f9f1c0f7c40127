/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.config;

import io.hdfsparity.bridge.config.KeyReader;
import org.apache.hadoop.conf.Configuration;

/**
 * What commands that control updates in DataNodes are configured with. Immutable.
 *
 * @param clientTimeoutMs how long a command waits
 */
public record ControlOptions(int clientTimeoutMs) {
  private static final int HOUR_MS = 3600 * 1000;

  /** Longer than a server works on one call. */
  private static final int MIN_TIMEOUT_MS = 15_000;

  /**
   * Reads and validates all keys.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  public static ControlOptions of(Configuration conf) {
    KeyReader keys = UpdateKey.reader(conf);
    return new ControlOptions(
        (int) keys.millis(ControlKey.CLIENT_TIMEOUT, MIN_TIMEOUT_MS, HOUR_MS));
  }
}
