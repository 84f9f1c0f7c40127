/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.lstor.BlockFrames;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Replicas that have no row: their DataNode was asked, and its volume had none of the block. A
 * cache: what is not in it is asked for again ({@link RowQuestions}).
 *
 * <p><b>Invariants</b>
 *
 * <ul>
 *   <li>An answer counts only if its question was begun after the last {@link #forget} of the
 *       block: a row may have been made since the DataNode looked.
 *   <li>An answer is forgotten after two times {@link #GENERATION_MS} at the latest, so one that is
 *       wrong for any reason does not last.
 *   <li>At most twice {@link #MAX_REPLICAS} answers are kept, in two generations: when the younger
 *       one is full, the older one is forgotten.
 * </ul>
 *
 * <p>Thread-safe: asked under locks of the NameNode, so it holds its own for a moment only.
 */
final class RowlessReplicas {
  /** Answers of a generation, 16 to 32 bytes each. */
  static final int MAX_REPLICAS = 2_000_000;

  static final long GENERATION_MS = 600_000;

  /**
   * Forgotten blocks that are known apart from others; with more, every open question counts for
   * none.
   */
  private static final int MAX_FORGOTTEN = 100_000;

  private static final int MAX_STORAGES = 1 << 20;

  /** Promised replicas of a generation. */
  private static final int MAX_PROMISED = 100_000;

  private final int maxReplicas;
  private final Map<String, Integer> indexes = new HashMap<>();
  private final LinkedHashMap<Long, Long> forgotten = new LinkedHashMap<>();
  private BlockFrames promised = new BlockFrames();
  private BlockFrames promisedBefore = new BlockFrames();
  private BlockFrames young = new BlockFrames();
  private BlockFrames old = new BlockFrames();
  private long youngSinceMs;

  /** Order of questions and of what is forgotten. */
  private long clock;

  /** Questions begun before it count for none. */
  private long floor;

  RowlessReplicas() {
    this(MAX_REPLICAS);
  }

  RowlessReplicas(int maxReplicas) {
    this.maxReplicas = maxReplicas;
  }

  /** How many answers are kept. */
  synchronized int size() {
    return young.size() + old.size();
  }

  /** To be called before a DataNode is asked. */
  synchronized long begin() {
    return ++clock;
  }

  /**
   * Notes that a replica has no row.
   *
   * @param begun what {@link #begin} gave before its DataNode was asked
   */
  synchronized void put(long blockId, String storageId, long begun) {
    if (begun < floor
        || forgotten.getOrDefault(blockId, 0L) > begun
        || isPromised(blockId, storageId)) {
      return;
    }
    if (young.size() >= maxReplicas) {
      turn();
    }
    young.add(blockId, index(storageId));
  }

  private int index(String storageId) {
    if (indexes.size() >= MAX_STORAGES) {
      clear();
    }
    return indexes.computeIfAbsent(storageId, id -> indexes.size());
  }

  /** Whether a replica is known to have no row. */
  synchronized boolean contains(long blockId, String storageId) {
    return isIn(young, blockId, storageId) || isIn(old, blockId, storageId);
  }

  private boolean isPromised(long blockId, String storageId) {
    return isIn(promised, blockId, storageId) || isIn(promisedBefore, blockId, storageId);
  }

  private boolean isIn(BlockFrames replicas, long blockId, String storageId) {
    Integer index = indexes.get(storageId);
    return index != null && replicas.find(blockId, each -> each == index).isPresent();
  }

  /** Replicas of a block may get rows from now on. */
  synchronized void forget(long blockId) {
    remove(young, blockId);
    remove(old, blockId);
    forgotten.remove(blockId);
    forgotten.put(blockId, ++clock);
    if (forgotten.size() > MAX_FORGOTTEN) {
      forgotten.clear();
      floor = clock;
    }
  }

  /**
   * A replica gets a row in the background from now on. It is not called rowless for {@link
   * #GENERATION_MS}, or as long as not too many others are promised; others of its block may be.
   */
  synchronized void promise(long blockId, String storageId) {
    forget(blockId);
    if (promised.size() >= MAX_PROMISED) {
      turnPromises();
    }
    int index = index(storageId);
    promised.remove(blockId, index);
    promised.add(blockId, index);
  }

  /** A replica gets no row, though it was promised. */
  synchronized void endPromise(long blockId, String storageId) {
    Integer index = indexes.get(storageId);
    if (index != null) {
      promised.remove(blockId, index);
      promisedBefore.remove(blockId, index);
    }
    forget(blockId);
  }

  /** Replicas of a block have no row any more, and get none. */
  synchronized void endPromises(long blockId) {
    remove(promised, blockId);
    remove(promisedBefore, blockId);
    forget(blockId);
  }

  private void turnPromises() {
    promisedBefore = promised;
    promised = new BlockFrames();
  }

  private static void remove(BlockFrames from, long blockId) {
    OptionalInt index = from.find(blockId, each -> true);
    while (index.isPresent()) {
      from.remove(blockId, index.getAsInt());
      index = from.find(blockId, each -> true);
    }
  }

  /** Forgets what is too old. */
  synchronized void advance(long nowMs) {
    if (nowMs - youngSinceMs >= GENERATION_MS) {
      turn();
      turnPromises();
      youngSinceMs = nowMs;
    }
  }

  private void turn() {
    old = young;
    young = new BlockFrames();
  }

  /** Forgets all: another NameNode is the active one. */
  synchronized void clear() {
    young = new BlockFrames();
    old = new BlockFrames();
    indexes.clear();
    promised = new BlockFrames();
    promisedBefore = new BlockFrames();
    forgotten.clear();
    floor = ++clock;
  }
}
