/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Copy;
import io.hdfsparity.raidp.namenode.OpenBlocks.Decision;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer.Pair;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer.Plain;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer.Refused;
import io.hdfsparity.raidp.wire.message.SuperchunkRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacedBlocks.Location;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacedBlocks.PlacedBlock;
import org.apache.hadoop.ipc.RetriableException;

/**
 * Tells DataNodes which blocks belong in superchunks, where these and plain ones lie on the same
 * storages. A node asks before it makes a replica, and has no row of the block.
 *
 * <table>
 *   <caption>A node that is a side of the superchunk gets it; any other storage is plain.</caption>
 *   <tr><td>complete, a copy to the node is under way</td><td>the superchunk of the copy</td></tr>
 *   <tr><td>complete, or written before and opened again</td><td>that of known rows</td></tr>
 *   <tr><td>the same, no rows are known</td><td>plain; asked again, if a storage that shares a
 *       superchunk with the asking node can say more</td></tr>
 *   <tr><td>open, decided before</td><td>that decision</td></tr>
 *   <tr><td>open, rows are known</td><td>their superchunk</td></tr>
 *   <tr><td>open, placed by another NameNode</td><td>what rows say; until they do, asked again</td></tr>
 *   <tr><td>open, not protected, or to have one replica</td><td>plain</td></tr>
 *   <tr><td>open, two expected storages share a superchunk with room</td><td>that one</td></tr>
 *   <tr><td>open, they share one that is not in service</td><td>asked again</td></tr>
 *   <tr><td>open, to have two replicas</td><td>refused; the client asks for another block</td></tr>
 *   <tr><td>open, else</td><td>plain; adopted later</td></tr>
 * </table>
 *
 * <p>A block that is to have two replicas is plain where it would be refused if another NameNode
 * has placed it, or if the asking node was not chosen at first: it may have replicas already, and
 * its pipeline would fail. It is adopted later.
 *
 * <p>So the mark of a directory decides once, when the first node asks; what it says later changes
 * nothing of the block. A block that is appended to, truncated or recovered stays what it is: nodes
 * with a row do not ask, and those without get plain as answer.
 *
 * <p>Thread-safe; asks the NameNode once a question, holds no lock meanwhile, and never asks a
 * DataNode. One question at a time decides, so that nodes that ask at once get the same answer.
 */
final class PlacementAnswers implements SuperchunkAnswers {
  static final String NO_BLOCK = "the NameNode has no such block: it was deleted, or never was";

  private final Blocks blocks;
  private final LongSupplier lastAllocated;
  private final RowStorages storages;
  private final OpenBlocks kept;
  private final Clues clues;

  /** Blocks up to this id were placed by another NameNode, or before a restart. */
  private volatile long inherited;

  private volatile boolean stopped;

  /** The blocks of the NameNode. */
  @FunctionalInterface
  interface Blocks {
    /** Those that there are, by id. */
    Map<Long, PlacedBlock> find(Collection<Long> blockIds);
  }

  /** What the manager knows beside. Must not block. */
  interface Clues {
    /** The copy of a block that is under way. */
    Optional<Copy> copyOf(long blockId);

    /** What rows have said of a block that has replicas on these storages. */
    Optional<SuperchunkView> byRows(ClusterView view, long blockId, List<String> storageIds);

    /** Whether nobody has to be asked for rows of a block on a storage. */
    boolean isRowless(ClusterView view, long blockId, String storageId);

    /** Has the DataNodes asked for its rows. */
    void want(long blockId, List<String> storageIds);

    /** Whether a superchunk has room for a block, which is kept for it then. */
    boolean takeRoom(SuperchunkView superchunk, long blockBytes);

    /** Replicas of a block may get rows from now on. */
    void promised(long blockId);

    /** A block of a protected file is plain until the file is adopted. */
    void plainForNow(long inodeId);

    /** A block in a superchunk gets a replica outside it, perhaps instead of a side. */
    void lacksSide(long blockId);
  }

  /**
   * @param lastAllocated newest block of the NameNode
   */
  PlacementAnswers(
      Blocks blocks,
      LongSupplier lastAllocated,
      RowStorages storages,
      OpenBlocks kept,
      Clues clues) {
    this.blocks = blocks;
    this.lastAllocated = lastAllocated;
    this.storages = storages;
    this.kept = kept;
    this.clues = clues;
    this.inherited = lastAllocated.getAsLong();
  }

  /** Forgets all: another NameNode may place blocks now. */
  @Override
  public void stop() {
    stopped = true;
    kept.clear();
  }

  private record Question(SuperchunkRequest request, PlacedBlock block, ClusterView view) {
    long blockId() {
      return request.blockId();
    }

    List<String> storageIds() {
      return block.locations().stream().map(Location::storageId).distinct().toList();
    }
  }

  @Override
  public SuperchunkAnswer answer(SuperchunkRequest request) throws RetriableException {
    if (stopped) {
      inherited = lastAllocated.getAsLong();
      stopped = false;
    }
    List<Long> oldest = kept.oldest();
    List<Long> ids = new ArrayList<>(oldest);
    ids.add(request.blockId());
    Map<Long, PlacedBlock> found = blocks.find(ids);
    kept.drop(oldest, found);
    PlacedBlock block = found.get(request.blockId());
    if (block == null) {
      return new Refused(NO_BLOCK);
    }
    if (block.striped()) {
      return new Plain();
    }
    if (request.generationStamp() < block.generationStamp()) {
      return isOld(block);
    }
    try {
      return decide(new Question(request, block, storages.view()));
    } catch (NoParityException e) {
      return new Refused(
          "the block's file asks for two replicas, and its storages share no superchunk with room;"
              + " its client is to ask for another block");
    }
  }

  private synchronized SuperchunkAnswer decide(Question question)
      throws RetriableException, NoParityException {
    if (question.block().complete() || question.block().stored()) {
      Optional<SuperchunkView> known =
          copied(question)
              .or(() -> byRows(question))
              .or(() -> kept.find(question.blockId()).flatMap(each -> superchunk(question, each)));
      if (known.isPresent()) {
        return side(question, known.get());
      }
      awaitRows(question, false, id -> isShared(question, id));
      return plainForNow(question);
    }
    Optional<Decision> before = kept.find(question.blockId());
    Decision decision = before.isPresent() ? before.get() : decideOpen(question);
    if (decision.superchunkId().isEmpty()) {
      kept.keep(question.blockId(), decision);
      return new Plain();
    }
    requireReported(question);
    kept.keep(question.blockId(), decision);
    return superchunk(question, decision)
        .map(each -> side(question, each))
        .orElseGet(() -> plainForNow(question));
  }

  private static Optional<SuperchunkView> superchunk(Question question, Decision decision) {
    return decision.superchunkId().isEmpty()
        ? Optional.empty()
        : Optional.ofNullable(
            question.view().superchunks().get(decision.superchunkId().getAsLong()));
  }

  private Decision decideOpen(Question question) throws RetriableException, NoParityException {
    Optional<SuperchunkView> known = byRows(question);
    if (known.isPresent()) {
      return Decision.in(known.get());
    }
    PlacedBlock block = question.block();
    boolean belongs = belongs(block);
    if (question.blockId() <= inherited) {
      awaitRows(question, belongs, id -> true);
    }
    if (!belongs) {
      return Decision.PLAIN;
    }
    requireReported(question);
    Optional<SuperchunkView> shared = shared(question);
    if (shared.isPresent()) {
      return Decision.in(shared.get());
    }
    if (block.owner().wantedReplicas() == 2
        && question.blockId() > inherited
        && isExpected(question)) {
      requireInService(question);
      throw new NoParityException();
    }
    clues.plainForNow(block.owner().inodeId());
    return Decision.PLAIN;
  }

  private SuperchunkAnswer plainForNow(Question question) {
    if (isToBeAdopted(question.block())) {
      clues.plainForNow(question.block().owner().inodeId());
    }
    return new Plain();
  }

  /** Whoever asks has an older generation stamp than the block. */
  static Refused isOld(PlacedBlock block) {
    return new Refused("the block's generation stamp is " + block.generationStamp() + " by now");
  }

  static boolean belongs(PlacedBlock block) {
    return block.owner().isProtected() && block.owner().wantedReplicas() > 1;
  }

  /**
   * Whether a plain block is taken into a superchunk when its file is closed. One that was there
   * before its file was protected, and has three replicas, waits until it is asked for.
   */
  private static boolean isToBeAdopted(PlacedBlock block) {
    return belongs(block) && (!block.complete() || block.owner().wantedReplicas() == 2);
  }

  /** Whether the node was chosen when the block was placed; else it replaces one in a pipeline. */
  private static boolean isExpected(Question question) {
    return question.block().locations().stream()
        .anyMatch(location -> location.nodeUuid().equals(question.request().nodeUuid()));
  }

  /** A block would have two replicas and no parity: its client is to ask for another one. */
  private static final class NoParityException extends Exception {
    private static final long serialVersionUID = 1;
  }

  private static void requireInService(Question question) throws RetriableException {
    List<String> storageIds = question.storageIds();
    Optional<SuperchunkView> away =
        storageIds.stream()
            .flatMap(storageId -> question.view().framesOn(storageId).stream())
            .flatMap(frame -> frame.pairing().stream())
            .flatMap(p -> Stream.ofNullable(question.view().superchunks().get(p.superchunkId())))
            .filter(superchunk -> superchunk.state() != SuperchunkState.ACTIVE)
            .filter(superchunk -> sides(superchunk).filter(storageIds::contains).count() == 2)
            .findFirst();
    if (away.isPresent()) {
      throw new RetriableException(
          "Cannot tell the superchunk of a block: block="
              + question.blockId()
              + ", expected superchunk "
              + away.get().id()
              + " in service, try again");
    }
  }

  private static Stream<String> sides(SuperchunkView superchunk) {
    return Stream.concat(superchunk.holders().stream(), superchunk.gone().stream())
        .map(FrameView::storageId)
        .distinct();
  }

  /** Whether the asking node has the other side of a superchunk of a storage. */
  private static boolean isShared(Question question, String storageId) {
    SuperchunkRequest request = question.request();
    return question.view().superchunksOn(storageId).stream()
        .filter(superchunk -> superchunk.state() == SuperchunkState.ACTIVE)
        .flatMap(superchunk -> superchunk.holders().stream())
        .filter(side -> !side.storageId().equals(storageId))
        .filter(side -> side.nodeUuid().equals(request.nodeUuid()))
        .anyMatch(side -> request.storageId().map(side.storageId()::equals).orElse(true));
  }

  /**
   * Nodes of a block that does not belong in a superchunk are waited for only if they report.
   *
   * @param matters whether a row on a storage would change the answer
   */
  private void awaitRows(Question question, boolean belongs, Predicate<String> matters)
      throws RetriableException {
    List<String> silent =
        question.storageIds().stream()
            .filter(matters)
            .filter(id -> !clues.isRowless(question.view(), question.blockId(), id))
            .filter(
                id -> belongs || storages.rowsOf(question.view(), id) == RowStorages.Rows.TO_ASK)
            .toList();
    if (!silent.isEmpty()) {
      clues.want(question.blockId(), question.storageIds());
      throw new RetriableException(
          "Cannot tell the superchunk of a block: block="
              + question.blockId()
              + ", expected "
              + silent
              + " to say whether they have a row of it, whose DataNodes are asked now, try again");
    }
  }

  private static void requireReported(Question question) throws RetriableException {
    if (!question.view().nodes().containsKey(question.request().nodeUuid())) {
      throw new RetriableException(
          "Cannot tell the superchunk of a block: node="
              + question.request().nodeUuid()
              + ", expected one that has reported to this NameNode, try again");
    }
  }

  private Optional<SuperchunkView> copied(Question question) {
    return clues
        .copyOf(question.blockId())
        .filter(copy -> copy.target().nodeUuid().equals(question.request().nodeUuid()))
        .map(copy -> question.view().superchunks().get(copy.superchunkId()));
  }

  private Optional<SuperchunkView> byRows(Question question) {
    return clues.byRows(question.view(), question.blockId(), question.storageIds());
  }

  /** The superchunk in service that two expected storages share and that has room. */
  private Optional<SuperchunkView> shared(Question question) {
    List<String> storageIds = question.storageIds();
    Map<Long, SuperchunkView> shared = new TreeMap<>();
    for (int i = 0; i < storageIds.size(); i++) {
      for (int j = i + 1; j < storageIds.size(); j++) {
        question
            .view()
            .superchunkOfPair(storageIds.get(i), storageIds.get(j))
            .ifPresent(superchunk -> shared.put(superchunk.id(), superchunk));
      }
    }
    return shared.values().stream()
        .sorted(Comparator.comparing(superchunk -> !superchunk.usable()))
        .filter(superchunk -> clues.takeRoom(superchunk, question.block().owner().maxBlockBytes()))
        .findFirst();
  }

  /** The side of a superchunk that is the node's, unless the replica is for another storage. */
  private SuperchunkAnswer side(Question question, SuperchunkView superchunk) {
    Optional<Pair> side =
        superchunk.holders().stream()
            .filter(frame -> frame.nodeUuid().equals(question.request().nodeUuid()))
            .filter(
                frame -> question.request().storageId().map(frame.storageId()::equals).orElse(true))
            .findFirst()
            .map(frame -> new Pair(frame.storageId(), superchunk.id(), superchunk.epoch()));
    if (side.isEmpty()) {
      clues.lacksSide(question.blockId());
      return new Plain();
    }
    clues.promised(question.blockId());
    return side.get();
  }
}
