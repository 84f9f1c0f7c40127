/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.config;

import io.hdfsparity.bridge.config.KeyReader;
import io.hdfsparity.caso.correlation.CorrelationAnalysis;
import io.hdfsparity.caso.correlation.CorrelationOptions;
import io.hdfsparity.caso.correlation.SpillSpace;
import io.hdfsparity.caso.organize.SearchBounds;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * How much an analysis may take. Immutable, validated together.
 *
 * @param space where counts go that do not fit in memory
 * @param maxPairs limit on the correlated pairs
 * @param maxWindowCells windows with more cells are left out
 * @param search bounds of the local search
 * @param maxFiles limit on the files of an audit log
 */
public record AnalysisOptions(
    SpillSpace space, int maxPairs, int maxWindowCells, SearchBounds search, int maxFiles) {
  private static final int MAX_PAIRS_LIMIT = 1 << 29;

  /**
   * Reads and validates all keys.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  public static AnalysisOptions of(Configuration conf) {
    KeyReader keys = CasoKey.reader(conf);
    return new AnalysisOptions(
        new SpillSpace(
            keys.directory(CasoKey.SPILL_DIR)
                .orElseGet(() -> Path.of(System.getProperty("java.io.tmpdir", ""))),
            keys.count(CasoKey.COUNTS_IN_MEMORY, 1, SpillSpace.MAX_ENTRIES),
            SpillSpace.DEFAULT_MAX_RUNS),
        keys.count(CasoKey.MAX_PAIRS, 1, MAX_PAIRS_LIMIT),
        keys.count(CasoKey.MAX_WINDOW_CELLS, 2, 1 << 20),
        new SearchBounds(
            keys.count(CasoKey.SEARCH_CELL_WRITES, 1, 1 << 30), SearchBounds.DEFAULT.maxPairs()),
        keys.count(CasoKey.MAX_FILES, 1, 1 << 30));
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
}
