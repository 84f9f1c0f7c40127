/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.config;

import io.hdfsparity.bridge.config.ConfigKey;

/**
 * Every key of the trace of updates, with default and meaning, as in docs/ec-update.md. All start
 * with {@link #PREFIX}; an unknown one under it is an error.
 */
public enum TraceKey implements ConfigKey {
  DIRECTORY(
      "dir",
      "",
      "Local directory of the client in which every updater notes what it reads and writes, for"
          + " `hdfs caso`; empty: none does."),
  FILE_SIZE("file.size", "16M", "Most bytes of a file of a trace; the next one is begun then."),
  TOTAL_SIZE(
      "total.size",
      "256M",
      "Bytes of all traces in the directory, beside a file for each open updater: the oldest are"
          + " deleted when a file is begun.");

  /** Prefix of all names. */
  public static final String PREFIX = "dfs.parity.ecupdate.trace.";

  private final About about;

  TraceKey(String suffix, String defaultValue, String meaning) {
    about = new About(PREFIX + suffix, defaultValue, meaning);
  }

  @Override
  public About about() {
    return about;
  }
}
