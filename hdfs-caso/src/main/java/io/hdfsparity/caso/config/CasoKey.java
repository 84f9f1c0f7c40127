/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.config;

import static io.hdfsparity.bridge.config.KeyUser.CLIENT;
import static io.hdfsparity.bridge.config.KeyUser.COMMAND;
import static io.hdfsparity.bridge.config.KeyUser.NAMENODE;
import static io.hdfsparity.bridge.config.ValueForm.COUNT;
import static io.hdfsparity.bridge.config.ValueForm.DIRECTORY;
import static io.hdfsparity.bridge.config.ValueForm.DURATION;
import static io.hdfsparity.bridge.config.ValueForm.HDFS_PATH;
import static io.hdfsparity.bridge.config.ValueForm.SIZE;

import io.hdfsparity.bridge.config.ConfigKey;
import io.hdfsparity.bridge.config.KeyReader;
import io.hdfsparity.bridge.config.KeySpec;
import io.hdfsparity.bridge.config.KeyUser;
import io.hdfsparity.bridge.config.ValueForm;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/**
 * Every key of {@code hdfs caso}, with default and meaning; docs/reference/caso.md lists them.
 *
 * <p>All start with {@link #PREFIX}; an unknown one under it is an error.
 */
public enum CasoKey implements ConfigKey {
  COUNTS_IN_MEMORY(
      "analysis.counts.in.memory",
      COUNT,
      "16000000",
      Set.of(COMMAND),
      "Counts of cells or of pairs that the analysis keeps in memory, at 24 to 48 bytes each. "
          + "More are spilled to disk, with the same result."),
  SPILL_DIR(
      "analysis.spill.dir",
      DIRECTORY,
      "",
      Set.of(COMMAND),
      "Local directory that counts are spilled to; empty: the JVM's java.io.tmpdir."),
  MAX_PAIRS(
      "analysis.max.pairs",
      COUNT,
      "50000000",
      Set.of(COMMAND),
      "Maximum correlated pairs of cells, at some 36 bytes each; more are an error."),
  MAX_WINDOW_CELLS(
      "analysis.max.window.cells",
      COUNT,
      "8192",
      Set.of(COMMAND),
      "Windows with more cells that could be correlated are left out of the count, and the "
          + "output says so."),
  SEARCH_CELL_WRITES(
      "analysis.search.cell.writes",
      COUNT,
      "16000000",
      Set.of(COMMAND),
      "Cell writes that the local search keeps in memory, at some 24 bytes each; longer traces are searched by groups of stripes."),
  MAX_FILES(
      "analysis.max.files",
      COUNT,
      "10000000",
      Set.of(COMMAND),
      "Maximum files of an audit log, at some 200 bytes and the name each; more are an error."),
  LAYOUT_ADMIN_TIMEOUT(
      "layout.admin.timeout",
      DURATION,
      "60s",
      Set.of(COMMAND),
      "How long hdfs caso waits for an answer of the NameNode."),
  LAYOUT_SETTLE_TIMEOUT(
      "layout.settle.timeout",
      DURATION,
      "60s",
      Set.of(COMMAND),
      "How long hdfs caso waits for the NameNode to know all units of a copy."),
  LAYOUT_FOLDER(
      "layout.folder",
      HDFS_PATH,
      "/.caso",
      Set.of(NAMENODE, CLIENT, COMMAND),
      "Folder of the file system, of superusers, for the indexes of files in stored order and for copies that are being made."
          + " Files in stored order point to it: it must not be moved, and another one is for files that are organized from then on."),
  LAYOUT_SWEEP_PERIOD(
      "layout.sweep.period",
      DURATION,
      "10m",
      Set.of(NAMENODE),
      "How often the active NameNode deletes indexes whose files are gone, from snapshots and the trash too."),
  LAYOUT_MAPREDUCE_MIN(
      "layout.mapreduce.min",
      SIZE,
      "10g",
      Set.of(COMMAND),
      "Length from which on a file is copied and compared by MapReduce, where -mapreduce asks for it; smaller ones are copied by the client."),
  LAYOUT_MAPREDUCE_PART(
      "layout.mapreduce.part",
      SIZE,
      "4g",
      Set.of(COMMAND),
      "About how many bytes of it a task copies: whole block groups, at least one, and more where a file would have more than 10,000 parts.");

  /** Prefix of all names. */
  public static final String PREFIX = SUITE_PREFIX + "caso.";

  private final KeySpec spec;

  CasoKey(String suffix, ValueForm form, String defaultValue, Set<KeyUser> users, String meaning) {
    spec = new KeySpec(SUITE_PREFIX + "caso." + suffix, form, defaultValue, users, meaning);
  }

  @Override
  public KeySpec spec() {
    return spec;
  }

  /**
   * Reads these keys.
   *
   * @throws IllegalArgumentException naming a key that looks like one of these and is none
   */
  static KeyReader reader(Configuration conf) {
    KeyReader keys = new KeyReader(conf);
    keys.refuseUnknown(List.of(PREFIX), List.of(values()), Set.of());
    return keys;
  }
}
