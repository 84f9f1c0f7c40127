/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.image.ReplicaFiles;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A frame's part in the search for rows of replicas that have none on their volume ({@link
 * BlockClaims}): asks its partner, and has covered what frames claim by the answers. Used by the
 * thread that settles the frame.
 */
final class RowSearch {
  private static final Logger LOG = LoggerFactory.getLogger(RowSearch.class);

  /**
   * Of replicas without a row: beyond it, the rows of a superchunk are fewer bytes than their ids.
   */
  private static final int MAX_SOUGHT = 1_000;

  private final Frame frame;
  private final PartnerCalls partner;

  RowSearch(Frame frame, PartnerCalls partner) {
    this.frame = frame;
    this.partner = partner;
  }

  /** Asks the partner, if it has yet to be asked, and decides once all have answered. */
  SettleOutcome run() throws IOException {
    Volume volume = frame.volume();
    BlockClaims claims = volume.claims();
    Pairing pairing = frame.pairing().orElse(null);
    SettleOutcome outcome = SettleOutcome.DONE;
    if (pairing != null && claims.isAskedBy(frame)) {
      RaidpPeerProtocol peer = partner.partner(pairing).orElse(null);
      if (peer == null) {
        return SettleOutcome.LATER;
      }
      long generation = claims.generation();
      List<SlotEntry> rows = partner.call(pairing, () -> rowsOf(peer, pairing)).orElse(null);
      if (rows == null) {
        return SettleOutcome.LATER;
      }
      frame.requireStill(pairing);
      takeIn(claims.answered(frame, pairing, generation, rows));
      outcome = claims.isAskedBy(frame) ? SettleOutcome.AFTER_REPORT : SettleOutcome.DONE;
    }
    if (!volume.isSearching()) {
      // A partner's row in LIMBO is that of a deleted replica.
      if (volume.framelessReplicas() > 0) {
        LOG.info(
            "No partner has a row of these replicas, they are plain: replicas={} storageId={}",
            claims.endSearch(volume.frames()),
            frame.storageId());
        outcome = SettleOutcome.DONE;
      }
    }
    return outcome;
  }

  /**
   * The partner's rows of the superchunk. None where a few replicas are sought and the partner has
   * no row of them, in whichever superchunk.
   */
  private List<SlotEntry> rowsOf(RaidpPeerProtocol peer, Pairing pairing) throws IOException {
    Volume volume = frame.volume();
    List<Long> sought = volume.claims().framelessBlocks();
    if (sought.size() <= MAX_SOUGHT
        && peer.findRows(pairing.partnerStorageId(), sought).isEmpty()) {
      return List.of();
    }
    return peer.listEntries(pairing.partnerStorageId(), OptionalLong.of(pairing.superchunkId()));
  }

  /** Blocks that frames have claimed are covered from now on. */
  private void takeIn(Map<Long, Frame> claimed) throws IOException {
    for (Map.Entry<Long, Frame> each : claimed.entrySet()) {
      long blockId = each.getKey();
      Optional<ReplicaFiles> replica = frame.directory().find(frame.blockPoolId(), blockId);
      if (replica.isEmpty()) {
        frame.volume().endClaim(blockId);
      } else {
        each.getValue().schedule(blockId);
      }
    }
  }
}
