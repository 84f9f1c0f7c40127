/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;
import org.jspecify.annotations.Nullable;

/**
 * Finalized replicas of a volume that HDFS has deleted and forgotten, but whose files the volume's
 * hooks did not release. The directory scanner finds them, at its times; this finds them at once,
 * when the hooks serve again. Not kept over a restart, at which HDFS loads what is there.
 * Thread-safe.
 */
final class RefusedDeletes {
  private record Replica(String pool, long blockId) {}

  private final Map<Replica, File> blockFiles = new ConcurrentHashMap<>();

  /**
   * Notes a file.
   *
   * @param file the block file or checksum file of a finalized replica; of others is null, and the
   *     directory scanner passes over them too
   */
  void add(String pool, long blockId, @Nullable File file) {
    if (file != null && Block.isBlockFilename(file)) {
      blockFiles.put(new Replica(pool, blockId), file);
    }
  }

  /**
   * What is still there, in the form in which the directory scanner tells it; it is forgotten here.
   *
   * @param isWanted by block id; the others are kept here
   */
  List<ScanInfo> take(String pool, LongPredicate isWanted, FsVolumeSpi volume) {
    List<ScanInfo> found = new ArrayList<>();
    for (Map.Entry<Replica, File> each : blockFiles.entrySet()) {
      Replica replica = each.getKey();
      File file = each.getValue();
      if (!replica.pool().equals(pool)
          || !isWanted.test(replica.blockId())
          || !blockFiles.remove(replica, file)
          || !file.exists()) {
        continue;
      }
      String prefix = file.getName() + "_";
      String[] metaNames =
          file.getParentFile()
              .list((dir, name) -> name.startsWith(prefix) && Block.isMetaFilename(name));
      found.add(
          new ScanInfo(
              replica.blockId(),
              file.getParentFile(),
              file.getName(),
              metaNames == null || metaNames.length == 0 ? null : metaNames[0],
              volume));
    }
    return found;
  }
}
