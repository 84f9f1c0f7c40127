/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.lstor.Extents;
import io.hdfsparity.raidp.lstor.Lstor;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotCause;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that a block lies at other units than on the partner's side, though both sides have
 * acknowledged it: one of them has come back with an old disk or Lstor. The block is acknowledged
 * once more; then the leader says where it lies, and the follower moves it ({@link Acknowledger}).
 * Until then two failed disks are decoded as ever; of three, these blocks may not be.
 *
 * <p>Thread-safe.
 */
final class RowPlaces {
  private static final Logger LOG = LoggerFactory.getLogger(RowPlaces.class);

  private final Frame frame;
  private final Lstor lstor;

  RowPlaces(Frame frame) {
    this.frame = frame;
    this.lstor = frame.disk().lstor();
  }

  /** The partner's rows of the superchunk. */
  static List<SlotEntry> list(Pairing pairing, RaidpPeerProtocol partner) throws IOException {
    return partner.listEntries(pairing.partnerStorageId(), OptionalLong.of(pairing.superchunkId()));
  }

  /** Compares all rows that both sides have. */
  SettleOutcome compareAll(PartnerCalls partner) throws IOException {
    Pairing pairing = frame.pairing().orElse(null);
    if (pairing == null || frame.isSuperseded(pairing)) {
      return SettleOutcome.DONE;
    }
    Optional<RaidpPeerProtocol> peer = partner.partner(pairing);
    if (peer.isEmpty()) {
      return partner.without(pairing);
    }
    for (SlotEntry theirs :
        partner.call(pairing, () -> list(pairing, peer.get())).orElse(List.of())) {
      Optional<SlotEntry> mine = lstor.entry(frame.index(), theirs.blockId());
      if (mine.isPresent() && theirs.state() == SlotState.LIVE) {
        compare(pairing, mine.get(), theirs.runs());
      }
    }
    return SettleOutcome.DONE;
  }

  /**
   * Compares a row with the partner's.
   *
   * @param theirs units that the partner has for the block
   */
  void compare(Pairing pairing, SlotEntry mine, List<Run> theirs) throws IOException {
    if (!isAcknowledged(mine) || fits(pairing, mine, theirs)) {
      return;
    }
    LOG.info(
        "A block lies elsewhere than on the partner's side: block={} runs={} theirs={} storageId={}",
        mine.blockId(),
        mine.runs(),
        theirs,
        frame.storageId());
    frame.lock(mine.blockId());
    try {
      frame.requireStill(pairing);
      SlotEntry now = lstor.entry(frame.index(), mine.blockId()).orElse(null);
      if (now != null && isAcknowledged(now) && !fits(pairing, now, theirs)) {
        frame.touch(now.blockId());
        lstor.apply(frame.index(), now.blockId(), SlotCause.MISPLACED);
      }
    } finally {
      frame.unlock(mine.blockId());
    }
    frame.schedule(mine.blockId());
  }

  private static boolean isAcknowledged(SlotEntry row) {
    return row.state() == SlotState.LIVE && !row.ackPending();
  }

  /** The leader's row holds at least the units of the follower's, in order. */
  private boolean fits(Pairing pairing, SlotEntry mine, List<Run> theirs) {
    return frame.leads(pairing)
        ? Extents.isPrefix(theirs, mine.runs())
        : Extents.isPrefix(mine.runs(), theirs);
  }
}
