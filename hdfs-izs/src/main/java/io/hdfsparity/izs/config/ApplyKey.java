/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.config;

import io.hdfsparity.bridge.config.ConfigKey;

/**
 * Every key of {@code hdfs izs -apply}, with default and meaning; docs/mapping.md lists them.
 *
 * <p>All start with {@link #PREFIX}; an unknown one under it is an error.
 */
public enum ApplyKey implements ConfigKey {
  WORK_FOLDER(
      "work.folder",
      "/.izs-apply",
      "Directory of the file system for copies that are not verified yet; -apply makes it, for superusers only."),
  THREADS("threads", "4", "Files that one process copies at a time."),
  BANDWIDTH(
      "bandwidth",
      "0",
      "Most bytes of content a second that one process reads, of files and of copies, as 100M; 0: no limit."),
  BUFFER("buffer", "1M", "Bytes that a thread reads and writes at once."),
  SETTLE_TIMEOUT(
      "settle.timeout",
      "60s",
      "How long a copy may take until every replica or unit of it is reported, before it is given up."),
  MAPREDUCE_FILES(
      "mapreduce.files",
      "0",
      "From so many files on that have to be copied they are copied by a MapReduce job; 0: only with -mapreduce."),
  MAPREDUCE_MAPS(
      "mapreduce.maps", "20", "Most maps of such a job; each copies one file at a time.");

  /** Prefix of all names. */
  public static final String PREFIX = "dfs.parity.izs.apply.";

  private final About about;

  ApplyKey(String suffix, String defaultValue, String meaning) {
    about = new About(PREFIX + suffix, defaultValue, meaning);
  }

  @Override
  public About about() {
    return about;
  }
}
