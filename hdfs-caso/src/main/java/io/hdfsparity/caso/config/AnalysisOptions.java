/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.config;

import io.hdfsparity.caso.correlation.CorrelationAnalysis;
import io.hdfsparity.caso.correlation.CorrelationOptions;
import io.hdfsparity.caso.correlation.SpillSpace;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * How much an analysis may take. Immutable, validated together.
 *
 * @param space where counts go that do not fit in memory
 * @param maxPairs most correlated pairs
 * @param maxWindowCells windows with more cells are left out
 * @param maxFiles most files of an audit log
 */
public record AnalysisOptions(SpillSpace space, int maxPairs, int maxWindowCells, int maxFiles) {
  private static final int MOST_PAIRS = 1 << 29;

  /**
   * Reads and validates all keys.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  public static AnalysisOptions of(Configuration conf) {
    refuseUnknown(conf);
    return new AnalysisOptions(
        new SpillSpace(
            directory(conf),
            number(conf, CasoKey.COUNTS_IN_MEMORY, 1, SpillSpace.MAX_ENTRIES),
            SpillSpace.DEFAULT_MAX_RUNS),
        number(conf, CasoKey.MAX_PAIRS, 1, MOST_PAIRS),
        number(conf, CasoKey.MAX_WINDOW_CELLS, 2, 1 << 20),
        number(conf, CasoKey.MAX_FILES, 1, 1 << 30));
  }

  /**
   * An analysis within these bounds.
   *
   * @param threshold the paper's access threshold, at least 2
   */
  public CorrelationAnalysis analysis(int threshold) {
    return new CorrelationAnalysis(
        new CorrelationOptions(threshold, maxWindowCells, maxPairs), Optional.of(space));
  }

  private static void refuseUnknown(Configuration conf) {
    for (Map.Entry<String, String> each : conf) {
      String name = each.getKey();
      if (name.startsWith(CasoKey.PREFIX) && !isKnown(name)) {
        throw refused(name, each.getValue(), "a key listed in docs/caso.md", /* cause= */ null);
      }
    }
  }

  private static boolean isKnown(String name) {
    for (CasoKey key : CasoKey.values()) {
      if (name.equals(key.key())) {
        return true;
      }
    }
    return false;
  }

  private static Path directory(Configuration conf) {
    String text = conf.getTrimmed(CasoKey.SPILL_DIR.key(), "");
    try {
      return Path.of(text.isEmpty() ? System.getProperty("java.io.tmpdir", "") : text);
    } catch (InvalidPathException e) {
      throw refused(CasoKey.SPILL_DIR.key(), text, "a local directory", e);
    }
  }

  private static int number(Configuration conf, CasoKey key, int min, int max) {
    String text = conf.getTrimmed(key.key(), key.defaultValue());
    try {
      int value = Integer.parseInt(text);
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw refused(key.key(), text, "a number from " + min + " to " + max, e);
    }
    throw refused(key.key(), text, min + " to " + max, /* cause= */ null);
  }

  private static IllegalArgumentException refused(
      String key, String value, String rule, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "Cannot use configuration: " + key + "=" + value + ", expected " + rule, cause);
  }
}
