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
 * What a frame durably knows. Immutable. A manager keeps millions of them, so all of it is in one
 * object.
 */
public final class FrameState {
  private final String storageId;
  private final int frameIndex;
  private final boolean failed;

  /** Of the pairing; no partner volume: unassigned. */
  private final @Nullable String partnerStorageId;

  private final @Nullable String partnerNodeUuid;
  private final byte coefficient;
  private final long superchunkId;
  private final long epoch;

  /**
   * @param storageId HDFS storage id of its volume
   * @param frameIndex index in the disk's Lstor
   * @param pairing its superchunk; empty: unassigned
   * @param failed out of service
   */
  public FrameState(String storageId, int frameIndex, Optional<Pairing> pairing, boolean failed) {
    this.storageId = storageId;
    this.frameIndex = frameIndex;
    this.failed = failed;
    partnerStorageId = pairing.map(Pairing::partnerStorageId).orElse(null);
    partnerNodeUuid = pairing.map(Pairing::partnerNodeUuid).orElse(null);
    coefficient = pairing.map(Pairing::coefficient).orElse(0).byteValue();
    superchunkId = pairing.map(Pairing::superchunkId).orElse(0L);
    epoch = pairing.map(Pairing::epoch).orElse(0L);
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

  /** Whether it is out of service. */
  public boolean failed() {
    return failed;
  }

  /** Its name. */
  public FrameRef ref() {
    return new FrameRef(storageId, frameIndex);
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof FrameState that
            && frameIndex == that.frameIndex
            && failed == that.failed
            && coefficient == that.coefficient
            && superchunkId == that.superchunkId
            && epoch == that.epoch
            && storageId.equals(that.storageId)
            && Objects.equals(partnerStorageId, that.partnerStorageId)
            && Objects.equals(partnerNodeUuid, that.partnerNodeUuid);
  }

  @Override
  public int hashCode() {
    return Objects.hash(storageId, frameIndex, superchunkId, epoch);
  }
}
