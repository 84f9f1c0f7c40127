/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import io.hdfsparity.raidp.adoption.AdoptableFile.AdoptableBlock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Gives files back the replicas that parity stands for: the inverse of {@link Adoption}.
 *
 * <pre>
 *   file -> rows of all its blocks asked -> replication raised -> HDFS makes replicas -> looked at
 *   until each block has enough good ones -> both sides of each row released -> rows asked until none
 *   is left
 * </pre>
 *
 * <p><b>Invariants</b>: no side is asked to release a block unless, within {@link #FRESH_MS}, the
 * file was seen closed, not protected, and asking for at least as many replicas as were given; each
 * of its blocks had as many good ones under its generation stamp; and the superchunk was active, or
 * had gone on without that side. A side releases it under that stamp only, and some seconds after
 * it was asked no more. A file counts as released only when each storage with a replica has said
 * that it has no row, and each block has such a storage.
 *
 * <p><b>Crash</b>: a run is memory of the active manager. What was raised stays raised. A side that
 * was asked to release one, and is not asked again for a minute, covers the block again, as after a
 * crash of its own. So another run finds the file covered on both sides, or on none.
 *
 * <p>Calls DataNodes. Not thread-safe, but for {@link #progress}; time is passed in.
 */
public final class Release implements FileRun {
  /**
   * When nothing has changed in any file in hand for so long, those that wait for a DataNode are
   * set aside; without any, all.
   */
  static final long STUCK_MS = 120_000;

  /** What was seen of a file may be so old when a side is asked to release. */
  static final long FRESH_MS = 5_000;

  /** As many as a DataNode takes in a call. */
  private static final int MAX_BLOCKS = 10_000;

  /** Replicas in one order: each takes a DataNode a durable write, and the order is old soon. */
  private static final int MAX_RELEASED = 500;

  private final FileSource source;
  private final ReleaseCluster cluster;
  private final int replication;
  private final AdoptionLimits limits;
  private final AdoptionCounts counts;
  private final CoverBudget budget;
  private final SetAsideFiles setAside;
  private final FileIntake intake;
  private final List<ReleaseWork> inHand = new LinkedList<>();
  private final Map<Side, Map<Long, Long>> orders = new LinkedHashMap<>();
  private int blocksInHand;
  private Tally inFlight = Tally.NONE;
  private long movedMs;
  private long beganMs = -1;
  private volatile AdoptionProgress progress = AdoptionProgress.none();

  /** A storage in a superchunk. */
  private record Side(String storageId, SharedSuperchunk superchunk) {}

  /**
   * @param replication that each block is to have, at least three
   * @param unitBytes allocation unit of superchunks
   */
  public Release(
      FileSource source,
      ReleaseCluster cluster,
      int replication,
      AdoptionLimits limits,
      long unitBytes) {
    this.source = source;
    this.cluster = cluster;
    this.replication = replication;
    this.limits = limits;
    this.counts = new AdoptionCounts(unitBytes);
    this.budget = new CoverBudget(limits.bytesPerSecond());
    this.setAside = new SetAsideFiles(limits.filesSetAside());
    this.intake = new FileIntake(source, setAside, counts);
  }

  @Override
  public AdoptionProgress progress() {
    return progress;
  }

  @Override
  public void round(LongSupplier clockMs) {
    long nowMs = clockMs.getAsLong();
    if (beganMs < 0) {
      beganMs = nowMs;
      movedMs = nowMs;
    }
    budget.advance(nowMs);
    intake.fill(
        nowMs,
        () -> limits.blocksInHand() - blocksInHand,
        (file, looks) -> glance(file, looks, nowMs));
    List<ReleaseWork> due = look(nowMs);
    ask(due);
    for (ReleaseWork work : due) {
      if (work.isMoving()) {
        movedMs = nowMs;
      }
    }
    boolean isStuck = nowMs - movedMs >= STUCK_MS;
    long orderedMs = clockMs.getAsLong();
    for (ReleaseWork work : due) {
      Optional<FileOutcome> outcome = advance(work, nowMs);
      if (outcome.isPresent()) {
        movedMs = nowMs;
        leave(work, outcome.get(), nowMs);
      } else if (isStuck && (inFlight.count() == 0 || work.isLeaving() || !work.isKnown())) {
        movedMs = nowMs;
        leave(work, stuck(work), nowMs);
      }
    }
    send(() -> clockMs.getAsLong() - orderedMs <= FRESH_MS);
    boolean over = intake.isOver() && inHand.isEmpty();
    progress = counts.progress(over, source.count(), inFlight, Math.max(0, nowMs - beganMs));
  }

  // ------------------------------------------------------------------ files in and out

  private void glance(AdoptableFile file, int looks, long nowMs) {
    Optional<FileOutcome> outcome = ReleaseWork.obstacle(file);
    if (outcome.isEmpty()) {
      inHand.add(new ReleaseWork(file, looks));
      blocksInHand += file.blocks().size();
      movedMs = nowMs;
    } else {
      count(file, looks, outcome.get(), nowMs);
    }
  }

  private void count(AdoptableFile file, int looks, FileOutcome outcome, long nowMs) {
    if (!setAside.add(file.inodeId(), looks, outcome, nowMs)) {
      counts.glanced(outcome, file.bytes());
    }
  }

  private void leave(ReleaseWork work, FileOutcome outcome, long nowMs) {
    inHand.remove(work);
    blocksInHand -= (int) work.size().count();
    if (work.isLeaving()) {
      Tally size = work.size();
      inFlight = new Tally(inFlight.count() - size.count(), inFlight.bytes() - size.bytes());
    }
    count(work.file(), work.looks(), outcome, nowMs);
  }

  private static FileOutcome stuck(ReleaseWork work) {
    return !work.isKnown() || work.isLeaving()
        ? FileOutcome.NODE_REFUSES
        : work.isStale() ? FileOutcome.STALE_REPORTS : FileOutcome.LACKS_REPLICAS;
  }

  // ------------------------------------------------------------------ files in hand

  /** Those whose turn it is, as they are now. */
  private List<ReleaseWork> look(long nowMs) {
    List<ReleaseWork> due = new ArrayList<>();
    for (ReleaseWork work : List.copyOf(inHand)) {
      if (!work.isDue(nowMs)) {
        continue;
      }
      AdoptableFile now = source.look(work.file().inodeId()).orElse(null);
      if (now == null) {
        leave(work, FileOutcome.GONE, nowMs);
        continue;
      }
      work.look(now, nowMs);
      Optional<FileOutcome> obstacle = ReleaseWork.obstacle(now);
      if (obstacle.isPresent()) {
        leave(work, obstacle.get(), nowMs);
      } else {
        due.add(work);
      }
    }
    return due;
  }

  private void ask(List<ReleaseWork> due) {
    Map<String, Map<Long, ReleaseWork>> byStorage = new LinkedHashMap<>();
    for (ReleaseWork work : due) {
      work.ask()
          .forEach(
              (storageId, blockIds) -> {
                Map<Long, ReleaseWork> blocks =
                    byStorage.computeIfAbsent(storageId, id -> new LinkedHashMap<>());
                blockIds.forEach(blockId -> blocks.put(blockId, work));
              });
    }
    byStorage.forEach(this::ask);
  }

  private void ask(String storageId, Map<Long, ReleaseWork> blocks) {
    List<Long> ids = List.copyOf(blocks.keySet());
    List<BlockRow> rows = new ArrayList<>();
    for (int from = 0; from < ids.size(); from += MAX_BLOCKS) {
      try {
        rows.addAll(
            cluster.findRows(
                storageId, ids.subList(from, Math.min(ids.size(), from + MAX_BLOCKS))));
      } catch (IOException e) {
        return; // Asked again: what is not answered is not known.
      }
    }
    for (BlockRow row : rows) {
      ReleaseWork work = blocks.get(row.blockId());
      if (work != null) {
        work.found(row);
      }
    }
    blocks.values().forEach(work -> work.answered(storageId));
  }

  /** What has become of a file; empty: it stays in hand. */
  private Optional<FileOutcome> advance(ReleaseWork work, long nowMs) {
    if (!work.isKnown()) {
      return Optional.empty();
    }
    if (!work.hasRows()) {
      if (work.lacksReplicas()) {
        return Optional.of(FileOutcome.LACKS_REPLICAS);
      }
      cluster.released(work.file().blocks().stream().map(AdoptableBlock::blockId).toList());
      if (!work.isRaised()) {
        return Optional.of(FileOutcome.PLAIN);
      }
      work.file().blocks().forEach(block -> counts.covered(block.lengthBytes()));
      return Optional.of(FileOutcome.RELEASED);
    }
    if (!work.isRaised() || work.file().replication() < work.wanted(replication)) {
      return budget.isLeft() ? raise(work) : waits(nowMs);
    }
    return work.isLeaving() || isRoomInFlight() ? order(work) : Optional.empty();
  }

  /** It waits for its turn, and is not stuck. */
  private Optional<FileOutcome> waits(long nowMs) {
    movedMs = nowMs;
    return Optional.empty();
  }

  private Optional<FileOutcome> raise(ReleaseWork work) {
    ReleaseCluster.Raising raising;
    try {
      raising = cluster.raise(work.file().inodeId(), replication);
    } catch (IOException e) {
      // Safe mode, or a standby by now: the manager ends the run then.
      return Optional.of(FileOutcome.CHANGED);
    }
    switch (raising) {
      case ENOUGH -> {
        if (!work.isRaised()) {
          long missing = work.missingBytes(replication);
          budget.take(missing);
          if (missing > 0) {
            counts.copied(missing);
          }
        }
        work.raised();
        return Optional.empty();
      }
      case PROTECTED -> {
        return Optional.of(FileOutcome.PROTECTED);
      }
      case OPEN -> {
        return Optional.of(FileOutcome.OPEN);
      }
      case FEWER_IN_SNAPSHOT -> {
        return Optional.of(FileOutcome.FEWER_IN_SNAPSHOT);
      }
      case NO_QUOTA -> {
        return Optional.of(FileOutcome.NO_QUOTA);
      }
      case GONE -> {
        return Optional.of(FileOutcome.GONE);
      }
    }
    throw new IllegalStateException("Cannot go on: raising=" + raising);
  }

  private boolean isRoomInFlight() {
    return inFlight.count() < limits.blocksInFlight();
  }

  /** Has its rows released if it has enough replicas: the questions may have taken long. */
  private Optional<FileOutcome> order(ReleaseWork work) {
    AdoptableFile now = source.look(work.file().inodeId()).orElse(null);
    if (now == null) {
      return Optional.of(FileOutcome.GONE);
    }
    work.refresh(now);
    Optional<FileOutcome> obstacle = ReleaseWork.obstacle(now);
    if (obstacle.isPresent() || !work.hasReplicas(replication)) {
      return obstacle;
    }
    if (!work.isLeaving()) {
      work.leaves();
      Tally size = work.size();
      inFlight = new Tally(inFlight.count() + size.count(), inFlight.bytes() + size.bytes());
    }
    for (AdoptableBlock block : work.file().blocks()) {
      for (BlockRow row : work.rows(block)) {
        cluster
            .home(row)
            .ifPresent(
                home ->
                    orders
                        .computeIfAbsent(
                            new Side(row.storageId(), home), side -> new LinkedHashMap<>())
                        .put(block.blockId(), block.generationStamp()));
      }
    }
    return Optional.empty();
  }

  /** What a node that does not answer has delayed is ordered in a later round. */
  private void send(BooleanSupplier isFresh) {
    orders.forEach(
        (side, stamps) -> {
          if (isFresh.getAsBoolean()) {
            send(side, stamps, isFresh);
          }
        });
    orders.clear();
  }

  private void send(Side side, Map<Long, Long> stamps, BooleanSupplier isFresh) {
    List<Long> ids = List.copyOf(stamps.keySet());
    for (int from = 0; from < ids.size(); from += MAX_RELEASED) {
      Map<Long, Long> some = new HashMap<>();
      ids.subList(from, Math.min(ids.size(), from + MAX_RELEASED))
          .forEach(id -> some.put(id, stamps.get(id)));
      try {
        cluster.release(side.storageId(), side.superchunk(), some, isFresh);
      } catch (IOException e) {
        return; // The call may have arrived: it is made again.
      }
    }
  }
}
