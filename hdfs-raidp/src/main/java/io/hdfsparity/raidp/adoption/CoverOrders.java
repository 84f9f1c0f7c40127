/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Blocks that are to be covered, by superchunk. The leader takes them in first: it hands out the
 * units. The follower is asked for those only that the leader has taken. Of a block that is copied
 * later, only the side that has it is asked. Not thread-safe.
 */
final class CoverOrders {
  private static final int MAX_BLOCKS = 10_000;

  private final Map<Sides, List<Order>> bySides = new LinkedHashMap<>();

  private record Sides(SharedSuperchunk superchunk, List<String> storageIds) {}

  private record Order(FileWork file, BlockWork block) {}

  /**
   * @param storageIds the sides that have the block
   */
  void add(FileWork file, BlockWork block, SharedSuperchunk superchunk, List<String> storageIds) {
    bySides
        .computeIfAbsent(new Sides(superchunk, storageIds), id -> new ArrayList<>())
        .add(new Order(file, block));
  }

  /** Makes the calls. */
  void send(AdoptionCluster cluster, BiConsumer<FileWork, BlockWork> refused) {
    bySides.forEach(
        (sides, orders) -> {
          for (int from = 0; from < orders.size(); from += MAX_BLOCKS) {
            send(
                cluster,
                sides,
                orders.subList(from, Math.min(orders.size(), from + MAX_BLOCKS)),
                refused);
          }
        });
    bySides.clear();
  }

  private static void send(
      AdoptionCluster cluster,
      Sides sides,
      List<Order> orders,
      BiConsumer<FileWork, BlockWork> refused) {
    Set<Long> taken = new HashSet<>();
    orders.forEach(order -> taken.add(order.block().block().blockId()));
    for (String side : sides.storageIds()) {
      if (!taken.isEmpty()) {
        try {
          taken.retainAll(cluster.cover(side, sides.superchunk(), List.copyOf(taken)));
        } catch (IOException e) {
          taken.clear(); // The call may have arrived: it may be made again.
        }
      }
    }
    for (Order order : orders) {
      if (!taken.contains(order.block().block().blockId())) {
        refused.accept(order.file(), order.block());
      }
    }
  }
}
