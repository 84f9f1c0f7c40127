/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import io.hdfsparity.core.store.ByteStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Reads frame and slot table from a store whose journal has been replayed. */
final class TableLoader {
  private static final int SLOTS_A_READ = 256;

  private final ByteStore store;
  private final Superblock superblock;
  private final LstorLayout layout;
  private final RowCodec codec;

  /** What becomes of a row that breaks a rule: throw at open, collect in a check. */
  @FunctionalInterface
  interface Findings {
    void found(LstorException finding) throws LstorException;
  }

  /** Gets each row of the slot table that is not free. */
  @FunctionalInterface
  interface Rows {
    void row(int index, SlotEntry entry) throws LstorException;
  }

  TableLoader(ByteStore store, Superblock superblock, RowCodec codec) {
    this.store = store;
    this.superblock = superblock;
    this.layout = superblock.layout();
    this.codec = codec;
  }

  void loadFrames(SortedMap<Integer, FrameRow> into, Findings findings) throws IOException {
    ByteBuffer row = ByteBuffer.allocateDirect(LstorFormat.FRAME_ROW_BYTES);
    for (int i = 0; i < superblock.geometry().frames(); i++) {
      long offset = layout.frameTable() + (long) i * LstorFormat.FRAME_ROW_BYTES;
      store.read(offset, row.clear());
      try {
        FrameRow frame = codec.decodeFrame(row.clear(), i, offset);
        if (frame != null) {
          into.put(i, frame);
        }
      } catch (LstorException.CorruptTable e) {
        findings.found(e);
      }
    }
  }

  void loadSlots(Rows rows, Findings findings) throws IOException {
    ByteBuffer batch = ByteBuffer.allocateDirect(SLOTS_A_READ * LstorFormat.SLOT_ROW_BYTES);
    for (int first = 0; first < superblock.maxEntries(); first += SLOTS_A_READ) {
      int count = Math.min(SLOTS_A_READ, superblock.maxEntries() - first);
      store.read(slotOffset(first), batch.clear().limit(count * LstorFormat.SLOT_ROW_BYTES));
      for (int i = 0; i < count; i++) {
        ByteBuffer row = batch.slice(i * LstorFormat.SLOT_ROW_BYTES, LstorFormat.SLOT_ROW_BYTES);
        try {
          SlotEntry entry = codec.decodeSlot(row, first + i, slotOffset(first + i));
          if (entry != null) {
            rows.row(first + i, entry);
          }
        } catch (LstorException.CorruptTable e) {
          findings.found(e);
        }
      }
    }
  }

  long slotOffset(int row) {
    return layout.slotTable() + (long) row * LstorFormat.SLOT_ROW_BYTES;
  }

  /**
   * Adds a loaded row to a table in memory, which refuses a second row of a block and shared units.
   */
  static void add(SlotTable table, int row, SlotEntry entry) throws LstorException.CorruptTable {
    SlotTable.@Nullable Slot twin = table.find(entry.frameIndex(), entry.blockId());
    if (twin != null) {
      throw new LstorException.CorruptTable(
          "Cannot load slot row "
              + row
              + ": frame="
              + entry.frameIndex()
              + " block="
              + entry.blockId()
              + ", expected one row a block, but row "
              + twin.row()
              + " has it too");
    }
    try {
      table.requireFree(entry.frameIndex(), entry.runs(), null);
    } catch (LstorException e) {
      LstorException.CorruptTable corrupt =
          new LstorException.CorruptTable("Cannot load slot row " + row + ": " + e.getMessage());
      corrupt.initCause(e);
      throw corrupt;
    }
    table.put(row, entry);
  }
}
