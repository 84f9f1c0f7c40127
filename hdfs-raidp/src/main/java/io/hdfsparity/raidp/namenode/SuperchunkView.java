/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.List;
import java.util.Optional;

/**
 * A superchunk as the manager knows it. Immutable.
 *
 * @param id identity
 * @param epoch highest that any frame has stored
 * @param state see {@link SuperchunkState}
 * @param holders live frames that hold its blocks: two when ACTIVE, leader first; one or more when
 *     DEGRADED; none when LOST
 * @param gone dead frames that claim it, newest epoch first
 * @param usable may get new blocks
 * @param settled false: a frame that it needs has not reported since the manager started, and still
 *     has time to report
 */
public record SuperchunkView(
    long id,
    long epoch,
    SuperchunkState state,
    List<FrameView> holders,
    List<FrameView> gone,
    boolean usable,
    boolean settled) {
  public SuperchunkView {
    holders = List.copyOf(holders);
    gone = List.copyOf(gone);
  }

  /** The same, but it gets no new blocks. */
  SuperchunkView unusable() {
    return new SuperchunkView(id, epoch, state, holders, gone, false, settled);
  }

  /** Whether a side of it is gone, and not replaced. */
  boolean lacksSide() {
    return !gone.isEmpty() && (state == SuperchunkState.LOST || state == SuperchunkState.DEGRADED);
  }

  /** Whether both are working pairs of the same two volumes. */
  boolean isOnVolumesOf(SuperchunkView other) {
    return state == SuperchunkState.ACTIVE
        && other.state == SuperchunkState.ACTIVE
        && leader().storageId().equals(other.leader().storageId())
        && follower().storageId().equals(other.follower().storageId());
  }

  /** Whether a frame is one of the live ones that hold it. */
  boolean isHeldBy(FrameView frame) {
    for (FrameView holder : holders) {
      if (holder.isSameFrame(frame)) {
        return true;
      }
    }
    return false;
  }

  /** The frame of the pair on the volume with the lower storage id. */
  public FrameView leader() {
    return holders.get(0);
  }

  /** The other one; only ACTIVE superchunks have it. */
  public FrameView follower() {
    return holders.get(1);
  }

  /**
   * Whether both live frames are multiplied by the same coefficient: then it survives two failed
   * disks, but not any three.
   */
  public boolean hasEqualCoefficients() {
    return holders.size() == 2
        && holders
            .get(0)
            .pairing()
            .map(Pairing::coefficient)
            .equals(holders.get(1).pairing().map(Pairing::coefficient));
  }

  /** The live frame whose content counts; empty when LOST. */
  public Optional<FrameView> survivor() {
    return holders.stream().findFirst();
  }
}
