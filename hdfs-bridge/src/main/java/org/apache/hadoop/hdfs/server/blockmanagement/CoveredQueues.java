/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLock;
import org.jspecify.annotations.Nullable;

/**
 * HDFS's queues of blocks that lack replicas, in front of which blocks of superchunks are sorted
 * into queues of their own, one for each superchunk. All are counted and listed as before. But the
 * RedundancyMonitor, which looks at two blocks for each live node every few seconds, is shown the
 * others only: so it wastes no turn on blocks that its placement policy has no target for.
 *
 * <p><b>Invariants.</b> A block is in HDFS's queues, or in those of one superchunk, or in none.
 * {@link #keys} has exactly the blocks of superchunks.
 *
 * <p>Replaces BlockManager.neededReconstruction. All methods of LowRedundancyBlocks are overridden
 * ({@code CoveredQueuesTest}). Checked for Hadoop 3.5.0. Thread-safe as LowRedundancyBlocks is: the
 * caller of all that changes it or looks at blocks holds the block manager's lock for writing.
 */
final class CoveredQueues extends SummedQueues {
  /** Key of blocks whose superchunk is not known yet. */
  static final long UNKNOWN = Long.MIN_VALUE;

  /** Key of blocks that no storage has: nothing can be copied. */
  static final long NOWHERE = Long.MIN_VALUE + 1;

  /** For so long blocks are sorted out in one turn of the RedundancyMonitor. */
  private static final long SORT_NANOS = 20_000_000;

  /** Tells where a block belongs. */
  interface Router {
    /** Superchunk of a block, or one of the keys above; empty: it is HDFS's. */
    OptionalLong keyOf(BlockInfo block);
  }

  private final LowRedundancyBlocks plain;
  private final BlockManager blocks;
  private final Map<Long, LowRedundancyBlocks> covered = new LinkedHashMap<>();
  private final Map<BlockInfo, Long> keys = new HashMap<>();

  /** Of these, the ones that their superchunk can give no replica more; see {@link #setWhole}. */
  private final Set<BlockInfo> whole = new HashSet<>();

  private @Nullable Router router;

  /** Whether {@link #clear} does nothing. */
  private boolean isKeepingAll;

  CoveredQueues(LowRedundancyBlocks plain, BlockManager blocks) {
    this.plain = plain;
    this.blocks = blocks;
  }

  /**
   * Puts the queues of a NameNode behind new ones, unless that has been done.
   *
   * @throws IllegalStateException when this Hadoop is another one
   */
  static CoveredQueues install(BlockManager blocks, FSNamesystem namesystem) {
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      if (blocks.neededReconstruction instanceof CoveredQueues installed) {
        return installed;
      }
      CoveredQueues queues = new CoveredQueues(blocks.neededReconstruction, blocks);
      PrivateFields.set(
          PrivateFields.of(BlockManager.class, "neededReconstruction"), blocks, queues);
      return queues;
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, "installCoveredQueues");
    }
  }

  /** From now on sorts out what {@code newRouter} says; null: nothing. */
  synchronized void route(@Nullable Router newRouter) {
    router = newRouter;
  }

  /**
   * Runs what begins a scan of all blocks, without that HDFS forgets by it what is queued: where a
   * scan has failed once, the next one may not come to blocks that were queued since.
   */
  synchronized void keepAllDuring(Runnable scan) {
    isKeepingAll = true;
    try {
      scan.run();
    } finally {
      isKeepingAll = false;
    }
  }

  // ---- queues of superchunks ----

  /** Number of blocks by superchunk. */
  synchronized Map<Long, Integer> sizes() {
    Map<Long, Integer> sizes = new LinkedHashMap<>();
    covered.forEach(
        (key, queue) -> {
          if (key != UNKNOWN && key != NOWHERE) {
            sizes.put(key, queue.size());
          }
        });
    return sizes;
  }

  /** Number of blocks under a key. */
  synchronized int sizeOf(long key) {
    LowRedundancyBlocks queue = covered.get(key);
    return queue == null ? 0 : queue.size();
  }

  /** Whether a condition holds for a block under a key; must not change queues. */
  synchronized boolean anyUnder(long key, Predicate<BlockInfo> condition) {
    LowRedundancyBlocks queue = covered.get(key);
    if (queue != null) {
      for (BlockInfo block : queue) {
        if (condition.test(block)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Gives each block of {@link #copyableSize} and its key; must not change queues. */
  synchronized void forEachLacking(ObjLongConsumer<BlockInfo> action) {
    keys.forEach(
        (block, key) -> {
          if (key != NOWHERE && !whole.contains(block)) {
            action.accept(block, key);
          }
        });
  }

  /** Number of blocks that are not shown to the RedundancyMonitor. */
  synchronized int coveredSize() {
    return keys.size();
  }

  /**
   * Notes whether a block of a superchunk has both replicas of it, and is here only because its
   * file asks for more. HDFS says when replicas change; then it counts as lacking one again.
   */
  synchronized void setWhole(BlockInfo block, boolean isWhole) {
    if (isWhole && keys.containsKey(block)) {
      whole.add(block);
    } else {
      whole.remove(block);
    }
  }

  /** Number of blocks that a storage has and that lack a replica of their superchunk. */
  synchronized int copyableSize() {
    return keys.size() - sizeOf(NOWHERE) - whole.size();
  }

  /** The next blocks of a superchunk, by priority; each call goes on where the last one ended. */
  synchronized List<List<BlockInfo>> next(long key, int limit) {
    LowRedundancyBlocks queue = covered.get(key);
    return queue == null ? List.of() : queue.chooseLowRedundancyBlocks(limit);
  }

  /** Whether a block is filed under another key than it should be. */
  synchronized boolean isMisfiled(BlockInfo block) {
    Long key = keys.get(block);
    OptionalLong now = keyOf(block);
    return key == null ? now.isPresent() : now.isEmpty() || now.getAsLong() != key;
  }

  private OptionalLong keyOf(BlockInfo block) {
    if (router == null) {
      return OptionalLong.empty();
    }
    OptionalLong key = router.keyOf(block);
    Long before = keys.get(block);
    // It stays with the superchunk that has lost it.
    return before != null && key.isPresent() && key.getAsLong() == NOWHERE
        ? OptionalLong.of(before)
        : key;
  }

  private boolean takeOut(BlockInfo block, int expected) {
    Long key = keys.remove(block);
    whole.remove(block);
    LowRedundancyBlocks queue = key == null ? null : covered.get(key);
    if (queue == null) {
      return false;
    }
    boolean removed = queue.remove(block, LEVEL, expected);
    if (queue.size() == 0) {
      covered.remove(key);
    }
    return removed;
  }

  // ---- LowRedundancyBlocks ----

  @Override
  synchronized boolean add(
      BlockInfo block, int current, int readOnly, int outOfService, int expected) {
    return add(keyOf(block), block, current, readOnly, outOfService, expected);
  }

  private boolean add(
      OptionalLong key,
      BlockInfo block,
      int current,
      int readOnly,
      int outOfService,
      int expected) {
    Long before = keys.get(block);
    if (key.isEmpty()) {
      takeOut(block, expected);
      return plain.add(block, current, readOnly, outOfService, expected);
    }
    if (before == null) {
      plain.remove(block, LEVEL, expected);
    } else if (before != key.getAsLong()) {
      takeOut(block, expected);
    }
    keys.put(block, key.getAsLong());
    whole.remove(block);
    return covered
        .computeIfAbsent(key.getAsLong(), id -> new LowRedundancyBlocks())
        .add(block, current, readOnly, outOfService, expected);
  }

  @Override
  synchronized void update(
      BlockInfo block,
      int current,
      int readOnly,
      int outOfService,
      int expected,
      int currentDelta,
      int expectedDelta) {
    OptionalLong key = keyOf(block);
    whole.remove(block);
    if (key.isPresent()) {
      Long before = keys.get(block);
      LowRedundancyBlocks queue = before == null ? null : covered.get(before);
      if (queue != null && before == key.getAsLong()) {
        queue.update(block, current, readOnly, outOfService, expected, currentDelta, expectedDelta);
      } else {
        remove(block, LEVEL, expected - expectedDelta);
        add(key, block, current, readOnly, outOfService, expected);
      }
    } else {
      takeOut(block, expected - expectedDelta);
      plain.update(block, current, readOnly, outOfService, expected, currentDelta, expectedDelta);
    }
  }

  @Override
  synchronized boolean remove(
      BlockInfo block, int current, int readOnly, int outOfService, int expected) {
    return keys.containsKey(block)
        ? takeOut(block, expected)
        : plain.remove(block, current, readOnly, outOfService, expected);
  }

  @Override
  synchronized boolean remove(BlockInfo block, int priority) {
    return keys.containsKey(block)
        ? takeOut(block, block.getReplication())
        : plain.remove(block, priority);
  }

  @Override
  synchronized boolean remove(BlockInfo block, int priority, int expected) {
    return keys.containsKey(block)
        ? takeOut(block, expected)
        : plain.remove(block, priority, expected);
  }

  @Override
  synchronized List<List<BlockInfo>> chooseLowRedundancyBlocks(int limit) {
    return chooseLowRedundancyBlocks(limit, false);
  }

  /** {@inheritDoc} Blocks that HDFS had before their superchunk was known are sorted out here. */
  @Override
  synchronized List<List<BlockInfo>> chooseLowRedundancyBlocks(int limit, boolean resetIterators) {
    if (router == null) {
      return plain.chooseLowRedundancyBlocks(limit, resetIterators);
    }
    List<List<BlockInfo>> result = new ArrayList<>();
    int left = limit;
    long endNanos = System.nanoTime() + SORT_NANOS;
    boolean reset = resetIterators;
    boolean sorted;
    do {
      sorted = false;
      List<List<BlockInfo>> chosen = plain.chooseLowRedundancyBlocks(left, reset);
      reset = false;
      for (int level = 0; level < chosen.size(); level++) {
        if (level == result.size()) {
          result.add(new ArrayList<>());
        }
        for (BlockInfo block : chosen.get(level)) {
          if (keyOf(block).isPresent()) {
            plain.remove(block, LEVEL, blocks.getExpectedRedundancyNum(block));
            LackingBlocks.queue(blocks, block, blocks.pendingReconstruction.getNumReplicas(block));
            sorted = true;
          } else {
            result.get(level).add(block);
            left--;
          }
        }
      }
    } while (sorted && left > 0 && System.nanoTime() < endNanos);
    return result;
  }

  @Override
  synchronized void clear() {
    if (isKeepingAll) {
      return;
    }
    plain.clear();
    covered.clear();
    keys.clear();
    whole.clear();
  }

  @Override
  synchronized boolean contains(BlockInfo block) {
    return keys.containsKey(block) || plain.contains(block);
  }

  @Override
  synchronized Iterator<BlockInfo> iterator(int level) {
    return joined(queues().stream().map(queue -> queue.iterator(level)));
  }

  @Override
  public synchronized Iterator<BlockInfo> iterator() {
    return joined(queues().stream().map(LowRedundancyBlocks::iterator));
  }

  /** As those of HDFS, valid as long as the caller holds the lock, and without removal. */
  private static Iterator<BlockInfo> joined(Stream<Iterator<BlockInfo>> parts) {
    Iterator<Iterator<BlockInfo>> rest = parts.toList().iterator();
    return new Iterator<>() {
      private Iterator<BlockInfo> part = Collections.emptyIterator();

      @Override
      public boolean hasNext() {
        while (!part.hasNext() && rest.hasNext()) {
          part = rest.next();
        }
        return part.hasNext();
      }

      @Override
      public BlockInfo next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        return part.next();
      }
    };
  }

  private Collection<LowRedundancyBlocks> queues() {
    List<LowRedundancyBlocks> all = new ArrayList<>(covered.size() + 1);
    all.add(plain);
    all.addAll(covered.values());
    return all;
  }

  private synchronized int sum(ToIntFunction<LowRedundancyBlocks> count) {
    return queues().stream().mapToInt(count).sum();
  }

  @Override
  synchronized long sumLong(ToLongFunction<LowRedundancyBlocks> count) {
    return queues().stream().mapToLong(count).sum();
  }

  @Override
  synchronized int size() {
    return sum(LowRedundancyBlocks::size);
  }

  @Override
  synchronized int getLowRedundancyBlockCount() {
    return sum(LowRedundancyBlocks::getLowRedundancyBlockCount);
  }

  @Override
  synchronized int getCorruptBlockSize() {
    return sum(LowRedundancyBlocks::getCorruptBlockSize);
  }

  @Override
  long getCorruptReplicationOneBlockSize() {
    return sumLong(LowRedundancyBlocks::getCorruptReplicationOneBlockSize);
  }

  @Override
  long getLowRedundancyBlocks() {
    return sumLong(LowRedundancyBlocks::getLowRedundancyBlocks);
  }

  @Override
  long getCorruptBlocks() {
    return sumLong(LowRedundancyBlocks::getCorruptBlocks);
  }

  @Override
  long getCorruptReplicationOneBlocks() {
    return sumLong(LowRedundancyBlocks::getCorruptReplicationOneBlocks);
  }

  @Override
  long getHighestPriorityReplicatedBlockCount() {
    return sumLong(LowRedundancyBlocks::getHighestPriorityReplicatedBlockCount);
  }

  @Override
  long getHighestPriorityECBlockCount() {
    return sumLong(LowRedundancyBlocks::getHighestPriorityECBlockCount);
  }

  @Override
  long getLowRedundancyECBlockGroups() {
    return sumLong(LowRedundancyBlocks::getLowRedundancyECBlockGroups);
  }

  @Override
  long getCorruptECBlockGroups() {
    return sumLong(LowRedundancyBlocks::getCorruptECBlockGroups);
  }
}
