/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import io.hdfsparity.raidp.lstor.LstorGeometry;

/**
 * How large an Lstor is: parity of data and checksums, tables, journal.
 *
 * @param dataParityBytes one superchunk
 * @param checksumParityBytes parity of the checksum files
 * @param tableBytes frame table, slot table and CRCs of the parity
 * @param journalBytes journal
 */
public record LstorSizing(
    long dataParityBytes, long checksumParityBytes, long tableBytes, long journalBytes) {
  /** Default size of the journal in bytes (paper section 3.4). */
  public static final long JOURNAL_BYTES = 128L << 20;

  /** Mean length of a block in units that the slot table is sized for here. */
  public static final int UNITS_PER_BLOCK = 8;

  private static final long SLOT_ROW_BYTES = 256;
  private static final long FRAME_ROW_BYTES = 512;
  private static final long SUPERBLOCK_BYTES = 2 * 4096;
  private static final long DATA_CELL_BYTES = 65536;
  private static final long CHECKSUM_CELL_BYTES = 4096;

  /** Sizes for a disk. */
  static LstorSizing of(int frames, long superchunkBytes) {
    int units = Math.toIntExact(superchunkBytes / PlanSpec.UNIT_BYTES);
    LstorGeometry geometry = LstorGeometry.of(frames, units, (int) PlanSpec.UNIT_BYTES);
    long rows = Math.max(frames, (long) frames * units / UNITS_PER_BLOCK);
    long crcs =
        4
            * (geometry.frameBytes() / DATA_CELL_BYTES
                + (geometry.metaRegionBytes() + CHECKSUM_CELL_BYTES - 1) / CHECKSUM_CELL_BYTES);
    long tables = SUPERBLOCK_BYTES + frames * FRAME_ROW_BYTES + rows * SLOT_ROW_BYTES + crcs;
    return new LstorSizing(
        geometry.frameBytes(), geometry.metaRegionBytes(), tables, JOURNAL_BYTES);
  }

  public long totalBytes() {
    return dataParityBytes + checksumParityBytes + tableBytes + journalBytes;
  }
}
