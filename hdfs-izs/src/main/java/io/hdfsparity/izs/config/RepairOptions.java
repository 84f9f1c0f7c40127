/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.config;

import io.hdfsparity.bridge.config.KeyReader;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * What repair in a DataNode is configured with. Immutable, validated.
 *
 * @param mayHalfRead whether half-read plans are used
 * @param memoryBytes limit on what the buffers of all repairs of the node take together; a single
 *     repair that needs more runs alone
 * @param attempts times that reading is begun in one repair before it fails: once, and once more
 *     after each helper that failed, was slow or was corrupt
 * @param readTimeoutMs a helper that delivers nothing for this long is replaced; 0: never
 */
public record RepairOptions(
    boolean mayHalfRead, long memoryBytes, int attempts, long readTimeoutMs) {
  private static final long MIN_MEMORY_BYTES = 1 << 20;
  private static final int MAX_ATTEMPTS = 100;

  /**
   * Reads the configuration once.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  public static RepairOptions from(Configuration conf) {
    KeyReader keys = IzsKeys.reader(conf);
    long timeoutMs =
        conf.getInt(
            DFSConfigKeys.DFS_DN_EC_RECONSTRUCTION_STRIPED_READ_TIMEOUT_MILLIS_KEY,
            DFSConfigKeys.DFS_DN_EC_RECONSTRUCTION_STRIPED_READ_TIMEOUT_MILLIS_DEFAULT);
    return new RepairOptions(
        keys.flag(RepairKey.HALF_READ),
        keys.bytes(RepairKey.MEMORY, MIN_MEMORY_BYTES, Long.MAX_VALUE),
        keys.count(RepairKey.ATTEMPTS, 1, MAX_ATTEMPTS),
        // As HDFS's own reader: no limit where it is not positive.
        Math.max(0, timeoutMs));
  }
}
