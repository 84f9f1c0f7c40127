/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.config;

import io.hdfsparity.bridge.config.KeyReader;
import io.hdfsparity.caso.layout.LayoutPointer;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * What files in stored order are configured with. Immutable, validated together.
 *
 * @param adminTimeoutMs how long a client waits for an answer
 * @param settleMs how long a client waits for all units of a copy
 * @param folder of the suite on the file system, absolute
 * @param sweepPeriodMs how often indexes of no file are deleted
 * @param mapReduceMinBytes length from which on a file is copied by MapReduce, if that is asked for
 * @param mapReducePartBytes about how much of it a task copies
 */
public record LayoutOptions(
    int adminTimeoutMs,
    int settleMs,
    String folder,
    long sweepPeriodMs,
    long mapReduceMinBytes,
    long mapReducePartBytes) {
  private static final long DAY_MS = TimeUnit.DAYS.toMillis(1);

  /**
   * Reads and validates all keys.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  public static LayoutOptions of(Configuration conf) {
    KeyReader keys = CasoKey.reader(conf);
    return new LayoutOptions(
        (int) keys.millis(CasoKey.LAYOUT_ADMIN_TIMEOUT, 1, DAY_MS),
        (int) keys.millis(CasoKey.LAYOUT_SETTLE_TIMEOUT, 1, DAY_MS),
        folder(keys),
        keys.millis(CasoKey.LAYOUT_SWEEP_PERIOD, 100, DAY_MS),
        keys.bytes(CasoKey.LAYOUT_MAPREDUCE_MIN, 1, Long.MAX_VALUE),
        keys.bytes(CasoKey.LAYOUT_MAPREDUCE_PART, 1, Long.MAX_VALUE));
  }

  private static String folder(KeyReader keys) {
    String folder = keys.text(CasoKey.LAYOUT_FOLDER);
    if (!folder.matches(LayoutPointer.FOLDER_PATTERN)
        || !new Path(folder).toUri().getPath().equals(folder)) {
      throw KeyReader.refused(
          CasoKey.LAYOUT_FOLDER.key(),
          folder,
          "an absolute path without scheme, blanks and / at its end, not /",
          /* cause= */ null);
    }
    return folder;
  }
}
