/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import java.util.List;

/**
 * One row of the slot table: where a block lies in a frame of the disk, and how much of it the
 * parity holds.
 *
 * <p>Invariant: the parity holds exactly the <em>covered image</em> of the row, that is the first
 * {@code coveredBytes} of the block's data and the checksum file that HDFS would have for a replica
 * of that length (7 header bytes and one CRC a chunk of {@code bytesPerChecksum}); nothing when
 * {@code coveredBytes} is 0 and {@code metaCovered} is false.
 *
 * @param frameIndex index of the frame on its disk
 * @param blockId HDFS block id
 * @param generationStamp of the replica when it was last covered
 * @param runs extents in logical order, 1 to {@link #MAX_RUNS}
 * @param coverage what the parity holds of the block
 * @param status state and flags
 */
public record SlotEntry(
    int frameIndex,
    long blockId,
    long generationStamp,
    List<Run> runs,
    SlotCoverage coverage,
    SlotStatus status) {
  /** Max extents that a row can hold. */
  public static final int MAX_RUNS = 16;

  public SlotEntry {
    runs = List.copyOf(runs);
    if (runs.isEmpty() || runs.size() > MAX_RUNS) {
      throw new IllegalArgumentException(
          "Cannot make a slot entry: block="
              + blockId
              + " runs="
              + runs.size()
              + ", expected 1.."
              + MAX_RUNS);
    }
  }

  /** Stands for a row that may come. */
  public static SlotEntry expected(int frameIndex, long blockId) {
    List<Run> runs = List.of(new Run(0, 1));
    return new SlotEntry(frameIndex, blockId, 0, runs, SlotCoverage.NONE, SlotStatus.RESERVED);
  }

  /** Covered prefix of the data. */
  public long coveredBytes() {
    return coverage.bytes();
  }

  /** Whether the checksum image, at least its header, is in the parity. */
  public boolean metaCovered() {
    return coverage.hasChecksums();
  }

  public int checksumTypeId() {
    return coverage.checksumTypeId();
  }

  public int bytesPerChecksum() {
    return coverage.bytesPerChecksum();
  }

  /** What the covered bytes were multiplied by. */
  public int coefficient() {
    return coverage.coefficient();
  }

  public SlotState state() {
    return status.state();
  }

  /** Whether the partner has not yet said that it covers the same prefix. */
  public boolean ackPending() {
    return status.ackPending();
  }

  /** Whether the partner has said that its parity no longer covers the block. */
  public boolean partnerClear() {
    return status.partnerClear();
  }

  /** Units over all runs. */
  public int units() {
    return Extents.units(runs);
  }

  /** Whether any byte of the block is in the parity; true for a covered empty block. */
  public boolean coversAnything() {
    return metaCovered();
  }

  /** Form of the covered checksum image; only for a row that covers something. */
  public ChecksumSpec checksum() {
    return new ChecksumSpec(checksumTypeId(), bytesPerChecksum());
  }

  /** Covered bytes of the checksum file. */
  public long coveredMetaBytes() {
    return metaCovered() ? checksum().metaLength(coveredBytes()) : 0;
  }

  SlotEntry withRuns(List<Run> newRuns) {
    return new SlotEntry(frameIndex, blockId, generationStamp, newRuns, coverage, status);
  }

  SlotEntry withGenerationStamp(long newGenerationStamp) {
    return new SlotEntry(frameIndex, blockId, newGenerationStamp, runs, coverage, status);
  }

  SlotEntry withCoverage(SlotCoverage newCoverage) {
    return new SlotEntry(frameIndex, blockId, generationStamp, runs, newCoverage, status);
  }

  SlotEntry withStatus(SlotStatus newStatus) {
    return new SlotEntry(frameIndex, blockId, generationStamp, runs, coverage, newStatus);
  }
}
