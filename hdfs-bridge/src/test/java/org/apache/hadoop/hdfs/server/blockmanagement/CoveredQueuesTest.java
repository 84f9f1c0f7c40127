/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.junit.jupiter.api.Test;

/** Queues that are sorted by superchunk, beside stock ones that get the same calls. */
class CoveredQueuesTest {
  private static final int BLOCKS = 40;

  /** All that this Hadoop counts. */
  private static final List<ToLongFunction<LowRedundancyBlocks>> COUNTS =
      Arrays.stream(LowRedundancyBlocks.class.getDeclaredMethods())
          .filter(CoveredQueuesTest::isOverridable)
          .filter(each -> each.getParameterCount() == 0)
          .filter(each -> each.getReturnType() == int.class || each.getReturnType() == long.class)
          .<ToLongFunction<LowRedundancyBlocks>>map(each -> queues -> count(each, queues))
          .toList();

  private static boolean isOverridable(Method method) {
    return !Modifier.isPrivate(method.getModifiers())
        && !Modifier.isStatic(method.getModifiers())
        && !method.isSynthetic();
  }

  private static long count(Method method, LowRedundancyBlocks queues) {
    try {
      return ((Number) method.invoke(queues)).longValue();
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** Else calls of HDFS would go to queues that are empty. */
  @Test
  void everyMethodOfTheStockQueuesIsOverridden() {
    for (Method method : LowRedundancyBlocks.class.getDeclaredMethods()) {
      if (isOverridable(method)) {
        assertThat(
                Stream.of(CoveredQueues.class, SummedQueues.class)
                    .flatMap(each -> Arrays.stream(each.getDeclaredMethods()))
                    .filter(
                        own ->
                            own.getName().equals(method.getName())
                                && Arrays.equals(
                                    own.getParameterTypes(), method.getParameterTypes())))
            .as("%s", method)
            .isNotEmpty();
      }
    }
  }

  /** What a block has at the moment. */
  private record Counts(int live, int expected) {}

  @Test
  void theyCountAndListWhatStockQueuesDo() {
    assertThat(COUNTS).hasSizeGreaterThan(10);
    SeededRuns.of(50).check(CoveredQueuesTest::sameAsStock);
  }

  private static void sameAsStock(Random random) {
    List<BlockInfo> blocks = new ArrayList<>();
    Map<BlockInfo, Long> where = new HashMap<>();
    Map<BlockInfo, Counts> queued = new HashMap<>();
    for (int i = 0; i < BLOCKS; i++) {
      BlockInfo block = new BlockInfoContiguous(new Block(i, 10, 1), (short) 2);
      block.setBlockCollectionId(1);
      blocks.add(block);
    }
    LowRedundancyBlocks stock = new LowRedundancyBlocks();
    CoveredQueues queues = new CoveredQueues(new LowRedundancyBlocks(), null);
    queues.route(
        block ->
            where.containsKey(block) ? OptionalLong.of(where.get(block)) : OptionalLong.empty());
    for (int step = 0; step < 400; step++) {
      BlockInfo block = blocks.get(random.nextInt(BLOCKS));
      Counts before = queued.get(block);
      // HDFS tells what a block had when it was queued, and queues none twice.
      int live = random.nextInt(4);
      int expected = 1 + random.nextInt(4);
      switch (random.nextInt(5)) {
        case 0 -> moves(random, where, block);
        case 1 -> {
          if (before == null) {
            assertThat(queues.add(block, live, 0, 0, expected))
                .isEqualTo(stock.add(block, live, 0, 0, expected));
            queued.put(block, new Counts(live, expected));
          }
        }
        case 2 -> {
          if (before != null) {
            queues.update(
                block, live, 0, 0, expected, live - before.live(), expected - before.expected());
            stock.update(
                block, live, 0, 0, expected, live - before.live(), expected - before.expected());
            queued.put(block, new Counts(live, expected));
          }
        }
        case 3 -> {
          Counts had = before == null ? new Counts(live, expected) : before;
          assertThat(queues.remove(block, had.live(), 0, 0, had.expected()))
              .isEqualTo(stock.remove(block, had.live(), 0, 0, had.expected()));
          queued.remove(block);
        }
        default -> {
          Counts had = before == null ? new Counts(live, expected) : before;
          assertThat(queues.remove(block, LowRedundancyBlocks.LEVEL, had.expected()))
              .isEqualTo(stock.remove(block, LowRedundancyBlocks.LEVEL, had.expected()));
          queued.remove(block);
        }
      }
      assertSame(queues, stock, blocks);
    }
    queues.clear();
    assertThat(queues.size()).isZero();
    assertThat(queues.coveredSize()).isZero();
  }

  /** It gets into a superchunk, or out of it, without that the queues are told. */
  private static void moves(Random random, Map<BlockInfo, Long> where, BlockInfo block) {
    switch (random.nextInt(4)) {
      case 0 -> where.remove(block);
      case 1 -> where.put(block, CoveredQueues.UNKNOWN);
      case 2 -> where.put(block, CoveredQueues.NOWHERE);
      default -> where.put(block, (long) random.nextInt(3));
    }
  }

  private static void assertSame(
      CoveredQueues queues, LowRedundancyBlocks stock, List<BlockInfo> blocks) {
    for (int i = 0; i < COUNTS.size(); i++) {
      assertThat(COUNTS.get(i).applyAsLong(queues))
          .as("count %d", i)
          .isEqualTo(COUNTS.get(i).applyAsLong(stock));
    }
    for (BlockInfo block : blocks) {
      assertThat(queues.contains(block)).isEqualTo(stock.contains(block));
    }
    assertThat(list(queues.iterator())).isEqualTo(list(stock.iterator()));
    for (int level = 0; level < LowRedundancyBlocks.LEVEL; level++) {
      assertThat(list(queues.iterator(level))).isEqualTo(list(stock.iterator(level)));
    }
    assertThat(
            queues.sizes().values().stream().mapToInt(Integer::intValue).sum()
                + queues.sizeOf(CoveredQueues.UNKNOWN)
                + queues.sizeOf(CoveredQueues.NOWHERE))
        .isEqualTo(queues.coveredSize());
  }

  private static Set<BlockInfo> list(Iterator<BlockInfo> blocks) {
    Set<BlockInfo> all = new HashSet<>();
    blocks.forEachRemaining(block -> assertThat(all.add(block)).isTrue());
    return all;
  }

  @Test
  void theRedundancyMonitorSeesOnlyBlocksOutsideSuperchunks() {
    CoveredQueues queues = new CoveredQueues(new LowRedundancyBlocks(), null);
    queues.route(
        block ->
            block.getBlockId() < 100
                ? OptionalLong.of(block.getBlockId() % 2)
                : OptionalLong.empty());
    for (int i = 0; i < 103; i++) {
      BlockInfo block = new BlockInfoContiguous(new Block(i, 10, 1), (short) 2);
      block.setBlockCollectionId(1);
      queues.add(block, 1, 0, 0, 2);
    }
    assertThat(ids(queues.chooseLowRedundancyBlocks(5))).containsExactly(100L, 101L, 102L);
    assertThat(queues.sizes()).containsExactly(Map.entry(0L, 50), Map.entry(1L, 50));
    assertThat(ids(queues.next(1, 2))).containsExactly(1L, 3L);
    assertThat(ids(queues.next(1, 2))).as("it goes on").containsExactly(5L, 7L);
    assertThat(queues.next(2, 2)).isEmpty();
  }

  private static List<Long> ids(List<List<BlockInfo>> levels) {
    return levels.stream().flatMap(List::stream).map(Block::getBlockId).toList();
  }

  /** Both disks of a superchunk are gone: nothing tells any more where the block belonged. */
  @Test
  void aBlockStaysWithTheSuperchunkThatHasLostIt() {
    CoveredQueues queues = new CoveredQueues(new LowRedundancyBlocks(), null);
    DatanodeDescriptor node =
        BlockManagerTestUtil.getDatanodeDescriptor("1.1.1.1", "/r", new DatanodeStorage("s"));
    BlockInfo block = new BlockInfoContiguous(new Block(1, 10, 1), (short) 2);
    block.setBlockCollectionId(1);
    DatanodeStorageInfo storage = node.getStorageInfo("s");
    storage.addBlock(block, block);
    queues.route(each -> OptionalLong.of(each.numNodes() == 0 ? CoveredQueues.NOWHERE : 7));
    queues.add(block, 1, 0, 0, 2);
    storage.removeBlock(block);
    queues.update(block, 0, 0, 0, 2, -1, 0);
    assertThat(queues.sizes()).containsExactly(Map.entry(7L, 1));
    assertThat(queues.getCorruptBlockSize()).isEqualTo(1);
    assertThat(ids(queues.next(7, 10))).as("nothing to copy from").isEmpty();
    queues.remove(block, LowRedundancyBlocks.LEVEL);
    queues.add(block, 0, 0, 0, 2);
    assertThat(queues.sizes()).isEmpty();
    assertThat(queues.sizeOf(CoveredQueues.NOWHERE)).isEqualTo(1);
    assertThat(
            queues.chooseLowRedundancyBlocks(10).stream()
                .flatMap(List::stream)
                .collect(Collectors.toSet()))
        .isEmpty();
  }
}
