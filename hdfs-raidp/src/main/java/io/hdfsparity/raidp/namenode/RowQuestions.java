/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.BlockSuperchunks.Home;
import io.hdfsparity.bridge.namenode.DegradedBlocks.Unfiled;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills {@link BlockHomes} and {@link RowlessReplicas}: asks DataNodes for the rows of blocks of
 * which it is not known whether they are in a superchunk. Each volume is asked for up to {@link
 * RaidpPeerProtocol#MAX_BLOCKS} blocks in one question, and only for those that it was not asked
 * for yet; a list of all rows is never asked for.
 *
 * <p>A block with more replicas than two belongs where both sides cover all of it, or in the only
 * superchunk with rows of it ({@link SurplusRows}); otherwise it stays unknown.
 *
 * <p>A node answers one question at a time. One that is slow, or fails, delays only the blocks on
 * it: a round waits two seconds at most, and the answer is taken in when it comes.
 */
final class RowQuestions implements HomeQuestions {
  private static final Logger LOG = LoggerFactory.getLogger(RowQuestions.class);

  /** Blocks of the queue of unknown ones that a round looks for. */
  static final int MAX_UNFILED = 50_000;

  /** Volumes that are asked in a round. */
  static final int MAX_VOLUMES = 2_048;

  /** Blocks that others wait for; with more, the others ask again. */
  private static final int MAX_WANTED = 10_000;

  /** Blocks with too many replicas that a round looks for. */
  private static final int MAX_EXCESS = 10_000;

  /**
   * Of those that do not wait, because there are so many: HDFS holds its lock for some
   * milliseconds.
   */
  private static final int MAX_OTHER_EXCESS = 1_000;

  /** Blocks that may lack a side that a round looks at. */
  private static final int MAX_ONE_SIDED = 1_000;

  private final RowStorages storages;
  private final KnownSuperchunks superchunks;
  private final BlockHomes homes;
  private final RowlessReplicas rowless;
  private final UndecidedExcess excess;
  private final OneSidedBlocks oneSided;
  private final Calls calls;
  private final Map<Long, List<String>> wanted = new LinkedHashMap<>();
  private final SurplusRows surplusRows = new SurplusRows();
  private final NodeRounds nodes;

  /**
   * What it calls.
   *
   * @param executor asks; may run a task at once
   * @param lookAgain has HDFS look at blocks with too many replicas, or that lack a side
   * @param find a block, unless it is deleted
   * @param mayGetRows whether a block was promised to a superchunk, so that a row may come at any
   *     moment
   * @param lostBothSides takes complete blocks that were in a superchunk, and have no row any more:
   *     none of their replicas is covered
   */
  record Calls(
      RowFinder rows,
      Executor executor,
      Consumer<Collection<Long>> lookAgain,
      LongFunction<Optional<StoredBlock>> find,
      LongPredicate mayGetRows,
      Consumer<Collection<Long>> lostBothSides) {}

  /** The answers that it fills. */
  record Answers(BlockHomes homes, RowlessReplicas rowless) {}

  /** What the volumes of a node are asked, by storage. */
  private record Question(PeerAddress peer, Map<String, List<Long>> blockIds)
      implements NodeRounds.Question {}

  RowQuestions(
      RowStorages storages,
      KnownSuperchunks superchunks,
      Answers answers,
      UndecidedExcess excess,
      OneSidedBlocks oneSided,
      Calls calls) {
    this.storages = storages;
    this.superchunks = superchunks;
    this.homes = answers.homes();
    this.rowless = answers.rowless();
    this.excess = excess;
    this.oneSided = oneSided;
    this.calls = calls;
    this.nodes = new NodeRounds(calls.executor());
  }

  @Override
  public void want(long blockId, List<String> storageIds) {
    synchronized (wanted) {
      if (wanted.size() < MAX_WANTED) {
        wanted.put(blockId, List.copyOf(storageIds));
      }
    }
  }

  @Override
  public int ask(Collection<Unfiled> unfiled, long nowMs) {
    rowless.advance(nowMs);
    storages.refresh(nowMs);
    ClusterView view = storages.view();
    List<Unfiled> lackingSide =
        oneSided.complete(MAX_ONE_SIDED, calls.find(), nowMs).stream()
            .map(block -> new Unfiled(block.blockId(), block.storageIds()))
            .toList();
    List<Unfiled> surplus = excess.next(MAX_EXCESS);
    List<Unfiled> all = new ArrayList<>();
    synchronized (wanted) {
      wanted.forEach((blockId, storageIds) -> all.add(new Unfiled(blockId, storageIds)));
      wanted.clear();
    }
    all.addAll(lackingSide);
    all.addAll(surplus);
    all.addAll(unfiled);
    Map<String, Set<Long>> byVolume = new LinkedHashMap<>();
    all.forEach(block -> add(view, block, byVolume));
    List<Question> questions = questions(view, byVolume, nowMs);
    nodes.ask(questions, question -> answer(question, nowMs));
    List<Long> toLookAt = new ArrayList<>(settleOneSided(lackingSide, nowMs));
    toLookAt.addAll(settleExcess(surplus));
    toLookAt.addAll(excess.takeOthers(MAX_OTHER_EXCESS));
    if (!toLookAt.isEmpty()) {
      calls.lookAgain().accept(toLookAt);
    }
    return questions.stream().mapToInt(question -> question.blockIds().size()).sum();
  }

  /**
   * HDFS queues those that lack a side when it looks at them; they stay until they have it, and
   * those that are unknown stay. One that lacks both has enough replicas for HDFS, and no parity.
   */
  private List<Long> settleOneSided(List<Unfiled> some, long nowMs) {
    List<Long> known = new ArrayList<>();
    List<Long> plain = new ArrayList<>();
    for (Unfiled block : some) {
      long blockId = block.blockId();
      if (!superchunks.isKnown(blockId, block.storageIds())) {
        oneSided.add(blockId);
        continue;
      }
      known.add(blockId);
      Optional<Home> home = superchunks.of(blockId, block.storageIds());
      if (home.filter(its -> !its.isWhole(block.storageIds())).isPresent()) {
        oneSided.lookedAt(blockId, nowMs);
      } else {
        oneSided.settled(blockId);
      }
      if (superchunks.isPlain(blockId, block.storageIds())) {
        plain.add(blockId);
      }
    }
    if (!plain.isEmpty()) {
      calls.lostBothSides().accept(plain);
    }
    return known;
  }

  /**
   * Those that can be decided now. One that lacks a side would come again at once: HDFS looks at it
   * once, so that it is queued for its copy, and it stays here until both sides are there.
   */
  private List<Long> settleExcess(List<Unfiled> surplus) {
    List<Long> toLookAt = new ArrayList<>();
    for (Unfiled block : surplus) {
      if (superchunks.isDecided(block.blockId(), block.storageIds())) {
        if (excess.settle(block)) {
          toLookAt.add(block.blockId());
        }
      } else if (isStill(block)
          && superchunks.of(block.blockId(), block.storageIds()).isPresent()
          && excess.isToBeLookedAt(block)) {
        toLookAt.add(block.blockId());
      }
    }
    return toLookAt;
  }

  /** Whether a block is where it was; one that is deleted is forgotten. */
  private boolean isStill(Unfiled block) {
    Optional<StoredBlock> now = calls.find().apply(block.blockId());
    if (now.isEmpty()) {
      excess.settle(block);
      return false;
    }
    if (!Set.copyOf(now.get().storageIds()).equals(Set.copyOf(block.storageIds()))) {
      excess.add(block.blockId(), now.get().storageIds());
      return false;
    }
    return true;
  }

  /** A block whose rows are known is asked for no more. */
  private void add(ClusterView view, Unfiled block, Map<String, Set<Long>> byVolume) {
    if (homes.of(view, block.blockId(), block.storageIds()).isPresent()) {
      return;
    }
    surplusRows.expect(block);
    for (String storageId : block.storageIds()) {
      if (storages.rowsOf(view, storageId) == RowStorages.Rows.TO_ASK
          && !rowless.contains(block.blockId(), storageId)) {
        Set<Long> asked = byVolume.computeIfAbsent(storageId, id -> new LinkedHashSet<>());
        if (asked.size() < RaidpPeerProtocol.MAX_BLOCKS) {
          asked.add(block.blockId());
        }
      }
    }
  }

  private List<Question> questions(ClusterView view, Map<String, Set<Long>> byVolume, long nowMs) {
    Map<String, Question> byNode = new LinkedHashMap<>();
    Set<String> skipped = new HashSet<>();
    int volumes = 0;
    for (Map.Entry<String, Set<Long>> volume : byVolume.entrySet()) {
      String nodeUuid = view.framesOn(volume.getKey()).get(0).nodeUuid();
      if (volumes < MAX_VOLUMES && !skipped.contains(nodeUuid)) {
        Question question = byNode.get(nodeUuid);
        if (question == null) {
          Optional<PeerAddress> peer = RebuildOrders.peer(view, nodeUuid);
          if (peer.isEmpty() || nodes.isPaused(peer.get(), nowMs) || !nodes.begin(peer.get())) {
            skipped.add(nodeUuid);
            continue;
          }
          question = new Question(peer.get(), new LinkedHashMap<>());
          byNode.put(nodeUuid, question);
        }
        question.blockIds().put(volume.getKey(), List.copyOf(volume.getValue()));
        volumes++;
      }
    }
    return List.copyOf(byNode.values());
  }

  private void answer(Question question, long nowMs) {
    for (Map.Entry<String, List<Long>> volume : question.blockIds().entrySet()) {
      try {
        find(question.peer(), volume.getKey(), volume.getValue(), nowMs);
        nodes.succeeded(question.peer());
      } catch (IOException | RuntimeException e) {
        nodes.failed(question.peer(), nowMs);
        LOG.warn(
            "Cannot find rows on storage {}; its blocks wait: {}", volume.getKey(), e.toString());
        return;
      }
    }
  }

  /**
   * A row in limbo is that of a replica that was deleted there: the one that may be there now is
   * without. So is one whose row is in a frame that its superchunk went on without. A row in a
   * frame whose pairing is not known yet says nothing until it is.
   */
  private void find(PeerAddress peer, String storageId, List<Long> blockIds, long nowMs)
      throws IOException {
    long begun = rowless.begin();
    List<SlotEntry> rows = calls.rows().findRows(peer, storageId, blockIds);
    ClusterView view = storages.view();
    Map<Integer, SuperchunkView> byFrame = view.superchunksByFrame(storageId);
    Set<Long> withoutRow = new LinkedHashSet<>(blockIds);
    Map<Long, List<SurplusRows.Row>> found = new HashMap<>();
    Set<Long> unclear = new HashSet<>();
    for (SlotEntry row : rows) {
      SuperchunkView superchunk = byFrame.get(row.frameIndex());
      boolean isLive = row.state() != SlotState.LIMBO;
      if (isLive && superchunk != null) {
        found
            .computeIfAbsent(row.blockId(), id -> new ArrayList<>())
            .add(new SurplusRows.Row(superchunk, row));
      }
      if (isLive && !isSuperseded(view, row, storageId)) {
        withoutRow.remove(row.blockId());
        if (superchunk == null) {
          unclear.add(row.blockId());
        }
      }
    }
    for (long blockId : withoutRow) {
      if (!calls.mayGetRows().test(blockId)) {
        rowless.put(blockId, storageId, begun);
      }
    }
    for (long blockId : blockIds) {
      List<SurplusRows.Row> its = found.getOrDefault(blockId, List.of());
      if (!surplusRows.isExpected(blockId)) {
        its.forEach(row -> homes.putForNow(blockId, row.superchunk()));
      } else if (unclear.contains(blockId)) {
        surplusRows.unclear(blockId, storageId);
      } else {
        surplusRows.answered(blockId, storageId, its, nowMs);
        decide(view, blockId, nowMs);
      }
    }
  }

  /** Names the superchunk of a block with more replicas than two, once that is known. */
  private void decide(ClusterView view, long blockId, long nowMs) {
    List<SurplusRows.Candidate> candidates =
        surplusRows.candidates(
            view,
            blockId,
            storageId -> superchunks.isProvenRowless(view, blockId, storageId),
            nowMs);
    if (candidates.isEmpty()) {
      return;
    }
    Optional<StoredBlock> block = calls.find().apply(blockId);
    candidates.stream()
        .filter(each -> each.isOf(block))
        .findFirst()
        .ifPresent(
            home -> {
              homes.forget(blockId);
              homes.put(blockId, home.superchunk());
              surplusRows.forget(blockId);
            });
  }

  private static boolean isSuperseded(ClusterView view, SlotEntry row, String storageId) {
    FrameRef ref = new FrameRef(storageId, row.frameIndex());
    return view.frames().supersededOn(storageId).stream()
        .anyMatch(frame -> frame.ref().equals(ref));
  }

  @Override
  public void stop() {
    synchronized (wanted) {
      wanted.clear();
    }
    excess.clear();
    nodes.clear();
    homes.clear();
    rowless.clear();
    surplusRows.clear();
  }
}
