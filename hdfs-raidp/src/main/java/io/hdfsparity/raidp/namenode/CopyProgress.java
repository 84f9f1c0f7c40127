/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.PeerAddress;
import io.hdfsparity.raidp.wire.message.RebuildCounts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongConsumer;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many blocks of a superchunk have a replica on its new side. The rows of the survivor are
 * listed once a pairing, and then only the blocks that lacked a replica are looked at. The executor
 * waits for the DataNodes, one question to each at a time; the caller comes again.
 *
 * <p>Not thread-safe.
 */
final class CopyProgress {
  private static final Logger LOG = LoggerFactory.getLogger(CopyProgress.class);

  private final Namespace namespace;
  private final FrameRows rows;
  private final LongConsumer lacksSide;
  private final Executor executor;
  private final Map<Long, Count> counts = new HashMap<>();
  private final Map<Long, Listing> listings = new HashMap<>();
  private final Set<String> busyNodes = ConcurrentHashMap.newKeySet();

  /** Rows that are asked for under an epoch; empty when the DataNode has not answered. */
  private record Listing(long epoch, CompletableFuture<Optional<List<Long>>> blockIds) {}

  /** What was listed under an epoch. */
  private static final class Count {
    private final long epoch;
    private long bytes;
    private int blocks;
    private List<Long> open;

    private Count(long epoch, List<Long> open) {
      this.epoch = epoch;
      this.open = open;
    }
  }

  /**
   * @param lacksSide is given blocks without a replica on the new side that HDFS looks for none
   *     for, since others make up for it
   * @param executor asks DataNodes; may run a task at once
   */
  CopyProgress(Namespace namespace, FrameRows rows, LongConsumer lacksSide, Executor executor) {
    this.namespace = namespace;
    this.rows = rows;
    this.lacksSide = lacksSide;
    this.executor = executor;
  }

  void clear() {
    counts.clear();
    listings.clear();
  }

  /**
   * Looks again.
   *
   * @param source the side that has the blocks
   * @return empty while the DataNode of the source has not answered
   */
  Optional<RebuildCounts> advance(
      ClusterView view, SuperchunkView superchunk, FrameView source, RecoveryMove move) {
    String receiver = move.receiver().storageId();
    Count count = counts.get(superchunk.id());
    boolean isNew = count == null || count.epoch != superchunk.epoch();
    if (isNew) {
      Optional<List<Long>> listed = listed(view, superchunk, source);
      if (listed.isEmpty()) {
        return Optional.empty();
      }
      count = new Count(superchunk.epoch(), listed.get());
      counts.put(superchunk.id(), count);
    }
    List<StoredBlock> blocks =
        count.open.stream().map(namespace::block).flatMap(Optional::stream).toList();
    RebuildCounts progress = look(count, blocks, new Way(source.storageId(), receiver), isNew);
    if (count.open.isEmpty()) {
      counts.remove(superchunk.id());
    }
    return Optional.of(progress);
  }

  /** From where to where blocks go. */
  private record Way(String sender, String receiver) {
    /** Whether the block is not there yet, and has not gone to another superchunk meanwhile. */
    boolean isOpen(StoredBlock block) {
      return !block.storageIds().contains(receiver)
          && (block.storageIds().contains(sender) || block.liveReplicas() < block.wantedReplicas());
    }
  }

  private RebuildCounts look(Count count, List<StoredBlock> blocks, Way way, boolean isFirst) {
    List<Long> open = new ArrayList<>();
    long openBytes = 0;
    for (StoredBlock block : blocks) {
      if (block.complete() && block.wantedReplicas() > 1) {
        count.bytes += isFirst ? block.lengthBytes() : 0;
        count.blocks += isFirst ? 1 : 0;
        if (way.isOpen(block)) {
          open.add(block.blockId());
          if (block.liveReplicas() >= block.wantedReplicas()) {
            lacksSide.accept(block.blockId());
          }
          openBytes += block.lengthBytes();
        }
      }
    }
    count.open = open;
    return new RebuildCounts(
        count.bytes, count.bytes - openBytes, count.blocks, count.blocks - open.size());
  }

  /** What the executor has listed; asks it to list. */
  private Optional<List<Long>> listed(
      ClusterView view, SuperchunkView superchunk, FrameView source) {
    Listing listing = listings.get(superchunk.id());
    if (listing == null || listing.epoch() != superchunk.epoch()) {
      Optional<PeerAddress> peer = RebuildOrders.peer(view, source.nodeUuid());
      if (peer.isEmpty() || !busyNodes.add(source.nodeUuid())) {
        return Optional.empty();
      }
      try {
        listing =
            new Listing(
                superchunk.epoch(),
                CompletableFuture.supplyAsync(
                    () -> list(peer.get(), superchunk, source), executor));
      } catch (RejectedExecutionException e) {
        // The manager stops.
        busyNodes.remove(source.nodeUuid());
        return Optional.empty();
      }
      listings.put(superchunk.id(), listing);
    }
    if (!listing.blockIds().isDone()) {
      return Optional.empty();
    }
    listings.remove(superchunk.id());
    return listing.blockIds().join();
  }

  private Optional<List<Long>> list(PeerAddress peer, SuperchunkView superchunk, FrameView source) {
    try {
      return Optional.of(rows.blockIds(peer, source.storageId(), OptionalLong.of(superchunk.id())));
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "Cannot list the rows of superchunk {} on storage {}; trying again: {}",
          superchunk.id(),
          source.storageId(),
          e.toString());
      return Optional.empty();
    } finally {
      busyNodes.remove(source.nodeUuid());
    }
  }
}
