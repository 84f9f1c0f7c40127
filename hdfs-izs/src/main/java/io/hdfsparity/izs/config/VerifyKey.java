/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.config;

import static io.hdfsparity.bridge.config.KeyUser.DATANODE;
import static io.hdfsparity.bridge.config.KeyUser.NAMENODE;
import static io.hdfsparity.bridge.config.ValueForm.COUNT;
import static io.hdfsparity.bridge.config.ValueForm.DURATION;
import static io.hdfsparity.bridge.config.ValueForm.FLAG;
import static io.hdfsparity.bridge.config.ValueForm.SIZE;

import io.hdfsparity.bridge.config.ConfigKey;
import io.hdfsparity.bridge.config.KeySpec;
import io.hdfsparity.bridge.config.KeyUser;
import io.hdfsparity.bridge.config.ValueForm;
import java.util.Set;

/**
 * Every key of the verification of parity, with default and meaning.
 *
 * <p>All start with {@link #PREFIX}; an unknown one under it is an error.
 */
public enum VerifyKey implements ConfigKey {
  ENABLED(
      "enabled",
      FLAG,
      "true",
      Set.of(NAMENODE, DATANODE),
      "Verify parity in the background after files are closed."),
  EXISTING(
      "existing",
      FLAG,
      "true",
      Set.of(NAMENODE),
      "At the first start also verify the groups that are there already; false: only those made"
          + " from then on."),
  RS(
      "rs",
      FLAG,
      "false",
      Set.of(NAMENODE),
      "Also verify groups of Hadoop's own codecs: rs, rs-legacy, xor."),
  WHOLE(
      "whole",
      FLAG,
      "true",
      Set.of(NAMENODE),
      "After the sample, compare every byte of groups whose parity checksums do not cover."),
  INTERVAL(
      "interval",
      DURATION,
      "1s",
      Set.of(NAMENODE),
      "Pause between two rounds of the NameNode's sweeper."),
  BATCH(
      "batch",
      COUNT,
      "2000",
      Set.of(NAMENODE),
      "Maximum block group ids looked up under one hold of the NameNode's read lock."),
  OPEN_GROUPS(
      "open.max",
      COUNT,
      "10000",
      Set.of(NAMENODE),
      "Maximum groups that wait to be verified; ids behind them wait. Groups that are being written"
          + " do not count."),
  SAVE_INTERVAL(
      "save.interval",
      DURATION,
      "1m",
      Set.of(NAMENODE),
      "How often the NameNode saves how far it has come."),
  TASK_TIMEOUT(
      "task.timeout",
      DURATION,
      "2m",
      Set.of(NAMENODE),
      "A group is taken from a DataNode that has not reported for this long, and a second for each"
          + " MiB to be read."),
  RETRY(
      "retry",
      DURATION,
      "1m",
      Set.of(NAMENODE),
      "Pause before a group is tried again that could not be compared; it doubles up to 1h."),
  ATTEMPTS(
      "attempts",
      COUNT,
      "30",
      Set.of(NAMENODE),
      "A group that could not be compared so often is abandoned."),
  REBUILD_WAIT(
      "rebuild.wait",
      DURATION,
      "10m",
      Set.of(NAMENODE, DATANODE),
      "So long after a NameNode became active no unit is rebuilt from parity that was not verified,"
          + " where no other unit is left to compare with: DataNodes may still report. A DataNode"
          + " waits as long where no NameNode says whether it was."),
  BYTES_PER_SECOND(
      "bytes.per.second",
      SIZE,
      "16M",
      Set.of(DATANODE),
      "Most bytes a second that a DataNode reads to compare, on average, at least 1M; 0: no"
          + " limit."),
  POLL(
      "poll",
      DURATION,
      "3s",
      Set.of(DATANODE),
      "Pause of a DataNode that had nothing to verify before it asks again.");

  /** Prefix of all names. */
  public static final String PREFIX = SUITE_PREFIX + "izs.verify.";

  private final KeySpec spec;

  VerifyKey(
      String suffix, ValueForm form, String defaultValue, Set<KeyUser> users, String meaning) {
    spec = new KeySpec(SUITE_PREFIX + "izs.verify." + suffix, form, defaultValue, users, meaning);
  }

  @Override
  public KeySpec spec() {
    return spec;
  }
}
