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
import static io.hdfsparity.bridge.config.ValueForm.TEXT;

import io.hdfsparity.bridge.config.ConfigKey;
import io.hdfsparity.bridge.config.KeySpec;
import io.hdfsparity.bridge.config.KeyUser;
import io.hdfsparity.bridge.config.ValueForm;
import java.util.Set;

/**
 * Every key of the access history and of the mapping, with default and meaning;
 * docs/reference/mapping.md lists them.
 *
 * <p>All start with {@link #ACCESS} or {@link #MAPPING}; an unknown one under these is an error.
 */
public enum AccessKey implements ConfigKey {
  DIRECTORY(
      "access.dir",
      ValueForm.DIRECTORY,
      "",
      Set.of(NAMENODE),
      "Local directory of the NameNode for the history, made private (0700) at each start; "
          + "with several NameNodes, a folder of the NameNode's id in it. What cannot be made "
          + "private is refused, and nothing is counted. Empty: izs-access beside the first local "
          + "directory of dfs.namenode.name.dir."),
  PERIOD(
      "access.period",
      DURATION,
      "6h",
      Set.of(NAMENODE),
      "Length of a period; the paper has four a day. Another length starts a new history."),
  PERIODS(
      "access.periods",
      COUNT,
      "28",
      Set.of(NAMENODE),
      "Periods kept, the current one included; 28 periods of 6 hours are a week."),
  MAX_ENTRIES(
      "access.max.entries",
      COUNT,
      "100000",
      Set.of(NAMENODE),
      "Maximum files and directories kept; each takes about 0.5 KB. Together they take at most "
          + "the heap that so many paths of 256 characters need, 78 MB by default: of longer "
          + "paths fewer are kept."),
  QUEUE(
      "access.queue",
      COUNT,
      "65536",
      Set.of(NAMENODE),
      "Events that may wait; more are counted as dropped. Together they take at most the heap "
          + "that so many paths of 256 characters need, 42 MB by default: of longer paths fewer "
          + "may wait."),
  FLUSH(
      "access.flush",
      DURATION,
      "1m",
      Set.of(NAMENODE),
      "How often the history is written; a crash loses at most so much."),
  ADMIN_TIMEOUT(
      "access.admin.timeout",
      DURATION,
      "60s",
      Set.of(COMMAND),
      "How long hdfs izs waits for an answer."),
  MAPPING_FILE(
      "mapping.file",
      TEXT,
      "",
      Set.of(COMMAND),
      "Rule table, a local file of the host where hdfs izs -advise runs; empty: the table of "
          + "the MFTS paper.");

  /** Prefix of the names of the history. */
  public static final String ACCESS = SUITE_PREFIX + "izs.access.";

  /** Prefix of the names of the mapping. */
  public static final String MAPPING = SUITE_PREFIX + "izs.mapping.";

  private final KeySpec spec;

  AccessKey(
      String suffix, ValueForm form, String defaultValue, Set<KeyUser> users, String meaning) {
    spec = new KeySpec(SUITE_PREFIX + "izs." + suffix, form, defaultValue, users, meaning);
  }

  @Override
  public KeySpec spec() {
    return spec;
  }
}
