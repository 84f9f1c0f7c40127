/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.config;

import io.hdfsparity.bridge.config.ConfigKey;

/**
 * Every key of the access history and of the mapping, with default and meaning; docs/mapping.md
 * lists them.
 *
 * <p>All start with {@link #ACCESS} or {@link #MAPPING}; an unknown one under these is an error.
 */
public enum AccessKey implements ConfigKey {
  RPC_ADDRESS(
      "access.rpc-address",
      "0.0.0.0:9879",
      "Where the access history in the NameNode listens, host:port. With 0.0.0.0 clients take the host of the NameNode's"
          + " own RPC address. With several NameNodes: one key each, followed by .<nameservice>.<namenode id>, or one port"
          + " for all."),
  HANDLER_COUNT("access.handler.count", "2", "RPC handlers of the access history."),
  DIRECTORY(
      "access.dir",
      "",
      "Local directory of the NameNode for the history, made private (0700); empty: izs-access beside the first directory of dfs.namenode.name.dir."),
  PERIOD("access.period", "6h", "Length of a period. Another length starts a new history."),
  PERIODS("access.periods", "28", "Periods kept, the current one included."),
  MAX_ENTRIES(
      "access.max.entries", "100000", "Most files and directories kept; each takes about 0.5 KB."),
  QUEUE("access.queue", "65536", "Events that may wait; more are counted as dropped."),
  FLUSH("access.flush", "1m", "How often the history is written; a crash loses at most so much."),
  ADMIN_TIMEOUT("access.admin.timeout", "60s", "How long hdfs izs waits for an answer."),
  MAPPING_FILE(
      "mapping.file", "", "Rule table that hdfs izs reads; empty: the table of the MFTS paper.");

  /** Prefix of the names of the history. */
  public static final String ACCESS = "dfs.parity.izs.access.";

  /** Prefix of the names of the mapping. */
  public static final String MAPPING = "dfs.parity.izs.mapping.";

  private final About about;

  AccessKey(String suffix, String defaultValue, String meaning) {
    about = new About("dfs.parity.izs." + suffix, defaultValue, meaning);
  }

  @Override
  public About about() {
    return about;
  }
}
