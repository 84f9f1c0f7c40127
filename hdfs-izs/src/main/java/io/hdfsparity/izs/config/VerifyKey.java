/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.config;

import io.hdfsparity.bridge.config.ConfigKey;

/**
 * Every key of the verification of parity, with default and meaning; docs/izs-repair.md lists them.
 *
 * <p>All start with {@link #PREFIX}; an unknown one under it is an error.
 */
public enum VerifyKey implements ConfigKey {
  ENABLED("enabled", "true", "Verify parity in the background after files are closed."),
  EXISTING(
      "existing",
      "true",
      "At the first start also verify the groups that are there already; false: only those made from then on."),
  RS("rs", "false", "Also verify groups of Hadoop's own codecs: rs, rs-legacy, xor."),
  WHOLE(
      "whole",
      "true",
      "After the sample, compare every byte of groups whose parity checksums do not cover."),
  INTERVAL("interval", "1s", "Pause between two rounds of the NameNode's sweeper."),
  BATCH(
      "batch",
      "2000",
      "Most block group ids looked up under one hold of the NameNode's read lock."),
  OPEN_GROUPS("open.max", "10000", "Most groups that wait to be verified; ids behind them wait."),
  SAVE_INTERVAL("save.interval", "1m", "How often the NameNode saves how far it has come."),
  TASK_TIMEOUT(
      "task.timeout",
      "2m",
      "A group is taken from a DataNode that has not reported for this long, and a second for each MiB to be read."),
  RETRY(
      "retry",
      "1m",
      "Pause before a group is tried again that could not be compared; it doubles up to 1h."),
  ATTEMPTS("attempts", "30", "A group that could not be compared so often is given up."),
  BYTES_PER_SECOND(
      "bytes.per.second",
      "16M",
      "Most bytes a second that a DataNode reads to compare, on average, at least 1M; 0: no limit."),
  POLL("poll", "3s", "Pause of a DataNode that had nothing to verify before it asks again.");

  /** Prefix of all names. */
  public static final String PREFIX = "dfs.parity.izs.verify.";

  private final About about;

  VerifyKey(String suffix, String defaultValue, String meaning) {
    about = new About(PREFIX + suffix, defaultValue, meaning);
  }

  @Override
  public About about() {
    return about;
  }
}
