/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacedBlocks.PlacedBlock;
import org.jspecify.annotations.Nullable;

/**
 * What was decided for blocks that are being written: in a superchunk, or plain. So all nodes of a
 * block get the same decision until it is complete.
 *
 * <p><b>Invariant</b>: at most {@link #MAX_KEPT} are kept. Each question looks at the oldest ones,
 * and drops those of blocks that are complete or deleted. At the bound the oldest is dropped.
 *
 * <p>Thread-safe.
 */
final class OpenBlocks {
  /** About 150 bytes each. */
  static final int MAX_KEPT = 1 << 16;

  /** How many a question looks at; more than the one that it may add. */
  private static final int LOOKED_AT = 2;

  private static final long PLAIN = Long.MIN_VALUE;

  private final int maxKept;
  private final LinkedHashMap<Long, Long> kept = new LinkedHashMap<>();

  OpenBlocks() {
    this(MAX_KEPT);
  }

  OpenBlocks(int maxKept) {
    this.maxKept = maxKept;
  }

  /** A decision; without a superchunk the block is plain. */
  record Decision(OptionalLong superchunkId) {
    static final Decision PLAIN = new Decision(OptionalLong.empty());

    static Decision in(SuperchunkView superchunk) {
      return new Decision(OptionalLong.of(superchunk.id()));
    }
  }

  synchronized int size() {
    return kept.size();
  }

  synchronized Optional<Decision> find(long blockId) {
    Long superchunkId = kept.get(blockId);
    if (superchunkId == null) {
      return Optional.empty();
    }
    return Optional.of(
        superchunkId == PLAIN ? Decision.PLAIN : new Decision(OptionalLong.of(superchunkId)));
  }

  /**
   * Whether a superchunk was answered for a block that is being written. Drops it if it is
   * complete: without questions nobody else does.
   *
   * @param find the block, unless it is deleted
   */
  boolean isPromised(long blockId, LongFunction<Optional<StoredBlock>> find) {
    if (!isPromised(blockId)) {
      return false;
    }
    // Not under the monitor: it waits for a lock of the NameNode.
    boolean isOpen = find.apply(blockId).filter(block -> !block.complete()).isPresent();
    if (!isOpen) {
      drop(List.of(blockId), Map.of());
    }
    return isOpen;
  }

  private synchronized boolean isPromised(long blockId) {
    return kept.getOrDefault(blockId, PLAIN) != PLAIN;
  }

  synchronized void keep(long blockId, Decision decision) {
    kept.put(blockId, decision.superchunkId().orElse(PLAIN));
    if (kept.size() > maxKept) {
      Iterator<Long> eldest = kept.keySet().iterator();
      eldest.next();
      eldest.remove();
    }
  }

  /** The blocks that are to be looked at next. */
  synchronized List<Long> oldest() {
    return kept.keySet().stream().limit(LOOKED_AT).toList();
  }

  /** Those of open blocks become the youngest, so that all are looked at in turn. */
  synchronized void drop(List<Long> lookedAt, Map<Long, PlacedBlock> found) {
    for (long blockId : lookedAt) {
      Long decision = kept.remove(blockId);
      PlacedBlock block = found.get(blockId);
      if (decision != null && isOpen(block)) {
        kept.put(blockId, decision);
      }
    }
  }

  private static boolean isOpen(@Nullable PlacedBlock block) {
    return block != null && !block.complete();
  }

  synchronized void clear() {
    kept.clear();
  }
}
