/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import java.util.Optional;

/**
 * What a frame durably knows, and its load.
 *
 * @param state what it durably knows
 * @param load what it holds
 */
public record FrameReport(FrameState state, Load load) {
  /**
   * @param storageId HDFS storage id of its volume
   * @param frameIndex index in the disk's Lstor
   * @param pairing its superchunk; empty: unassigned
   * @param load what it holds
   * @param failed out of service
   */
  public FrameReport(
      String storageId, int frameIndex, Optional<Pairing> pairing, Load load, boolean failed) {
    this(new FrameState(storageId, frameIndex, pairing, failed), load);
  }

  /** HDFS storage id of its volume. */
  public String storageId() {
    return state.storageId();
  }

  /** Index in the disk's Lstor. */
  public int frameIndex() {
    return state.frameIndex();
  }

  /** Its superchunk; empty: unassigned. */
  public Optional<Pairing> pairing() {
    return state.pairing();
  }

  /** Whether it is out of service. */
  public boolean failed() {
    return state.failed();
  }

  /** Its name. */
  public FrameRef ref() {
    return state.ref();
  }

  @Override
  public String toString() {
    return "FrameReport[frame="
        + ref()
        + ", pairing="
        + pairing()
        + ", load="
        + load()
        + ", failed="
        + failed()
        + "]";
  }

  /**
   * What a frame holds.
   *
   * @param freeUnits allocation units that no row holds
   * @param grantsTaken reservations made in this frame since the DataNode started, in all
   * @param blocks rows that are live
   * @param limboBytes bytes of deleted replicas still kept
   * @param unacknowledged rows that the partner has not acknowledged
   */
  public record Load(
      int freeUnits, long grantsTaken, int blocks, long limboBytes, int unacknowledged) {
    /** Of a frame of which nothing is known. */
    public static final Load UNKNOWN = new Load(0, 0, 0, 0, 0);
  }
}
