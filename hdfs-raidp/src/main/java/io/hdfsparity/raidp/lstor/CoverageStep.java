/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import java.util.Optional;

/**
 * One step of coverage: from what a row covers to a little more or less. Pure.
 *
 * @param low smaller of the two prefixes, in bytes
 * @param lowHasMeta whether the checksum image is in the parity at {@code low}
 * @param high larger of the two prefixes; the checksum image is in the parity there
 * @param grows whether the step goes from low to high
 */
record CoverageStep(long low, boolean lowHasMeta, long high, boolean grows) {
  /** Data bytes of a step at most; steps end at its multiples. */
  static final int MAX_DATA_BYTES = 256 * 1024;

  /** CRCs of a step at most, which bounds the checksum bytes for tiny chunks. */
  static final int MAX_CRCS = 4096;

  /** Checksum bytes of a step at most: CRCs, header, a partial chunk's CRC on either end. */
  static final int MAX_META_BYTES = MAX_CRCS * ChecksumSpec.CRC_BYTES + 64;

  static int stepBytes(ChecksumSpec checksum) {
    return (int) Math.min(MAX_DATA_BYTES, (long) checksum.bytesPerChecksum() * MAX_CRCS);
  }

  /** Next step towards a prefix with its checksum image; empty when it is reached. */
  static Optional<CoverageStep> towards(SlotEntry entry, ChecksumSpec checksum, long targetBytes) {
    long covered = entry.coveredBytes();
    int step = stepBytes(checksum);
    if (!entry.metaCovered() || covered < targetBytes) {
      long next = Math.min(targetBytes, (covered / step + 1) * step);
      return Optional.of(new CoverageStep(covered, entry.metaCovered(), next, true));
    } else if (covered > targetBytes) {
      return Optional.of(
          new CoverageStep(
              Math.max(targetBytes, (covered - 1) / step * step), true, covered, false));
    }
    return Optional.empty();
  }

  /** Next step towards covering nothing at all; empty when it is reached. */
  static Optional<CoverageStep> towardsNothing(SlotEntry entry) {
    if (!entry.metaCovered()) {
      return Optional.empty();
    }
    long covered = entry.coveredBytes();
    int step = stepBytes(entry.checksum());
    long next = covered == 0 ? 0 : (covered - 1) / step * step;
    return Optional.of(new CoverageStep(next, next > 0, covered, false));
  }

  /**
   * As {@link #towardsNothing}, but for a row whose image is lost: each step ends between two
   * chunks, where the checksum image of the shorter prefix is the beginning of the longer one's.
   */
  static Optional<CoverageStep> towardsNothingByChunks(SlotEntry entry) {
    if (!entry.metaCovered()) {
      return Optional.empty();
    }
    long covered = entry.coveredBytes();
    int chunk = entry.bytesPerChecksum();
    long lowest = Math.max(0, covered - stepBytes(entry.checksum()));
    long next = (lowest + chunk - 1) / chunk * chunk;
    return Optional.of(new CoverageStep(next, next > 0, covered, false));
  }

  /** Where the checksum images of the two prefixes begin to differ. */
  long metaFrom(ChecksumSpec checksum) {
    return lowHasMeta ? checksum.stableMetaLength(low) : 0;
  }

  long metaTo(ChecksumSpec checksum) {
    return checksum.metaLength(high);
  }

  /** Covered bytes after the step. */
  long after() {
    return grows ? high : low;
  }

  boolean hasMetaAfter() {
    return grows || lowHasMeta;
  }
}
