/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Unfiled;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Blocks with more replicas than they need, none of which was deleted because it is not known
 * whether they are in a superchunk. After a failover HDFS looks at all blocks again, and so they
 * are told again. At most {@link #MAX_BLOCKS}; of those that are over, HDFS has to hear of a
 * replica again. Thread-safe; asked under locks of the NameNode.
 */
final class UndecidedExcess {
  /** About 150 bytes each. */
  static final int MAX_BLOCKS = 100_000;

  private final LinkedHashMap<Long, List<String>> blocks = new LinkedHashMap<>();

  synchronized void add(long blockId, List<String> storageIds) {
    if (blocks.size() < MAX_BLOCKS || blocks.containsKey(blockId)) {
      blocks.put(blockId, List.copyOf(storageIds));
    }
  }

  synchronized int size() {
    return blocks.size();
  }

  /** The next ones, and where their replicas are; each call goes on behind those of the last. */
  synchronized List<Unfiled> next(int limit) {
    Map<Long, List<String>> chosen = new LinkedHashMap<>();
    blocks.entrySet().stream()
        .limit(limit)
        .forEach(each -> chosen.put(each.getKey(), each.getValue()));
    List<Unfiled> next = new ArrayList<>();
    chosen.forEach(
        (blockId, storageIds) -> {
          blocks.remove(blockId);
          blocks.put(blockId, storageIds);
          next.add(new Unfiled(blockId, storageIds));
        });
    return next;
  }

  /** Takes those out of some blocks that are known now. */
  List<Long> settle(List<Unfiled> some, Predicate<Unfiled> isKnown) {
    Map<Long, List<String>> known = new HashMap<>();
    for (Unfiled block : some) {
      if (isKnown.test(block)) {
        known.put(block.blockId(), block.storageIds());
      }
    }
    List<Long> settled = new ArrayList<>();
    synchronized (this) {
      // One that was told again since, with other storages, waits for those.
      known.forEach(
          (blockId, storageIds) -> {
            if (blocks.remove(blockId, storageIds)) {
              settled.add(blockId);
            }
          });
    }
    return settled;
  }

  synchronized void clear() {
    blocks.clear();
  }
}
