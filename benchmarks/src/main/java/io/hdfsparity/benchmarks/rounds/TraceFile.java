/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.rounds;

import io.hdfsparity.benchmarks.macro.BadOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A trace file that is measured, as results tell it from others: without its folder, which is one
 * of this machine.
 *
 * @param name of the file
 * @param bytes its length
 */
public record TraceFile(String name, long bytes) {
  private static final String OPTION = "msr";

  /**
   * Looks at a file.
   *
   * @throws BadOption when it cannot be read
   */
  static TraceFile of(Path file) {
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw new BadOption(OPTION, file, "trace files that can be read");
    }
    try {
      return new TraceFile(String.valueOf(file.getFileName()), Files.size(file));
    } catch (IOException e) {
      BadOption bad = new BadOption(OPTION, file, "trace files that can be read: " + e);
      bad.initCause(e);
      throw bad;
    }
  }

  /** What figures of the file are called. */
  public String label() {
    return label(Path.of(name));
  }

  /** What figures of a file are called. */
  public static String label(Path file) {
    return String.valueOf(file.getFileName()).replaceFirst("\\.csv(\\.gz)?$", "");
  }

  /**
   * Refuses traces whose figures would be called the same.
   *
   * @throws BadOption naming the first that is there twice
   */
  public static void requireDistinct(List<String> labels) {
    Set<String> seen = new HashSet<>();
    for (String label : labels) {
      if (!seen.add(label)) {
        throw new BadOption(
            "trace",
            label,
            "traces of different names: a file is named without its folder and .csv, a made-up one"
                + " by its volume");
      }
    }
  }
}
