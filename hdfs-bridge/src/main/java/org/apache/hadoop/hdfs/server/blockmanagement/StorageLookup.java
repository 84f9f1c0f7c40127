/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.jspecify.annotations.Nullable;

/**
 * Hadoop's storages by the ids that a {@link PairPlacementPolicy} is answered with, on the nodes of
 * the topology at one moment.
 *
 * <p>Reaches, package-private: DatanodeStorageInfo.getState. Checked for Hadoop 3.5.0. Thread-safe.
 */
final class StorageLookup {
  private final Map<String, DatanodeDescriptor> nodes;
  private final long staleMs;

  private StorageLookup(Map<String, DatanodeDescriptor> nodes, long staleMs) {
    this.nodes = nodes;
    this.staleMs = staleMs;
  }

  /**
   * @param topology null: no nodes
   * @param staleMs without a heartbeat for so long, a node is stale
   */
  static StorageLookup of(@Nullable NetworkTopology topology, long staleMs) {
    Map<String, DatanodeDescriptor> nodes = new HashMap<>();
    if (topology != null) {
      for (Node leaf : topology.getLeaves(NodeBase.ROOT)) {
        if (leaf instanceof DatanodeDescriptor node) {
          nodes.put(node.getDatanodeUuid(), node);
        }
      }
    }
    return new StorageLookup(nodes, staleMs);
  }

  @Nullable DatanodeStorageInfo find(String storageId, String nodeUuid) {
    DatanodeDescriptor node = nodes.get(nodeUuid);
    return node == null ? null : node.getStorageInfo(storageId);
  }

  /**
   * Whether a storage is usable, and has space for a block beside those that are on the way to its
   * node, as HDFS's own policy asks: where other files lie on the same disk, they may have filled
   * it.
   */
  boolean hasSpace(String storageId, String nodeUuid, long blockBytes) {
    DatanodeStorageInfo storage = find(storageId, nodeUuid);
    if (storage == null || !isUsable(storage, staleMs) || storage.getRemaining() < blockBytes) {
      return false;
    }
    DatanodeStorageInfo any =
        storage
            .getDatanodeDescriptor()
            .chooseStorage4Block(storage.getStorageType(), blockBytes, /* minBlocksForWrite= */ 1);
    return any != null;
  }

  boolean isOfType(String storageId, String nodeUuid, StorageType type) {
    DatanodeStorageInfo storage = find(storageId, nodeUuid);
    return storage != null && storage.getStorageType() == type;
  }

  /** Whether a storage is in service, alive, fresh and of a normal state. */
  static boolean isUsable(DatanodeStorageInfo storage, long staleMs) {
    DatanodeDescriptor node = storage.getDatanodeDescriptor();
    return node.isInService()
        && node.isAlive()
        && !node.isStale(staleMs)
        && storage.getState() == DatanodeStorage.State.NORMAL;
  }

  static Optional<String> uuid(@Nullable Node node) {
    return node instanceof DatanodeInfo info
        ? Optional.ofNullable(info.getDatanodeUuid())
        : Optional.empty();
  }

  static Set<String> uuids(@Nullable Set<Node> nodes) {
    Set<String> uuids = new HashSet<>();
    if (nodes != null) {
      nodes.forEach(node -> uuid(node).ifPresent(uuids::add));
    }
    return uuids;
  }
}
