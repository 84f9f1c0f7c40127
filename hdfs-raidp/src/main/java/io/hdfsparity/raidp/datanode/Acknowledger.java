/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.image.ReplicaFiles;
import io.hdfsparity.raidp.lstor.Extents;
import io.hdfsparity.raidp.lstor.Lstor;
import io.hdfsparity.raidp.lstor.SlotCause;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.IOException;
import java.util.Optional;

/**
 * Acknowledgement between the two sides of a superchunk [3.4]: when both cover the same, what is in
 * limbo for the partner's sake goes, and so do units that nobody needs; at the follower first.
 *
 * <p>Only the answer to a question of our own counts, and only if nothing happened to the block
 * since it was asked. Thread-safe.
 */
final class Acknowledger {
  private final Frame frame;
  private final Coverage coverage;
  private final SlotAgreement agreement;
  private final PartnerCalls partner;
  private final Lstor lstor;

  Acknowledger(Frame frame, Coverage coverage, SlotAgreement agreement, PartnerCalls partner) {
    this.frame = frame;
    this.coverage = coverage;
    this.agreement = agreement;
    this.partner = partner;
    this.lstor = frame.disk().lstor();
  }

  /** One step for a LIVE row. */
  SettleOutcome acknowledge(SlotEntry row) throws IOException {
    Pairing pairing = frame.pairing().orElse(null);
    boolean leads = pairing != null && frame.leads(pairing);
    if (!leads && row.units() > needed(row)) {
      giveUpSpareUnits(row.blockId());
    }
    if (pairing == null
        || frame.isSuperseded(pairing)
        || (!row.ackPending() && !(leads && row.units() > needed(row)))) {
      frame.disk().gate().settle(frame.index(), row.blockId());
      return SettleOutcome.DONE;
    }
    RaidpPeerProtocol peer = partner.partner(pairing).orElse(null);
    if (peer == null) {
      if (frame.disk().context().partners().of(pairing) instanceof Partners.Dead) {
        frame.disk().gate().settle(frame.index(), row.blockId());
      }
      return SettleOutcome.LATER;
    }
    long touches = frame.touches(row.blockId());
    Optional<SlotEntry> theirs =
        partner
            .call(
                pairing,
                () ->
                    peer.covered(
                        Frame.ref(pairing),
                        row.blockId(),
                        row.generationStamp(),
                        row.coveredBytes(),
                        row.runs()))
            .orElse(null);
    if (theirs == null) {
      frame.disk().gate().settle(frame.index(), row.blockId());
      return SettleOutcome.LATER;
    }
    answered(row.blockId(), touches);
    if (!leads && (theirs.isEmpty() || !Extents.isPrefix(row.runs(), theirs.get().runs()))) {
      agreement.declare(pairing, peer, row.blockId());
      if (!theirs.isEmpty()) {
        return SettleOutcome.SOON;
      }
    }
    return compare(pairing, row.blockId(), theirs, touches, leads);
  }

  /** Whatever they answer, no write waits any more: whenever they cover the same they will tell. */
  private void answered(long blockId, long touches) {
    frame.lock(blockId);
    try {
      if (frame.touches(blockId) == touches) {
        frame.disk().gate().settle(frame.index(), blockId);
      }
    } finally {
      frame.unlock(blockId);
    }
  }

  private SettleOutcome compare(
      Pairing pairing, long blockId, Optional<SlotEntry> theirs, long touches, boolean leads)
      throws IOException {
    boolean theyHaveIt = theirs.isPresent() && theirs.get().state() == SlotState.LIVE;
    frame.lock(blockId);
    try {
      SlotEntry row = coverage.find(blockId).orElse(null);
      if (frame.touches(blockId) != touches && (leads || theyHaveIt)) {
        return SettleOutcome.SOON;
      }
      if (row == null || row.state() != SlotState.LIVE || frame.isOpen(blockId)) {
        return SettleOutcome.DONE;
      }
      frame.requireStill(pairing);
      int needed = needed(row);
      if (leads) {
        int keep = Math.max(needed, theirs.map(SlotEntry::units).orElse(0));
        if (row.units() > keep && !frame.agreedRows().contains(blockId)) {
          row = lstor.resize(frame.index(), blockId, Extents.trim(row.runs(), keep));
        }
      }
      if (!theyHaveIt || !sameCover(row, theirs.get()) || (leads && row.units() > needed)) {
        return SettleOutcome.LATER;
      }
      lstor.apply(frame.index(), blockId, SlotCause.ACKNOWLEDGED);
      frame.limbo().drop(blockId);
      return SettleOutcome.DONE;
    } finally {
      frame.unlock(blockId);
    }
  }

  /**
   * As follower: units that only a write would need; a leader that became a follower may have kept
   * some.
   */
  private void giveUpSpareUnits(long blockId) throws IOException {
    frame.lock(blockId);
    try {
      SlotEntry row = coverage.find(blockId).orElse(null);
      if (row != null
          && row.state() == SlotState.LIVE
          && !frame.isOpen(blockId)
          && !frame.isPending(blockId)
          && !frame.agreedRows().contains(blockId)
          && row.units() > needed(row)) {
        frame.touch(blockId);
        lstor.resize(frame.index(), blockId, Extents.trim(row.runs(), needed(row)));
      }
    } finally {
      frame.unlock(blockId);
    }
  }

  /** Whether each side can serve what the other one covers from its live replica. */
  private boolean sameCover(SlotEntry mine, SlotEntry theirs) throws IOException {
    if (!theirs.coversAnything()
        || !mine.coversAnything()
        || theirs.coveredBytes() != mine.coveredBytes()
        || theirs.generationStamp() != mine.generationStamp()) {
      return false;
    }
    Optional<ReplicaFiles> live =
        frame.directory().findFinalized(frame.blockPoolId(), mine.blockId());
    return live.isPresent() && live.get().generationStamp() >= theirs.generationStamp();
  }

  private int needed(SlotEntry row) {
    return row.coversAnything()
        ? Coverage.unitsNeeded(lstor.geometry(), row.checksum(), row.coveredBytes())
        : row.units();
  }
}
