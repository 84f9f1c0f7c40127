/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.raidp.lstor.Extents;
import io.hdfsparity.raidp.lstor.Lstor;
import io.hdfsparity.raidp.lstor.LstorException;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotCause;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Agrees with the partner on the extents of blocks, so that both sides have them at the same place.
 *
 * <p>The leader (lower storage id) decides, the follower asks it; both idempotent by block. The
 * rule that makes it work is <em>containment</em> (see {@link Frame}): units are added at the
 * leader before the follower takes them, and released by the follower before the leader reuses
 * them. So whatever a crash or a lost message cuts short, the leader never gives away units that
 * the follower holds.
 *
 * <p>It breaks only when the follower had to decide alone because the leader was declared dead or,
 * for a block that has a replica here, could not be reached, and when a frame gets a new partner.
 * Then (1) a leader fetches the follower's rows before it decides again ({@link #fetchRows}), and
 * (2) a follower that finds its units given to another block tells the leader what it has, and
 * moves its own block where the leader says ({@link RowMoves}): correct at every instant, because
 * recovery finds images by block id, never by place.
 *
 * <p>Thread-safe. No lock is held during calls to the partner.
 */
final class SlotAgreement {
  private static final Logger LOG = LoggerFactory.getLogger(SlotAgreement.class);
  private final Frame frame;
  private final Coverage coverage;
  private final Lstor lstor;
  private final Runnable makeRoom;
  private final LeaderCalls leaders;
  private final RowAllocation allocation;
  private final RowMoves moves;

  /** What a row is wanted for. */
  private enum Purpose {
    /** A replica that HDFS may be about to make. */
    AHEAD,
    /** A new replica. */
    REPLICA,
    /** A replica that is there, or grows. */
    GROWTH
  }

  /**
   * @param makeRoom releases deleted blocks now, when units run out
   */
  SlotAgreement(Frame frame, Coverage coverage, Runnable makeRoom) {
    this.frame = frame;
    this.coverage = coverage;
    this.lstor = frame.disk().lstor();
    this.makeRoom = makeRoom;
    this.leaders = new LeaderCalls(frame.disk().context());
    this.allocation = new RowAllocation(frame);
    this.moves = new RowMoves(frame, coverage);
  }

  /**
   * As {@link #reserve}, before HDFS makes the replica. A live row stays as it is, and a block with
   * a replica here gets none.
   */
  void reserveAhead(long blockId, int units) throws IOException {
    obtain(blockId, units, Purpose.AHEAD);
  }

  /** A row in state RESERVED with at least so many units, for a new replica. */
  void reserve(long blockId, int units) throws IOException {
    obtain(blockId, units, Purpose.REPLICA);
  }

  /** At least so many units for a block; what it covers stays. */
  void extend(long blockId, int units) throws IOException {
    obtain(blockId, units, Purpose.GROWTH);
  }

  /** A writer sees nothing of a partner that is replaced, or of units that are released for it. */
  private void obtain(long blockId, int units, Purpose purpose) throws IOException {
    ReservationRetries retries = new ReservationRetries();
    while (true) {
      Optional<Pairing> asked = frame.pairing();
      try {
        obtainOnce(blockId, units, purpose);
        return;
      } catch (LstorException.NoSpace e) {
        retries.count(ReservationRetries.Obstacle.NO_SPACE, e);
        makeRoom.run();
      } catch (LstorException.Overlap e) {
        retries.count(ReservationRetries.Obstacle.UNITS_HELD, e);
      } catch (PeerException.StaleEpoch e) {
        if (frame.pairing().equals(asked)) {
          throw e;
        }
        retries.count(ReservationRetries.Obstacle.NEW_PARTNER, e);
      }
    }
  }

  private void obtainOnce(long blockId, int units, Purpose purpose) throws IOException {
    Pairing pairing = frame.requirePairing();
    Partners.Partner partner = frame.disk().context().partners().of(pairing);
    if (partner instanceof Partners.Dead) {
      decideAlone(pairing, blockId, units, purpose);
    } else if (partner instanceof Partners.Reachable reachable) {
      try {
        if (frame.leads(pairing)) {
          if (!frame.isSynced(pairing)) {
            fetchRows(pairing, reachable.peer());
          }
          decide(pairing, blockId, units, purpose);
        } else {
          ask(pairing, reachable.peer(), blockId, units, purpose);
        }
      } catch (PeerException.FrameFailed e) {
        frame.disk().requireOk();
        decideAlone(pairing, blockId, units, purpose);
      } catch (PeerException.UnknownSuperchunk e) {
        if (!frame.isConfirmed(pairing)) {
          throw e;
        }
        decideAlone(pairing, blockId, units, purpose);
      } catch (IOException e) {
        if (!Partners.isUnreachable(e) || !mayGrowAlone(blockId, purpose)) {
          throw e;
        }
        LOG.info("Partner cannot be reached, a block grows alone: block={}", blockId, e);
        decideAlone(pairing, blockId, units, purpose);
      }
    } else if (mayGrowAlone(blockId, purpose)) {
      decideAlone(pairing, blockId, units, purpose);
    } else {
      throw new IOException(
          "Cannot reserve units: block="
              + blockId
              + ", expected to know where the partner is: "
              + partner
              + ", storageId="
              + frame.storageId()
              + " superchunk="
              + pairing.superchunkId());
    }
  }

  /** A block with a replica here is written to while its partner is down; a new one elsewhere. */
  private boolean mayGrowAlone(long blockId, Purpose purpose) {
    return purpose == Purpose.GROWTH && lstor.entry(frame.index(), blockId).isPresent();
  }

  // ---------------------------------------------------------------- deciding

  private void decideAlone(Pairing pairing, long blockId, int units, Purpose purpose)
      throws IOException {
    // Should the partner come back under this epoch, its rows are fetched before anything is
    // decided with it.
    frame.outOfStep();
    decide(pairing, blockId, units, purpose);
  }

  private void decide(Pairing pairing, long blockId, int units, Purpose purpose)
      throws IOException {
    frame.lock(blockId);
    try {
      frame.requireStill(pairing);
      frame.touch(blockId);
      Optional<SlotEntry> own = lstor.entry(frame.index(), blockId);
      if (purpose == Purpose.AHEAD && isKnown(blockId, own)) {
        return;
      }
      if (own.isPresent() && purpose != Purpose.GROWTH) {
        coverage.prepareReuse(own.get());
      }
      requireOwned(blockId, own, purpose);
      allocation.allocate(blockId, units, List.of());
    } finally {
      frame.unlock(blockId);
    }
  }

  private boolean isKnown(long blockId, Optional<SlotEntry> own) throws IOException {
    return own.filter(row -> row.state() == SlotState.LIVE).isPresent()
        || frame.volume().isChangingAsPlain(blockId)
        || frame.directory().find(frame.blockPoolId(), blockId).isPresent();
  }

  /**
   * A replica without a row was the frame's by a claim, which ends when the frame is paired again.
   */
  private void requireOwned(long blockId, Optional<SlotEntry> own, Purpose purpose)
      throws PeerException.Busy {
    if (own.isEmpty() && purpose == Purpose.GROWTH && !frame.owns(blockId)) {
      throw new PeerException.Busy(
          "Cannot reserve units: block="
              + blockId
              + ", expected one that frame "
              + frame.index()
              + " has claimed, storageId="
              + frame.storageId());
    }
  }

  /** As leader: extents for the follower. */
  List<Run> serve(SuperchunkRef ref, long blockId, int units, Optional<SlotEntry> followerHas)
      throws IOException {
    Pairing pairing = frame.requirePairing();
    if (!frame.leads(pairing)) {
      throw new PeerException(
          "Cannot allocate: storageId="
              + frame.storageId()
              + ", expected the lower one of the pair, "
              + pairing.partnerStorageId()
              + " is");
    }
    if (!frame.isSynced(pairing)) {
      frame.schedule(Settler.FETCH_ROWS);
      throw new PeerException.Busy(
          "Cannot allocate: block="
              + blockId
              + ", expected the leader to know all rows of the follower first; it is fetching them, superchunk="
              + ref.superchunkId());
    }
    List<Run> wish = followerHas.map(SlotEntry::runs).orElse(List.of());
    frame.lock(blockId);
    try {
      frame.requireStill(pairing);
      boolean isNew = lstor.entry(frame.index(), blockId).isEmpty();
      if (isNew && frame.volume().isChangingAsPlain(blockId)) {
        throw new PeerException.Busy(
            ErrorMessage.to("allocate")
                .value("block", blockId)
                .value("storageId", frame.storageId())
                .expected("a replica that HDFS is not changing as one outside superchunks")
                .message());
      }
      frame.touch(blockId);
      SlotEntry row = allocation.allocate(blockId, Math.max(units, Extents.units(wish)), wish);
      if (isNew) {
        row = lstor.apply(frame.index(), blockId, SlotCause.HELD_FOR_FOLLOWER);
      } else if (row.partnerClear()) {
        row = lstor.apply(frame.index(), blockId, SlotCause.WANTED_BY_FOLLOWER);
      }
      if (followerHas.isEmpty() || followerHas.get().state() != SlotState.LIMBO) {
        frame.volume().hold(blockId, frame);
      }
      if (row.state() != SlotState.RESERVED) {
        // Most likely our own replica is about to be made, or to grow; only if it is not, the row
        // or its spare units have to be released one day.
        frame.scheduleIn(blockId, Frame.UNUSED_ROW_MS);
      }
      return row.runs();
    } catch (LstorException.NoSpace e) {
      if (lstor.stats().rows().limbo() == 0) {
        throw e;
      }
      makeRoomLater();
      throw new PeerException.Busy(e.getMessage() + "; deleted blocks are being released");
    } finally {
      frame.unlock(blockId);
    }
  }

  private void makeRoomLater() {
    for (SlotEntry row : lstor.entries(frame.index())) {
      if (row.state() == SlotState.LIMBO) {
        frame.hurry(row.blockId());
        frame.schedule(row.blockId());
      }
    }
  }

  // ---------------------------------------------------------------- asking

  /**
   * As follower: gets units from the leader.
   *
   * @throws LstorException.Overlap if other blocks here hold them; the leader knows of these now
   */
  private void ask(
      Pairing pairing, RaidpPeerProtocol leader, long blockId, int units, Purpose purpose)
      throws IOException {
    frame.beginPending(blockId);
    try {
      Optional<SlotEntry> own = lstor.entry(frame.index(), blockId);
      List<Run> runs = leaders.allocate(leader, Frame.ref(pairing), blockId, units, own);
      try {
        adopt(pairing, blockId, runs, purpose);
      } catch (LstorException.Overlap e) {
        LOG.warn(
            "Other blocks here hold units that the leader gave; reporting them to it: block={} runs={}",
            blockId,
            runs,
            e);
        declareHolders(pairing, leader, runs);
        throw e;
      }
    } finally {
      frame.endPending(blockId);
    }
  }

  private void adopt(Pairing pairing, long blockId, List<Run> runs, Purpose purpose)
      throws IOException {
    frame.lock(blockId);
    try {
      frame.requireStill(pairing);
      frame.touch(blockId);
      Optional<SlotEntry> own = lstor.entry(frame.index(), blockId);
      if (purpose == Purpose.AHEAD && isKnown(blockId, own)) {
        return;
      }
      requireOwned(blockId, own, purpose);
      if (own.isEmpty()) {
        frame.requireNoOtherRow(blockId);
        lstor.reserve(frame.index(), blockId, runs, 0);
        return;
      }
      SlotEntry row = purpose == Purpose.GROWTH ? own.get() : coverage.prepareReuse(own.get());
      place(row, runs);
    } finally {
      frame.unlock(blockId);
    }
  }

  private void place(SlotEntry row, List<Run> runs) throws IOException {
    if (Extents.isPrefix(row.runs(), runs)) {
      if (Extents.units(runs) > row.units()) {
        lstor.resize(frame.index(), row.blockId(), runs);
      }
    } else if (!Extents.isPrefix(runs, row.runs())) {
      moves.move(row, runs);
    }
  }

  /**
   * Reports to the leader the rows that hold units it gave to another block, and moves them there.
   */
  private void declareHolders(Pairing pairing, RaidpPeerProtocol leader, List<Run> runs)
      throws IOException {
    for (SlotEntry row : holders(runs)) {
      declare(pairing, leader, row.blockId());
    }
  }

  private List<SlotEntry> holders(List<Run> runs) {
    return lstor.entries(frame.index()).stream()
        .filter(row -> row.runs().stream().anyMatch(mine -> runs.stream().anyMatch(mine::overlaps)))
        .toList();
  }

  /**
   * Reports a row to the leader, and moves it to the units that the leader answers.
   *
   * @throws LstorException.Overlap if other blocks hold some of these; the row has released its
   *     units where it could, so that they can move
   */
  void declare(Pairing pairing, RaidpPeerProtocol leader, long blockId) throws IOException {
    frame.beginPending(blockId);
    try {
      Optional<SlotEntry> own = lstor.entry(frame.index(), blockId);
      if (own.isEmpty()) {
        return;
      }
      List<Run> theirs = leaders.place(leader, Frame.ref(pairing), own.get());
      try {
        adopt(pairing, blockId, theirs, Purpose.GROWTH);
      } catch (LstorException.Overlap e) {
        try {
          breakCycle(pairing, leader, blockId, theirs);
        } catch (LstorException.NoSpace full) {
          e.addSuppressed(full);
        }
        throw e;
      }
    } finally {
      frame.endPending(blockId);
    }
  }

  /**
   * Breaks a cycle: each block of the follower waits for units that another one holds. The row
   * releases its units if the leader has units for every holder, and nobody writes the block.
   */
  private void breakCycle(Pairing pairing, RaidpPeerProtocol leader, long blockId, List<Run> runs)
      throws IOException {
    for (SlotEntry holder : holders(runs)) {
      leaders.place(leader, Frame.ref(pairing), holder);
      frame.schedule(holder.blockId());
    }
    frame.lock(blockId);
    try {
      frame.requireStill(pairing);
      Optional<SlotEntry> own = lstor.entry(frame.index(), blockId);
      if (own.isPresent() && !frame.isOpen(blockId)) {
        frame.touch(blockId);
        moves.yieldUnits(own.get(), runs);
      }
    } finally {
      frame.unlock(blockId);
    }
  }

  // ---------------------------------------------------------------- coming into step

  /** As leader: takes in the follower's rows, so that no unit of them is given away. */
  void fetchRows(Pairing pairing, RaidpPeerProtocol follower) throws IOException {
    for (SlotEntry theirs : RowPlaces.list(pairing, follower)) {
      frame.lock(theirs.blockId());
      try {
        frame.requireStill(pairing);
        boolean isNew = lstor.entry(frame.index(), theirs.blockId()).isEmpty();
        if (isNew
            && (frame.volume().isChangingAsPlain(theirs.blockId())
                || frame.hasOtherRow(theirs.blockId())
                || !lstor.isFree(frame.index(), theirs.runs()))) {
          LOG.warn(
              "Units of the follower's block, or the block, are in use here; it will be moved when it is next touched: block={}"
                  + " runs={} storageId={}",
              theirs.blockId(),
              theirs.runs(),
              frame.storageId());
          continue;
        }
        frame.touch(theirs.blockId());
        allocation.allocate(theirs.blockId(), theirs.units(), theirs.runs());
        if (isNew) {
          lstor.apply(frame.index(), theirs.blockId(), SlotCause.HELD_FOR_FOLLOWER);
          frame.schedule(theirs.blockId());
        }
      } finally {
        frame.unlock(theirs.blockId());
      }
    }
    frame.synced(pairing);
  }
}
