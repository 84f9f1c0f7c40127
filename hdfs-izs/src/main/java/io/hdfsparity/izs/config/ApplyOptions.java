/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.config;

import io.hdfsparity.bridge.config.KeyReader;
import org.apache.hadoop.conf.Configuration;

/**
 * What {@code hdfs izs -apply} is configured with. Immutable, validated together.
 *
 * @param workFolder absolute path of copies that are not verified yet
 * @param threads files copied at a time
 * @param bytesPerSecond limit on the bytes read; 0: none
 * @param bufferBytes read and written at once
 * @param settleMs how long a copy may take until it is whole
 * @param jobFiles from so many files on a MapReduce job copies them; 0: never by itself
 * @param maps limit on the maps of such a job
 */
public record ApplyOptions(
    String workFolder,
    int threads,
    long bytesPerSecond,
    int bufferBytes,
    long settleMs,
    int jobFiles,
    int maps) {
  private static final int MAX_WAITING = 1_000_000;
  private static final int MAX_MAPS = 1000;
  private static final int MAX_THREADS = 256;
  private static final int MIN_BUFFER = 4096;
  private static final int MAX_BUFFER = 64 << 20;
  private static final long DAY_MS = 24L * 3600 * 1000;

  /**
   * Reads and validates all keys.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  public static ApplyOptions of(Configuration conf) {
    KeyReader keys = IzsKeys.reader(conf);
    return new ApplyOptions(
        folder(keys),
        keys.count(ApplyKey.THREADS, 1, MAX_THREADS),
        keys.bytes(ApplyKey.BANDWIDTH, 0, Long.MAX_VALUE),
        (int) keys.bytes(ApplyKey.BUFFER, MIN_BUFFER, MAX_BUFFER),
        keys.millis(ApplyKey.SETTLE_TIMEOUT, 1000, DAY_MS),
        keys.count(ApplyKey.MAPREDUCE_FILES, 0, MAX_WAITING),
        keys.count(ApplyKey.MAPREDUCE_MAPS, 1, MAX_MAPS));
  }

  private static String folder(KeyReader keys) {
    String text = keys.text(ApplyKey.WORK_FOLDER);
    if (!text.matches("(/[^/:]+)+") || text.startsWith("/.reserved")) {
      throw KeyReader.refused(
          ApplyKey.WORK_FOLDER.key(), text, "an absolute path of HDFS, not /", /* cause= */ null);
    }
    return text;
  }
}
