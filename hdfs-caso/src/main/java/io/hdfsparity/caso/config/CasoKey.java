/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.config;

import io.hdfsparity.bridge.config.ConfigKey;
import io.hdfsparity.bridge.config.KeyReader;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/**
 * Every key of {@code hdfs caso}, with default and meaning; docs/caso.md lists them.
 *
 * <p>All start with {@link #PREFIX}; an unknown one under it is an error.
 */
public enum CasoKey implements ConfigKey {
  COUNTS_IN_MEMORY(
      "analysis.counts.in.memory",
      "16000000",
      "Counts of cells or of pairs that the analysis keeps in memory, at 24 to 48 bytes each; more are spilled to disk."),
  SPILL_DIR(
      "analysis.spill.dir",
      "",
      "Local directory that counts are spilled to; empty: the JVM's java.io.tmpdir."),
  MAX_PAIRS(
      "analysis.max.pairs",
      "50000000",
      "Most correlated pairs of cells, at some 36 bytes each; more are an error."),
  MAX_WINDOW_CELLS(
      "analysis.max.window.cells",
      "8192",
      "Windows with more cells that could be correlated are left out of the count."),
  SEARCH_CELL_WRITES(
      "analysis.search.cell.writes",
      "16000000",
      "Cell writes that the local search keeps in memory, at some 24 bytes each; longer traces are searched by groups of stripes."),
  MAX_FILES(
      "analysis.max.files",
      "10000000",
      "Most files of an audit log, at some 200 bytes and the name each; more are an error."),
  LAYOUT_RPC_ADDRESS(
      "layout.rpc-address",
      "0.0.0.0:9884",
      "Where the NameNode's part listens, host:port. With 0.0.0.0 clients take the host of the NameNode's own RPC address."
          + " With several NameNodes: one key each, followed by .<nameservice>.<namenode id>, or one port for all."),
  LAYOUT_HANDLER_COUNT("layout.handler.count", "2", "RPC handlers of the NameNode's part."),
  LAYOUT_ADMIN_TIMEOUT(
      "layout.admin.timeout", "60s", "How long hdfs caso waits for an answer of the NameNode."),
  LAYOUT_SETTLE_TIMEOUT(
      "layout.settle.timeout",
      "60s",
      "How long hdfs caso waits for the NameNode to know all units of a copy."),
  LAYOUT_FOLDER(
      "layout.folder",
      "/.caso",
      "Folder of the file system, of superusers, for the indexes of files in stored order and for copies that are being made."
          + " Files in stored order point to it: it must not be moved, and another one is for files that are organized from then on."),
  LAYOUT_SWEEP_PERIOD(
      "layout.sweep.period",
      "10m",
      "How often the active NameNode deletes indexes whose files are gone, from snapshots and the trash too."),
  LAYOUT_MAPREDUCE_LEAST(
      "layout.mapreduce.least",
      "10g",
      "Length from which on a file is copied and compared by MapReduce, where -mapreduce asks for it; smaller ones are copied by the client."),
  LAYOUT_MAPREDUCE_PART(
      "layout.mapreduce.part",
      "4g",
      "About how many bytes of it a task copies: whole block groups, at least one, and more where a file would have more than 10,000 parts."),
  LAYOUT_GROUP_READERS(
      "layout.group.readers",
      "",
      "Class of CasoFileSystem's readers of codecs that Hadoop's own streams do not decode; empty: Hadoop's own.");

  /** Prefix of all names. */
  public static final String PREFIX = "dfs.parity.caso.";

  private final About about;

  CasoKey(String suffix, String defaultValue, String meaning) {
    about = new About(PREFIX + suffix, defaultValue, meaning);
  }

  @Override
  public About about() {
    return about;
  }

  /**
   * Reads these keys.
   *
   * @throws IllegalArgumentException naming a key that looks like one of these and is none
   */
  static KeyReader reader(Configuration conf) {
    KeyReader keys = new KeyReader(conf, " to ");
    keys.refuseUnknown(List.of(PREFIX), values(), Set.of(LAYOUT_RPC_ADDRESS), "docs/caso.md");
    return keys;
  }
}
