/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import io.hdfsparity.raidp.lstor.Lstor;
import io.hdfsparity.raidp.lstor.LstorGeometry;

/**
 * How large an Lstor is: parity of data and checksums, tables, journal.
 *
 * <p>The slot table has a row for each unit of each frame, so that units and never rows run out.
 * With units of 1 MiB and 256 frames that alone is 6 % of the parity, whatever the size of a
 * superchunk; so units grow with the number of frames until the rows take half a percent. The redo
 * ring is reused after 1 MiB, so a small one does.
 *
 * @param unitBytes allocation unit of a frame
 * @param dataParityBytes one superchunk
 * @param checksumParityBytes parity of the checksum files
 * @param tableBytes superblocks, frame table, slot table and CRCs of the parity
 * @param journalBytes redo ring
 */
public record LstorSizing(
    long unitBytes,
    long dataParityBytes,
    long checksumParityBytes,
    long tableBytes,
    long journalBytes) {
  /** Smallest unit that is chosen. */
  public static final long MIN_UNIT_BYTES = 1L << 20;

  private static final long MAX_UNIT_BYTES = 1L << 30;
  private static final int MIN_UNITS = 64;
  private static final int ROW_BYTES = 256;
  private static final int ROWS_SHARE = 200;
  private static final long MIN_JOURNAL_BYTES = 2L << 20;
  private static final long MAX_JOURNAL_BYTES = 16L << 20;
  private static final int JOURNAL_SHARE = 1024;

  /** Sizes for a disk; the superchunk has to be a multiple of {@link #unitFor}. */
  static LstorSizing of(int frames, long superchunkBytes) {
    long unit = unitFor(frames, superchunkBytes);
    int units = Math.toIntExact(superchunkBytes / unit);
    LstorGeometry geometry = LstorGeometry.of(frames, units, (int) unit);
    long journal =
        Math.max(
            MIN_JOURNAL_BYTES,
            Math.min(MAX_JOURNAL_BYTES, superchunkBytes / JOURNAL_SHARE >> 12 << 12));
    long total = Lstor.requiredBytes(geometry, journal, geometry.rows());
    return new LstorSizing(
        unit,
        geometry.frameBytes(),
        geometry.metaRegionBytes(),
        total - geometry.frameBytes() - geometry.metaRegionBytes() - journal,
        journal);
  }

  /**
   * The smallest unit, a power of two, with which a row for each unit fits into the slot table and
   * takes half a percent of the parity. It divides the superchunk, into 64 units at least.
   */
  static long unitFor(int frames, long superchunkBytes) {
    long unit = MIN_UNIT_BYTES;
    while (unit < MAX_UNIT_BYTES
        && superchunkBytes / unit >= 2 * MIN_UNITS
        && superchunkBytes % (2 * unit) == 0
        && (unit < (long) frames * ROW_BYTES * ROWS_SHARE
            || superchunkBytes / unit * frames > LstorGeometry.MAX_ROWS)) {
      unit *= 2;
    }
    return unit;
  }

  /** Bytes of the file. */
  public long totalBytes() {
    return dataParityBytes + checksumParityBytes + tableBytes + journalBytes;
  }

  /** What comes on top of the superchunk, as a share of it. */
  public double overhead() {
    return (double) (totalBytes() - dataParityBytes) / dataParityBytes;
  }
}
