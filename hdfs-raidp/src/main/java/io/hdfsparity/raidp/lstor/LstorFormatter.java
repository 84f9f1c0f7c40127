/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import io.hdfsparity.core.store.ByteStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Writes an empty Lstor. The superblocks go last, so that a crash on the way leaves no Lstor at
 * all.
 */
final class LstorFormatter {
  /** Journal bytes after which the journal is emptied: few enough to stay in a CPU's cache. */
  static final long DEFAULT_CHECKPOINT_BYTES = 1L << 20;

  private static final int CHUNK_BYTES = 1 << 16;

  private final ByteStore store;
  private final Superblock superblock;
  private final LstorLayout layout;

  LstorFormatter(ByteStore store, Superblock superblock) {
    this.store = store;
    this.superblock = superblock;
    this.layout = superblock.layout();
  }

  void format() throws IOException {
    requireBlank();
    RowCodec codec = new RowCodec(superblock.geometry(), superblock.salt());
    for (int i = 0; i < superblock.geometry().frames(); i++) {
      store.write(
          layout.frameTable() + (long) i * LstorFormat.FRAME_ROW_BYTES, codec.encodeFrame(i, null));
    }
    ByteBuffer rows = ByteBuffer.allocateDirect(CHUNK_BYTES);
    long at = layout.slotTable();
    for (int i = 0; i < superblock.maxEntries(); i++) {
      rows.put(codec.encodeSlot(i, null));
      if (!rows.hasRemaining() || i == superblock.maxEntries() - 1) {
        int bytes = rows.flip().remaining();
        store.write(at, rows);
        at += bytes;
        rows.clear();
      }
    }
    writeCrcs(layout.data().crcs(), layout.data().cells(), LstorFormat.DATA_CELL_BYTES);
    writeCrcs(layout.meta().crcs(), layout.meta().cells(), LstorFormat.META_CELL_BYTES);
    store.sync(0, layout.fileBytes());
    Superblocks.writeFirst(store, superblock);
  }

  /**
   * The parity is not read, because that would allocate a sparse file; a cell that is not zero
   * fails its CRC later.
   */
  private void requireBlank() throws IOException {
    if (store.sizeBytes() < layout.fileBytes()) {
      throw new LstorException.NoSpace(
          "Cannot format an Lstor: size="
              + store.sizeBytes()
              + ", expected at least "
              + layout.fileBytes()
              + " bytes, file="
              + store);
    }
    for (int i = 0; i < LstorFormat.SUPERBLOCKS; i++) {
      ByteBuffer copy = Superblocks.readCopy(store, i);
      if (copy.getLong(0) != 0) {
        throw new LstorException.Refused(
            "Cannot format an Lstor: magic="
                + Long.toHexString(copy.getLong(0))
                + ", expected a new store of zeros, file="
                + store
                + " offset="
                + i * LstorFormat.SUPERBLOCK_BYTES);
      }
    }
  }

  private void writeCrcs(long offset, long cells, int cellBytes) throws IOException {
    CRC32C crc = new CRC32C();
    crc.update(new byte[cellBytes]);
    ByteBuffer table = ByteBuffer.allocateDirect(CHUNK_BYTES);
    while (table.hasRemaining()) {
      table.putInt((int) crc.getValue());
    }
    for (long done = 0; done < cells * LstorFormat.CRC_BYTES; done += CHUNK_BYTES) {
      store.write(
          offset + done,
          table.clear().limit((int) Math.min(CHUNK_BYTES, cells * LstorFormat.CRC_BYTES - done)));
    }
  }
}
