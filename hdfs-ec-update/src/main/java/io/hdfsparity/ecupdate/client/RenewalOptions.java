/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.bridge.config.KeyReader;
import io.hdfsparity.ecupdate.config.UpdateKey;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/**
 * How a client rewrites block groups. Immutable.
 *
 * @param abandonedMs after which a copy that somebody has made, and does nothing with, is deleted
 * @param timeoutMs how long somebody else who is rewriting a group is waited for
 */
record RenewalOptions(long abandonedMs, long timeoutMs) {
  private static final long MAX_MS = TimeUnit.DAYS.toMillis(365);

  /**
   * Reads them.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  static RenewalOptions of(Configuration conf) {
    KeyReader keys = new KeyReader(conf);
    return new RenewalOptions(
        keys.millis(UpdateKey.RENEWAL_ABANDONED, 1, MAX_MS),
        keys.millis(UpdateKey.RENEWAL_TIMEOUT, 1, MAX_MS));
  }
}
