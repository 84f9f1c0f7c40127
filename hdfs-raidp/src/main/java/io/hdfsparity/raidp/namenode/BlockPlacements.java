/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.SuperchunkAnswer;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer.Pair;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer.Refused;
import io.hdfsparity.raidp.wire.message.SuperchunkRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacedBlocks.Location;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacedBlocks.PlacedBlock;
import org.apache.hadoop.ipc.RetriableException;
import org.jspecify.annotations.Nullable;

/**
 * Finds for which of its storages a DataNode was chosen for a block.
 *
 * <p>Thread-safe; asks the NameNode once a question, and holds no lock of its own meanwhile.
 *
 * <p><b>Invariants</b>
 *
 * <ul>
 *   <li>A node gets the same storage for a block until the block is complete or deleted, as long as
 *       that storage stays in its superchunk: what the NameNode expects changes with the reports of
 *       DataNodes.
 *   <li>At most {@link #MAX_KEPT} answers are kept. Each question looks at the oldest ones, and
 *       drops those of blocks that are complete or deleted. At the bound the oldest is dropped, and
 *       the next question for it is answered from what the NameNode knows then.
 * </ul>
 */
final class BlockPlacements {
  /** Answers that are kept, about 300 bytes each. */
  static final int MAX_KEPT = 1 << 16;

  /** Kept answers that a question looks at; more than the one that it may add. */
  private static final int LOOKED_AT = 2;

  private final Blocks blocks;
  private final Supplier<ClusterView> views;
  private final int maxKept;
  private final LinkedHashMap<Key, String> kept = new LinkedHashMap<>();

  /** The blocks of the NameNode. */
  @FunctionalInterface
  interface Blocks {
    /** Those that there are, by id. */
    Map<Long, PlacedBlock> find(Collection<Long> blockIds);
  }

  private record Key(long blockId, String nodeUuid) {}

  BlockPlacements(Blocks blocks, Supplier<ClusterView> views) {
    this(blocks, views, MAX_KEPT);
  }

  BlockPlacements(Blocks blocks, Supplier<ClusterView> views, int maxKept) {
    this.blocks = blocks;
    this.views = views;
    this.maxKept = maxKept;
  }

  /**
   * Answers a node.
   *
   * @throws RetriableException when the node has not reported to this manager yet
   */
  SuperchunkAnswer answer(SuperchunkRequest request) throws RetriableException {
    List<Key> oldest = oldest();
    List<Long> ids = new ArrayList<>(oldest.stream().map(Key::blockId).toList());
    ids.add(request.blockId());
    Map<Long, PlacedBlock> found = blocks.find(ids);
    drop(oldest, found);
    PlacedBlock block = found.get(request.blockId());
    Optional<String> wrong = whatIsWrong(block, request);
    if (wrong.isPresent()) {
      return new Refused(wrong.get());
    }
    ClusterView view = views.get();
    if (!view.nodes().containsKey(request.nodeUuid())) {
      throw new RetriableException(
          "Cannot tell the superchunk of a block: node="
              + request.nodeUuid()
              + ", expected one that has reported to this NameNode, try again");
    }
    return answer(view, request, block);
  }

  private SuperchunkAnswer answer(ClusterView view, SuperchunkRequest request, PlacedBlock block) {
    Key key = new Key(request.blockId(), request.nodeUuid());
    Optional<String> known =
        kept(key).filter(storageId -> pair(view, request.nodeUuid(), storageId).isPresent());
    SuperchunkAnswer answer =
        known.isPresent()
            ? pair(view, request.nodeUuid(), known.get()).orElseThrow()
            : choose(view, request.nodeUuid(), block);
    if (!(answer instanceof Pair pair)) {
      return answer;
    }
    if (request.storageId().filter(named -> !named.equals(pair.storageId())).isPresent()) {
      return new Refused("the block was placed on another storage of this node");
    }
    if (!block.complete()) {
      keep(key, pair.storageId());
    }
    return pair;
  }

  private static Optional<String> whatIsWrong(
      @Nullable PlacedBlock block, SuperchunkRequest request) {
    if (block == null) {
      return Optional.of("the NameNode has no such block: it was deleted, or never was");
    }
    if (block.striped()) {
      return Optional.of("the block is erasure-coded, and a superchunk takes replicas");
    }
    if (request.generationStamp() < block.generationStamp()) {
      return Optional.of("the block's generation stamp is " + block.generationStamp() + " by now");
    }
    return Optional.empty();
  }

  /**
   * From where the NameNode expects a block, or has it. A node that is no such place may replace
   * one of a pipeline: the NameNode learns of it when the pipeline is complete. It is one then
   * whose storage is the partner of the only live place.
   */
  private static SuperchunkAnswer choose(ClusterView view, String nodeUuid, PlacedBlock block) {
    Set<String> own =
        block.locations().stream()
            .filter(location -> location.nodeUuid().equals(nodeUuid))
            .map(Location::storageId)
            .collect(Collectors.toSet());
    if (own.size() > 1) {
      return new Refused("the NameNode expects the block on several storages of this node");
    }
    if (own.size() == 1) {
      return pair(view, nodeUuid, own.iterator().next())
          .<SuperchunkAnswer>map(pair -> pair)
          .orElse(new Refused("the storage that it was placed on is in no superchunk now"));
    }
    List<Location> live = block.locations().stream().filter(Location::live).distinct().toList();
    if (block.locations().isEmpty()) {
      return new Refused(
          "the NameNode has become active since, and does not know where the block was placed; the"
              + " writer gets another block when it asks for one");
    }
    return (live.size() == 1 ? partner(view, live.get(0)) : Optional.<FrameView>empty())
        .filter(frame -> frame.nodeUuid().equals(nodeUuid))
        .flatMap(frame -> pair(view, nodeUuid, frame.storageId()))
        .<SuperchunkAnswer>map(pair -> pair)
        .orElse(new Refused("the block was placed on other DataNodes"));
  }

  private static Optional<FrameView> partner(ClusterView view, Location location) {
    SuperchunkView superchunk =
        view.superchunksOn(location.storageId()).stream().findFirst().orElse(null);
    if (superchunk == null || superchunk.state() != SuperchunkState.ACTIVE) {
      return Optional.empty();
    }
    return superchunk.holders().stream()
        .filter(frame -> !frame.storageId().equals(location.storageId()))
        .findFirst();
  }

  /** The superchunk of a live frame, if it is the node's. */
  private static Optional<Pair> pair(ClusterView view, String nodeUuid, String storageId) {
    return view.superchunksOn(storageId).stream()
        .findFirst()
        .filter(
            superchunk ->
                superchunk.holders().stream()
                    .anyMatch(
                        frame ->
                            frame.storageId().equals(storageId)
                                && frame.nodeUuid().equals(nodeUuid)))
        .map(superchunk -> new Pair(storageId, superchunk.id(), superchunk.epoch()));
  }

  // ---- what is kept ----

  /** How many answers are kept. */
  synchronized int keptAnswers() {
    return kept.size();
  }

  private synchronized Optional<String> kept(Key key) {
    return Optional.ofNullable(kept.get(key));
  }

  private synchronized void keep(Key key, String storageId) {
    kept.put(key, storageId);
    if (kept.size() > maxKept) {
      Iterator<Key> eldest = kept.keySet().iterator();
      eldest.next();
      eldest.remove();
    }
  }

  private synchronized List<Key> oldest() {
    return kept.keySet().stream().limit(LOOKED_AT).toList();
  }

  /** Those of open blocks become the youngest, so that all are looked at in turn. */
  private synchronized void drop(List<Key> lookedAt, Map<Long, PlacedBlock> found) {
    for (Key key : lookedAt) {
      String storageId = kept.remove(key);
      PlacedBlock block = found.get(key.blockId());
      if (storageId != null && block != null && !block.complete()) {
        kept.put(key, storageId);
      }
    }
  }
}
