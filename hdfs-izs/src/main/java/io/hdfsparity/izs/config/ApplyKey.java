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
import static io.hdfsparity.bridge.config.ValueForm.HDFS_PATH;
import static io.hdfsparity.bridge.config.ValueForm.SIZE;

import io.hdfsparity.bridge.config.ConfigKey;
import io.hdfsparity.bridge.config.KeySpec;
import io.hdfsparity.bridge.config.KeyUser;
import io.hdfsparity.bridge.config.ValueForm;
import java.util.Set;

/**
 * Every key of {@code hdfs izs -apply}, with default and meaning; docs/reference/mapping.md lists
 * them.
 *
 * <p>All start with {@link #PREFIX}; an unknown one under it is an error.
 */
public enum ApplyKey implements ConfigKey {
  WORK_FOLDER(
      "work.folder",
      HDFS_PATH,
      "/.izs-apply",
      Set.of(NAMENODE, COMMAND),
      "Directory of the file system for copies that are not verified yet; -apply makes it, for superusers only."),
  THREADS("threads", COUNT, "4", Set.of(COMMAND), "Files that one process copies at a time."),
  BANDWIDTH(
      "bandwidth",
      SIZE,
      "0",
      Set.of(COMMAND),
      "Maximum bytes of content a second that one process reads, of files and of copies, as 100M; 0: no limit."),
  BUFFER("buffer", SIZE, "1M", Set.of(COMMAND), "Bytes that a thread reads and writes at once."),
  SETTLE_TIMEOUT(
      "settle.timeout",
      DURATION,
      "60s",
      Set.of(COMMAND),
      "How long a copy may take until every replica or unit of it is reported, before it is abandoned."),
  MAPREDUCE_FILES(
      "mapreduce.files",
      COUNT,
      "0",
      Set.of(COMMAND),
      "From so many files on that have to be copied they are copied by a MapReduce job; 0: only with -mapreduce."),
  MAPREDUCE_MAPS(
      "mapreduce.maps",
      COUNT,
      "20",
      Set.of(COMMAND),
      "Maximum maps of such a job; each copies one file at a time.");

  /** Prefix of all names. */
  public static final String PREFIX = SUITE_PREFIX + "izs.apply.";

  private final KeySpec spec;

  ApplyKey(String suffix, ValueForm form, String defaultValue, Set<KeyUser> users, String meaning) {
    spec = new KeySpec(SUITE_PREFIX + "izs.apply." + suffix, form, defaultValue, users, meaning);
  }

  @Override
  public KeySpec spec() {
    return spec;
  }
}
