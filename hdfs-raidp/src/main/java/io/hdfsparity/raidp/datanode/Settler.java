/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.raidp.config.Mode;
import io.hdfsparity.raidp.image.ImageException;
import io.hdfsparity.raidp.image.ReplicaFiles;
import io.hdfsparity.raidp.image.ReplicaSource;
import io.hdfsparity.raidp.lstor.Lstor;
import io.hdfsparity.raidp.lstor.SlotCause;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done for the blocks of a frame in the background, one small step at a time and tried
 * again until it is done:
 *
 * <ul>
 *   <li>cover: a finalized replica that the parity does not hold yet (found at start, restored,
 *       moved, taken in); replicas that are taken in come last, and one at a time in a DataNode, so
 *       that acknowledgements, which writes wait for, do not;
 *   <li>acknowledge [3.4]: a LIVE row asks the partner what it covers; when both say the same, what
 *       is in limbo for the partner's sake is dropped and, at the leader, spare units are released;
 *   <li>reap: a LIMBO row leaves the parity, then the table, when the partner has released it as
 *       well; also one whose replica stays ({@link ReplicaRelease}).
 * </ul>
 *
 * <p>Only the answer to a question of our own counts, and only if nothing happened to the block
 * since it was asked. What the partner tells unasked may be an old message; it just makes us ask
 * sooner.
 *
 * <p>Thread-safe; one run at a time.
 */
final class Settler implements SettleWorkers.Job {
  /** In the queue of a frame: fetch the follower's rows. No block has this id. */
  static final long FETCH_ROWS = Long.MIN_VALUE;

  /** In the queue of a frame: ask the partner which replicas without a row are the frame's. */
  static final long CLAIM_ROWS = Long.MIN_VALUE + 1;

  /** In the queue of a frame: compare its rows with the partner's. */
  static final long COMPARE_ROWS = Long.MIN_VALUE + 2;

  /** In the queue of a volume's first frame: look at files in limbo without a row. */
  static final long LIMBO_ORPHANS = Long.MIN_VALUE + 3;

  private static final Logger LOG = LoggerFactory.getLogger(Settler.class);
  private static final int MAX_A_RUN = 256;
  private static final long FIRST_RETRY_MS = 50;
  private static final long LAST_RETRY_MS = 30_000;
  private static final long SOON_MS = 20;

  /** After which it is looked again whether another frame's replica is still being taken in. */
  private static final long TAKE_IN_PAUSE_MS = 200;

  /** After which a replica that a frame has only claimed is plain again. */
  private static final int MAX_CLAIM_ATTEMPTS = 12;

  /** A disk that is never quiet must not keep deleted bytes in its parity for ever. */
  private static final long MAX_DEFER_MS = 60_000;

  private final Frame frame;
  private final StoredReplicas stored;
  private final Coverage coverage;
  private final StartFindings startFindings;
  private final SlotAgreement agreement;
  private final RowPlaces places;
  private final PartnerCalls partner;
  private final RowSearch search;
  private final Acknowledger acknowledger;
  private final Lstor lstor;
  private final Clock clock;
  private final ReentrantLock running = new ReentrantLock();

  /** Replicas that the frame has only claimed: one of them a run, after all else that is due. */
  private final DueQueue takeIns = new DueQueue();

  Settler(
      Frame frame,
      Coverage coverage,
      StartFindings startFindings,
      SlotAgreement agreement,
      RowPlaces places) {
    this.frame = frame;
    this.stored = StoredReplicas.of(frame);
    this.coverage = coverage;
    this.startFindings = startFindings;
    this.agreement = agreement;
    this.places = places;
    this.partner = new PartnerCalls(frame);
    this.search = new RowSearch(frame, partner);
    this.acknowledger = new Acknowledger(frame, coverage, agreement, partner);
    this.lstor = frame.disk().lstor();
    this.clock = frame.disk().context().clock();
  }

  /** Does what is due now. */
  @Override
  public void runDue() {
    if (running.isHeldByCurrentThread() || !running.tryLock()) {
      return;
    }
    try {
      List<Map.Entry<Long, Integer>> due = frame.due().take(clock.nanoTime(), MAX_A_RUN);
      settle(due);
      if (due.size() < MAX_A_RUN) {
        takeInOne();
      }
    } finally {
      running.unlock();
    }
  }

  private void settle(List<Map.Entry<Long, Integer>> taken) {
    int done = 0;
    try {
      for (Map.Entry<Long, Integer> each : taken) {
        if (isTakeIn(each.getKey())) {
          takeIns.retry(each.getKey(), each.getValue(), clock.nanoTime());
        } else {
          settle(each.getKey(), each.getValue());
        }
        done++;
      }
    } finally {
      // Nobody else would look at them before the next start, and their bytes stay booked.
      taken
          .subList(done, taken.size())
          .forEach(left -> retry(left.getKey(), left.getValue(), SettleOutcome.LATER));
    }
  }

  /** Whether a replica is to be covered that the frame has only claimed. */
  private boolean isTakeIn(long blockId) {
    Volume volume = frame.volume();
    return volume.claims().of(blockId).filter(owner -> owner == frame).isPresent()
        && !volume.isLive(frame, blockId);
  }

  private void takeInOne() {
    Semaphore permit = frame.disk().context().work().takeIns();
    for (Map.Entry<Long, Integer> next : takeIns.take(clock.nanoTime(), 1)) {
      if (!permit.tryAcquire()) {
        long againNanos = clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TAKE_IN_PAUSE_MS);
        takeIns.retry(next.getKey(), next.getValue(), againNanos);
        return;
      }
      try {
        settle(next.getKey(), next.getValue());
      } finally {
        permit.release();
      }
    }
  }

  @Override
  public OptionalLong nextNanos() {
    OptionalLong due = frame.due().nextNanos();
    OptionalLong takeIn = takeIns.nextNanos();
    if (due.isEmpty() || takeIn.isEmpty()) {
      return due.isEmpty() ? takeIn : due;
    }
    return due.getAsLong() - takeIn.getAsLong() <= 0 ? due : takeIn;
  }

  @Override
  public void onEarlier(Runnable listener) {
    frame.due().onEarlier(listener);
  }

  /** Lets go of deleted blocks now, for their units. */
  void makeRoom() {
    int free = lstor.freeUnits(frame.index());
    DiskContext context = frame.disk().context();
    for (int attempt = 0;
        attempt < context.busyAttempts() && lstor.freeUnits(frame.index()) == free;
        attempt++) {
      if (attempt > 0) {
        java.util.concurrent.locks.LockSupport.parkNanos(
            TimeUnit.MILLISECONDS.toNanos(context.busyPauseMs()));
      }
      for (SlotEntry row : lstor.entries(frame.index())) {
        if (row.state() == SlotState.LIMBO && !stored.mayHold(row.blockId())) {
          frame.hurry(row.blockId());
          settle(row.blockId(), 0);
        }
      }
    }
  }

  private void settle(long blockId, int attempts) {
    SettleOutcome outcome;
    try {
      outcome = step(blockId);
    } catch (PeerException.Busy e) {
      outcome = attempts < 10 ? SettleOutcome.SOON : SettleOutcome.LATER;
      giveUpClaim(blockId, attempts, e);
    } catch (IOException e) {
      if (frame.disk().isOut() || giveUpDamaged(blockId, e)) {
        return;
      }
      outcome = failed(blockId, attempts, e);
      giveUpClaim(blockId, attempts, e);
    } catch (RuntimeException | Error e) {
      // A bug, or no memory; but others are due in this run, and nobody would look at this one
      // before the next start.
      LOG.error("Settling failed: block={} frame={}", blockId, frame.ref(), e);
      outcome = SettleOutcome.LATER;
    }
    if (outcome != SettleOutcome.DONE) {
      retry(blockId, attempts, outcome);
    }
  }

  private void retry(long blockId, int attempts, SettleOutcome outcome) {
    long againNanos = clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delayMs(outcome, attempts));
    frame.due().retry(blockId, attempts + 1, againNanos);
  }

  private void giveUpClaim(long blockId, int attempts, IOException cause) {
    if (attempts >= MAX_CLAIM_ATTEMPTS) {
      ReplicaTakeIn.giveUp(frame, blockId, cause);
    }
  }

  /** Whether it was a replica that the frame has only claimed, and that is damaged. */
  private boolean giveUpDamaged(long blockId, IOException cause) {
    try {
      return cause instanceof ImageException.Corrupt
          && ReplicaTakeIn.giveUpDamaged(frame, coverage, blockId, cause);
    } catch (IOException e) {
      cause.addSuppressed(e);
      return false;
    }
  }

  private SettleOutcome failed(long blockId, int attempts, IOException cause) {
    if (blockId <= LIMBO_ORPHANS) {
      if (attempts == 0) {
        LOG.info("Rows of the partner are not there yet: frame={}", frame.ref(), cause);
      }
      return cause instanceof PeerException.UnknownSuperchunk
          ? SettleOutcome.AFTER_REPORT
          : SettleOutcome.LATER;
    }
    LOG.warn(
        "Cannot settle block yet: block={} storageId={} attempts={} cause={}",
        blockId,
        frame.storageId(),
        attempts,
        cause.toString());
    LOG.debug("Details", cause);
    return SettleOutcome.LATER;
  }

  private long delayMs(SettleOutcome outcome, int attempts) {
    return switch (outcome) {
      case SOON -> SOON_MS;
      case WHEN_IDLE ->
          Math.max(SOON_MS, frame.disk().context().options().settling().idleAfterMs());
      case AFTER_REPORT -> frame.disk().context().options().reportIntervalMs();
      default -> Math.min(LAST_RETRY_MS, FIRST_RETRY_MS << Math.min(attempts, 10));
    };
  }

  private SettleOutcome step(long blockId) throws IOException {
    frame.disk().requireOk();
    if (blockId == FETCH_ROWS) {
      return fetchRows();
    }
    if (blockId == CLAIM_ROWS) {
      return search.run();
    }
    if (blockId == COMPARE_ROWS) {
      return places.compareAll(partner);
    }
    if (blockId == LIMBO_ORPHANS) {
      frame.volume().limboOrphans().run();
      return SettleOutcome.DONE;
    }
    coverage.repairRefusedCut(blockId);
    startFindings.finish(blockId);
    if (frame.isOpen(blockId)) {
      return SettleOutcome.DONE;
    }
    Optional<ReplicaFiles> finalized =
        frame.directory().findFinalized(frame.blockPoolId(), blockId);
    if (finalized.isPresent()
        && !frame.volume().isLeaving(blockId)
        && needsCover(blockId, finalized.get())
        && frame.owns(blockId)) {
      coverFinalized(finalized.get());
      frame.volume().endClaim(blockId);
    }
    SlotEntry row = coverage.find(blockId).orElse(null);
    if (row != null && row.state() == SlotState.LIVE) {
      frame.volume().endClaim(blockId);
    }
    if (row == null) {
      return frame.limbo().holds(blockId) && finalized.isEmpty() && frame.owns(blockId)
          ? dropOrphan(blockId)
          : SettleOutcome.DONE;
    }
    return switch (row.state()) {
      case RESERVED -> releaseUnused(row);
      case LIMBO -> reap(row);
      case LIVE -> acknowledger.acknowledge(row);
    };
  }

  private SettleOutcome fetchRows() throws IOException {
    Pairing pairing = frame.pairing().orElse(null);
    if (pairing == null || !frame.leads(pairing) || frame.isSynced(pairing)) {
      return SettleOutcome.DONE;
    }
    Optional<RaidpPeerProtocol> follower = partner.partner(pairing);
    if (follower.isEmpty()) {
      return partner.without(pairing);
    }
    return partner
            .call(
                pairing,
                () -> {
                  agreement.fetchRows(pairing, follower.get());
                  return true;
                })
            .isPresent()
        ? SettleOutcome.DONE
        : partner.without(pairing);
  }

  // ---------------------------------------------------------------- cover

  private boolean needsCover(long blockId, ReplicaFiles finalized) throws IOException {
    SlotEntry row = coverage.find(blockId).orElse(null);
    return row == null
        || row.state() != SlotState.LIVE
        || !row.coversAnything()
        || row.coveredBytes() != Files.size(finalized.data());
  }

  /**
   * Brings a finalized replica into the parity that got there without finalize; agrees on extents
   * where needed.
   */
  void coverFinalized(ReplicaFiles seen) throws IOException {
    long length = Files.size(seen.data());
    int units =
        Coverage.unitsNeeded(lstor.geometry(), ReplicaSource.readChecksum(seen.meta()), length);
    SlotEntry row = coverage.find(seen.blockId()).orElse(null);
    if (row == null || row.units() < units) {
      agreement.extend(seen.blockId(), units);
    }
    frame.lock(seen.blockId());
    try {
      Optional<ReplicaFiles> files =
          frame.directory().findFinalized(frame.blockPoolId(), seen.blockId());
      if (frame.isOpen(seen.blockId())
          || files.isEmpty()
          || frame.volume().isLeaving(seen.blockId())
          || frame.volume().plain().isChanging(seen.blockId())) {
        return;
      }
      frame.touch(seen.blockId());
      frame.disk().requireOk();
      coverage.cover(files.get(), files.get().generationStamp(), Files.size(files.get().data()));
    } finally {
      frame.unlock(seen.blockId());
    }
  }

  // ---------------------------------------------------------------- reap

  private SettleOutcome releaseUnused(SlotEntry row) throws IOException {
    frame.lock(row.blockId());
    try {
      SlotEntry now = coverage.find(row.blockId()).orElse(null);
      if (now == null
          || now.state() != SlotState.RESERVED
          || frame.isOpen(row.blockId())
          || frame.directory().find(frame.blockPoolId(), row.blockId()).isPresent()) {
        return SettleOutcome.DONE;
      }
      lstor.apply(frame.index(), row.blockId(), SlotCause.UNUSED);
    } finally {
      frame.unlock(row.blockId());
    }
    return SettleOutcome.SOON;
  }

  private SettleOutcome reap(SlotEntry row) throws IOException {
    if (row.coversAnything()) {
      if (!mayReap(row.blockId())) {
        return SettleOutcome.WHEN_IDLE;
      }
      frame.lock(row.blockId());
      try {
        SlotEntry now = coverage.find(row.blockId()).orElse(null);
        if (now == null || now.state() != SlotState.LIMBO || frame.isOpen(row.blockId())) {
          return SettleOutcome.DONE;
        }
        coverage.uncover(now);
      } finally {
        frame.unlock(row.blockId());
      }
    }
    Pairing pairing = frame.pairing().orElse(null);
    long touches = frame.touches(row.blockId());
    return pairing == null || !partner.isClear(pairing, row.blockId())
        ? SettleOutcome.LATER
        : free(pairing, row.blockId(), touches);
  }

  private SettleOutcome free(Pairing pairing, long blockId, long touches) throws IOException {
    frame.lock(blockId);
    try {
      SlotEntry row = coverage.find(blockId).orElse(null);
      if (row == null || row.state() != SlotState.LIMBO || frame.isOpen(blockId)) {
        return SettleOutcome.DONE;
      }
      if (frame.touches(blockId) != touches || row.coversAnything()) {
        return SettleOutcome.SOON;
      }
      frame.requireStill(pairing);
      // The flag first: after a crash it says that missing limbo files are no loss.
      lstor.apply(frame.index(), blockId, SlotCause.CLEARED_BY_BOTH);
      frame.limbo().drop(blockId);
      lstor.remove(frame.index(), blockId, SlotCause.RELEASED);
      frame.leftLimbo(blockId);
      frame.volume().endLeaving(blockId);
      return SettleOutcome.DONE;
    } finally {
      frame.unlock(blockId);
    }
  }

  /** Limbo without a row: kept until the partner is known not to cover the block. */
  private SettleOutcome dropOrphan(long blockId) throws IOException {
    Pairing pairing = frame.pairing().orElse(null);
    long touches = frame.touches(blockId);
    if (pairing == null || !partner.isClear(pairing, blockId)) {
      return SettleOutcome.LATER;
    }
    frame.lock(blockId);
    try {
      if (frame.touches(blockId) != touches
          || coverage.find(blockId).isPresent()
          || !frame.owns(blockId)) {
        return SettleOutcome.SOON;
      }
      frame.limbo().drop(blockId);
      frame.volume().endClaim(blockId);
      return SettleOutcome.DONE;
    } finally {
      frame.unlock(blockId);
    }
  }

  private boolean mayReap(long blockId) {
    long now = clock.nanoTime();
    return frame.disk().context().options().settling().mode() == Mode.INLINE
        || frame.isHurried(blockId)
        || frame.disk().isQuiet()
        || frame.isFillingUp()
        || now - frame.limboSinceNanos(blockId, now) >= TimeUnit.MILLISECONDS.toNanos(MAX_DEFER_MS);
  }
}
