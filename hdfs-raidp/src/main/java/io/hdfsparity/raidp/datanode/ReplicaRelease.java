/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.image.ReplicaFiles;
import io.hdfsparity.raidp.lstor.SlotCause;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lets finalized replicas leave a frame, and stay where they are: what {@link ReplicaTakeIn} does,
 * the other way round. The row goes as that of a deleted block ({@link Settler}): out of this
 * parity, and out of the table once the partner's parity has released it as well. Until then the
 * live file is the image that the partner may ask for, and the hooks keep what HDFS takes from it.
 *
 * <p>That a row in limbo is not of a deleted block is in memory ({@link Volume#isLeaving}), for a
 * minute. The manager calls again; when it does not, or HDFS opens the replica, the row is taken
 * for one whose deletion was undone, and is covered again. So a side never leaves alone for long.
 *
 * <p>A replica with another generation stamp than the manager has seen stays: it has judged how
 * many good replicas others have of that one only.
 *
 * <p><b>Crash</b>: the row is LIVE, or in limbo with a live file, or gone. The next start covers in
 * the first two cases. Idempotent. Thread-safe.
 */
final class ReplicaRelease {
  private final Frame frame;
  private final Volume volume;

  /** Refuses an order that has become too old. */
  @FunctionalInterface
  interface Expiry {
    void requireValid() throws IOException;
  }

  ReplicaRelease(Frame frame) {
    this.frame = frame;
    this.volume = frame.volume();
  }

  /**
   * Releases what can leave.
   *
   * @param generationStamps by block id
   * @param pairing for which the replicas are in the frame
   * @param expiry asked before each one: locks may be waited for
   * @return the blocks that leave, or have left
   * @throws PeerException.StaleEpoch when the frame has got another pairing meanwhile
   */
  List<Long> release(Map<Long, Long> generationStamps, Pairing pairing, Expiry expiry)
      throws IOException {
    List<Long> leaving = new ArrayList<>();
    for (Map.Entry<Long, Long> each : generationStamps.entrySet()) {
      long blockId = each.getKey();
      frame.lock(blockId);
      try {
        frame.requireStill(pairing);
        expiry.requireValid();
        if (leaves(blockId, each.getValue())) {
          leaving.add(blockId);
        }
      } finally {
        frame.unlock(blockId);
      }
    }
    return leaving;
  }

  private boolean leaves(long blockId, long generationStamp) throws IOException {
    Optional<Frame> owner = volume.frameWithRow(blockId);
    if (owner.isEmpty()) {
      if (volume.claims().of(blockId).filter(claimant -> claimant == frame).isPresent()) {
        volume.endClaim(blockId);
      }
      return true;
    }
    if (owner.get() != frame || frame.isOpen(blockId)) {
      return false;
    }
    SlotEntry row = frame.disk().lstor().entry(frame.index(), blockId).orElseThrow();
    Optional<ReplicaFiles> replica = frame.directory().findFinalized(frame.blockPoolId(), blockId);
    if (replica.isEmpty()) {
      return row.state() == SlotState.LIMBO;
    }
    if (replica.get().generationStamp() != generationStamp || row.state() == SlotState.RESERVED) {
      return false;
    }
    volume.beginLeaving(blockId);
    if (row.state() == SlotState.LIVE) {
      frame.touch(blockId);
      frame.disk().lstor().apply(frame.index(), blockId, SlotCause.UNPROTECTED);
      frame.disk().gate().forget(frame.index(), blockId);
      volume.endClaim(blockId);
    }
    frame.release(blockId);
    return true;
  }
}
