/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.config;

/**
 * Every key of {@code hdfs caso}, with default and meaning; docs/caso.md lists them.
 *
 * <p>All start with {@link #PREFIX}; an unknown one under it is an error.
 */
public enum CasoKey {
  COUNTS_IN_MEMORY(
      "analysis.counts.in.memory",
      "16000000",
      "Counts of cells or of pairs that the analysis keeps in memory, at 24 to 48 bytes each; more are spilled to disk."),
  SPILL_DIR(
      "analysis.spill.dir",
      "",
      "Local directory that counts are spilled to; empty: the JVM's java.io.tmpdir."),
  MAX_PAIRS(
      "analysis.max.pairs",
      "50000000",
      "Most correlated pairs of cells, at some 36 bytes each; more are an error."),
  MAX_WINDOW_CELLS(
      "analysis.max.window.cells",
      "8192",
      "Windows with more cells that could be correlated are left out of the count."),
  MAX_FILES(
      "analysis.max.files",
      "10000000",
      "Most files of an audit log, at some 200 bytes and the name each; more are an error.");

  /** Prefix of all names. */
  public static final String PREFIX = "dfs.parity.caso.";

  private final String suffix;
  private final String defaultValue;
  private final String meaning;

  CasoKey(String suffix, String defaultValue, String meaning) {
    this.suffix = suffix;
    this.defaultValue = defaultValue;
    this.meaning = meaning;
  }

  /** Full name. */
  public String key() {
    return PREFIX + suffix;
  }

  /** As it would stand in a site file. */
  public String defaultValue() {
    return defaultValue;
  }

  /** For the operator. */
  public String meaning() {
    return meaning;
  }
}
