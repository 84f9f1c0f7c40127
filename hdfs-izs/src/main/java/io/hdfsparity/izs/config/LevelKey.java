/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.config;

import io.hdfsparity.bridge.config.ConfigKey;

/**
 * Every key of the level manager, with default and meaning; docs/levels.md lists them.
 *
 * <p>All start with {@link #PREFIX}; an unknown one under it is an error.
 */
public enum LevelKey implements ConfigKey {
  RPC_ADDRESS(
      "rpc-address",
      "0.0.0.0:9880",
      "Where the level manager in the NameNode listens, host:port. With 0.0.0.0 clients take the host of the NameNode's"
          + " own RPC address. With several NameNodes: one key each, followed by .<nameservice>.<namenode id>, or one port"
          + " for all."),
  HANDLER_COUNT("handler.count", "4", "RPC handlers of the level manager."),
  BATCH_FILES(
      "batch.files", "200", "Most files of one call; hdfs izs splits a tree into such calls."),
  FILE_GROUPS(
      "file.groups.max",
      "10000",
      "Most block groups of a file whose level is changed, up to 20000: a file is changed under one hold of the lock."),
  LOCK_HOLD(
      "lock.hold",
      "20ms",
      "The NameNode's lock is given back after this long; a file that was begun is finished first."),
  GROUPS_PER_SECOND(
      "groups.per.second",
      "2000",
      "Most block groups that are changed a second, on average; 0: no limit."),
  CALL_TIME("call.time", "5s", "A call returns after this long with what it has done."),
  SWEEP_INTERVAL(
      "sweep.interval",
      "30s",
      "Pause between two looks for surplus units in storages that sent a full report."),
  PEERS_CHECK(
      "peers.check",
      "true",
      "Refuse changes unless the level managers of all other NameNodes of the nameservice answer that they are guarded."),
  ADMIN_TIMEOUT("admin.timeout", "60s", "How long hdfs izs waits for an answer.");

  /** Prefix of all names. */
  public static final String PREFIX = "dfs.parity.izs.level.";

  private final About about;

  LevelKey(String suffix, String defaultValue, String meaning) {
    about = new About(PREFIX + suffix, defaultValue, meaning);
  }

  @Override
  public About about() {
    return about;
  }
}
