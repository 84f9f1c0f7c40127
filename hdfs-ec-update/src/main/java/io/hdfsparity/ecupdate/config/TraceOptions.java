/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.config;

import io.hdfsparity.bridge.config.KeyReader;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Whether, where and how much updaters note what they do. Immutable, validated together.
 *
 * @param directory empty: they note nothing
 * @param fileBytes most of a file
 * @param totalBytes of all files in the directory, at least twice {@code fileBytes}
 */
public record TraceOptions(Optional<Path> directory, long fileBytes, long totalBytes) {
  private static final long LEAST_FILE_BYTES = 1 << 10;
  private static final long MOST_FILE_BYTES = 1L << 40;

  /**
   * Reads and validates all keys.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  public static TraceOptions of(Configuration conf) {
    KeyReader keys = new KeyReader(conf);
    keys.refuseUnknown(List.of(TraceKey.PREFIX), TraceKey.values(), Set.of(), "docs/ec-update.md");
    long fileBytes = keys.quantity(TraceKey.FILE_SIZE, LEAST_FILE_BYTES, MOST_FILE_BYTES);
    return new TraceOptions(
        directory(keys),
        fileBytes,
        keys.quantity(TraceKey.TOTAL_SIZE, 2 * fileBytes, Long.MAX_VALUE));
  }

  private static Optional<Path> directory(KeyReader keys) {
    String text = keys.text(TraceKey.DIRECTORY);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      Path directory = Path.of(text);
      if (directory.isAbsolute()) {
        return Optional.of(directory);
      }
      throw refused(text, /* cause= */ null);
    } catch (InvalidPathException e) {
      throw refused(text, e);
    }
  }

  private static IllegalArgumentException refused(String text, @Nullable Exception cause) {
    return KeyReader.refused(
        TraceKey.DIRECTORY.key(), text, "an absolute path of a local directory, or nothing", cause);
  }
}
