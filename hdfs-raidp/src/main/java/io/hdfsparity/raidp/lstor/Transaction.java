/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import io.hdfsparity.core.gf.Kernel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Builds one journal record: a list of writes, with their bytes where the record wants them, so
 * that nothing is copied on the way from the parity through the XOR into the journal. Reused; not
 * thread-safe.
 *
 * <p>Invariants: a parity cell is loaded, and verified, at most once; later changes of it within
 * the transaction see the earlier ones; every cell changed has its CRC among the writes once {@link
 * #seal} returns.
 */
final class Transaction {
  private static final int MAX_CELLS = LstorFormat.MAX_WRITES;

  private final long salt;
  private final Kernel kernel;

  /** The record, never limited: for accesses by index. */
  private final ByteBuffer record = ByteBuffer.allocateDirect(LstorFormat.MAX_RECORD_BYTES);

  /** The same bytes: for accesses from position to limit. */
  private final ByteBuffer window = record.duplicate();

  private final ByteBuffer cellScratch = ByteBuffer.allocateDirect(LstorFormat.DATA_CELL_BYTES);
  private final CRC32C crc = new CRC32C();
  private final long[] offsets = new long[LstorFormat.MAX_WRITES];
  private final int[] positions = new int[LstorFormat.MAX_WRITES];
  private final int[] lengths = new int[LstorFormat.MAX_WRITES];
  private final int[] crcs = new int[LstorFormat.MAX_WRITES];
  private int writes;
  private int end;
  private final ParityRegion[] cellRegions = new ParityRegion[MAX_CELLS];
  private final long[] cellIndexes = new long[MAX_CELLS];
  private final int[] cellWrites = new int[MAX_CELLS];
  private final int[] cellCrcs = new int[MAX_CELLS];
  private int cells;
  private long bytesXored;

  /** In the place of a coefficient: the new bytes take the place of the old ones. */
  private static final int REPLACE = 0;

  Transaction(long salt, Kernel kernel) {
    this.salt = salt;
    this.kernel = kernel;
  }

  Transaction begin() {
    writes = 0;
    end = LstorFormat.JR_PAYLOAD;
    cells = 0;
    bytesXored = 0;
    return this;
  }

  int writes() {
    return writes;
  }

  long offset(int write) {
    return offsets[write];
  }

  /** Bytes of a write, inside the record. */
  ByteBuffer bytes(int write) {
    return record.slice(positions[write], lengths[write]);
  }

  /** Bytes of images XORed in by this transaction. */
  long bytesXored() {
    return bytesXored;
  }

  int recordBytes() {
    return (int) LstorFormat.alignUp(end, LstorFormat.ALIGNMENT);
  }

  /** Adds a write of {@code src}, from position to limit. */
  void put(long fileOffset, ByteBuffer src) {
    int write = add(fileOffset, src.remaining());
    record.put(positions[write], src, src.position(), src.remaining());
    crcs[write] = crcOf(positions[write], lengths[write]);
  }

  /**
   * Adds the change {@code parity[regionOffset ...] ^= coefficient * delta}, in GF(2^8); the cells
   * concerned are verified first.
   */
  void add(ParityRegion region, long regionOffset, int coefficient, ByteBuffer delta)
      throws IOException {
    bytesXored += delta.remaining();
    change(region, regionOffset, delta, Coefficient.require(coefficient));
  }

  /**
   * Adds the change {@code parity[regionOffset ...] = bytes}; the rest of the cells concerned is
   * verified and kept.
   */
  void replace(ParityRegion region, long regionOffset, ByteBuffer bytes) throws IOException {
    change(region, regionOffset, bytes, REPLACE);
  }

  /** Adds a cell as new, without a look at what is there. */
  void overwriteCell(ParityRegion region, long cell, ByteBuffer content) {
    put(region.fileOffset(cell * region.cellBytes()), content);
    rememberCell(region, cell, writes - 1, crcs[writes - 1]);
  }

  /**
   * Adds the CRCs of the changed cells and completes the record.
   *
   * @return the record, to be appended as it is
   */
  ByteBuffer seal(long sequence) {
    addCellCrcs();
    for (int at = 0; at < LstorFormat.JR_PAYLOAD; at += 8) {
      record.putLong(at, 0);
    }
    record.putLong(0, LstorFormat.RECORD_MAGIC);
    record.putLong(LstorFormat.JR_SALT, salt);
    record.putLong(LstorFormat.JR_SEQUENCE, sequence);
    record.putInt(LstorFormat.JR_WRITES, writes);
    record.putInt(LstorFormat.JR_BYTES, recordBytes());
    int row = LstorFormat.JR_TABLE;
    for (int i = 0; i < writes; i++) {
      record.putLong(row, offsets[i]);
      record.putInt(row + 8, lengths[i]);
      record.putInt(row + 12, crcs[i]);
      row += LstorFormat.JR_TABLE_ROW_BYTES;
    }
    record.putInt(LstorFormat.JR_CRC, crcOf(0, LstorFormat.JR_CRC));
    for (int at = end; at < recordBytes(); at++) {
      record.put(at, (byte) 0);
    }
    return window.clear().limit(recordBytes());
  }

  private void change(ParityRegion region, long regionOffset, ByteBuffer bytes, int coefficient)
      throws IOException {
    int cellBytes = region.cellBytes();
    long at = regionOffset;
    int from = bytes.position();
    int limit = bytes.limit();
    while (from < limit) {
      long cell = at / cellBytes;
      int inCell = (int) (at % cellBytes);
      int count = Math.min(limit - from, cellBytes - inCell);
      changeCell(region, cell, inCell, bytes.limit(from + count).position(from), coefficient);
      from += count;
      at += count;
    }
    bytes.limit(limit).position(limit);
  }

  private void changeCell(
      ParityRegion region, long cell, int inCell, ByteBuffer bytes, int coefficient)
      throws IOException {
    int known = findCell(region, cell);
    if (known < 0 && region.kind() == ParityKind.DATA && bytes.remaining() < region.cellBytes()) {
      changePartOfCell(region, cell, inCell, bytes, coefficient);
      return;
    }
    int write;
    if (known < 0) {
      write = add(region.fileOffset(cell * region.cellBytes()), region.cellBytes());
      region.load(cell, window.clear().position(positions[write]));
      known = rememberCell(region, cell, write, 0);
    } else {
      write = cellWrites[known];
      if (lengths[write] != region.cellBytes()) {
        throw new IllegalStateException(
            "Cannot change parity: region="
                + region.kind()
                + " cell="
                + cell
                + ", expected one change of part of a cell in a transaction");
      }
    }
    apply(positions[write] + inCell, bytes, coefficient);
    int cellCrc = crcOf(positions[write], lengths[write]);
    crcs[write] = cellCrc;
    cellCrcs[known] = cellCrc;
  }

  /**
   * Journals only the bytes that change, so that a small block costs little; the CRC is of the
   * whole cell all the same.
   */
  private void changePartOfCell(
      ParityRegion region, long cell, int inCell, ByteBuffer bytes, int coefficient)
      throws IOException {
    region.load(cell, cellScratch.clear());
    int count = bytes.remaining();
    int write = add(region.fileOffset(cell * region.cellBytes() + inCell), count);
    record.put(positions[write], cellScratch, inCell, count);
    apply(positions[write], bytes, coefficient);
    crcs[write] = crcOf(positions[write], count);
    crc.reset();
    crc.update(cellScratch.clear().limit(inCell));
    crc.update(window.clear().limit(positions[write] + count).position(positions[write]));
    crc.update(cellScratch.clear().position(inCell + count));
    rememberCell(region, cell, write, (int) crc.getValue());
  }

  private void apply(int position, ByteBuffer bytes, int coefficient) {
    if (coefficient == REPLACE) {
      record.put(position, bytes, bytes.position(), bytes.remaining());
    } else {
      ByteBuffer into = window.clear().limit(position + bytes.remaining()).position(position);
      kernel.multiplyAdd(coefficient, bytes, into);
    }
  }

  private void addCellCrcs() {
    int first = 0;
    while (first < cells) {
      int past = first + 1;
      while (past < cells
          && cellRegions[past] == cellRegions[first]
          && cellIndexes[past] == cellIndexes[first] + past - first) {
        past++;
      }
      int write =
          add(
              cellRegions[first].crcFileOffset(cellIndexes[first]),
              (past - first) * LstorFormat.CRC_BYTES);
      for (int i = first; i < past; i++) {
        record.putInt(positions[write] + (i - first) * LstorFormat.CRC_BYTES, cellCrcs[i]);
      }
      crcs[write] = crcOf(positions[write], lengths[write]);
      first = past;
    }
  }

  private int findCell(ParityRegion region, long cell) {
    for (int i = 0; i < cells; i++) {
      if (cellIndexes[i] == cell && cellRegions[i] == region) {
        return i;
      }
    }
    return -1;
  }

  private int rememberCell(ParityRegion region, long cell, int write, int cellCrc) {
    cellRegions[cells] = region;
    cellIndexes[cells] = cell;
    cellWrites[cells] = write;
    cellCrcs[cells] = cellCrc;
    return cells++;
  }

  private int add(long fileOffset, int lengthBytes) {
    if (writes == LstorFormat.MAX_WRITES || end + lengthBytes > LstorFormat.MAX_RECORD_BYTES) {
      throw new IllegalStateException(
          "Cannot add a write: writes="
              + writes
              + " recordBytes="
              + end
              + " more="
              + lengthBytes
              + ", expected at most "
              + LstorFormat.MAX_WRITES
              + " and "
              + LstorFormat.MAX_RECORD_BYTES);
    }
    offsets[writes] = fileOffset;
    positions[writes] = end;
    lengths[writes] = lengthBytes;
    end += lengthBytes;
    return writes++;
  }

  private int crcOf(int position, int lengthBytes) {
    crc.reset();
    crc.update(window.clear().limit(position + lengthBytes).position(position));
    return (int) crc.getValue();
  }
}
