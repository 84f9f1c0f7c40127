/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.FrameState;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.Objects;
import java.util.Optional;

/**
 * A frame as the manager knows it, without numbers that change all the time: those are in {@link
 * ClusterView#latest}. Immutable. A manager keeps millions of them.
 */
public final class FrameView {
  /** In {@link #content}: no blocks, but something of deleted ones. */
  private static final int LIMBO_ONLY = -1;

  private final Place place;
  private final FrameState state;

  /** Blocks when this was made. */
  private final int content;

  /**
   * What the frames of a disk have in common.
   *
   * @param nodeUuid DataNode that reported it, or owned it
   * @param health see {@link FrameHealth}
   */
  record Place(String nodeUuid, String diskId, FrameHealth health) {}

  private FrameView(Place place, FrameState state, int content) {
    this.place = place;
    this.state = state;
    this.content = content;
  }

  /**
   * @param report its last report, from the DataNode or from the frame table of its Lstor
   */
  FrameView(Place place, FrameReport report) {
    this(place, report.state(), content(report.load()));
  }

  /** A frame whose place is nobody else's. */
  FrameView(String nodeUuid, String diskId, FrameReport report, FrameHealth health) {
    this(new Place(nodeUuid, diskId, health), report);
  }

  private static int content(FrameReport.Load load) {
    return load.blocks() == 0 && load.limboBytes() != 0 ? LIMBO_ONLY : load.blocks();
  }

  /** The same with the other one's object for an equal place. */
  FrameView sharing(FrameView other) {
    return place.equals(other.place) ? new FrameView(other.place, state, content) : this;
  }

  /** DataNode that reported it, or owned it. */
  public String nodeUuid() {
    return place.nodeUuid();
  }

  /** Its disk. */
  public String diskId() {
    return place.diskId();
  }

  /** See {@link FrameHealth}. */
  public FrameHealth health() {
    return place.health();
  }

  /** What it durably knows. */
  public FrameState state() {
    return state;
  }

  /** Its name. */
  public FrameRef ref() {
    return state.ref();
  }

  /** Its volume. */
  public String storageId() {
    return state.storageId();
  }

  /** Its index on the disk. */
  public int frameIndex() {
    return state.frameIndex();
  }

  public Optional<Pairing> pairing() {
    return state.pairing();
  }

  /** Blocks that it had when something but its numbers last changed. */
  int blocks() {
    return Math.max(0, content);
  }

  /** Nothing of a block is left in it. */
  public boolean isEmpty() {
    return content == 0;
  }

  /** Whether both are views of one frame. */
  boolean isSameFrame(FrameView other) {
    return frameIndex() == other.frameIndex() && storageId().equals(other.storageId());
  }

  /** Whether both are the same but for numbers that change all the time. */
  boolean isLike(FrameView other) {
    return place.equals(other.place) && state.equals(other.state) && isEmpty() == other.isEmpty();
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof FrameView that
            && content == that.content
            && place.equals(that.place)
            && state.equals(that.state);
  }

  @Override
  public int hashCode() {
    return Objects.hash(place, state);
  }

  @Override
  public String toString() {
    return "FrameView[frame=" + ref() + ", place=" + place + ", pairing=" + pairing() + "]";
  }
}
