/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.fs;

import io.hdfsparity.core.check.Refusal;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * How a client writes block groups anew. Immutable.
 *
 * @param abandonedMs after which a copy that somebody has made, and does nothing with, is deleted
 * @param patienceMs how long somebody else who is writing a group anew is waited for
 */
record RenewalOptions(long abandonedMs, long patienceMs) {
  static final String ABANDONED_KEY = "dfs.parity.ecupdate.renewal.abandoned";
  static final String ABANDONED_DEFAULT = "60s";
  static final String PATIENCE_KEY = "dfs.parity.ecupdate.renewal.patience";
  static final String PATIENCE_DEFAULT = "10m";

  /**
   * Reads them.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  static RenewalOptions of(Configuration conf) {
    return new RenewalOptions(
        duration(conf, ABANDONED_KEY, ABANDONED_DEFAULT),
        duration(conf, PATIENCE_KEY, PATIENCE_DEFAULT));
  }

  private static long duration(Configuration conf, String key, String fallback) {
    long ms;
    try {
      ms = conf.getTimeDuration(key, fallback, TimeUnit.MILLISECONDS, TimeUnit.MILLISECONDS);
    } catch (NumberFormatException e) {
      throw refused(conf, key, e);
    }
    if (ms < 1) {
      throw refused(conf, key, /* cause= */ null);
    }
    return ms;
  }

  private static IllegalArgumentException refused(
      Configuration conf, String key, @Nullable Exception cause) {
    return new IllegalArgumentException(
        Refusal.to("use configuration")
            .value(key, conf.getTrimmed(key))
            .expected("a time of 1 ms or more, as in " + ABANDONED_DEFAULT)
            .message(),
        cause);
  }
}
