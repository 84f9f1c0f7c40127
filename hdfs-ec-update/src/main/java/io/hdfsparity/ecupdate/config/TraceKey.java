/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.config;

import static io.hdfsparity.bridge.config.KeyUser.CLIENT;
import static io.hdfsparity.bridge.config.ValueForm.SIZE;

import io.hdfsparity.bridge.config.ConfigKey;
import io.hdfsparity.bridge.config.KeySpec;
import io.hdfsparity.bridge.config.KeyUser;
import io.hdfsparity.bridge.config.ValueForm;
import java.util.Set;

/**
 * Every key of the trace of updates, with default and meaning, as in docs/reference/ecupdate.md.
 * All start with {@link #PREFIX}; an unknown one under it is an error.
 */
public enum TraceKey implements ConfigKey {
  DIRECTORY(
      "dir",
      ValueForm.DIRECTORY,
      "",
      Set.of(CLIENT),
      "Local directory of the client in which every updater notes what it reads and writes, for"
          + " `hdfs caso`; empty: none does."),
  FILE_SIZE(
      "file.size",
      SIZE,
      "16M",
      Set.of(CLIENT),
      "Maximum bytes of a file of a trace; the next one is begun then."),
  TOTAL_SIZE(
      "total.size",
      SIZE,
      "256M",
      Set.of(CLIENT),
      "Bytes of all traces in the directory, beside a file for each open updater: the oldest are"
          + " deleted when a file is begun.");

  /** Prefix of all names. */
  public static final String PREFIX = SUITE_PREFIX + "ecupdate.trace.";

  private final KeySpec spec;

  TraceKey(String suffix, ValueForm form, String defaultValue, Set<KeyUser> users, String meaning) {
    spec =
        new KeySpec(SUITE_PREFIX + "ecupdate.trace." + suffix, form, defaultValue, users, meaning);
  }

  @Override
  public KeySpec spec() {
    return spec;
  }
}
