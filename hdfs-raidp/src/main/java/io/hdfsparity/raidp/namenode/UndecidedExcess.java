/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Unfiled;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * Blocks with more replicas than they need, none of which was deleted because it is not known
 * whether they are in a superchunk, or because a side of theirs is missing. After a failover HDFS
 * looks at all blocks again, and so they come again.
 *
 * <p>The latest ones wait with their storages. Of the others only the ids are kept: HDFS is to look
 * at them by and by, and then those that cannot be decided come again, and others make room.
 *
 * <p>Thread-safe; asked under locks of the NameNode.
 */
final class UndecidedExcess {
  /** That wait with their storages, about 150 bytes each. */
  static final int MAX_BLOCKS = 100_000;

  private final int maxBlocks;
  private final LinkedHashMap<Long, Waiting> blocks = new LinkedHashMap<>();

  /** The others, about 70 bytes each: little beside what HDFS keeps of a block. */
  private final LinkedHashSet<Long> others = new LinkedHashSet<>();

  /**
   * A block.
   *
   * @param lookedAt whether HDFS has looked at it since a side of it is known to be missing
   */
  private record Waiting(List<String> storageIds, boolean lookedAt) {
    Waiting {
      storageIds = List.copyOf(storageIds);
    }
  }

  UndecidedExcess() {
    this(MAX_BLOCKS);
  }

  UndecidedExcess(int maxBlocks) {
    this.maxBlocks = maxBlocks;
  }

  /** One that waits already waits on its storages of now. */
  synchronized void add(long blockId, List<String> storageIds) {
    Waiting before = blocks.get(blockId);
    if (before == null || !before.storageIds().equals(storageIds)) {
      blocks.put(blockId, new Waiting(storageIds, false));
    }
    others.remove(blockId);
    if (blocks.size() > maxBlocks) {
      Iterator<Long> eldest = blocks.keySet().iterator();
      others.add(eldest.next());
      eldest.remove();
    }
  }

  synchronized int size() {
    return blocks.size() + others.size();
  }

  /** Takes out some that do not wait with their storages: HDFS is to look at them now. */
  synchronized List<Long> takeOthers(int limit) {
    List<Long> taken = others.stream().limit(limit).toList();
    taken.forEach(others::remove);
    return taken;
  }

  /** The next ones, and where their replicas are; each call goes on behind those of the last. */
  synchronized List<Unfiled> next(int limit) {
    Map<Long, Waiting> chosen = new LinkedHashMap<>();
    blocks.entrySet().stream()
        .limit(limit)
        .forEach(each -> chosen.put(each.getKey(), each.getValue()));
    List<Unfiled> next = new ArrayList<>();
    chosen.forEach(
        (blockId, waiting) -> {
          blocks.remove(blockId);
          blocks.put(blockId, waiting);
          next.add(new Unfiled(blockId, waiting.storageIds()));
        });
    return next;
  }

  /**
   * Takes a block out.
   *
   * @return false: it has come again since, with other storages, and waits for those
   */
  synchronized boolean settle(Unfiled block) {
    Waiting waiting = blocks.get(block.blockId());
    if (waiting == null || !waiting.storageIds().equals(block.storageIds())) {
      return false;
    }
    blocks.remove(block.blockId());
    return true;
  }

  /** Whether HDFS is to look at a block that lacks a side: once. */
  synchronized boolean isToBeLookedAt(Unfiled block) {
    Waiting waiting = blocks.get(block.blockId());
    return waiting != null
        && waiting.storageIds().equals(block.storageIds())
        && !waiting.lookedAt()
        && blocks.put(block.blockId(), new Waiting(waiting.storageIds(), true)) != null;
  }

  synchronized void clear() {
    blocks.clear();
    others.clear();
  }
}
