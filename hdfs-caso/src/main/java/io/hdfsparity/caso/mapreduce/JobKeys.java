/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.mapreduce;

import org.apache.hadoop.conf.Configuration;

/** What the client tells the tasks, and the counters that tasks tell the client. */
final class JobKeys {
  static final String CELL_SIZE = "io.hdfsparity.caso.job.cell-size";
  static final String DISTANCE = "io.hdfsparity.caso.job.distance-ticks";
  static final String STRICT = "io.hdfsparity.caso.job.strict";
  static final String THRESHOLD = "io.hdfsparity.caso.job.threshold";
  static final String MAX_WINDOW_CELLS = "io.hdfsparity.caso.job.max-window-cells";
  static final String CANDIDATES = "io.hdfsparity.caso.job.candidates";

  /** Counted by tasks. */
  enum Count {
    WRITES,
    READS,
    BAD_LINES,
    WINDOWS,
    LEFT_OUT_WINDOWS
  }

  private JobKeys() {}

  /** A number that the client has set. */
  static long number(Configuration conf, String key) {
    long value = conf.getLong(key, -1);
    if (value < 0) {
      throw new IllegalStateException(
          "Cannot count correlations: " + key + "=" + conf.get(key) + ", expected a number");
    }
    return value;
  }
}
