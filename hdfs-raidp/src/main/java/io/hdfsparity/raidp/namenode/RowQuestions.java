/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Unfiled;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills {@link BlockHomes}: asks DataNodes for the rows of volumes with blocks whose superchunk is
 * not known. First it asks for the superchunks that have lost a side, because all their blocks lack
 * a replica; what is unknown after that costs a list of all rows of the volume, of which only those
 * of unknown blocks are kept.
 *
 * <p>A node answers one question at a time. One that is slow, or fails, delays only the blocks on
 * it: a round waits two seconds at most, and the answer is taken in when it comes. A block that its
 * volume has no row of is looked for less often each time ({@link GrowingPauses}), unless a writer
 * waits for it.
 *
 * <p>{@link #ask} and {@link #stop} run on one thread; {@link #want} may be called on any, under
 * locks of the NameNode too. Time is passed in.
 */
final class RowQuestions implements HomeQuestions {
  private static final Logger LOG = LoggerFactory.getLogger(RowQuestions.class);

  /** Blocks that a round looks for. */
  static final int MAX_UNFILED = 50_000;

  /** Volumes that are asked in a round. */
  static final int MAX_VOLUMES = 256;

  /** Superchunks that a volume is asked for in one question. */
  private static final int MAX_SUPERCHUNKS = 32;

  /** Blocks that others wait for; with more, the others ask again. */
  private static final int MAX_WANTED = 10_000;

  /** All rows of a volume are asked for again after this time. */
  static final long AGAIN_MS = 5_000;

  /** Longest time after which a block is looked for again that a volume had no row of. */
  static final long MISSED_LAST_MS = 120_000;

  private static final int MAX_MISSED = 100_000;
  private final Supplier<ClusterView> views;
  private final BlockHomes homes;
  private final FrameRows rows;
  private final NodeRounds nodes;
  private final Map<Long, List<String>> wanted = new LinkedHashMap<>();
  private final GrowingPauses<MissedRow> missed =
      new GrowingPauses<>(AGAIN_MS, MISSED_LAST_MS, MAX_MISSED);

  /** When all rows of a volume were asked for. */
  private final Map<String, Long> listedAtMs = new HashMap<>();

  /** When the rows of one superchunk on a volume were asked for, and under which epoch. */
  private final Map<Side, Listing> listings = new ConcurrentHashMap<>();

  private record Side(String storageId, long superchunkId) {}

  private record Listing(long epoch, long atMs) {}

  /** A block that a list of all rows of a volume did not have. */
  private record MissedRow(String storageId, long blockId) {}

  /** What a volume is asked. */
  private record Question(
      PeerAddress peer, String storageId, List<SuperchunkView> superchunks, Set<Long> blockIds)
      implements NodeRounds.Question {}

  /**
   * @param executor asks; may run a task at once
   */
  RowQuestions(Supplier<ClusterView> views, BlockHomes homes, FrameRows rows, Executor executor) {
    this.views = views;
    this.homes = homes;
    this.rows = rows;
    this.nodes = new NodeRounds(executor);
  }

  @Override
  public void want(long blockId, List<String> storageIds) {
    synchronized (wanted) {
      if (wanted.size() < MAX_WANTED) {
        wanted.put(blockId, storageIds);
      }
    }
  }

  /**
   * Asks each volume of these blocks at most once, and waits a moment for the answers.
   *
   * @return how many volumes were asked
   */
  @Override
  public int ask(Collection<Unfiled> unfiled, long nowMs) {
    ClusterView view = views.get();
    Map<String, Set<Long>> others = new LinkedHashMap<>();
    unfiled.forEach(block -> addTo(others, block.blockId(), block.storageIds()));
    Map<String, Set<Long>> byVolume = new LinkedHashMap<>();
    synchronized (wanted) {
      wanted.forEach((id, storageIds) -> addTo(byVolume, id, storageIds));
      wanted.clear();
    }
    others.forEach(
        (storageId, blockIds) -> {
          Set<Long> due =
              blockIds.stream()
                  .filter(id -> !missed.isPaused(new MissedRow(storageId, id), nowMs))
                  .collect(Collectors.toSet());
          if (!due.isEmpty()) {
            byVolume.computeIfAbsent(storageId, id -> new HashSet<>()).addAll(due);
          }
        });
    List<Question> questions = new ArrayList<>();
    for (Map.Entry<String, Set<Long>> volume : byVolume.entrySet()) {
      if (questions.size() < MAX_VOLUMES) {
        question(view, volume.getKey(), volume.getValue(), nowMs).ifPresent(questions::add);
      }
    }
    nodes.ask(questions, question -> answer(question, nowMs));
    return questions.size();
  }

  @Override
  public void stop() {
    synchronized (wanted) {
      wanted.clear();
    }
    listedAtMs.clear();
    listings.clear();
    nodes.clear();
    missed.clear();
    homes.clear();
  }

  private static void addTo(
      Map<String, Set<Long>> byVolume, long blockId, List<String> storageIds) {
    for (String storageId : storageIds) {
      byVolume.computeIfAbsent(storageId, id -> new HashSet<>()).add(blockId);
    }
  }

  private Optional<Question> question(
      ClusterView view, String storageId, Set<Long> blockIds, long nowMs) {
    if (!ReplicaSuperchunks.areSeveralOn(view, storageId) || !view.isAlive(storageId)) {
      return Optional.empty();
    }
    Optional<PeerAddress> peer =
        RebuildOrders.peer(view, view.framesOn(storageId).get(0).nodeUuid());
    if (peer.isEmpty() || nodes.isPaused(peer.get(), nowMs)) {
      return Optional.empty();
    }
    List<SuperchunkView> superchunks =
        view.superchunksOn(storageId).stream()
            .filter(superchunk -> isDue(superchunk, storageId, nowMs))
            .limit(MAX_SUPERCHUNKS)
            .toList();
    boolean all = !isAfter(listedAtMs.get(storageId), nowMs - AGAIN_MS);
    if (superchunks.isEmpty() && !all || !nodes.begin(peer.get())) {
      return Optional.empty();
    }
    if (all) {
      listedAtMs.put(storageId, nowMs);
    }
    for (SuperchunkView superchunk : superchunks) {
      listings.put(new Side(storageId, superchunk.id()), new Listing(superchunk.epoch(), nowMs));
    }
    return Optional.of(new Question(peer.get(), storageId, superchunks, all ? blockIds : Set.of()));
  }

  private static boolean isAfter(@Nullable Long timeMs, long limitMs) {
    return timeMs != null && timeMs > limitMs;
  }

  /** Lost its other side, or was listed then and has got a new one since. */
  private boolean isDue(SuperchunkView superchunk, String storageId, long nowMs) {
    Listing before = listings.get(new Side(storageId, superchunk.id()));
    return before == null
        ? superchunk.state() == SuperchunkState.DEGRADED
        : before.epoch() != superchunk.epoch()
            || superchunk.state() == SuperchunkState.DEGRADED && before.atMs() <= nowMs - AGAIN_MS;
  }

  private void answer(Question question, long nowMs) {
    try {
      for (SuperchunkView superchunk : question.superchunks()) {
        for (SlotEntry row :
            rows.entries(question.peer(), question.storageId(), OptionalLong.of(superchunk.id()))) {
          if (row.state() != SlotState.LIMBO) {
            homes.put(row.blockId(), superchunk);
          }
        }
      }
      List<String> storageIds = List.of(question.storageId());
      ClusterView view = views.get();
      Set<Long> unknown = new HashSet<>();
      for (long blockId : question.blockIds()) {
        if (homes.of(view, blockId, storageIds).isEmpty()) {
          unknown.add(blockId);
        }
      }
      if (!unknown.isEmpty()) {
        listAll(question, view, unknown);
        note(question, view, unknown, nowMs);
      }
      nodes.succeeded(question.peer());
    } catch (IOException | RuntimeException e) {
      nodes.failed(question.peer(), nowMs);
      question
          .superchunks()
          .forEach(each -> listings.remove(new Side(question.storageId(), each.id())));
      LOG.warn(
          "Cannot list the rows of storage {}; its blocks wait: {}",
          question.storageId(),
          e.toString());
    }
  }

  private void note(Question question, ClusterView view, Set<Long> lookedFor, long nowMs) {
    List<String> storageIds = List.of(question.storageId());
    for (long blockId : lookedFor) {
      MissedRow row = new MissedRow(question.storageId(), blockId);
      if (homes.of(view, blockId, storageIds).isEmpty()) {
        missed.failed(row, nowMs);
      } else {
        missed.succeeded(row);
      }
    }
  }

  private void listAll(Question question, ClusterView view, Set<Long> unknown) throws IOException {
    Map<Integer, SuperchunkView> byFrame = new HashMap<>();
    for (FrameView frame : view.framesOn(question.storageId())) {
      frame
          .pairing()
          .map(Pairing::superchunkId)
          .map(view.superchunks()::get)
          .ifPresent(superchunk -> byFrame.put(frame.report().frameIndex(), superchunk));
    }
    for (SlotEntry row :
        rows.entries(question.peer(), question.storageId(), OptionalLong.empty())) {
      SuperchunkView superchunk = byFrame.get(row.frameIndex());
      if (superchunk != null && row.state() != SlotState.LIMBO && unknown.contains(row.blockId())) {
        homes.put(row.blockId(), superchunk);
      }
    }
  }
}
