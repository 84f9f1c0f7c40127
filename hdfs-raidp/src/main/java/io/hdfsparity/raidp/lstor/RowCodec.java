/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Rows of the frame and slot tables to bytes and back; see {@link LstorFormat}. Not thread-safe.
 */
final class RowCodec {
  private static final int META_COVERED = 1;
  private static final int ACK_PENDING = 2;
  private static final int PARTNER_CLEAR = 4;

  private final LstorGeometry geometry;
  private final ByteBuffer saltBytes = ByteBuffer.allocate(8);
  private final CRC32C crc = new CRC32C();
  private final ByteBuffer slotRow = ByteBuffer.allocateDirect(LstorFormat.SLOT_ROW_BYTES);

  RowCodec(LstorGeometry geometry, long salt) {
    this.geometry = geometry;
    saltBytes.putLong(0, salt);
  }

  /** Encodes a row, {@code null} for a free one. The buffer is reused by the next call. */
  ByteBuffer encodeSlot(int index, @Nullable SlotEntry entry) {
    ByteBuffer b = slotRow.clear();
    for (int i = 0; i < LstorFormat.SLOT_ROW_BYTES; i += 8) {
      b.putLong(i, 0);
    }
    b.putInt(0, index);
    if (entry != null) {
      b.put(LstorFormat.SR_STATE, (byte) entry.state().code());
      b.put(
          LstorFormat.SR_FLAGS,
          (byte)
              ((entry.metaCovered() ? META_COVERED : 0)
                  | (entry.ackPending() ? ACK_PENDING : 0)
                  | (entry.partnerClear() ? PARTNER_CLEAR : 0)));
      b.put(LstorFormat.SR_CHECKSUM_TYPE, (byte) entry.checksumTypeId());
      b.put(LstorFormat.SR_RUN_COUNT, (byte) entry.runs().size());
      b.putInt(LstorFormat.SR_FRAME, entry.frameIndex());
      b.putInt(LstorFormat.SR_BYTES_PER_CHECKSUM, entry.bytesPerChecksum());
      b.putLong(LstorFormat.SR_BLOCK, entry.blockId());
      b.putLong(LstorFormat.SR_GENERATION, entry.generationStamp());
      b.putLong(LstorFormat.SR_COVERED, entry.coveredBytes());
      b.put(LstorFormat.SR_COEFFICIENT, (byte) entry.coefficient());
      int at = LstorFormat.SR_RUNS;
      for (Run run : entry.runs()) {
        b.putInt(at, run.start());
        b.putInt(at + 4, run.count());
        at += 8;
      }
    }
    b.putInt(LstorFormat.SLOT_ROW_BYTES - 4, crc(b));
    return b;
  }

  /**
   * Decodes and checks a row; {@code null} for a free one.
   *
   * @throws LstorException.CorruptTable if the CRC or a rule of the row is broken
   */
  @Nullable SlotEntry decodeSlot(ByteBuffer b, int index, long fileOffset)
      throws LstorException.CorruptTable {
    verify("slot row", b, index, fileOffset);
    int stateCode = b.get(LstorFormat.SR_STATE);
    if (stateCode == 0) {
      return null;
    }
    try {
      SlotState state = SlotState.ofCode(stateCode);
      int flags = b.get(LstorFormat.SR_FLAGS);
      List<Run> runs = new ArrayList<>();
      for (int i = 0; i < b.get(LstorFormat.SR_RUN_COUNT); i++) {
        runs.add(
            new Run(
                b.getInt(LstorFormat.SR_RUNS + 8 * i), b.getInt(LstorFormat.SR_RUNS + 8 * i + 4)));
      }
      SlotEntry entry =
          new SlotEntry(
              b.getInt(LstorFormat.SR_FRAME),
              b.getLong(LstorFormat.SR_BLOCK),
              b.getLong(LstorFormat.SR_GENERATION),
              runs,
              new SlotCoverage(
                  b.getLong(LstorFormat.SR_COVERED),
                  (flags & META_COVERED) != 0,
                  b.get(LstorFormat.SR_CHECKSUM_TYPE),
                  b.getInt(LstorFormat.SR_BYTES_PER_CHECKSUM),
                  b.get(LstorFormat.SR_COEFFICIENT)),
              new SlotStatus(state, (flags & ACK_PENDING) != 0, (flags & PARTNER_CLEAR) != 0));
      requireRules(entry);
      return entry;
    } catch (IllegalArgumentException e) {
      throw corrupt("slot row", index, e.getMessage(), fileOffset);
    }
  }

  /** Encodes a frame row, {@code null} for one never set. */
  ByteBuffer encodeFrame(int index, @Nullable FrameRow row) {
    ByteBuffer b = ByteBuffer.allocateDirect(LstorFormat.FRAME_ROW_BYTES);
    b.putInt(0, index);
    if (row != null) {
      b.put(LstorFormat.FR_SET, (byte) 1);
      b.put(LstorFormat.FR_COEFFICIENT, (byte) row.coefficient());
      b.putLong(LstorFormat.FR_SUPERCHUNK, row.superchunkId());
      b.putLong(LstorFormat.FR_EPOCH, row.epoch());
      FixedText.put(b, LstorFormat.FR_STORAGE, row.storageId());
      FixedText.put(b, LstorFormat.FR_PARTNER_STORAGE, row.partnerStorageId());
      FixedText.put(b, LstorFormat.FR_PARTNER_NODE, row.partnerNodeUuid());
    }
    b.putInt(LstorFormat.FRAME_ROW_BYTES - 4, crc(b));
    return b;
  }

  /** Decodes and checks a frame row; {@code null} for one never set. */
  @Nullable FrameRow decodeFrame(ByteBuffer b, int index, long fileOffset)
      throws LstorException.CorruptTable {
    verify("frame row", b, index, fileOffset);
    if (b.get(LstorFormat.FR_SET) == 0) {
      return null;
    }
    try {
      return new FrameRow(
          index,
          FixedText.get(b, LstorFormat.FR_STORAGE),
          b.getLong(LstorFormat.FR_SUPERCHUNK),
          b.getLong(LstorFormat.FR_EPOCH),
          FixedText.get(b, LstorFormat.FR_PARTNER_STORAGE),
          FixedText.get(b, LstorFormat.FR_PARTNER_NODE),
          b.get(LstorFormat.FR_COEFFICIENT));
    } catch (IllegalArgumentException e) {
      throw corrupt("frame row", index, e.getMessage(), fileOffset);
    }
  }

  private void requireRules(SlotEntry entry) {
    boolean checksumKnown = entry.bytesPerChecksum() != 0 || entry.checksumTypeId() != 0;
    if (entry.frameIndex() < 0
        || entry.frameIndex() >= geometry.frames()
        || entry.coveredBytes() < 0
        || (entry.coveredBytes() > 0 && !entry.metaCovered())
        || (entry.state() == SlotState.RESERVED && entry.coversAnything())) {
      throw new IllegalArgumentException(
          "Cannot accept "
              + entry
              + ", expected frame below "
              + geometry.frames()
              + " and coverage only with its checksum image and not in state RESERVED");
    }
    for (Run run : entry.runs()) {
      if (run.end() > geometry.unitsPerFrame()) {
        throw new IllegalArgumentException(
            "Cannot accept " + run + ", expected units below " + geometry.unitsPerFrame());
      }
    }
    if (checksumKnown || entry.metaCovered()) {
      entry.checksum();
    }
    long units = entry.units();
    if (Extents.unitsOf(entry.runs()).cardinality() != units
        || entry.coveredBytes() > units * geometry.unitBytes()
        || entry.coveredMetaBytes() > units * geometry.metaBytesPerUnit()) {
      throw new IllegalArgumentException(
          "Cannot accept " + entry + ", expected disjoint runs that hold what is covered");
    }
  }

  private void verify(String what, ByteBuffer b, int index, long fileOffset)
      throws LstorException.CorruptTable {
    int stored = b.getInt(b.capacity() - 4);
    int computed = crc(b);
    if (stored != computed) {
      throw corrupt(
          what,
          index,
          "crc=" + Integer.toHexString(stored) + ", expected " + Integer.toHexString(computed),
          fileOffset);
    }
    if (b.getInt(0) != index) {
      throw corrupt(what, index, "storedIndex=" + b.getInt(0) + ", expected " + index, fileOffset);
    }
  }

  private int crc(ByteBuffer b) {
    crc.reset();
    crc.update(saltBytes.clear());
    crc.update(b.slice(0, b.capacity() - 4));
    return (int) crc.getValue();
  }

  private static LstorException.CorruptTable corrupt(
      String what, int index, @Nullable String rule, long fileOffset) {
    return new LstorException.CorruptTable(
        "Cannot read " + what + " " + index + ": " + rule + ", offset=" + fileOffset);
  }
}
