/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.config;

import static io.hdfsparity.bridge.config.KeyUser.COMMAND;
import static io.hdfsparity.bridge.config.KeyUser.NAMENODE;
import static io.hdfsparity.bridge.config.ValueForm.COUNT;
import static io.hdfsparity.bridge.config.ValueForm.DURATION;
import static io.hdfsparity.bridge.config.ValueForm.FLAG;

import io.hdfsparity.bridge.config.ConfigKey;
import io.hdfsparity.bridge.config.KeySpec;
import io.hdfsparity.bridge.config.KeyUser;
import io.hdfsparity.bridge.config.ValueForm;
import java.util.Set;

/**
 * Every key of the level manager, with default and meaning; docs/reference/levels.md lists them.
 *
 * <p>All start with {@link #PREFIX}; an unknown one under it is an error.
 */
public enum LevelKey implements ConfigKey {
  BATCH_FILES(
      "batch.files",
      COUNT,
      "200",
      Set.of(NAMENODE, COMMAND),
      "Maximum files of one call; hdfs izs splits a tree into such calls."),
  FILE_GROUPS(
      "file.groups.max",
      COUNT,
      "10000",
      Set.of(NAMENODE),
      "Maximum block groups of a file whose level is changed, up to 20000: a file is changed under one hold of the lock."),
  LOCK_HOLD(
      "lock.hold",
      DURATION,
      "20ms",
      Set.of(NAMENODE),
      "The NameNode's lock is given back after this long; a file that was begun is finished first."),
  GROUPS_PER_SECOND(
      "groups.per.second",
      COUNT,
      "2000",
      Set.of(NAMENODE),
      "Max. block groups that are judged or changed a second, on average, for all callers "
          + "together. Ten paths count as a group; 0: no limit."),
  CALL_TIME(
      "call.time",
      DURATION,
      "5s",
      Set.of(NAMENODE),
      "A call returns after this long with what it has done."),
  SWEEP_INTERVAL(
      "sweep.interval",
      DURATION,
      "30s",
      Set.of(NAMENODE),
      "Pause between two looks for surplus units in storages that sent a full report. "
          + "Interrupted changes are completed at once. All storages are looked through every 20 "
          + "intervals, for 120 intervals after a change."),
  PEERS_CHECK(
      "peers.check",
      FLAG,
      "true",
      Set.of(NAMENODE),
      "Refuse changes unless the level managers of all other NameNodes of the nameservice answer that they are guarded."),
  ADMIN_TIMEOUT(
      "admin.timeout", DURATION, "60s", Set.of(COMMAND), "How long hdfs izs waits for an answer.");

  /** Prefix of all names. */
  public static final String PREFIX = SUITE_PREFIX + "izs.level.";

  private final KeySpec spec;

  LevelKey(String suffix, ValueForm form, String defaultValue, Set<KeyUser> users, String meaning) {
    spec = new KeySpec(SUITE_PREFIX + "izs.level." + suffix, form, defaultValue, users, meaning);
  }

  @Override
  public KeySpec spec() {
    return spec;
  }
}
