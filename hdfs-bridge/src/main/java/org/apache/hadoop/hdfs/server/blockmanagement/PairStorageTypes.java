/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import io.hdfsparity.bridge.namenode.PairPlacement.PlacementRefusedException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.jspecify.annotations.Nullable;

/**
 * On which storage types a pair for a new block may lie: both of its replicas are on one type, as
 * the storage policy of the file asks, or as it falls back to. Memory is no place for a replica
 * with parity: what a policy wants there goes where the policy falls back to. Stateless.
 */
final class PairStorageTypes {
  private PairStorageTypes() {}

  /**
   * The first type, and then those that are tried when there is no room on it.
   *
   * @param policy null: any type will do
   * @return empty: any type will do
   * @throws PlacementRefusedException if the policy wants two replicas on two types
   */
  static List<StorageType> of(@Nullable BlockStoragePolicy policy, String path)
      throws PlacementRefusedException {
    if (policy == null) {
      return List.of();
    }
    Set<StorageType> wanted = EnumSet.noneOf(StorageType.class);
    policy.chooseStorageTypes(PairPlacementPolicy.PAIR).stream()
        .filter(type -> !type.isTransient())
        .forEach(wanted::add);
    if (wanted.size() != 1) {
      throw new PlacementRefusedException(
          "Cannot place a block: storagePolicy="
              + policy.getName()
              + " storageTypes="
              + policy.chooseStorageTypes(PairPlacementPolicy.PAIR)
              + ", expected a policy with both replicas of a protected block on one storage type,"
              + " such as HOT, COLD or ALL_SSD; set one by hdfs storagepolicies -setStoragePolicy,"
              + " path="
              + path);
    }
    List<StorageType> types = new ArrayList<>(wanted);
    for (StorageType fallback : policy.getCreationFallbacks()) {
      if (!fallback.isTransient() && !types.contains(fallback)) {
        types.add(fallback);
      }
    }
    return types;
  }
}
