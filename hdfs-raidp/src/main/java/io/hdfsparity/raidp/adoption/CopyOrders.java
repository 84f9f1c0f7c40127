/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Blocks in flight whose near side has its row, and whose far side lacks a replica.
 *
 * <pre>
 *   copy begun -> under way -> over -> rows asked -> far side has its row
 *                                               \-> in vain: refused
 * </pre>
 *
 * <p>A file waits while a copy of it is under way, which has a time limit of its own, and while
 * none can be begun. Not thread-safe.
 */
final class CopyOrders {
  private final List<Order> orders = new ArrayList<>();

  private record Order(FileWork file, BlockWork block, CopyPlan plan) {}

  void add(FileWork file, BlockWork block, CopyPlan plan) {
    orders.add(new Order(file, block, plan));
  }

  /** Begins copies, and looks what has become of others. */
  void send(
      AdoptionCluster cluster,
      CoverBudget budget,
      AdoptionCounts counts,
      BiConsumer<FileWork, BlockWork> refused,
      long nowMs) {
    for (Order order : orders) {
      BlockWork block = order.block();
      if (!block.isInFlight()) {
        continue; // Its file was set aside in this round.
      }
      if (cluster.isCopying(block.block().blockId())) {
        block.copyIsUnderWay();
        order.file().waits(nowMs);
      } else if (block.isCopyUnderWay()) {
        block.copyIsOver(nowMs);
      } else if (block.isCopyInVain()) {
        refused.accept(order.file(), block);
      } else if (!block.isCopyOver()) {
        begin(order, cluster, budget, counts, refused, nowMs);
      }
    }
    orders.clear();
  }

  private static void begin(
      Order order,
      AdoptionCluster cluster,
      CoverBudget budget,
      AdoptionCounts counts,
      BiConsumer<FileWork, BlockWork> refused,
      long nowMs) {
    BlockWork block = order.block();
    AdoptionCluster.CopyStart start =
        budget.isLeft()
            ? cluster.copy(block.block().blockId(), block.block().generationStamp(), order.plan())
            : AdoptionCluster.CopyStart.BUSY;
    switch (start) {
      case BEGUN -> {
        budget.take(block.block().lengthBytes());
        counts.copied(block.block().lengthBytes());
        block.copyIsUnderWay();
        order.file().waits(nowMs);
      }
      case BUSY -> order.file().waits(nowMs);
      case REFUSED -> refused.accept(order.file(), block);
    }
  }
}
