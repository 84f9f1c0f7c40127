/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import io.hdfsparity.bridge.namenode.PairPlacement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Chooses which replicas of a block with too many may go. It is given storages and no block, so it
 * chooses only where they tell enough: each storage is in one pair, and two of them at most are
 * partners; these stay. Else it chooses none, and the manager, which knows the block, has the
 * surplus dropped: the only two in service that are partners need not be the block's pair. Of two
 * partners alone one may go when the file wants one replica. Stateless.
 */
final class ExcessReplicas {
  private ExcessReplicas() {}

  /**
   * @param available storages of all replicas that count
   * @param candidates those of them that may go
   * @param expected how many the block needs
   */
  static List<DatanodeStorageInfo> of(
      PairPlacement placement,
      Collection<DatanodeStorageInfo> available,
      Collection<DatanodeStorageInfo> candidates,
      int expected) {
    List<String> present = available.stream().map(DatanodeStorageInfo::getStorageID).toList();
    List<Set<String>> pairs = pairs(placement, present);
    boolean depends = present.stream().anyMatch(placement::isInSeveralPairs);
    boolean isPairAlone = pairs.size() == 1 && present.size() == PairPlacementPolicy.PAIR;
    if (pairs.size() > 1 || depends && !isPairAlone) {
      placement.excessLeft(present);
      return List.of();
    }
    Set<String> pair = pairs.isEmpty() ? Set.of() : pairs.get(0);
    List<DatanodeStorageInfo> order = new ArrayList<>(candidates);
    order.sort(Comparator.comparing(storage -> pair.contains(storage.getStorageID())));
    List<DatanodeStorageInfo> excess = order.subList(0, Math.max(0, order.size() - expected));
    return excess.stream()
        .filter(
            storage ->
                expected < PairPlacementPolicy.PAIR || !pair.contains(storage.getStorageID()))
        .toList();
  }

  private static List<Set<String>> pairs(PairPlacement placement, List<String> storageIds) {
    Set<Set<String>> pairs = new HashSet<>();
    for (String one : storageIds) {
      for (String other : storageIds) {
        if (!one.equals(other) && placement.arePartners(one, other)) {
          pairs.add(Set.of(one, other));
        }
      }
    }
    return List.copyOf(pairs);
  }
}
