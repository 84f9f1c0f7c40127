/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import io.hdfsparity.raidp.adoption.AdoptionCluster.CopyStart;
import io.hdfsparity.raidp.adoption.BalanceCluster.Replicas;
import io.hdfsparity.raidp.adoption.BalanceProgress.Counts;
import io.hdfsparity.raidp.adoption.BalanceProgress.Outcome;
import io.hdfsparity.raidp.adoption.BalanceProgress.Spread;
import io.hdfsparity.raidp.adoption.BlockMove.Step;
import io.hdfsparity.raidp.layout.BalancePlan;
import io.hdfsparity.raidp.layout.BalancePlanner;
import io.hdfsparity.raidp.layout.BalanceSpec;
import io.hdfsparity.raidp.layout.BalanceSpec.BalanceDisk;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Gives emptier disks their share of protected blocks: plans moves ({@link BalancePlanner}), moves
 * blocks, and plans again from what disks report then, until each is within the threshold, or
 * nothing helps.
 *
 * <pre>
 *   copied to both sides of the new superchunk -> both cover it -> HDFS deletes the old replicas
 * </pre>
 *
 * <p><b>Invariants</b>: a block leaves its superchunk only when, within {@link #FRESH_MS}, both
 * sides of the new one have said that they cover its whole length under its generation stamp and
 * know so of each other, neither is on a silent node, and HDFS counts four replicas. Until then it
 * is whole in the old superchunk, or it is left there. At most {@link #MAX_BLOCKS} are on their
 * way.
 *
 * <p><b>Crash</b>: a run is memory of the active manager, and is gone with it. A block that was on
 * its way has more replicas than its file wants. The next manager asks for its rows, and has HDFS
 * delete those outside one superchunk that has both sides.
 *
 * <p>Calls DataNodes. Not thread-safe, but for {@link #progress}; time is passed in.
 */
public final class Balance {
  /** Copies out of a DataNode have a limit of their own. */
  static final int MAX_BLOCKS = 100;

  private static final long MAX_BYTES = 64L << 30;

  /** A block that is not covered for so long is left. */
  static final long STUCK_MS = 120_000;

  /**
   * So long the old rows are waited for: a busy disk keeps deleted bytes in its parity for long.
   */
  static final long SWEEP_MS = 180_000;

  /** Disks have reported what has changed after this time. */
  static final long REPORT_MS = 5_000;

  /** So old an answer may be when old replicas are given up. */
  static final long FRESH_MS = 5_000;

  /** A round begins blocks for so long, and with so many calls, that those on their way go on. */
  private static final long BEGIN_MS = 5_000;

  private static final int MAX_BEGIN_CALLS = 100;

  /**
   * Passes one after the other after which the disk furthest from the mean was no nearer to it, and
   * none has found blocks that cannot move where none were known.
   */
  private static final int MAX_VAIN_PASSES = 2;

  private final BalanceCluster cluster;
  private final double thresholdPercent;
  private final CoverBudget budget;
  private final List<BlockMove> flying = new ArrayList<>();
  private final Deque<BalancePlan.Move> planned = new ArrayDeque<>();
  private final ImmovableBytes immovable = new ImmovableBytes();

  /** How many blocks that are on their way a side of a superchunk has yet to get. */
  private final Map<Side, Integer> toCome = new LinkedHashMap<>();

  /** The planned move that is being made. */
  private Optional<PlannedRows> inHand = Optional.empty();

  private Tally moved = Tally.NONE;
  private Tally copied = Tally.NONE;
  private Tally left = Tally.NONE;
  private long movedBeforePass;
  private long plannedBytes;
  private int pass;
  private int vainPasses;
  private double distancePercent;
  private long planAtMs;
  private long beganMs = -1;
  private Spread before = Spread.NONE;
  private Spread now = Spread.NONE;
  private volatile BalanceProgress progress = BalanceProgress.none();

  /** A storage in a superchunk. */
  private record Side(SharedSuperchunk superchunk, String storageId) {}

  /**
   * @param bytesPerSecond that are copied; 0: no limit
   */
  public Balance(BalanceCluster cluster, double thresholdPercent, long bytesPerSecond) {
    this.cluster = cluster;
    this.thresholdPercent = thresholdPercent;
    this.budget = new CoverBudget(bytesPerSecond);
  }

  /** How far it was at the end of the last round. Thread-safe. */
  public BalanceProgress progress() {
    return progress;
  }

  /** Utilization of the disks of a spec. */
  public static Spread spread(BalanceSpec spec) {
    double used = spec.disks().stream().mapToDouble(BalanceDisk::usedBytes).sum();
    double capacity = spec.disks().stream().mapToDouble(BalanceDisk::capacityBytes).sum();
    return new Spread(
        spec.disks().stream().mapToDouble(Balance::percent).min().orElse(0),
        capacity > 0 ? 100 * used / capacity : 0,
        spec.disks().stream().mapToDouble(Balance::percent).max().orElse(0));
  }

  private static double percent(BalanceDisk disk) {
    return 100.0 * disk.usedBytes() / disk.capacityBytes();
  }

  /** Goes on. To be called about once a second until the progress is over. */
  public void round(LongSupplier clockMs) {
    if (progress.outcome().isOver()) {
      return;
    }
    long nowMs = clockMs.getAsLong();
    if (beganMs < 0) {
      beganMs = nowMs;
      planAtMs = nowMs;
    }
    budget.advance(nowMs);
    Outcome outcome = Outcome.RUNNING;
    if (isPassOver() && nowMs >= planAtMs) {
      outcome = plan();
    }
    begin(clockMs);
    ask(clockMs);
    for (Iterator<BlockMove> each = flying.iterator(); each.hasNext(); ) {
      BlockMove move = each.next();
      if (isOver(move, clockMs)) {
        each.remove();
        planAtMs = clockMs.getAsLong() + REPORT_MS;
      }
    }
    toCome.forEach((side, blocks) -> cluster.renew(side.superchunk(), side.storageId(), blocks));
    toCome.clear();
    progress =
        new BalanceProgress(
            outcome,
            pass,
            movedBeforePass + plannedBytes,
            new Counts(moved, copied, left),
            new Tally(flying.size(), flying.stream().mapToLong(BlockMove::lengthBytes).sum()),
            before,
            now,
            Math.max(0, nowMs - beganMs));
  }

  /** Ends it: blocks on their way are left in their old superchunks, and HDFS looks at them. */
  public void stop() {
    end(Outcome.STOPPED);
  }

  /** Ends it after a round that has thrown. */
  public void fail() {
    end(Outcome.FAILED);
  }

  private void end(Outcome outcome) {
    try {
      flying.stream()
          .filter(move -> move.step() != Step.SWEPT)
          .forEach(move -> cluster.left(move.blockId(), move.from()));
    } finally {
      flying.clear();
      progress = progress.over(outcome);
    }
  }

  // ---------------------------------------------------------------- passes

  private boolean isPassOver() {
    return flying.isEmpty() && planned.isEmpty() && inHand.map(PlannedRows::isEmpty).orElse(true);
  }

  private Outcome plan() {
    BalanceSpec spec = cluster.spec(thresholdPercent);
    now = spread(spec);
    double distance = spec.distancePercent();
    boolean isNews = immovable.isNews();
    if (pass == 0) {
      before = now;
      distancePercent = distance;
    } else if (distance < distancePercent || isNews) {
      vainPasses = 0;
      distancePercent = Math.min(distance, distancePercent);
    } else {
      vainPasses++;
    }
    movedBeforePass = moved.bytes();
    plannedBytes = 0;
    BalancePlan plan = BalancePlanner.plan(immovable.without(spec));
    if (plan.moves().isEmpty()) {
      immovable.forget();
      plan = BalancePlanner.plan(spec);
    }
    if (plan.moves().isEmpty()) {
      return plan.outside().isEmpty() ? Outcome.BALANCED : Outcome.NO_MOVE;
    }
    if (vainPasses >= MAX_VAIN_PASSES) {
      return Outcome.NO_PROGRESS;
    }
    pass++;
    planned.addAll(plan.moves());
    plannedBytes = plan.bytes();
    return Outcome.RUNNING;
  }

  /** Takes the next planned move in hand. */
  private void next(LongSupplier clockMs) {
    BalancePlan.Move move = planned.remove();
    planAtMs = clockMs.getAsLong() + REPORT_MS;
    SharedSuperchunk from = cluster.active(move.from()).orElse(null);
    SharedSuperchunk to = cluster.active(move.to()).orElse(null);
    if (from == null || to == null) {
      return;
    }
    try {
      inHand =
          Optional.of(
              new PlannedRows(
                  from, to, cluster.rowsOf(from), move.bytes(), row -> charge(row.coveredBytes())));
      immovable.look(from.id());
    } catch (IOException e) {
      inHand = Optional.empty(); // Planned again in the next pass.
    }
  }

  private void begin(LongSupplier clockMs) {
    long bytes = flying.stream().mapToLong(BlockMove::lengthBytes).sum();
    long untilMs = clockMs.getAsLong() + BEGIN_MS;
    int calls = 0;
    while (flying.size() < MAX_BLOCKS
        && bytes < MAX_BYTES
        && budget.isLeft()
        && calls < MAX_BEGIN_CALLS
        && clockMs.getAsLong() < untilMs) {
      BlockRow row = inHand.flatMap(PlannedRows::next).orElse(null);
      if (row != null) {
        calls++;
        bytes += begin(row, inHand.orElseThrow(), clockMs);
      } else if (planned.isEmpty()) {
        return;
      } else {
        calls++;
        next(clockMs);
      }
    }
  }

  /** Begins to move a block, if it may; returns its bytes, or 0. */
  private long begin(BlockRow row, PlannedRows way, LongSupplier clockMs) {
    if (cluster
        .block(row.blockId())
        .filter(block -> BlockMove.mayBegin(row, way.from(), block))
        .isEmpty()) {
      if (flying.stream().noneMatch(move -> move.blockId() == row.blockId())) {
        immovable.refused(way.from().id(), charge(row.coveredBytes()));
      }
      return 0;
    }
    if (!cluster.promise(way.to(), row.coveredBytes())) {
      inHand = Optional.empty();
      return 0;
    }
    flying.add(new BlockMove(row, way.from(), way.to(), clockMs.getAsLong()));
    plannedBytes += way.taken(row);
    return row.coveredBytes();
  }

  /** Bytes of the units that a block takes: these are what disks have, and what is planned. */
  private long charge(long lengthBytes) {
    long unitBytes = cluster.unitBytes();
    return LstorGeometry.unitsFor(lengthBytes, unitBytes) * unitBytes;
  }

  // ---------------------------------------------------------------- blocks on their way

  private void ask(LongSupplier clockMs) {
    Map<String, Map<Long, BlockMove>> byStorage = new LinkedHashMap<>();
    for (BlockMove move : flying) {
      for (String storageId : move.ask()) {
        byStorage.computeIfAbsent(storageId, id -> new LinkedHashMap<>()).put(move.blockId(), move);
      }
    }
    byStorage.forEach((storageId, moves) -> ask(storageId, moves, clockMs));
  }

  private void ask(String storageId, Map<Long, BlockMove> moves, LongSupplier clockMs) {
    long askedMs = clockMs.getAsLong();
    try {
      Map<Long, BlockRow> found = new HashMap<>();
      cluster
          .findRows(storageId, List.copyOf(moves.keySet()))
          .forEach(row -> found.put(row.blockId(), row));
      moves.forEach(
          (id, move) -> move.answered(storageId, Optional.ofNullable(found.get(id)), askedMs));
    } catch (IOException e) {
      return; // Asked again in the next round.
    }
  }

  /** Goes on with a block; whether its way has ended. */
  private boolean isOver(BlockMove move, LongSupplier clockMs) {
    Optional<Replicas> block = cluster.block(move.blockId());
    if (move.step() == Step.SWEPT) {
      return move.isSwept(block) || move.waitsMs(clockMs.getAsLong()) >= SWEEP_MS;
    }
    if (block.filter(move::isUnchanged).isEmpty() || !isStill(move.from()) || !isStill(move.to())) {
      return leave(move);
    }
    cluster.moves(move.blockId(), move.to());
    if (move.step() == Step.COVERED && switchOver(move, block.get(), clockMs)) {
      return false;
    }
    if (move.isElsewhere() || move.waitsMs(clockMs.getAsLong()) >= STUCK_MS) {
      return leave(move);
    }
    if (move.step() == Step.COVERED) {
      return false;
    }
    boolean isOver = isCopyOver(move, block.get(), clockMs);
    if (!isOver) {
      move.lacking(block.get())
          .forEach(side -> toCome.merge(new Side(move.to(), side), 1, Integer::sum));
    }
    return isOver;
  }

  private boolean isStill(SharedSuperchunk superchunk) {
    return cluster.active(superchunk.id()).filter(superchunk::equals).isPresent();
  }

  private boolean leave(BlockMove move) {
    left = left.plus(charge(move.lengthBytes()));
    cluster.left(move.blockId(), move.from());
    return true;
  }

  /** Goes on with a copy; whether the way of the block has ended, as none can be made. */
  private boolean isCopyOver(BlockMove move, Replicas replicas, LongSupplier clockMs) {
    long nowMs = clockMs.getAsLong();
    if (replicas.storageIds().contains(move.copy().farStorageId())) {
      move.step(move.step() == Step.LEADER ? Step.FOLLOWER : Step.COVERED, nowMs);
      return false;
    }
    if (cluster.isCopying(move.blockId()) || !budget.isLeft()) {
      move.waits(nowMs);
      return false;
    }
    if (!move.mayCopy()) {
      return leave(move);
    }
    CopyStart start = cluster.copy(move.blockId(), move.generationStamp(), move.copy());
    if (start == CopyStart.BUSY) {
      move.waits(nowMs);
    } else {
      move.copied();
    }
    if (start == CopyStart.BEGUN) {
      copied = copied.plus(move.lengthBytes());
      budget.take(move.lengthBytes());
    }
    return false;
  }

  /** Has HDFS give up the old replicas, if the new ones are covered now. */
  private boolean switchOver(BlockMove move, Replicas replicas, LongSupplier clockMs) {
    if (!move.isCovered() || !move.hasAll(replicas)) {
      return false;
    }
    if (!isFresh(move, clockMs) && !isStillCovered(move, clockMs)) {
      return false;
    }
    if (!cluster.mayTakeOver(move.to())) {
      return false;
    }
    cluster.moved(move.blockId(), move.to());
    moved = moved.plus(charge(move.lengthBytes()));
    move.step(Step.SWEPT, clockMs.getAsLong());
    return true;
  }

  private static boolean isFresh(BlockMove move, LongSupplier clockMs) {
    return clockMs.getAsLong() - move.answeredMs() <= FRESH_MS;
  }

  /** Asks once more: calls of other nodes have taken long. */
  private boolean isStillCovered(BlockMove move, LongSupplier clockMs) {
    for (String storageId : move.ask()) {
      ask(storageId, Map.of(move.blockId(), move), clockMs);
    }
    return move.isCovered()
        && cluster
            .block(move.blockId())
            .filter(block -> move.isUnchanged(block) && move.hasAll(block))
            .isPresent()
        && isFresh(move, clockMs);
  }
}
