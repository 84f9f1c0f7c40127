/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a frame durably knows, and its load. Immutable. A manager keeps millions of them, so all of
 * it is in one object.
 */
public final class FrameReport {
  private final String storageId;
  private final int frameIndex;
  private final boolean failed;

  /** Of the pairing; no partner volume: unassigned. */
  private final @Nullable String partnerStorageId;

  private final @Nullable String partnerNodeUuid;
  private final byte coefficient;
  private final long superchunkId;
  private final long epoch;

  private final int freeUnits;
  private final long grantsTaken;
  private final int blocks;
  private final long limboBytes;
  private final int unacknowledged;

  /**
   * @param storageId HDFS storage id of its volume
   * @param frameIndex index in the disk's Lstor
   * @param pairing its superchunk; empty: unassigned
   * @param load what it holds
   * @param failed out of service
   */
  public FrameReport(
      String storageId, int frameIndex, Optional<Pairing> pairing, Load load, boolean failed) {
    this.storageId = storageId;
    this.frameIndex = frameIndex;
    this.failed = failed;
    partnerStorageId = pairing.map(Pairing::partnerStorageId).orElse(null);
    partnerNodeUuid = pairing.map(Pairing::partnerNodeUuid).orElse(null);
    coefficient = pairing.map(Pairing::coefficient).orElse(0).byteValue();
    superchunkId = pairing.map(Pairing::superchunkId).orElse(0L);
    epoch = pairing.map(Pairing::epoch).orElse(0L);
    freeUnits = load.freeUnits();
    grantsTaken = load.grantsTaken();
    blocks = load.blocks();
    limboBytes = load.limboBytes();
    unacknowledged = load.unacknowledged();
  }

  /** HDFS storage id of its volume. */
  public String storageId() {
    return storageId;
  }

  /** Index in the disk's Lstor. */
  public int frameIndex() {
    return frameIndex;
  }

  /** Its superchunk; empty: unassigned. */
  public Optional<Pairing> pairing() {
    return partnerStorageId == null || partnerNodeUuid == null
        ? Optional.empty()
        : Optional.of(
            new Pairing(superchunkId, epoch, partnerStorageId, partnerNodeUuid, coefficient));
  }

  /** What it holds. */
  public Load load() {
    return new Load(freeUnits, grantsTaken, blocks, limboBytes, unacknowledged);
  }

  /** Whether it is out of service. */
  public boolean failed() {
    return failed;
  }

  /** Its name. */
  public FrameRef ref() {
    return new FrameRef(storageId, frameIndex);
  }

  /** Whether the other one is of the same frame in the same state, with blocks or without. */
  public boolean differsInNumbersOnly(FrameReport other) {
    return frameIndex == other.frameIndex
        && failed == other.failed
        && storageId.equals(other.storageId)
        && pairing().equals(other.pairing())
        && (blocks == 0) == (other.blocks == 0)
        && (limboBytes == 0) == (other.limboBytes == 0);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FrameReport that
        && frameIndex == that.frameIndex
        && failed == that.failed
        && storageId.equals(that.storageId)
        && pairing().equals(that.pairing())
        && load().equals(that.load());
  }

  @Override
  public int hashCode() {
    return Objects.hash(storageId, frameIndex, superchunkId, epoch, freeUnits, blocks);
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
        + failed
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
