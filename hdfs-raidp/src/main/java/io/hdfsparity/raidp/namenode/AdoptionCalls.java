/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.adoption.AdoptionCluster;
import io.hdfsparity.raidp.adoption.BlockRow;
import io.hdfsparity.raidp.adoption.CopyPlan;
import io.hdfsparity.raidp.adoption.SharedSuperchunk;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * What an adoption asks the map of superchunks, the promises of room, DataNodes and the NameNode. A
 * node that has failed to answer is left alone for a while. Thread-safe.
 */
final class AdoptionCalls implements AdoptionCluster {
  private final SuperchunkMap map;
  private final Grants grants;
  private final Peers peers;
  private final AdoptionCopies copies;
  private final Lowering lowering;
  private final LongConsumer oneSided;
  private final ManagerOptions.Placement options;
  private final LongSupplier clockMs;
  private final StorageCalls calls;

  /** Calls of DataNodes. */
  record Peers(RowFinder rows, CoverCalls covers) {}

  /** Lowers the replication of a file. */
  @FunctionalInterface
  interface Lowering {
    AdoptionCluster.Lowering lower(long inodeId, Map<Long, Long> settled) throws IOException;
  }

  /**
   * @param oneSided takes blocks that may lack a side
   */
  AdoptionCalls(
      SuperchunkMap map,
      Grants grants,
      Peers peers,
      AdoptionCopies copies,
      Lowering lowering,
      LongConsumer oneSided,
      ManagerOptions.Placement options,
      LongSupplier clockMs) {
    this.map = map;
    this.grants = grants;
    this.peers = peers;
    this.copies = copies;
    this.lowering = lowering;
    this.oneSided = oneSided;
    this.options = options;
    this.clockMs = clockMs;
    this.calls = new StorageCalls(map, clockMs, StorageCalls.Frames.IN_SERVICE);
  }

  @Override
  public void mayLackSide(long blockId) {
    oneSided.accept(blockId);
  }

  @Override
  public Optional<SharedSuperchunk> active(long superchunkId) {
    return active(map, superchunkId);
  }

  static Optional<SharedSuperchunk> active(SuperchunkMap map, long superchunkId) {
    return Optional.ofNullable(map.view().superchunks().get(superchunkId))
        .filter(each -> each.state() == SuperchunkState.ACTIVE)
        .map(AdoptionCalls::shared);
  }

  static SharedSuperchunk shared(SuperchunkView superchunk) {
    return new SharedSuperchunk(
        superchunk.id(),
        superchunk.epoch(),
        superchunk.leader().storageId(),
        superchunk.follower().storageId());
  }

  @Override
  public boolean areShared(List<String> storageIds) {
    return !sharedBy(storageIds).isEmpty();
  }

  private List<SuperchunkView> sharedBy(List<String> storageIds) {
    ClusterView view = map.view();
    List<SuperchunkView> shared = new ArrayList<>();
    for (int i = 0; i < storageIds.size(); i++) {
      for (int j = i + 1; j < storageIds.size(); j++) {
        view.superchunkOfPair(storageIds.get(i), storageIds.get(j)).ifPresent(shared::add);
      }
    }
    return shared;
  }

  @Override
  public Optional<SharedSuperchunk> roomiest(List<String> storageIds, long lengthBytes) {
    int units = units(lengthBytes);
    return lengthBytes > options.maxBlockBytes()
        ? Optional.empty()
        : sharedBy(storageIds).stream()
            .filter(each -> each.usable() && room(each) >= units)
            .max(
                Comparator.<SuperchunkView>comparingInt(this::room)
                    .thenComparingLong(SuperchunkView::id))
            .map(AdoptionCalls::shared);
  }

  @Override
  public Optional<CopyPlan> copyTarget(List<String> storageIds, long lengthBytes) {
    return lengthBytes > options.maxBlockBytes()
        ? Optional.empty()
        : copies.target(storageIds, lengthBytes, units(lengthBytes), this::room);
  }

  @Override
  public Optional<CopyPlan> copyInto(SharedSuperchunk superchunk, List<String> storageIds) {
    return copies.into(superchunk, storageIds);
  }

  @Override
  public CopyStart copy(long blockId, long generationStamp, CopyPlan plan) {
    return copies.copy(blockId, generationStamp, plan);
  }

  @Override
  public boolean isCopying(long blockId) {
    return copies.isCopying(blockId);
  }

  private int units(long lengthBytes) {
    return (int) LstorGeometry.unitsFor(lengthBytes, options.unitBytes());
  }

  private int room(SuperchunkView superchunk) {
    return grants.available(
        superchunk.leader().ref(), superchunk.follower().ref(), clockMs.getAsLong());
  }

  @Override
  public boolean promise(SharedSuperchunk superchunk, long lengthBytes) {
    SuperchunkView now = map.view().superchunks().get(superchunk.id());
    return now != null
        && now.usable()
        && shared(now).equals(superchunk)
        && grants.grant(
            now.leader().ref(), now.follower().ref(), units(lengthBytes), clockMs.getAsLong());
  }

  @Override
  public List<BlockRow> findRows(String storageId, List<Long> blockIds) throws IOException {
    return calls.findRows(
        peers.rows(),
        storageId,
        blockIds,
        // What a frame has taken in has no row yet; what is sought is not taken in.
        entry ->
            entry.state() != SlotState.LIMBO && entry.frameIndex() != RaidpPeerProtocol.NO_FRAME);
  }

  @Override
  public List<Long> cover(String storageId, SharedSuperchunk superchunk, List<Long> blockIds)
      throws IOException {
    SuperchunkRef ref = new SuperchunkRef(superchunk.id(), superchunk.epoch());
    return calls.call(
        "cover replicas", storageId, peer -> peers.covers().cover(peer, storageId, ref, blockIds));
  }

  @Override
  public AdoptionCluster.Lowering lower(long inodeId, Map<Long, Long> settled) throws IOException {
    return lowering.lower(inodeId, settled);
  }
}
