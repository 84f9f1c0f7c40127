/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

/**
 * How much of a block the parity holds.
 *
 * @param bytes covered prefix of the data
 * @param hasChecksums whether the checksum image (at least its header) is in the parity; true for a
 *     covered empty block
 * @param checksumTypeId Hadoop {@code DataChecksum.Type} id
 * @param bytesPerChecksum chunk size of the checksum file
 * @param coefficient what the bytes were multiplied by, see {@link Coefficient}
 */
public record SlotCoverage(
    long bytes, boolean hasChecksums, int checksumTypeId, int bytesPerChecksum, int coefficient) {
  /** Nothing, of a block whose checksum file is not known yet. */
  public static final SlotCoverage NONE = new SlotCoverage(0, false, 0, 0, Coefficient.ONE);

  public SlotCoverage {
    Coefficient.require(coefficient);
  }

  /** A prefix of the data with its checksum image. */
  public static SlotCoverage of(long bytes, ChecksumSpec checksum, int coefficient) {
    return new SlotCoverage(
        bytes, true, checksum.typeId(), checksum.bytesPerChecksum(), coefficient);
  }

  /** Coverage of the same block at the end of a step. */
  SlotCoverage after(CoverageStep step) {
    return new SlotCoverage(
        step.after(), step.hasMetaAfter(), checksumTypeId, bytesPerChecksum, coefficient);
  }
}
