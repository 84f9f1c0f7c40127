/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.config;

import io.hdfsparity.core.cli.Quantities;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * What {@code hdfs izs -apply} is configured with. Immutable, validated together.
 *
 * @param workFolder absolute path of copies that are not verified yet
 * @param threads files copied at a time
 * @param bytesPerSecond most bytes read; 0: no limit
 * @param bufferBytes read and written at once
 * @param settleMs how long a copy may take until it is whole
 * @param jobFiles from so many files on a MapReduce job copies them; 0: never by itself
 * @param maps most maps of such a job
 */
public record ApplyOptions(
    String workFolder,
    int threads,
    long bytesPerSecond,
    int bufferBytes,
    long settleMs,
    int jobFiles,
    int maps) {
  private static final int MOST_WAITING = 1_000_000;
  private static final int MOST_MAPS = 1000;
  private static final int MOST_THREADS = 256;
  private static final int LEAST_BUFFER = 4096;
  private static final int MOST_BUFFER = 64 << 20;
  private static final long DAY_MS = 24L * 3600 * 1000;

  /**
   * Reads and validates all keys.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  public static ApplyOptions of(Configuration conf) {
    refuseUnknown(conf);
    return new ApplyOptions(
        folder(conf),
        (int) bytes(conf, ApplyKey.THREADS, 1, MOST_THREADS),
        bytes(conf, ApplyKey.BANDWIDTH, 0, Long.MAX_VALUE),
        (int) bytes(conf, ApplyKey.BUFFER, LEAST_BUFFER, MOST_BUFFER),
        millis(conf, ApplyKey.SETTLE_TIMEOUT, 1000, DAY_MS),
        (int) bytes(conf, ApplyKey.MAPREDUCE_FILES, 0, MOST_WAITING),
        (int) bytes(conf, ApplyKey.MAPREDUCE_MAPS, 1, MOST_MAPS));
  }

  private static void refuseUnknown(Configuration conf) {
    for (Map.Entry<String, String> each : conf) {
      String name = each.getKey();
      if (name.startsWith(ApplyKey.PREFIX) && !isKnown(name)) {
        throw refused(name, each.getValue(), "a key listed in docs/mapping.md", /* cause= */ null);
      }
    }
  }

  private static boolean isKnown(String name) {
    for (ApplyKey key : ApplyKey.values()) {
      if (name.equals(key.key())) {
        return true;
      }
    }
    return false;
  }

  private static String text(Configuration conf, ApplyKey key) {
    return conf.getTrimmed(key.key(), key.defaultValue());
  }

  private static String folder(Configuration conf) {
    String text = text(conf, ApplyKey.WORK_FOLDER);
    if (!text.matches("(/[^/:]+)+") || text.startsWith("/.reserved")) {
      throw refused(
          ApplyKey.WORK_FOLDER.key(), text, "an absolute path of HDFS, not /", /* cause= */ null);
    }
    return text;
  }

  private static long bytes(Configuration conf, ApplyKey key, long min, long max) {
    String text = text(conf, key);
    long value;
    try {
      value = text.equals("0") ? 0 : Quantities.parseBytes(key.key(), text);
    } catch (IllegalArgumentException e) {
      throw refused(key.key(), text, "a number, as 4, 64K or 100M", e);
    }
    return inRange(key, value, text, min, max);
  }

  private static long millis(Configuration conf, ApplyKey key, long min, long max) {
    String text = text(conf, key);
    long value;
    try {
      value = conf.getTimeDuration(key.key(), key.defaultValue(), TimeUnit.MILLISECONDS);
    } catch (IllegalArgumentException e) {
      throw refused(key.key(), text, "a duration, with ms, s, m, h, d", e);
    }
    return inRange(key, value, text, min, max);
  }

  private static long inRange(ApplyKey key, long value, String text, long min, long max) {
    if (value < min || value > max) {
      throw refused(key.key(), text, min + ".." + max, /* cause= */ null);
    }
    return value;
  }

  private static IllegalArgumentException refused(
      String key, String value, String rule, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "Cannot use configuration: " + key + "=" + value + ", expected " + rule, cause);
  }
}
