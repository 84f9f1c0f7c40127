/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.DegradedBlocks.CopyRequest;
import io.hdfsparity.bridge.namenode.PairPlacement.Target;
import io.hdfsparity.raidp.adoption.AdoptionCluster.CopyStart;
import io.hdfsparity.raidp.adoption.CopyPlan;
import io.hdfsparity.raidp.adoption.SharedSuperchunk;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;
import org.jspecify.annotations.Nullable;

/**
 * Copies of blocks that an adoption needs, made beside those of missing replicas. A block is copied
 * to a node in service only that has no replica of it on any of its storages. Thread-safe.
 */
final class AdoptionCopies {
  private static final long REFRESH_MS = 10_000;

  /** Of a DataNode that is neither leaving nor in maintenance. */
  private static final String IN_SERVICE = "NORMAL";

  private final SuperchunkMap map;
  private final Supplier<List<Node>> nodes;
  private final Supplier<Optional<BlockRepair>> repair;
  private final LongSupplier clockMs;
  private Nodes known = new Nodes(Map.of(), Map.of(), Map.of(), Set.of());
  private long knownAtMs = Long.MIN_VALUE / 2;

  /** Nodes of the NameNode at one moment. */
  private record Nodes(
      Map<String, String> byStorage,
      Map<String, Long> freeBytes,
      Map<String, String> types,
      Set<String> inService) {}

  /**
   * @param nodes of the NameNode, with their storages
   * @param repair what has replicas copied; empty: not yet
   */
  AdoptionCopies(
      SuperchunkMap map,
      Supplier<List<Node>> nodes,
      Supplier<Optional<BlockRepair>> repair,
      LongSupplier clockMs) {
    this.map = map;
    this.nodes = nodes;
    this.repair = repair;
    this.clockMs = clockMs;
  }

  /**
   * Of the superchunks with room that a storage is in, the one with most. The disk that is copied
   * to needs space for the block too.
   *
   * @param units of the block
   * @param room units that a superchunk has
   */
  Optional<CopyPlan> target(
      List<String> storageIds, long lengthBytes, int units, ToIntFunction<SuperchunkView> room) {
    ClusterView view = map.view();
    Set<String> holders = holders(view, storageIds).orElse(null);
    if (holders == null) {
      return Optional.empty();
    }
    SuperchunkView best = null;
    String near = "";
    Comparator<SuperchunkView> order =
        Comparator.<SuperchunkView>comparingInt(room).thenComparingLong(SuperchunkView::id);
    for (String storageId : storageIds) {
      for (SuperchunkView each : view.superchunksOn(storageId)) {
        if (each.usable()
            && mayTake(each, storageId, holders)
            && hasSpace(each, storageId, lengthBytes)
            && room.applyAsInt(each) >= units
            && (best == null || order.compare(each, best) > 0)) {
          best = each;
          near = storageId;
        }
      }
    }
    return best == null
        ? Optional.empty()
        : Optional.of(new CopyPlan(AdoptionCalls.shared(best), near));
  }

  /** The same into the superchunk that a block has a row in. */
  Optional<CopyPlan> into(SharedSuperchunk superchunk, List<String> storageIds) {
    ClusterView view = map.view();
    SuperchunkView now = view.superchunks().get(superchunk.id());
    Set<String> holders = holders(view, storageIds).orElse(null);
    if (now == null || holders == null) {
      return Optional.empty();
    }
    return superchunk.sides().stream()
        .filter(storageIds::contains)
        .filter(near -> mayTake(now, near, holders))
        .findFirst()
        .map(near -> new CopyPlan(superchunk, near));
  }

  private boolean mayTake(SuperchunkView superchunk, String near, Set<String> holders) {
    FrameView far = far(superchunk, near);
    return far != null
        && far.health() == FrameHealth.USABLE
        && !holders.contains(far.nodeUuid())
        && nodes().inService().contains(far.nodeUuid());
  }

  private boolean hasSpace(SuperchunkView superchunk, String near, long lengthBytes) {
    FrameView far = far(superchunk, near);
    return far != null
        && nodes().freeBytes().getOrDefault(far.storageId(), Long.MAX_VALUE) >= lengthBytes;
  }

  private static @Nullable FrameView far(SuperchunkView superchunk, String near) {
    return superchunk.state() != SuperchunkState.ACTIVE
        ? null
        : superchunk.leader().storageId().equals(near)
            ? superchunk.follower()
            : superchunk.leader();
  }

  /** The nodes of storages; empty: one is not known yet. */
  private Optional<Set<String>> holders(ClusterView view, List<String> storageIds) {
    Set<String> holders = new HashSet<>();
    for (String storageId : storageIds) {
      List<FrameView> frames = view.framesOn(storageId);
      String nodeUuid =
          frames.isEmpty() ? nodes().byStorage().get(storageId) : frames.get(0).nodeUuid();
      if (nodeUuid == null) {
        return Optional.empty();
      }
      holders.add(nodeUuid);
    }
    return Optional.of(holders);
  }

  private synchronized Nodes nodes() {
    long nowMs = clockMs.getAsLong();
    if (nowMs - knownAtMs >= REFRESH_MS) {
      Map<String, String> byStorage = new HashMap<>();
      Map<String, Long> freeBytes = new HashMap<>();
      Map<String, String> types = new HashMap<>();
      Set<String> inService = new HashSet<>();
      for (Node node : nodes.get()) {
        node.storages().forEach(storage -> byStorage.put(storage.id(), node.uuid()));
        node.storages().forEach(storage -> freeBytes.put(storage.id(), storage.remainingBytes()));
        node.storages().forEach(storage -> types.put(storage.id(), storage.type()));
        if (node.alive() && IN_SERVICE.equals(node.adminState())) {
          inService.add(node.uuid());
        }
      }
      known = new Nodes(byStorage, freeBytes, types, inService);
      knownAtMs = nowMs;
    }
    return known;
  }

  /** Whether a node is neither leaving nor in maintenance. */
  boolean isInService(String nodeUuid) {
    return nodes().inService().contains(nodeUuid);
  }

  /** Space that HDFS has on a storage. */
  long freeBytes(String storageId) {
    return nodes().freeBytes().getOrDefault(storageId, Long.MAX_VALUE);
  }

  /** Storage type of a storage, as HDFS names it; empty text: it is not known. */
  String storageType(String storageId) {
    return nodes().types().getOrDefault(storageId, "");
  }

  /** Has a block copied to the far side. */
  CopyStart copy(long blockId, long generationStamp, CopyPlan plan) {
    SuperchunkView now = map.view().superchunks().get(plan.superchunk().id());
    FrameView far = now == null ? null : far(now, plan.nearStorageId());
    BlockRepair copies = repair.get().orElse(null);
    if (now == null
        || far == null
        || copies == null
        || !AdoptionCalls.shared(now).equals(plan.superchunk())) {
      return CopyStart.REFUSED;
    }
    Target target = new Target(far.storageId(), far.nodeUuid());
    return switch (copies.copyTo(
        new CopyRequest(blockId, generationStamp, now.id(), target), clockMs.getAsLong())) {
      case BEGUN -> CopyStart.BEGUN;
      case BUSY -> CopyStart.BUSY;
      case REFUSED -> CopyStart.REFUSED;
    };
  }

  boolean isCopying(long blockId) {
    return repair.get().flatMap(copies -> copies.copyOf(blockId)).isPresent();
  }
}
