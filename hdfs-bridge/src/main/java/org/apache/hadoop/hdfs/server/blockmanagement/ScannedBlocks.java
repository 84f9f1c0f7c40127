/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.lang.reflect.Field;
import java.util.Iterator;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HDFS's map of blocks, which also notes the thread that has gone through all of them last. Only
 * the scan of all blocks does (BlockManager.processMisReplicatesAsync). HDFS logs what that thread
 * throws, and nothing but the end of its iterator tells a scan that has failed from a complete one.
 *
 * <p>Replaces BlockManager.blocksMap, and shares its content. Reaches BlocksMap.blocks, capacity,
 * totalReplicatedBlocks, totalECBlockGroups (private). Checked for Hadoop 3.5.0. Thread-safe as
 * BlocksMap is.
 */
final class ScannedBlocks extends BlocksMap {
  private static final Logger LOG = LoggerFactory.getLogger(ScannedBlocks.class);

  private static final String[] CONTENT = {
    "blocks", "capacity", "totalReplicatedBlocks", "totalECBlockGroups"
  };

  private final AtomicReference<@Nullable Thread> complete = new AtomicReference<>();
  private final AtomicReference<@Nullable Thread> failed = new AtomicReference<>();

  private ScannedBlocks() {
    super(1);
  }

  /**
   * Puts itself in the place of the map of a NameNode, unless that has been done. A scan that began
   * before is begun again, as its end would not be seen.
   *
   * @throws IllegalStateException when this Hadoop is another one
   */
  static ScannedBlocks install(BlockManager blocks, FSNamesystem namesystem) {
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      if (blocks.blocksMap instanceof ScannedBlocks installed) {
        return installed;
      }
      ScannedBlocks scanned = new ScannedBlocks();
      for (String name : CONTENT) {
        Field field = PrivateFields.of(BlocksMap.class, name);
        PrivateFields.set(field, scanned, PrivateFields.get(field, blocks.blocksMap));
      }
      PrivateFields.set(PrivateFields.of(BlockManager.class, "blocksMap"), blocks, scanned);
      if (blocks.isPopulatingReplQueues()) {
        blocks.processMisReplicatedBlocks();
      }
      return scanned;
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, "installScannedBlocks");
    }
  }

  /** Whether a scan that has ended has gone through all blocks; warns once of one that has not. */
  boolean isComplete(Thread scan) {
    boolean isComplete = scan.equals(complete.get());
    if (!isComplete && !scan.equals(failed.getAndSet(scan))) {
      LOG.warn(
          "HDFS has not looked at all blocks: its scan failed; see 'Error while processing"
              + " reconstruction queues async' above. RAIDP has it repeated");
    }
    return isComplete;
  }

  @Override
  Iterable<BlockInfo> getBlocks() {
    Iterable<BlockInfo> all = super.getBlocks();
    return () -> noted(all.iterator());
  }

  private Iterator<BlockInfo> noted(Iterator<BlockInfo> all) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        boolean hasNext = all.hasNext();
        if (!hasNext) {
          complete.set(Thread.currentThread());
        }
        return hasNext;
      }

      @Override
      public BlockInfo next() {
        return all.next();
      }
    };
  }
}
