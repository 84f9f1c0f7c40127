/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.config;

import io.hdfsparity.bridge.config.KeyReader;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * Whether, where and how much updaters note what they do. Immutable, validated together.
 *
 * @param directory empty: they note nothing
 * @param fileBytes most of a file
 * @param totalBytes of all files in the directory, at least twice {@code fileBytes}
 */
public record TraceOptions(Optional<Path> directory, long fileBytes, long totalBytes) {
  private static final long MIN_FILE_BYTES = 1 << 10;
  private static final long MAX_FILE_BYTES = 1L << 40;

  /**
   * Reads and validates all keys.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  public static TraceOptions of(Configuration conf) {
    KeyReader keys = UpdateKey.reader(conf);
    long fileBytes = keys.bytes(TraceKey.FILE_SIZE, MIN_FILE_BYTES, MAX_FILE_BYTES);
    return new TraceOptions(
        keys.directory(TraceKey.DIRECTORY),
        fileBytes,
        keys.bytes(TraceKey.TOTAL_SIZE, 2 * fileBytes, Long.MAX_VALUE));
  }
}
