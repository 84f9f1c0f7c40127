/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Unfiled;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;

/**
 * What storages have said of blocks with more replicas than two. A balance that ended half-way
 * leaves a block with rows in two superchunks, and HDFS deletes what is outside the one that is
 * named. So none is named by its first row.
 *
 * <p><b>Invariants</b>
 *
 * <ul>
 *   <li>Of two superchunks one is named only if both of its sides cover the whole block, and know
 *       so of each other.
 *   <li>A superchunk that is not whole is named only if every storage of the block has answered,
 *       and no other has a row of it.
 *   <li>An answer counts for {@link #KEPT_MS}, and under the epoch under which it was given.
 *   <li>At most {@link #MAX_BLOCKS} are kept, the latest ones; others are asked for again.
 * </ul>
 *
 * <p>Thread-safe.
 */
final class SurplusRows {
  /** Replicas of a block in a superchunk. */
  static final int SIDES = 2;

  static final long KEPT_MS = 60_000;

  private static final int MAX_BLOCKS = 100_000;

  private final LinkedHashMap<Long, Answers> blocks = new LinkedHashMap<>();

  /** A row in a frame of a superchunk. */
  record Row(SuperchunkView superchunk, SlotEntry entry) {}

  private record Answer(List<Row> rows, long askedMs) {}

  private record Answers(Set<String> storageIds, Map<String, Answer> byStorage) {}

  /**
   * A superchunk that a block may belong to.
   *
   * @param covered what both sides cover; empty: it is the only one with rows of the block
   */
  record Candidate(SuperchunkView superchunk, Optional<SlotEntry> covered) {
    /** Whether it has all of a block; one that is open has no length yet. */
    boolean isOf(Optional<StoredBlock> block) {
      return covered
          .map(
              row ->
                  block
                      .filter(StoredBlock::complete)
                      .map(
                          its ->
                              its.generationStamp() == row.generationStamp()
                                  && its.lengthBytes() == row.coveredBytes())
                      .orElse(true))
          .orElse(true);
    }
  }

  /** A block is asked for; what was said of it on other storages is forgotten. */
  synchronized void expect(Unfiled block) {
    Answers before = blocks.get(block.blockId());
    Set<String> storageIds = Set.copyOf(block.storageIds());
    if (storageIds.size() <= SIDES) {
      blocks.remove(block.blockId());
    } else if (before == null || !before.storageIds().equals(storageIds)) {
      blocks.put(block.blockId(), new Answers(storageIds, new HashMap<>()));
      if (blocks.size() > MAX_BLOCKS) {
        Iterator<Long> eldest = blocks.keySet().iterator();
        eldest.next();
        eldest.remove();
      }
    }
  }

  /** Whether a block has more replicas than two, so that no first row names its superchunk. */
  synchronized boolean isExpected(long blockId) {
    return blocks.containsKey(blockId);
  }

  /** A storage has said which rows it has of a block, those in limbo left out. */
  synchronized void answered(long blockId, String storageId, List<Row> rows, long askedMs) {
    Answers answers = blocks.get(blockId);
    if (answers != null) {
      answers.byStorage().put(storageId, new Answer(List.copyOf(rows), askedMs));
    }
  }

  /** A storage has a row in a frame whose superchunk is not known yet. */
  synchronized void unclear(long blockId, String storageId) {
    Answers answers = blocks.get(blockId);
    if (answers != null) {
      answers.byStorage().remove(storageId);
    }
  }

  synchronized void forget(long blockId) {
    blocks.remove(blockId);
  }

  synchronized void clear() {
    blocks.clear();
  }

  /**
   * Superchunks that a block may belong to, the best first; none: it is not known yet.
   *
   * @param hasNoRow whether a storage that has not answered is known to have none
   */
  synchronized List<Candidate> candidates(
      ClusterView view, long blockId, Predicate<String> hasNoRow, long nowMs) {
    Answers answers = blocks.get(blockId);
    if (answers == null) {
      return List.of();
    }
    Map<String, Answer> fresh = new HashMap<>();
    Map<Long, SuperchunkView> named = new TreeMap<>();
    answers
        .byStorage()
        .forEach(
            (storageId, answer) -> {
              if (nowMs - answer.askedMs() <= KEPT_MS
                  && answer.rows().stream().allMatch(row -> isNow(view, row))) {
                fresh.put(storageId, answer);
                answer.rows().forEach(row -> named.put(row.superchunk().id(), row.superchunk()));
              }
            });
    List<Candidate> found = new ArrayList<>();
    for (SuperchunkView each : named.values()) {
      covered(each, fresh).ifPresent(row -> found.add(new Candidate(each, Optional.of(row))));
    }
    if (named.size() == 1
        && answers.storageIds().stream()
            .allMatch(id -> fresh.containsKey(id) || hasNoRow.test(id))) {
      named.values().forEach(only -> found.add(new Candidate(only, Optional.empty())));
    }
    return found;
  }

  private static boolean isNow(ClusterView view, Row row) {
    SuperchunkView now = view.superchunks().get(row.superchunk().id());
    return now != null && now.epoch() == row.superchunk().epoch();
  }

  /** What both sides cover, if they know so of each other. */
  private static Optional<SlotEntry> covered(SuperchunkView superchunk, Map<String, Answer> fresh) {
    if (superchunk.state() != SuperchunkState.ACTIVE) {
      return Optional.empty();
    }
    List<SlotEntry> sides = new ArrayList<>();
    for (FrameView side : superchunk.holders()) {
      Answer answer = fresh.get(side.storageId());
      if (answer != null) {
        answer.rows().stream()
            .filter(row -> row.superchunk().id() == superchunk.id() && isCovered(row.entry()))
            .findFirst()
            .ifPresent(row -> sides.add(row.entry()));
      }
    }
    return sides.size() == SIDES
            && sides.get(0).coveredBytes() == sides.get(1).coveredBytes()
            && sides.get(0).generationStamp() == sides.get(1).generationStamp()
        ? Optional.of(sides.get(0))
        : Optional.empty();
  }

  /** Whether a row is live, and the parities of both sides have what it covers. */
  static boolean isCovered(SlotEntry row) {
    return row.state() == SlotState.LIVE && row.metaCovered() && !row.ackPending();
  }
}
