/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.config;

import io.hdfsparity.bridge.config.KeyReader;
import io.hdfsparity.izs.history.HistoryShape;
import java.net.URI;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;

/**
 * What the access history and its clients are configured with. Immutable, validated together.
 *
 * @param directory of the history on the NameNode
 * @param shape periods and entries
 * @param queueEvents that may wait
 * @param flushMs between two writes
 * @param adminTimeoutMs how long a client waits
 * @param mappingFile rule table of clients; empty: the paper's
 */
public record AccessOptions(
    Path directory,
    HistoryShape shape,
    int queueEvents,
    long flushMs,
    int adminTimeoutMs,
    String mappingFile) {
  private static final long DAY_MS = 24L * 3600 * 1000;
  private static final long MIN_PERIOD_MS = 1000;

  /** Watched milliseconds of a period are kept in an int. */
  private static final long MAX_PERIOD_MS = 24 * DAY_MS;

  private static final int MAX_ENTRIES = 10_000_000;

  /**
   * Reads and validates all keys.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  public static AccessOptions of(Configuration conf) {
    KeyReader keys = IzsKeys.reader(conf);
    return new AccessOptions(
        keys.directory(AccessKey.DIRECTORY).orElseGet(() -> besideMetadata(conf)),
        new HistoryShape(
            keys.millis(AccessKey.PERIOD, MIN_PERIOD_MS, MAX_PERIOD_MS),
            keys.count(AccessKey.PERIODS, 1, HistoryShape.MAX_PERIODS),
            keys.count(AccessKey.MAX_ENTRIES, 16, MAX_ENTRIES)),
        keys.count(AccessKey.QUEUE, 16, MAX_ENTRIES),
        keys.millis(AccessKey.FLUSH, 10, DAY_MS),
        (int) keys.millis(AccessKey.ADMIN_TIMEOUT, 1000, DAY_MS),
        keys.text(AccessKey.MAPPING_FILE));
  }

  /** Where the NameNode has its own metadata, so has an administrator chosen a disk for it. */
  private static Path besideMetadata(Configuration conf) {
    for (URI each : FSNamesystem.getNamespaceDirs(conf)) {
      if (each.getScheme() == null || each.getScheme().equals("file")) {
        return Path.of(each.getPath()).toAbsolutePath().resolveSibling("izs-access");
      }
    }
    throw KeyReader.refused(
        AccessKey.DIRECTORY.key(),
        "",
        "an absolute path, since dfs.namenode.name.dir names no local directory",
        /* cause= */ null);
  }
}
