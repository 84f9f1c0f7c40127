/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.adoption.AdoptionCluster;
import io.hdfsparity.raidp.adoption.AdoptionCluster.CopyStart;
import io.hdfsparity.raidp.adoption.BalanceCluster;
import io.hdfsparity.raidp.adoption.BlockRow;
import io.hdfsparity.raidp.adoption.CopyPlan;
import io.hdfsparity.raidp.adoption.SharedSuperchunk;
import io.hdfsparity.raidp.layout.BalanceSpec;
import io.hdfsparity.raidp.layout.BalanceSpec.BalanceDisk;
import io.hdfsparity.raidp.layout.BalanceSpec.BalanceSuperchunk;
import io.hdfsparity.raidp.layout.DiskId;
import io.hdfsparity.raidp.layout.NodeId;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;

/**
 * What a balance asks the map of superchunks, the promises of room, DataNodes and the NameNode.
 * Copies and promises are those of adoptions. Thread-safe.
 */
final class BalanceCalls implements BalanceCluster {
  private final ManagerState state;
  private final Hdfs hdfs;
  private final AdoptionCluster adoption;
  private final AdoptionCopies copies;
  private final Rows rows;
  private final LongSupplier clockMs;
  private final StorageCalls calls;
  private final long unitBytes;

  /** Calls of DataNodes. What they say is noted nowhere: a block that moves has rows in two. */
  record Rows(RowFinder finder, FrameRows lister) {}

  /**
   * HDFS.
   *
   * @param isSilent whether a DataNode has sent no heartbeat of late
   */
  record Hdfs(Namespace namespace, Predicate<String> isSilent) {}

  BalanceCalls(
      ManagerState state,
      Hdfs hdfs,
      AdoptionCluster adoption,
      AdoptionCopies copies,
      Rows rows,
      long unitBytes,
      LongSupplier clockMs) {
    this.state = state;
    this.hdfs = hdfs;
    this.unitBytes = unitBytes;
    this.adoption = adoption;
    this.copies = copies;
    this.rows = rows;
    this.clockMs = clockMs;
    this.calls = new StorageCalls(state.map(), clockMs, StorageCalls.Frames.IN_SERVICE);
  }

  @Override
  public BalanceSpec spec(double thresholdPercent) {
    ClusterView view = state.map().view();
    Map<String, DiskView> disks = new TreeMap<>();
    Map<String, DiskId> ids = new HashMap<>();
    for (DiskView disk : view.disks().values()) {
      if (disk.health() == FrameHealth.USABLE
          && disk.geometry().isPresent()
          && disk.storageIds().size() == 1
          && copies.isInService(disk.nodeUuid())) {
        disks.put(disk.diskId(), disk);
        ids.put(disk.diskId(), new DiskId(disk.diskId()));
      }
    }
    Map<String, Long> used = usedBytes(view);
    List<BalanceSuperchunk> superchunks = new ArrayList<>();
    long minMoveBytes = Long.MAX_VALUE;
    for (SuperchunkView superchunk : view.all()) {
      if (superchunk.state() != SuperchunkState.ACTIVE
          || state.recovery().isMoving(superchunk.id())) {
        continue;
      }
      FrameView leader = superchunk.leader();
      FrameView follower = superchunk.follower();
      DiskView disk = disks.get(leader.diskId());
      DiskId leaderDisk = ids.get(leader.diskId());
      DiskId followerDisk = ids.get(follower.diskId());
      if (disk != null && leaderDisk != null && followerDisk != null) {
        long unitBytes = disk.geometry().orElseThrow().unitBytes();
        minMoveBytes = Math.min(minMoveBytes, unitBytes);
        superchunks.add(
            new BalanceSuperchunk(
                superchunk.id(),
                leaderDisk,
                followerDisk,
                Math.min(usedBytes(view, leader), usedBytes(view, follower)),
                roomBytes(superchunk, unitBytes)));
      }
    }
    return new BalanceSpec(
        disks.values().stream()
            .map(
                disk ->
                    new BalanceDisk(
                        new DiskId(disk.diskId()),
                        new NodeId(disk.nodeUuid()),
                        copies.storageType(disk.storageIds().get(0)),
                        capacityBytes(disk.geometry().orElseThrow()),
                        used.getOrDefault(disk.diskId(), 0L)))
            .toList(),
        superchunks,
        thresholdPercent,
        superchunks.isEmpty() ? 1 : minMoveBytes);
  }

  private static long capacityBytes(LstorGeometry geometry) {
    return geometry.frames() * geometry.frameBytes();
  }

  /** By disk: of every frame that holds a superchunk, also of one that lacks a side. */
  static Map<String, Long> usedBytes(ClusterView view) {
    Map<String, Long> used = new HashMap<>();
    for (SuperchunkView superchunk : view.all()) {
      for (FrameView side : superchunk.holders()) {
        used.merge(side.diskId(), usedBytes(view, side), Long::sum);
      }
    }
    return used;
  }

  /** Bytes of a frame that are in use; 0 where the shape of its disk is not known. */
  static long usedBytes(ClusterView view, FrameView frame) {
    return Optional.ofNullable(view.disks().get(frame.diskId()))
        .flatMap(DiskView::geometry)
        .map(
            geometry ->
                usedBytes(
                    geometry.unitsPerFrame(), geometry.unitBytes(), view.latest(frame).load()))
        .orElse(0L);
  }

  /** Without what deleted replicas still take: it becomes free by itself. */
  static long usedBytes(long unitsPerFrame, long unitBytes, FrameReport.Load load) {
    long limboUnits = (load.limboBytes() + unitBytes - 1) / unitBytes;
    return Math.max(0, unitsPerFrame - load.freeUnits() - limboUnits) * unitBytes;
  }

  private long roomBytes(SuperchunkView superchunk, long unitBytes) {
    if (!superchunk.usable()) {
      return 0;
    }
    long units =
        state
            .grants()
            .available(superchunk.leader().ref(), superchunk.follower().ref(), clockMs.getAsLong());
    return Math.min(
        units * unitBytes,
        Math.min(
            copies.freeBytes(superchunk.leader().storageId()),
            copies.freeBytes(superchunk.follower().storageId())));
  }

  @Override
  public long unitBytes() {
    return unitBytes;
  }

  @Override
  public boolean mayTakeOver(SharedSuperchunk to) {
    SuperchunkView now = state.map().view().superchunks().get(to.id());
    return now != null
        && now.usable()
        && AdoptionCalls.shared(now).equals(to)
        && now.holders().stream().noneMatch(side -> hdfs.isSilent().test(side.nodeUuid()));
  }

  @Override
  public Optional<SharedSuperchunk> active(long superchunkId) {
    return AdoptionCalls.active(state.map(), superchunkId)
        .filter(each -> !state.recovery().isMoving(each.id()));
  }

  @Override
  public List<BlockRow> rowsOf(SharedSuperchunk superchunk) throws IOException {
    String storageId = superchunk.leaderStorageId();
    List<SlotEntry> entries =
        calls.call(
            "list rows",
            storageId,
            peer -> rows.lister().entries(peer, storageId, OptionalLong.of(superchunk.id())));
    return entries.stream()
        .filter(entry -> entry.state() == SlotState.LIVE)
        .map(
            entry ->
                StorageCalls.row(
                    storageId, new SuperchunkRef(superchunk.id(), superchunk.epoch()), entry))
        .toList();
  }

  @Override
  public List<BlockRow> findRows(String storageId, List<Long> blockIds) throws IOException {
    return calls.findRows(rows.finder(), storageId, blockIds, entry -> true);
  }

  @Override
  public Optional<Replicas> block(long blockId) {
    return hdfs.namespace().block(blockId).map(BalanceCalls::replicas);
  }

  private static Replicas replicas(StoredBlock block) {
    return new Replicas(
        block.generationStamp(),
        block.lengthBytes(),
        block.complete() && block.wantedReplicas() == 2 && block.corruptReplicas() == 0,
        block.liveReplicas(),
        block.storageIds());
  }

  @Override
  public boolean promise(SharedSuperchunk superchunk, long lengthBytes) {
    return adoption.promise(superchunk, lengthBytes);
  }

  @Override
  public void renew(SharedSuperchunk superchunk, String storageId, int blocks) {
    SuperchunkView now = state.map().view().superchunks().get(superchunk.id());
    if (now != null && now.epoch() == superchunk.epoch()) {
      now.holders().stream()
          .filter(side -> side.storageId().equals(storageId))
          .forEach(side -> state.grants().renew(side.ref(), blocks, clockMs.getAsLong()));
    }
  }

  @Override
  public CopyStart copy(long blockId, long generationStamp, CopyPlan plan) {
    return adoption.copy(blockId, generationStamp, plan);
  }

  @Override
  public boolean isCopying(long blockId) {
    return adoption.isCopying(blockId);
  }

  @Override
  public void moves(long blockId, SharedSuperchunk to) {
    state.protection().moving().note(blockId, to);
  }

  @Override
  public void moved(long blockId, SharedSuperchunk to) {
    state.protection().moved(blockId, to);
  }

  @Override
  public void left(long blockId, SharedSuperchunk from) {
    state.protection().left(blockId, from);
  }
}
