/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The header of an Lstor; see {@link LstorFormat}.
 *
 * @param sequence of this copy; the next one goes into the other place
 * @param checkpoint sequence of the first journal record that may not be home
 * @param salt random, drawn at format
 * @param geometry shape of the disk
 * @param journalBytes size of the journal
 * @param checkpointBytes no record starts at or past this offset of the journal
 * @param maxEntries rows of the slot table
 * @param identity whose it is
 */
record Superblock(
    long sequence,
    long checkpoint,
    long salt,
    LstorGeometry geometry,
    long journalBytes,
    long checkpointBytes,
    int maxEntries,
    LstorIdentity identity) {

  /** What a place for a superblock holds. */
  enum Status {
    VALID,
    CORRUPT,
    FOREIGN,
    TOO_OLD,
    TOO_NEW
  }

  LstorLayout layout() {
    return LstorLayout.of(geometry, journalBytes, maxEntries);
  }

  /** File offset of the place where this copy lives. */
  long offset() {
    return (sequence & 1) * LstorFormat.SUPERBLOCK_BYTES;
  }

  Superblock next(long newCheckpoint) {
    return new Superblock(
        sequence + 1,
        newCheckpoint,
        salt,
        geometry,
        journalBytes,
        checkpointBytes,
        maxEntries,
        identity);
  }

  ByteBuffer encode() {
    ByteBuffer b = ByteBuffer.allocateDirect(LstorFormat.SUPERBLOCK_BYTES);
    b.putLong(0, LstorFormat.MAGIC);
    b.putInt(LstorFormat.SB_VERSION, LstorFormat.VERSION);
    b.putLong(LstorFormat.SB_SEQUENCE, sequence);
    b.putLong(LstorFormat.SB_CHECKPOINT, checkpoint);
    b.putLong(LstorFormat.SB_SALT, salt);
    b.putInt(LstorFormat.SB_FRAMES, geometry.frames());
    b.putInt(LstorFormat.SB_UNITS_PER_FRAME, geometry.unitsPerFrame());
    b.putInt(LstorFormat.SB_UNIT_BYTES, geometry.unitBytes());
    b.putInt(LstorFormat.SB_META_BYTES_PER_UNIT, geometry.metaBytesPerUnit());
    b.putLong(LstorFormat.SB_JOURNAL_BYTES, journalBytes);
    b.putLong(LstorFormat.SB_CHECKPOINT_BYTES, checkpointBytes);
    b.putInt(LstorFormat.SB_MAX_ENTRIES, maxEntries);
    b.putInt(LstorFormat.SB_DATA_CELL_BYTES, LstorFormat.DATA_CELL_BYTES);
    b.putInt(LstorFormat.SB_META_CELL_BYTES, LstorFormat.META_CELL_BYTES);
    FixedText.put(b, LstorFormat.SB_CLUSTER_ID, identity.clusterId());
    FixedText.put(b, LstorFormat.SB_DISK_ID, identity.diskId());
    FixedText.put(b, LstorFormat.SB_NODE_UUID, identity.nodeUuid());
    b.putInt(LstorFormat.SB_CRC, crc(b));
    return b;
  }

  /** Judges a copy: CRC first, so that a flipped bit is never taken for another version. */
  static Status judge(ByteBuffer b) {
    boolean magic = b.getLong(0) == LstorFormat.MAGIC;
    if (b.getInt(LstorFormat.SB_CRC) != crc(b)) {
      return magic ? Status.CORRUPT : Status.FOREIGN;
    }
    int version = b.getInt(LstorFormat.SB_VERSION);
    if (!magic) {
      return Status.FOREIGN;
    } else if (version < LstorFormat.OLDEST_VERSION) {
      return Status.TOO_OLD;
    }
    return version > LstorFormat.VERSION ? Status.TOO_NEW : Status.VALID;
  }

  /** Decodes a copy that was judged VALID. */
  static Superblock decode(ByteBuffer b) throws LstorException.CorruptHeader {
    int dataCell = b.getInt(LstorFormat.SB_DATA_CELL_BYTES);
    int metaCell = b.getInt(LstorFormat.SB_META_CELL_BYTES);
    if (dataCell != LstorFormat.DATA_CELL_BYTES || metaCell != LstorFormat.META_CELL_BYTES) {
      throw new LstorException.CorruptHeader(
          "Cannot open Lstor: dataCellBytes="
              + dataCell
              + " metaCellBytes="
              + metaCell
              + ", expected "
              + LstorFormat.DATA_CELL_BYTES
              + " and "
              + LstorFormat.META_CELL_BYTES
              + ", offset="
              + LstorFormat.SB_DATA_CELL_BYTES);
    }
    try {
      LstorGeometry geometry =
          new LstorGeometry(
              b.getInt(LstorFormat.SB_FRAMES),
              b.getInt(LstorFormat.SB_UNITS_PER_FRAME),
              b.getInt(LstorFormat.SB_UNIT_BYTES),
              b.getInt(LstorFormat.SB_META_BYTES_PER_UNIT));
      LstorIdentity identity =
          new LstorIdentity(
              FixedText.get(b, LstorFormat.SB_CLUSTER_ID),
              FixedText.get(b, LstorFormat.SB_DISK_ID),
              FixedText.get(b, LstorFormat.SB_NODE_UUID));
      Superblock superblock =
          new Superblock(
              b.getLong(LstorFormat.SB_SEQUENCE),
              b.getLong(LstorFormat.SB_CHECKPOINT),
              b.getLong(LstorFormat.SB_SALT),
              geometry,
              b.getLong(LstorFormat.SB_JOURNAL_BYTES),
              b.getLong(LstorFormat.SB_CHECKPOINT_BYTES),
              b.getInt(LstorFormat.SB_MAX_ENTRIES),
              identity);
      superblock.layout();
      return superblock;
    } catch (IllegalArgumentException e) {
      LstorException.CorruptHeader corrupt =
          new LstorException.CorruptHeader(
              "Cannot open Lstor: the header's CRC is right"
                  + " but its values are not: "
                  + e.getMessage()
                  + ", offset=0");
      corrupt.initCause(e);
      throw corrupt;
    }
  }

  private static int crc(ByteBuffer b) {
    CRC32C crc = new CRC32C();
    crc.update(b.slice(0, LstorFormat.SB_CRC));
    return (int) crc.getValue();
  }
}
