/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.raidp.adoption.AdoptionCluster;
import io.hdfsparity.raidp.adoption.BlockRow;
import io.hdfsparity.raidp.adoption.CopyPlan;
import io.hdfsparity.raidp.adoption.SharedSuperchunk;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.PeerAddress;
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
  /** Never the id of a superchunk: a row whose frame holds none. */
  private static final long NO_SUPERCHUNK = Long.MIN_VALUE;

  private final SuperchunkMap map;
  private final Grants grants;
  private final Peers peers;
  private final AdoptionCopies copies;
  private final Lowering lowering;
  private final LongConsumer oneSided;
  private final ManagerOptions.Placement options;
  private final LongSupplier clockMs;
  private final GrowingPauses<String> failed = GrowingPauses.ofNodes();

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
  }

  @Override
  public void mayLackSide(long blockId) {
    oneSided.accept(blockId);
  }

  @Override
  public Optional<SharedSuperchunk> active(long superchunkId) {
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
    return (int) Math.max(1, (lengthBytes + options.unitBytes() - 1) / options.unitBytes());
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
    ClusterView view = map.view();
    if (view.framesOn(storageId).isEmpty()) {
      if (map.allHadTime()) {
        return List.of(); // On a node without Lstors.
      }
      throw away("find rows", storageId, "a node that has reported to this NameNode");
    }
    List<SlotEntry> entries =
        called(
            view, "find rows", storageId, peer -> peers.rows().findRows(peer, storageId, blockIds));
    Map<Integer, SuperchunkView> byFrame = view.superchunksByFrame(storageId);
    return entries.stream()
        .filter(entry -> entry.state() != SlotState.LIMBO)
        // What a frame has taken in has no row yet; what is sought is not taken in.
        .filter(entry -> entry.frameIndex() != RaidpPeerProtocol.NO_FRAME)
        .map(entry -> row(storageId, byFrame, entry))
        .toList();
  }

  private static BlockRow row(
      String storageId, Map<Integer, SuperchunkView> byFrame, SlotEntry entry) {
    SuperchunkView superchunk = byFrame.get(entry.frameIndex());
    return new BlockRow(
        entry.blockId(),
        storageId,
        superchunk == null ? NO_SUPERCHUNK : superchunk.id(),
        entry.generationStamp(),
        entry.coveredBytes(),
        entry.state() == SlotState.LIVE && entry.metaCovered() && !entry.ackPending());
  }

  @Override
  public List<Long> cover(String storageId, SharedSuperchunk superchunk, List<Long> blockIds)
      throws IOException {
    SuperchunkRef ref = new SuperchunkRef(superchunk.id(), superchunk.epoch());
    return called(
        map.view(),
        "cover replicas",
        storageId,
        peer -> peers.covers().cover(peer, storageId, ref, blockIds));
  }

  @Override
  public AdoptionCluster.Lowering lower(long inodeId, Map<Long, Long> settled) throws IOException {
    return lowering.lower(inodeId, settled);
  }

  private interface Call<T> {
    T at(PeerAddress peer) throws IOException;
  }

  private <T> T called(ClusterView view, String doing, String storageId, Call<T> call)
      throws IOException {
    List<FrameView> frames = view.framesOn(storageId);
    String nodeUuid = frames.isEmpty() ? "" : frames.get(0).nodeUuid();
    Optional<PeerAddress> peer = RebuildOrders.peer(view, nodeUuid);
    if (peer.isEmpty() || failed.isPaused(nodeUuid, clockMs.getAsLong())) {
      throw away(doing, storageId, "a node that answers");
    }
    try {
      T answer = call.at(peer.get());
      failed.succeeded(nodeUuid);
      return answer;
    } catch (IOException e) {
      failed.failed(nodeUuid, clockMs.getAsLong());
      throw e;
    }
  }

  private static IOException away(String doing, String storageId, String rule) {
    return new IOException(
        ErrorMessage.to(doing).value("storageId", storageId).expected(rule).message());
  }
}
