/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Copy;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer.Pair;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer.Refused;
import io.hdfsparity.raidp.wire.message.SuperchunkRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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
 * Finds for which of its storages, and in which superchunk, a DataNode was chosen for a block.
 *
 * <p>Thread-safe; asks the NameNode once a question, and holds no lock of its own meanwhile. It
 * never asks a DataNode: that may wait for an answer of this NameNode, whose handlers are few.
 * Where only the rows of another DataNode can tell, the asking one comes again until {@link
 * RowQuestions} has them.
 *
 * <p><b>Invariants</b>
 *
 * <ul>
 *   <li>A block gets the same superchunk on all its nodes until it is complete or deleted, as long
 *       as the superchunk has a side on the node: what the NameNode expects changes with the
 *       reports of DataNodes.
 *   <li>At most {@link #MAX_KEPT} answers are kept. Each question looks at the oldest ones, and
 *       drops those of blocks that are complete or deleted. At the bound the oldest is dropped, and
 *       the next question for it is answered from what the NameNode knows then.
 * </ul>
 */
final class BlockPlacements implements SuperchunkAnswers {
  /** Blocks whose answers are kept, about 400 bytes each. */
  static final int MAX_KEPT = 1 << 16;

  /** Kept answers that a question looks at; more than the one that it may add. */
  private static final int LOOKED_AT = 2;

  private final Blocks blocks;
  private final Supplier<ClusterView> views;
  private final Clues clues;
  private final int maxKept;
  private final LinkedHashMap<Long, Kept> kept = new LinkedHashMap<>();

  /** The blocks of the NameNode. */
  @FunctionalInterface
  interface Blocks {
    /** Those that there are, by id. */
    Map<Long, PlacedBlock> find(Collection<Long> blockIds);
  }

  /** What tells the superchunk of a block where its storages do not. Must not block. */
  interface Clues {
    /** The copy of a block that is under way. */
    Optional<Copy> copyOf(long blockId);

    /** What rows have said of a block that has replicas on these storages. */
    Optional<SuperchunkView> byRows(ClusterView view, long blockId, List<String> storageIds);

    /** Has the DataNodes asked for its rows. */
    void want(long blockId, List<String> storageIds);

    /** A superchunk for a block that is to have one replica, on this storage. */
    Optional<SuperchunkView> roomiest(String storageId);
  }

  /** The superchunk of an open block, and the nodes that got it as answer. */
  private record Kept(long superchunkId, Set<String> nodeUuids) {}

  BlockPlacements(Blocks blocks, Supplier<ClusterView> views, Clues clues) {
    this(blocks, views, clues, MAX_KEPT);
  }

  BlockPlacements(Blocks blocks, Supplier<ClusterView> views, Clues clues, int maxKept) {
    this.blocks = blocks;
    this.views = views;
    this.clues = clues;
    this.maxKept = maxKept;
  }

  /**
   * Answers a node.
   *
   * @throws RetriableException when the node has not reported to this manager yet, or when the rows
   *     of another one are awaited
   */
  @Override
  public SuperchunkAnswer answer(SuperchunkRequest request) throws RetriableException {
    List<Long> oldest = oldest();
    List<Long> ids = new ArrayList<>(oldest);
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

  /** Under the monitor, so that two nodes that ask at once get the same superchunk. */
  private synchronized SuperchunkAnswer answer(
      ClusterView view, SuperchunkRequest request, PlacedBlock block) throws RetriableException {
    Kept known = kept.get(request.blockId());
    Optional<SuperchunkView> fixed =
        Optional.ofNullable(known).map(Kept::superchunkId).map(view.superchunks()::get);
    Optional<Pair> again =
        fixed
            .filter(superchunk -> known.nodeUuids().contains(request.nodeUuid()))
            .flatMap(superchunk -> pair(superchunk, request.nodeUuid()));
    SuperchunkAnswer answer =
        again.isPresent()
            ? again.get()
            : choose(new Question(view, request, block, fixed, isAnsweredToOthers(known, request)));
    if (!(answer instanceof Pair pair)) {
      return answer;
    }
    if (request.storageId().filter(named -> !named.equals(pair.storageId())).isPresent()) {
      return new Refused("the block was placed on another storage of this node");
    }
    if (!block.complete()) {
      keep(request.blockId(), pair.superchunkId(), request.nodeUuid());
    }
    return pair;
  }

  private static boolean isAnsweredToOthers(@Nullable Kept known, SuperchunkRequest request) {
    return known != null
        && known.nodeUuids().stream().anyMatch(uuid -> !uuid.equals(request.nodeUuid()));
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
   * @param fixed superchunk that was answered for the block
   * @param isAnsweredToOthers whether it was answered to another node than the asking one
   */
  private record Question(
      ClusterView view,
      SuperchunkRequest request,
      PlacedBlock block,
      Optional<SuperchunkView> fixed,
      boolean isAnsweredToOthers) {
    long blockId() {
      return request.blockId();
    }

    String nodeUuid() {
      return request.nodeUuid();
    }

    List<String> storageIds() {
      return block.locations().stream().map(Location::storageId).distinct().toList();
    }
  }

  /**
   * From where the NameNode expects a block, or has it. A node that is no such place may replace
   * one of a pipeline: the NameNode learns of it when the pipeline is complete. It is one then
   * whose storage is the partner of the only live place. Or it gets a copy.
   */
  private SuperchunkAnswer choose(Question question) throws RetriableException {
    List<Location> locations = question.block().locations();
    Set<String> own =
        locations.stream()
            .filter(location -> location.nodeUuid().equals(question.nodeUuid()))
            .map(Location::storageId)
            .collect(Collectors.toSet());
    if (own.size() > 1) {
      return new Refused("the NameNode expects the block on several storages of this node");
    }
    if (own.size() == 1) {
      return atOwnStorage(question, own.iterator().next());
    }
    Optional<Pair> copied = copied(question);
    if (copied.isPresent()) {
      return copied.get();
    }
    if (locations.isEmpty()) {
      return new Refused(
          "the NameNode has become active since, and does not know where the block was placed; the"
              + " writer gets another block when it asks for one");
    }
    List<Location> live = locations.stream().filter(Location::live).distinct().toList();
    return (live.size() == 1
            ? partner(question, live.get(0).storageId())
            : Optional.<SuperchunkView>empty())
        .flatMap(superchunk -> pair(superchunk, question.nodeUuid()))
        .<SuperchunkAnswer>map(pair -> pair)
        .orElse(new Refused("the block was placed on other DataNodes"));
  }

  private Optional<Pair> copied(Question question) {
    return clues
        .copyOf(question.blockId())
        .filter(copy -> copy.target().nodeUuid().equals(question.nodeUuid()))
        .map(copy -> question.view().superchunks().get(copy.superchunkId()))
        .flatMap(superchunk -> pair(superchunk, question.nodeUuid()));
  }

  /** The superchunk that a block shares with the node's only expected storage of it. */
  private SuperchunkAnswer atOwnStorage(Question question, String storageId)
      throws RetriableException {
    ClusterView view = question.view();
    List<SuperchunkView> candidates =
        view.superchunksOn(storageId).stream()
            .filter(superchunk -> isSide(superchunk, question.nodeUuid(), storageId))
            .toList();
    if (candidates.isEmpty()) {
      return new Refused("the storage that it was placed on is in no superchunk now");
    }
    if (question.isAnsweredToOthers()
        && question
            .fixed()
            .filter(superchunk -> !isSide(superchunk, question.nodeUuid(), storageId))
            .isPresent()) {
      return new Refused("the superchunk that it was placed in went on without this storage");
    }
    if (!ReplicaSuperchunks.areSeveralOn(view, storageId)) {
      return pair(candidates.get(0), storageId, question.nodeUuid());
    }
    Set<Long> shared = new LinkedHashSet<>();
    List<String> others =
        question.storageIds().stream().filter(each -> !each.equals(storageId)).toList();
    others.forEach(each -> shared(candidates, each).forEach(s -> shared.add(s.id())));
    Optional<SuperchunkView> only =
        shared.size() == 1
            ? Optional.of(view.superchunks().get(shared.iterator().next()))
            : onlyUsable(question, others, shared);
    Optional<SuperchunkView> chosen =
        question
            .fixed()
            .filter(superchunk -> isSide(superchunk, question.nodeUuid(), storageId))
            .or(() -> only)
            .or(() -> byRows(question, question.storageIds(), storageId));
    if (chosen.isPresent()) {
      return pair(chosen.get(), storageId, question.nodeUuid());
    }
    if (!others.isEmpty() || question.block().complete()) {
      throw await(question);
    }
    return clues
        .roomiest(storageId)
        .<SuperchunkAnswer>map(superchunk -> pair(superchunk, storageId, question.nodeUuid()))
        .orElse(
            new Refused(
                "none of the superchunks of the storage that it was placed on is in service and has"
                    + " room"));
  }

  /**
   * Of several superchunks of the same two volumes, which cannot be right, the one that gets new
   * blocks, for a block that is new.
   */
  private static Optional<SuperchunkView> onlyUsable(
      Question question, List<String> others, Set<Long> shared) {
    if (question.block().complete() || others.size() != 1) {
      return Optional.empty();
    }
    List<SuperchunkView> usable =
        shared.stream()
            .map(question.view().superchunks()::get)
            .filter(SuperchunkView::usable)
            .toList();
    return usable.size() == 1 ? Optional.of(usable.get(0)) : Optional.empty();
  }

  /**
   * Of the superchunks of a volume those that it shares with another one: in service, else the ones
   * that the other one has lost.
   */
  private static List<SuperchunkView> shared(
      List<SuperchunkView> candidates, String otherStorageId) {
    List<SuperchunkView> active =
        candidates.stream()
            .filter(superchunk -> isOn(superchunk.holders(), otherStorageId))
            .toList();
    return active.isEmpty()
        ? candidates.stream().filter(superchunk -> isOn(superchunk.gone(), otherStorageId)).toList()
        : active;
  }

  private static boolean isOn(List<FrameView> frames, String storageId) {
    return frames.stream().anyMatch(frame -> frame.storageId().equals(storageId));
  }

  /**
   * The superchunk of a block whose only live replica is on a storage, if its other side may be the
   * asking node's.
   */
  private Optional<SuperchunkView> partner(Question question, String storageId)
      throws RetriableException {
    List<SuperchunkView> all = question.view().superchunksOn(storageId);
    List<SuperchunkView> possible =
        all.stream()
            .filter(superchunk -> superchunk.state() == SuperchunkState.ACTIVE)
            .filter(
                superchunk ->
                    pair(superchunk, question.nodeUuid())
                        .filter(
                            pair ->
                                question
                                    .request()
                                    .storageId()
                                    .map(pair.storageId()::equals)
                                    .orElse(true))
                        .isPresent())
            .toList();
    if (!ReplicaSuperchunks.areSeveralOn(question.view(), storageId)) {
      return all.stream()
          .filter(superchunk -> superchunk.state() == SuperchunkState.ACTIVE)
          .findFirst();
    }
    if (possible.isEmpty()) {
      return Optional.empty();
    }
    Optional<SuperchunkView> known =
        question
            .fixed()
            .filter(superchunk -> isOn(superchunk.holders(), storageId))
            .or(() -> byRows(question, List.of(storageId), storageId));
    if (known.isEmpty()) {
      throw await(question);
    }
    return known.filter(superchunk -> superchunk.state() == SuperchunkState.ACTIVE);
  }

  private Optional<SuperchunkView> byRows(
      Question question, List<String> storageIds, String storageId) {
    return clues
        .byRows(question.view(), question.blockId(), storageIds)
        .filter(superchunk -> isOn(superchunk.holders(), storageId));
  }

  private RetriableException await(Question question) {
    List<String> storageIds = question.storageIds();
    clues.want(question.blockId(), storageIds);
    return new RetriableException(
        "Cannot tell the superchunk of a block: block="
            + question.blockId()
            + ", expected a row of it on one of "
            + storageIds
            + ", whose DataNodes are asked now, try again");
  }

  private static boolean isSide(SuperchunkView superchunk, String nodeUuid, String storageId) {
    return superchunk.holders().stream()
        .anyMatch(
            frame -> frame.storageId().equals(storageId) && frame.nodeUuid().equals(nodeUuid));
  }

  /** The side of a superchunk that is the node's. */
  private static Optional<Pair> pair(SuperchunkView superchunk, String nodeUuid) {
    return superchunk.holders().stream()
        .filter(frame -> frame.nodeUuid().equals(nodeUuid))
        .findFirst()
        .map(frame -> new Pair(frame.storageId(), superchunk.id(), superchunk.epoch()));
  }

  private static SuperchunkAnswer pair(
      SuperchunkView superchunk, String storageId, String nodeUuid) {
    return isSide(superchunk, nodeUuid, storageId)
        ? new Pair(storageId, superchunk.id(), superchunk.epoch())
        : new Refused("the storage that it was placed on is in no superchunk now");
  }

  // ---- what is kept ----

  /** How many blocks have answers that are kept. */
  synchronized int keptAnswers() {
    return kept.size();
  }

  private void keep(long blockId, long superchunkId, String nodeUuid) {
    Kept before = kept.get(blockId);
    Set<String> nodeUuids = new HashSet<>();
    if (before != null && before.superchunkId() == superchunkId) {
      nodeUuids.addAll(before.nodeUuids());
    }
    nodeUuids.add(nodeUuid);
    kept.put(blockId, new Kept(superchunkId, Set.copyOf(nodeUuids)));
    if (kept.size() > maxKept) {
      Iterator<Long> eldest = kept.keySet().iterator();
      eldest.next();
      eldest.remove();
    }
  }

  private synchronized List<Long> oldest() {
    return kept.keySet().stream().limit(LOOKED_AT).toList();
  }

  /** Those of open blocks become the youngest, so that all are looked at in turn. */
  private synchronized void drop(List<Long> lookedAt, Map<Long, PlacedBlock> found) {
    for (long blockId : lookedAt) {
      Kept answer = kept.remove(blockId);
      PlacedBlock block = found.get(blockId);
      if (answer != null && block != null && !block.complete()) {
        kept.put(blockId, answer);
      }
    }
  }
}
