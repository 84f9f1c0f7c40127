/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A superchunk as the manager knows it. Immutable. A manager keeps millions of them. */
public final class SuperchunkView {
  private final long id;
  private final long epoch;
  private final SuperchunkState state;

  /** The holders of a pair, in this object; else both are null. */
  private final @Nullable FrameView leader;

  private final @Nullable FrameView follower;

  /** Holders that are not a pair, and frames that are gone; null: a pair and nothing gone. */
  private final @Nullable Unusual unusual;

  private final boolean usable;
  private final boolean settled;

  private record Unusual(List<FrameView> holders, List<FrameView> gone) {}

  /**
   * @param id identity
   * @param epoch highest that any frame has stored
   * @param state see {@link SuperchunkState}
   * @param holders live frames that hold its blocks: two when ACTIVE, leader first; one or more
   *     when DEGRADED; none when LOST
   * @param gone dead frames that claim it, newest epoch first
   * @param usable may get new blocks
   * @param settled false: a frame that it needs has not reported since the manager started, and
   *     still has time to report
   */
  public SuperchunkView(
      long id,
      long epoch,
      SuperchunkState state,
      List<FrameView> holders,
      List<FrameView> gone,
      boolean usable,
      boolean settled) {
    this.id = id;
    this.epoch = epoch;
    this.state = state;
    boolean isPair = holders.size() == 2;
    leader = isPair ? holders.get(0) : null;
    follower = isPair ? holders.get(1) : null;
    unusual =
        isPair && gone.isEmpty()
            ? null
            : new Unusual(isPair ? List.of() : List.copyOf(holders), List.copyOf(gone));
    this.usable = usable;
    this.settled = settled;
  }

  /** Identity. */
  public long id() {
    return id;
  }

  /** Highest epoch that any frame has stored. */
  public long epoch() {
    return epoch;
  }

  /** See {@link SuperchunkState}. */
  public SuperchunkState state() {
    return state;
  }

  /** Live frames that hold its blocks. */
  public List<FrameView> holders() {
    if (leader != null && follower != null) {
      return List.of(leader, follower);
    }
    return unusual == null ? List.of() : unusual.holders();
  }

  /** Dead frames that claim it, newest epoch first. */
  public List<FrameView> gone() {
    return unusual == null ? List.of() : unusual.gone();
  }

  /** May get new blocks. */
  public boolean usable() {
    return usable;
  }

  /** False: a frame that it needs has not reported and still has time to report. */
  public boolean settled() {
    return settled;
  }

  /** The same, but it gets no new blocks. */
  SuperchunkView unusable() {
    return new SuperchunkView(id, epoch, state, holders(), gone(), false, settled);
  }

  /** Whether a side of it is gone, and not replaced. */
  boolean lacksSide() {
    return !gone().isEmpty()
        && (state == SuperchunkState.LOST || state == SuperchunkState.DEGRADED);
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
    for (FrameView holder : holders()) {
      if (holder.isSameFrame(frame)) {
        return true;
      }
    }
    return false;
  }

  /** The frame of the pair on the volume with the lower storage id. */
  public FrameView leader() {
    return holders().get(0);
  }

  /** The other one; only ACTIVE superchunks have it. */
  public FrameView follower() {
    return holders().get(1);
  }

  /**
   * Whether both live frames are multiplied by the same coefficient: then it survives two failed
   * disks, but not any three.
   */
  public boolean hasEqualCoefficients() {
    return holders().size() == 2
        && leader()
            .pairing()
            .map(Pairing::coefficient)
            .equals(follower().pairing().map(Pairing::coefficient));
  }

  /** The live frame whose content counts; empty when LOST. */
  public Optional<FrameView> survivor() {
    return holders().stream().findFirst();
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof SuperchunkView that
            && id == that.id
            && epoch == that.epoch
            && state == that.state
            && usable == that.usable
            && settled == that.settled
            && holders().equals(that.holders())
            && gone().equals(that.gone());
  }

  @Override
  public int hashCode() {
    return Objects.hash(id, epoch, state);
  }

  @Override
  public String toString() {
    return "SuperchunkView[id="
        + id
        + ", epoch="
        + epoch
        + ", state="
        + state
        + ", holders="
        + holders()
        + ", gone="
        + gone()
        + ", usable="
        + usable
        + ", settled="
        + settled
        + "]";
  }
}
