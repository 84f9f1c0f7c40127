/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import io.hdfsparity.bridge.namenode.PairPlacement;
import io.hdfsparity.core.check.Printable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.ReplicationCap;
import org.apache.hadoop.hdfs.util.RwLockMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A block of a superchunk has two replicas, whatever its file asks for: a file, all of whose blocks
 * lie in pairs, is made to ask for two. One that cannot be lowered costs a walk over its blocks
 * under the lock, so it is tried again after a minute.
 *
 * <p>Reaches, package-private: BlockManager.getBlockCollection. Checked for Hadoop 3.5.0.
 * Thread-safe.
 */
final class FileLowering {
  private static final Logger LOG = LoggerFactory.getLogger(FileLowering.class);

  /** Files that are tried in one call. */
  private static final int MAX_FILES = 20;

  /** A file is tried again after this time. */
  private static final long AGAIN_NANOS = 60_000_000_000L;

  /** Files whose last try is remembered. */
  private static final int MAX_TRIED = 10_000;

  private final FSNamesystem namesystem;
  private final PairPlacement placement;
  private final ReplicationCap cap;

  /** When files were last tried, by id, oldest first. */
  private final Map<Long, Long> tried = new LinkedHashMap<>();

  FileLowering(FSNamesystem namesystem, PairPlacement placement, ReplicationCap cap) {
    this.namesystem = namesystem;
    this.placement = placement;
    this.cap = cap;
  }

  /**
   * Tries the files of blocks that have a pair and are to have more.
   *
   * @param blocks one of each file
   */
  void lower(Collection<BlockInfo> blocks) {
    for (String path : blocks.isEmpty() ? List.<String>of() : paths(blocks)) {
      try {
        cap.lower(path, PairPlacementPolicy.PAIR, placement::arePartners);
      } catch (IOException | RuntimeException e) {
        LOG.warn("Cannot lower the replication of {} to that of a pair", Printable.of(path), e);
      }
    }
  }

  private List<String> paths(Collection<BlockInfo> blocks) {
    List<String> paths = new ArrayList<>();
    namesystem.readLock(RwLockMode.GLOBAL);
    try {
      for (BlockInfo block : blocks) {
        BlockCollection file =
            block.isDeleted() ? null : namesystem.getBlockManager().getBlockCollection(block);
        if (file != null && paths.size() < MAX_FILES && isDue(block.getBlockCollectionId())) {
          paths.add(file.getName());
        }
      }
    } finally {
      namesystem.readUnlock(RwLockMode.GLOBAL, "listFilesToLower");
    }
    return paths;
  }

  /** Whether a file may be tried now; then it counts as tried. */
  private synchronized boolean isDue(long file) {
    long now = System.nanoTime();
    Long before = tried.get(file);
    if (before != null && now - before < AGAIN_NANOS) {
      return false;
    }
    tried.remove(file);
    tried.put(file, now);
    if (tried.size() > MAX_TRIED) {
      tried.remove(tried.keySet().iterator().next());
    }
    return true;
  }
}
