/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.config;

import io.hdfsparity.bridge.config.KeyReader;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.util.StringUtils;

/**
 * What repair in a DataNode is configured with. Immutable, validated.
 *
 * @param mayHalfRead whether half-read plans are used
 * @param memoryBytes most that buffers of all repairs of the node take together; a single repair
 *     that needs more runs alone
 * @param attempts times that reading is begun in one repair before it fails: once, and once more
 *     after each helper that failed, was slow or was corrupt
 * @param readTimeoutMs a helper that delivers nothing for this long is replaced; 0: never
 */
public record RepairOptions(
    boolean mayHalfRead, long memoryBytes, int attempts, long readTimeoutMs) {
  /** All keys start with this; an unknown one under it is an error. */
  public static final String PREFIX = "dfs.parity.izs.repair.";

  /** true or false. */
  public static final String HALF_READ = PREFIX + "half-read";

  /** Size in bytes, with k, m, g. */
  public static final String MEMORY = PREFIX + "memory";

  /** Whole number. */
  public static final String ATTEMPTS = PREFIX + "attempts";

  private static final Set<String> KNOWN = Set.of(HALF_READ, MEMORY, ATTEMPTS);
  private static final long MIN_MEMORY_BYTES = 1 << 20;
  private static final int MAX_ATTEMPTS = 100;
  private static final String DEFAULT_MEMORY = "256m";
  private static final String DEFAULT_ATTEMPTS = "5";

  /**
   * Reads the configuration once.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  public static RepairOptions from(Configuration conf) {
    for (Map.Entry<String, String> entry : conf) {
      if (entry.getKey().startsWith(PREFIX) && !KNOWN.contains(entry.getKey())) {
        String keys = String.join(", ", KNOWN.stream().sorted().toList());
        throw KeyReader.refused(entry.getKey(), entry.getValue(), "one of the keys " + keys, null);
      }
    }
    long timeoutMs =
        conf.getInt(
            DFSConfigKeys.DFS_DN_EC_RECONSTRUCTION_STRIPED_READ_TIMEOUT_MILLIS_KEY,
            DFSConfigKeys.DFS_DN_EC_RECONSTRUCTION_STRIPED_READ_TIMEOUT_MILLIS_DEFAULT);
    return new RepairOptions(
        new KeyReader(conf).flag(HALF_READ, "true"),
        memoryBytes(conf),
        attempts(conf),
        // As HDFS's own reader: no limit where it is not positive.
        Math.max(0, timeoutMs));
  }

  private static long memoryBytes(Configuration conf) {
    String text = conf.getTrimmed(MEMORY, DEFAULT_MEMORY);
    String rule = "a size of at least 1m, written like 256m";
    long bytes;
    try {
      bytes = StringUtils.TraditionalBinaryPrefix.string2long(text);
    } catch (IllegalArgumentException e) {
      throw KeyReader.refused(MEMORY, text, rule, e);
    }
    if (bytes < MIN_MEMORY_BYTES) {
      throw KeyReader.refused(MEMORY, text, rule, null);
    }
    return bytes;
  }

  private static int attempts(Configuration conf) {
    String text = conf.getTrimmed(ATTEMPTS, DEFAULT_ATTEMPTS);
    String rule = "a whole number, 1.." + MAX_ATTEMPTS;
    int attempts;
    try {
      attempts = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw KeyReader.refused(ATTEMPTS, text, rule, e);
    }
    if (attempts < 1 || attempts > MAX_ATTEMPTS) {
      throw KeyReader.refused(ATTEMPTS, text, rule, null);
    }
    return attempts;
  }
}
