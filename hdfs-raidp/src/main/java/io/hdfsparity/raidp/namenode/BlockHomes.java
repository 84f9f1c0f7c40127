/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.lstor.BlockFrames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Superchunks of blocks as the rows of DataNodes say them. It is a cache: what is not in it is
 * asked for again ({@link RowQuestions}).
 *
 * <p><b>Invariants</b>
 *
 * <ul>
 *   <li>An answer counts only while the superchunk has the epoch under which it was given, and one
 *       of its live sides is among the storages of the block.
 *   <li>An answer of one side only counts while the block has two replicas at most.
 *   <li>At most twice {@link #MAX_BLOCKS} answers are kept, in two generations: when the younger
 *       one is full, the older one is forgotten. What is found in the older one moves to the
 *       younger one, so answers of blocks that are gone go with time.
 * </ul>
 *
 * <p>Thread-safe: asked under locks of the NameNode, so it holds its own for a moment only.
 */
final class BlockHomes {
  /** Answers of a generation, 16 to 32 bytes each. */
  static final int MAX_BLOCKS = 2_000_000;

  private final int maxBlocks;
  private Generation young = new Generation();
  private Generation old = new Generation();

  /**
   * A superchunk under an epoch.
   *
   * @param maxReplicas of a block for which it counts
   */
  private record Term(long superchunkId, long epoch, int maxReplicas) {}

  /** Answers, with an index into the list of superchunks for each block. */
  private static final class Generation {
    private final BlockFrames blocks = new BlockFrames();
    private final List<Term> terms = new ArrayList<>();
    private final Map<Term, Integer> indexes = new HashMap<>();

    private void add(long blockId, Term term) {
      int index =
          indexes.computeIfAbsent(
              term,
              absent -> {
                terms.add(absent);
                return terms.size() - 1;
              });
      blocks.add(blockId, index);
    }
  }

  BlockHomes() {
    this(MAX_BLOCKS);
  }

  BlockHomes(int maxBlocks) {
    this.maxBlocks = maxBlocks;
  }

  /** How many answers are kept. */
  synchronized int size() {
    return young.blocks.size() + old.blocks.size();
  }

  /** Notes a row of a block. */
  void put(long blockId, SuperchunkView superchunk) {
    add(blockId, new Term(superchunk.id(), superchunk.epoch(), Integer.MAX_VALUE));
  }

  /**
   * Notes a row of a block that may have rows in another superchunk. It says nothing once the block
   * has more replicas than two, as HDFS may delete those outside then.
   */
  void putForNow(long blockId, SuperchunkView superchunk) {
    add(blockId, new Term(superchunk.id(), superchunk.epoch(), SurplusRows.SIDES));
  }

  private synchronized void add(long blockId, Term term) {
    if (young.blocks.size() >= maxBlocks) {
      old = young;
      young = new Generation();
    }
    young.add(blockId, term);
  }

  /**
   * What rows have said of a block.
   *
   * @param storageIds of its replicas
   */
  synchronized Optional<SuperchunkView> of(
      ClusterView view, long blockId, Collection<String> storageIds) {
    Optional<Term> found = find(young, view, blockId, storageIds);
    if (found.isEmpty()) {
      found = find(old, view, blockId, storageIds);
      found.ifPresent(term -> add(blockId, term));
    }
    return found.map(term -> view.superchunks().get(term.superchunkId()));
  }

  private static Optional<Term> find(
      Generation in, ClusterView view, long blockId, Collection<String> storageIds) {
    OptionalInt index =
        in.blocks.find(blockId, each -> isValid(view, in.terms.get(each), storageIds));
    return index.isPresent() ? Optional.of(in.terms.get(index.getAsInt())) : Optional.empty();
  }

  private static boolean isValid(ClusterView view, Term term, Collection<String> storageIds) {
    SuperchunkView superchunk = view.superchunks().get(term.superchunkId());
    return superchunk != null
        && superchunk.epoch() == term.epoch()
        && storageIds.size() <= term.maxReplicas()
        && superchunk.holders().stream().anyMatch(frame -> storageIds.contains(frame.storageId()));
  }

  /** Forgets what rows have said of a block. */
  synchronized void forget(long blockId) {
    for (Generation each : List.of(young, old)) {
      OptionalInt index = each.blocks.find(blockId, any -> true);
      while (index.isPresent()) {
        each.blocks.remove(blockId, index.getAsInt());
        index = each.blocks.find(blockId, any -> true);
      }
    }
  }

  /** Forgets all: another NameNode is the active one. */
  synchronized void clear() {
    young = new Generation();
    old = new Generation();
  }
}
