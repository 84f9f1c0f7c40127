/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import io.hdfsparity.raidp.adoption.AdoptableFile.AdoptableBlock;
import io.hdfsparity.raidp.adoption.AdoptableFile.Trait;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A file that a release has in hand. Not thread-safe. */
final class ReleaseWork {
  private static final Map<Trait, FileOutcome> OBSTACLES =
      Map.of(
          Trait.PROTECTED, FileOutcome.PROTECTED,
          Trait.OPEN, FileOutcome.OPEN,
          Trait.ERASURE_CODED, FileOutcome.ERASURE_CODED,
          Trait.TOO_MANY_BLOCKS, FileOutcome.TOO_MANY_BLOCKS);

  private final int looks;
  private final Tally size;
  private AdoptableFile file;
  private final Map<Long, List<BlockRow>> rows = new HashMap<>();
  private final Set<String> unanswered = new HashSet<>();
  private boolean raised;
  private boolean leaving;
  private long seen;
  private long dueMs;
  private int polls;

  /**
   * @param looks at it before this one
   */
  ReleaseWork(AdoptableFile file, int looks) {
    this.file = file;
    this.looks = looks;
    this.size = new Tally(file.blocks().size(), file.bytes());
  }

  AdoptableFile file() {
    return file;
  }

  int looks() {
    return looks;
  }

  /** Its blocks when it was taken in hand. */
  Tally size() {
    return size;
  }

  /** Why a file is not looked at more closely; empty: it is. */
  static Optional<FileOutcome> obstacle(AdoptableFile file) {
    return Stream.of(Trait.values())
        .filter(trait -> file.traits().contains(trait) && OBSTACLES.containsKey(trait))
        .map(OBSTACLES::get)
        .findFirst()
        .or(() -> file.blocks().isEmpty() ? Optional.of(FileOutcome.PLAIN) : Optional.empty());
  }

  boolean isDue(long nowMs) {
    return nowMs >= dueMs;
  }

  /** Begins a look at the file as it is now. */
  void look(AdoptableFile now, long nowMs) {
    file = now;
    rows.clear();
    unanswered.clear();
    dueMs = nowMs + Math.min(10_000, 500L << Math.min(polls++, 5));
  }

  /** The file as it is now, if the rows are known already. */
  void refresh(AdoptableFile now) {
    file = now;
  }

  /** Storages with replicas of its blocks, each with these blocks. */
  Map<String, List<Long>> ask() {
    Map<String, List<Long>> asked = new HashMap<>();
    for (AdoptableBlock block : file.blocks()) {
      Stream.concat(block.storageIds().stream(), block.otherStorageIds().stream())
          .forEach(id -> asked.computeIfAbsent(id, key -> new ArrayList<>()).add(block.blockId()));
    }
    unanswered.addAll(asked.keySet());
    return asked;
  }

  void answered(String storageId) {
    unanswered.remove(storageId);
  }

  void found(BlockRow row) {
    rows.computeIfAbsent(row.blockId(), id -> new ArrayList<>()).add(row);
  }

  /** Whether all storages have said which rows they have. */
  boolean isKnown() {
    return unanswered.isEmpty() && file.blocks().stream().allMatch(AdoptableBlock::complete);
  }

  /** Whether HDFS lists no storage of a block: nobody was asked for its rows. */
  boolean lacksReplicas() {
    return file.blocks().stream()
        .anyMatch(block -> block.storageIds().isEmpty() && block.otherStorageIds().isEmpty());
  }

  boolean hasRows() {
    return !rows.isEmpty();
  }

  List<BlockRow> rows(AdoptableBlock block) {
    return rows.getOrDefault(block.blockId(), List.of());
  }

  /** How many replicas each block is to have; a file that asks for one gets no more. */
  int wanted(int replication) {
    return Math.min(replication, file.replication() < 2 ? file.replication() : replication);
  }

  /** Whether each block has as many good replicas, and its file asks for them. */
  boolean hasReplicas(int replication) {
    int wanted = wanted(replication);
    return file.replication() >= wanted
        && !file.traits().contains(Trait.STALE_REPORTS)
        && file.blocks().stream().allMatch(block -> block.storageIds().size() >= wanted);
  }

  /** Replicas that are to be made. */
  long missingBytes(int replication) {
    return file.blocks().stream()
        .mapToLong(
            block ->
                block.lengthBytes() * Math.max(0, wanted(replication) - block.storageIds().size()))
        .sum();
  }

  /** Whether something has changed since it was asked last: replicas, rows, or what they cover. */
  boolean isMoving() {
    long now = 17;
    for (AdoptableBlock block : file.blocks()) {
      now = 31 * now + block.generationStamp();
      now = 31 * now + block.storageIds().size();
      for (BlockRow row : rows(block)) {
        now = 31 * now + row.coveredBytes() + 1;
      }
    }
    boolean moves = now != seen;
    seen = now;
    if (moves) {
      polls = 0;
    }
    return moves;
  }

  boolean isRaised() {
    return raised;
  }

  void raised() {
    raised = true;
  }

  /** Whether its rows are being given up. */
  boolean isLeaving() {
    return leaving;
  }

  void leaves() {
    leaving = true;
  }

  boolean isStale() {
    return file.traits().contains(Trait.STALE_REPORTS);
  }
}
