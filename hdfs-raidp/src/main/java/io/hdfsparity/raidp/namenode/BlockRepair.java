/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.DegradedBlocks;
import io.hdfsparity.bridge.namenode.DegradedBlocks.Copy;
import io.hdfsparity.bridge.namenode.DegradedBlocks.CopyRequest;
import io.hdfsparity.bridge.namenode.DegradedBlocks.CopyStart;
import io.hdfsparity.bridge.namenode.DegradedBlocks.Degraded;
import io.hdfsparity.bridge.namenode.DegradedBlocks.Lacking;
import io.hdfsparity.bridge.namenode.DegradedBlocks.LastBlocks;
import io.hdfsparity.bridge.namenode.DegradedBlocks.Outcome;
import io.hdfsparity.raidp.namenode.PendingCopies.Purpose;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has missing replicas of blocks copied, superchunk by superchunk ({@link RepairOrder}), from the
 * side that has them to the other one.
 *
 * <p>What is missing it takes from the NameNode's queues, which a manager that takes over fills
 * again; so it keeps only what is under way, and forgets that when another NameNode becomes the
 * active one. A copy that is not reported in time, or that HDFS has given up, is not repeated here:
 * its block is in the queues again.
 *
 * <p>{@link #round} and {@link #stop} run on one thread; {@link #progress}, {@link #copyOf} and
 * {@link #copyTo} may be called on any. Time is passed in.
 */
final class BlockRepair {
  private static final Logger LOG = LoggerFactory.getLogger(BlockRepair.class);

  /** Blocks of a superchunk that are looked at in a round. */
  static final int BLOCKS_A_TURN = 100;

  /** Superchunks that are looked at in a round: what a NameNode does in some 20 ms. */
  static final int TURNS_A_ROUND = 200;

  private final DegradedBlocks blocks;
  private final HomeQuestions questions;
  private final LongPredicate isPaired;
  private final LongSupplier timeoutMs;
  private final int keptForRepairs;
  private final PendingCopies pending;
  private final Set<Long> barren = new HashSet<>();

  /** Superchunks with a copy that was not reported in time, and none since that was. */
  private final Set<Long> failing = new HashSet<>();

  /** Held while copies are begun, so that what is noted of a node is all that it sends. */
  private final Object handingOut = new Object();

  /** Copies that were asked for, and are not in the progress yet. */
  private final AtomicLong extra = new AtomicLong();

  private long rounds;
  private volatile Progress progress = new Progress(0, 0, 0, 0, 0, 0);

  /**
   * How far it is.
   *
   * @param lacking blocks that lack a replica, without those that are being copied
   * @param pending copies under way
   * @param scheduled copies begun since the NameNode has started
   * @param copied of these, the ones that were reported
   * @param timedOut of these, the ones that were not reported in time
   * @param maxRoundMs longest round
   */
  record Progress(
      long lacking, long pending, long scheduled, long copied, long timedOut, long maxRoundMs) {}

  /**
   * @param questions finds the superchunks of blocks whose storages do not tell
   * @param isPaired whether both sides of a superchunk are in service
   * @param maxBySource copies out of one node at once
   * @param timeoutMs after this time a copy is given up
   */
  BlockRepair(
      DegradedBlocks blocks,
      HomeQuestions questions,
      LongPredicate isPaired,
      int maxBySource,
      LongSupplier timeoutMs) {
    this.blocks = blocks;
    this.questions = questions;
    this.isPaired = isPaired;
    this.pending = new PendingCopies(maxBySource);
    this.keptForRepairs = maxBySource > 1 ? 1 : 0;
    this.timeoutMs = timeoutMs;
  }

  Progress progress() {
    return progress;
  }

  /** The copy of a block that is under way. */
  Optional<Copy> copyOf(long blockId) {
    return pending.find(blockId);
  }

  /** Has a block copied that lacks no replica; a stream of each node stays for those that do. */
  CopyStart copyTo(CopyRequest wanted, long nowMs) {
    synchronized (handingOut) {
      return blocks.copyTo(
          wanted,
          source -> pending.mayStart(source, keptForRepairs),
          copy -> {
            pending.start(copy, Purpose.MOVE, nowMs);
            extra.incrementAndGet();
          });
    }
  }

  /** See {@link DegradedBlocks#giveAllReplicas}. */
  void giveAllReplicas(long inodeId) {
    blocks.giveAllReplicas(inodeId);
  }

  /**
   * Superchunks with blocks that lack a replica, also where it is being copied: a copy may fail.
   * Waits for handing out.
   */
  Lacking lacking() {
    return with(pending::repairs);
  }

  /** See {@link DegradedBlocks#hasUnknownBlock}. */
  boolean hasUnknownBlock(Collection<String> storageIds) {
    return blocks.hasUnknownBlock(storageIds);
  }

  /** See {@link DegradedBlocks#lastOn}; also of blocks that are being copied. */
  Optional<LastBlocks> lastOn(Collection<String> storageIds, Predicate<String> isSilent) {
    synchronized (handingOut) {
      Map<Long, Long> copies =
          pending.list().stream().collect(Collectors.toMap(Copy::blockId, Copy::superchunkId));
      return blocks.lastOn(storageIds, isSilent, copies);
    }
  }

  /**
   * The same as {@link #lacking}, with those whose blocks have all replicas and are copied
   * nevertheless.
   */
  Lacking unfinished() {
    return with(pending::list);
  }

  private Lacking with(Supplier<List<Copy>> copies) {
    synchronized (handingOut) {
      Lacking queued = blocks.lacking();
      Set<Long> all = new HashSet<>(queued.superchunkIds());
      copies.get().forEach(copy -> all.add(copy.superchunkId()));
      return new Lacking(all, queued.hasLookedAtAll(), queued.unknownBlocks());
    }
  }

  /**
   * Blocks that lack a replica and can be copied, or are being copied; empty: HDFS has not looked
   * at all blocks yet. Waits for handing out.
   */
  OptionalLong missing() {
    synchronized (handingOut) {
      OptionalLong copyable = blocks.copyable();
      return copyable.isEmpty() ? copyable : OptionalLong.of(copyable.getAsLong() + pending.size());
    }
  }

  /** Forgets what is under way: this NameNode is not the active one. */
  void stop() {
    pending.clear();
    questions.stop();
    barren.clear();
    failing.clear();
    progress =
        new Progress(
            0,
            0,
            progress.scheduled(),
            progress.copied(),
            progress.timedOut(),
            progress.maxRoundMs());
  }

  /** Looks what has become of the copies under way, and begins as many as the limits allow. */
  void round(long nowMs) {
    long beganNanos = System.nanoTime();
    long copied = settle(nowMs);
    List<Copy> late = abandonLate(nowMs);
    for (Copy copy : late) {
      failing.add(copy.superchunkId());
      LOG.warn("A copy was not reported in time: {}", copy);
    }
    if (questions.ask(blocks.refile(RowQuestions.MAX_UNFILED), nowMs) > 0) {
      blocks.refile(0);
    }
    long scheduled = begin(nowMs) + extra.getAndSet(0);
    rounds++;
    progress =
        new Progress(
            blocks.blockCount(),
            pending.size(),
            progress.scheduled() + scheduled,
            progress.copied() + copied,
            progress.timedOut() + late.size(),
            Math.max(progress.maxRoundMs(), (System.nanoTime() - beganNanos) / 1_000_000));
  }

  /** In one step, so that each of their blocks is under way or lacks a replica. */
  private List<Copy> abandonLate(long nowMs) {
    synchronized (handingOut) {
      List<Copy> late = pending.expire(timeoutMs.getAsLong(), nowMs);
      blocks.abandon(late);
      return late;
    }
  }

  private long settle(long nowMs) {
    List<Copy> all = pending.list();
    List<Outcome> outcomes = blocks.outcomes(all);
    long copied = 0;
    for (int i = 0; i < all.size(); i++) {
      if (outcomes.get(i) != Outcome.PENDING
          && !(outcomes.get(i) == Outcome.DROPPED
              && pending.isOlderThan(all.get(i), timeoutMs.getAsLong(), nowMs))) {
        pending.end(all.get(i));
        if (outcomes.get(i) == Outcome.COPIED) {
          copied++;
          failing.remove(all.get(i).superchunkId());
        }
      }
    }
    return copied;
  }

  private List<Copy> handOut(long superchunkId, long nowMs) {
    Map<String, Integer> unnoted = new HashMap<>();
    synchronized (handingOut) {
      List<Copy> copies =
          blocks.handOut(
              superchunkId,
              BLOCKS_A_TURN,
              source -> {
                boolean may = pending.mayStart(source, unnoted.getOrDefault(source, 0));
                unnoted.merge(source, may ? 1 : 0, Integer::sum);
                return may;
              });
      copies.forEach(copy -> pending.start(copy, Purpose.REPAIR, nowMs));
      return copies;
    }
  }

  private long begin(long nowMs) {
    RepairOrder order =
        new RepairOrder(isPaired, pending::isUnderWay, barren::contains, failing::contains);
    List<Degraded> degraded = blocks.superchunks();
    Set<Long> known = degraded.stream().map(Degraded::superchunkId).collect(Collectors.toSet());
    barren.retainAll(known);
    failing.retainAll(known);
    long scheduled = 0;
    for (long superchunkId : order.of(degraded, TURNS_A_ROUND, rounds)) {
      List<Copy> copies = handOut(superchunkId, nowMs);
      scheduled += copies.size();
      if (copies.isEmpty()) {
        barren.add(superchunkId);
      } else {
        barren.remove(superchunkId);
      }
    }
    return scheduled;
  }
}
