/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

/**
 * Row of the frame table: which superchunk a frame of the disk belongs to. A copy of the frame
 * file, kept here so that the map can be rebuilt when the disk is dead.
 *
 * @param frameIndex index on the disk, from 0
 * @param storageId HDFS storage id of the frame
 * @param superchunkId {@link #UNASSIGNED} when the frame is a spare
 * @param epoch of the pairing; only grows
 * @param partnerStorageId empty when unassigned
 * @param partnerNodeUuid empty when unassigned
 * @param coefficient what bytes of new blocks are multiplied by, see {@link Coefficient}
 */
public record FrameRow(
    int frameIndex,
    String storageId,
    long superchunkId,
    long epoch,
    String partnerStorageId,
    String partnerNodeUuid,
    int coefficient) {
  /** Superchunk id of a spare frame. */
  public static final long UNASSIGNED = -1;

  /** Most UTF-8 bytes of each text. */
  public static final int MAX_TEXT_BYTES = 127;

  public FrameRow {
    if (frameIndex < 0 || epoch < 0) {
      throw new IllegalArgumentException(
          "Cannot make a frame row: frameIndex="
              + frameIndex
              + " epoch="
              + epoch
              + ", expected both >= 0");
    }
    Coefficient.require(coefficient);
    FixedText.requireFits("storageId", storageId, 1, MAX_TEXT_BYTES);
    FixedText.requireFits("partnerStorageId", partnerStorageId, 0, MAX_TEXT_BYTES);
    FixedText.requireFits("partnerNodeUuid", partnerNodeUuid, 0, MAX_TEXT_BYTES);
  }

  /** Row of a frame that belongs to no superchunk. */
  public static FrameRow spare(int frameIndex, String storageId, long epoch) {
    return new FrameRow(frameIndex, storageId, UNASSIGNED, epoch, "", "", Coefficient.ONE);
  }

  /** The same frame, whose new blocks are multiplied by another coefficient. */
  public FrameRow withCoefficient(int next) {
    return new FrameRow(
        frameIndex, storageId, superchunkId, epoch, partnerStorageId, partnerNodeUuid, next);
  }

  public boolean isAssigned() {
    return superchunkId != UNASSIGNED;
  }
}
