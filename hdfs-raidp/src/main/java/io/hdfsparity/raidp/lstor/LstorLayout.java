/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

/**
 * Offsets of the parts of one Lstor, each derived from the one before; see {@link LstorFormat}.
 *
 * @param frameTable start of the frame table
 * @param slotTable start of the slot table
 * @param journal start of the journal
 * @param data the data parity
 * @param meta the checksum parity
 * @param fileBytes size of the whole
 */
record LstorLayout(
    long frameTable, long slotTable, long journal, Parity data, Parity meta, long fileBytes) {

  /**
   * Where parity of a kind lies.
   *
   * @param crcs start of its CRCs
   * @param start of itself
   * @param cells that it has
   */
  record Parity(long crcs, long start, long cells) {}

  static LstorLayout of(LstorGeometry geometry, long journalBytes, int maxEntries) {
    if (journalBytes < LstorFormat.MIN_JOURNAL_BYTES
        || journalBytes % LstorFormat.ALIGNMENT != 0
        || maxEntries < 1) {
      throw new IllegalArgumentException(
          "Cannot lay out an Lstor: journalBytes="
              + journalBytes
              + " maxEntries="
              + maxEntries
              + ", expected journalBytes a multiple of "
              + LstorFormat.ALIGNMENT
              + " and >= "
              + LstorFormat.MIN_JOURNAL_BYTES
              + ", maxEntries >= 1");
    }
    long dataCells = geometry.frameBytes() / LstorFormat.DATA_CELL_BYTES;
    long metaCells =
        LstorFormat.alignUp(geometry.metaRegionBytes(), LstorFormat.META_CELL_BYTES)
            / LstorFormat.META_CELL_BYTES;
    long frameTable = (long) LstorFormat.SUPERBLOCKS * LstorFormat.SUPERBLOCK_BYTES;
    long slotTable = after(frameTable, (long) geometry.frames() * LstorFormat.FRAME_ROW_BYTES);
    long dataCrcs = after(slotTable, (long) maxEntries * LstorFormat.SLOT_ROW_BYTES);
    long metaCrcs = after(dataCrcs, dataCells * LstorFormat.CRC_BYTES);
    long journal = after(metaCrcs, metaCells * LstorFormat.CRC_BYTES);
    long dataParity = LstorFormat.alignUp(journal + journalBytes, LstorFormat.DATA_CELL_BYTES);
    long metaParity = dataParity + geometry.frameBytes();
    return new LstorLayout(
        frameTable,
        slotTable,
        journal,
        new Parity(dataCrcs, dataParity, dataCells),
        new Parity(metaCrcs, metaParity, metaCells),
        metaParity + metaCells * LstorFormat.META_CELL_BYTES);
  }

  private static long after(long start, long lengthBytes) {
    return LstorFormat.alignUp(start + lengthBytes, LstorFormat.ALIGNMENT);
  }
}
