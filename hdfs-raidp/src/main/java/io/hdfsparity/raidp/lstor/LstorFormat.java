/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Where everything lies in an Lstor, version 1. All integers are big-endian; every CRC is CRC32C;
 * bytes not named are zero. The same words stand in docs/formats/lstor.md.
 *
 * <pre>
 * FILE, each part starting on a multiple of 4096 bytes, the data parity on a multiple of 65536
 * +--------------------+---------------------------------------------------------------+
 * | superblock A, B    | 4096 bytes each                                               |
 * | frame table        | frames rows of 512 bytes                                      |
 * | slot table         | maxEntries rows of 256 bytes                                  |
 * | data cell CRCs     | 4 bytes for each 65536-byte cell of the data parity           |
 * | checksum cell CRCs | 4 bytes for each 4096-byte cell of the checksum parity        |
 * | journal            | journalBytes                                                  |
 * | data parity        | unitsPerFrame * unitBytes                                     |
 * | checksum parity    | unitsPerFrame * metaBytesPerUnit, up to a multiple of 4096    |
 * +--------------------+---------------------------------------------------------------+
 *
 * SUPERBLOCK, 4096 bytes; copy A bears even sequences, B odd ones; the valid one with the higher sequence counts
 * +------+-----+-----------------------------------------------------------------------+
 * |    0 |   8 | magic "RAIDPLST"                                                      |
 * |    8 |   4 | version; magic, version and CRC keep their places in all versions     |
 * |   16 |   8 | sequence of the superblock                                            |
 * |   24 |   8 | checkpoint: sequence of the first journal record that may not be home |
 * |   32 |   8 | salt: random, drawn at format; ties rows and records to this Lstor    |
 * |   40 | 4x4 | frames, unitsPerFrame, unitBytes, metaBytesPerUnit                    |
 * |   56 |   8 | journalBytes                                                          |
 * |   64 |   8 | checkpointBytes: no record starts at or past this offset              |
 * |   72 |   4 | maxEntries                                                            |
 * |   76 | 2x4 | bytes of a data cell (65536), of a checksum cell (4096)               |
 * |   96 | 256 | cluster id: a length byte, then UTF-8                                 |
 * |  352 | 256 | disk id                                                               |
 * |  608 | 256 | UUID of the DataNode that formatted it                                |
 * | 4092 |   4 | CRC of bytes 0 to 4091                                                |
 * +------+-----+-----------------------------------------------------------------------+
 *
 * FRAME ROW, 512 bytes
 * +------+-----+-----------------------------------------------------------------------+
 * |    0 |   4 | index of the row, which is the index of the frame                     |
 * |    4 |   1 | 1: set, 0: never set                                                  |
 * |    5 |   1 | coefficient of new rows: 1 or 2                                       |
 * |    8 |   8 | superchunk id; -1: unassigned                                         |
 * |   16 |   8 | epoch                                                                 |
 * |   24 | 128 | storage id: a length byte, then UTF-8                                 |
 * |  152 | 128 | storage id of the partner                                             |
 * |  280 | 128 | node UUID of the partner                                              |
 * |  508 |   4 | CRC of the salt and bytes 0 to 507                                    |
 * +------+-----+-----------------------------------------------------------------------+
 *
 * SLOT ROW, 256 bytes
 * +------+-----+-----------------------------------------------------------------------+
 * |    0 |   4 | index of the row                                                      |
 * |    4 |   1 | state: 0 free, 1 RESERVED, 2 LIVE, 3 LIMBO                            |
 * |    5 |   1 | flags: 1 metaCovered, 2 ackPending, 4 partnerClear                    |
 * |    6 |   1 | Hadoop checksum type id                                               |
 * |    7 |   1 | number of runs, 1 to 16                                               |
 * |    8 |   4 | frame index                                                           |
 * |   12 |   4 | bytes per checksum; 0 when nothing was ever covered                   |
 * |   16 | 3x8 | block id, generation stamp, covered bytes                             |
 * |   40 |   1 | coefficient of the covered bytes: 1 or 2                              |
 * |   48 | 128 | 16 runs: first unit (4), units (4)                                    |
 * |  252 |   4 | CRC of the salt and bytes 0 to 251                                    |
 * +------+-----+-----------------------------------------------------------------------+
 *
 * JOURNAL RECORD, starts on a multiple of 4096 bytes from the start of the journal
 * +------+-----+-----------------------------------------------------------------------+
 * |    0 |   8 | magic "RAIDPJRN"                                                      |
 * |    8 |   8 | salt                                                                  |
 * |   16 |   8 | sequence                                                              |
 * |   24 |   4 | writes, 1 to 125                                                      |
 * |   28 |   4 | bytes of the record, a multiple of 4096                               |
 * |   32 |  16 | of each write: offset in the file (8), bytes (4), CRC of them (4)     |
 * | 2044 |   4 | CRC of bytes 0 to 2043                                                |
 * | 2048 |     | the bytes of the writes, one after the other                          |
 * +------+-----+-----------------------------------------------------------------------+
 * </pre>
 */
final class LstorFormat {
  static final int VERSION = 2;
  static final int OLDEST_VERSION = 2;
  static final long MAGIC = ascii("RAIDPLST");
  static final int ALIGNMENT = 4096;

  static final int SUPERBLOCK_BYTES = 4096;
  static final int SUPERBLOCKS = 2;
  static final int SB_VERSION = 8;
  static final int SB_SEQUENCE = 16;
  static final int SB_CHECKPOINT = SB_SEQUENCE + 8;
  static final int SB_SALT = SB_CHECKPOINT + 8;
  static final int SB_FRAMES = SB_SALT + 8;
  static final int SB_UNITS_PER_FRAME = SB_FRAMES + 4;
  static final int SB_UNIT_BYTES = SB_UNITS_PER_FRAME + 4;
  static final int SB_META_BYTES_PER_UNIT = SB_UNIT_BYTES + 4;
  static final int SB_JOURNAL_BYTES = SB_META_BYTES_PER_UNIT + 4;
  static final int SB_CHECKPOINT_BYTES = SB_JOURNAL_BYTES + 8;
  static final int SB_MAX_ENTRIES = SB_CHECKPOINT_BYTES + 8;
  static final int SB_DATA_CELL_BYTES = SB_MAX_ENTRIES + 4;
  static final int SB_META_CELL_BYTES = SB_DATA_CELL_BYTES + 4;
  static final int SB_CLUSTER_ID = 96;
  static final int SB_DISK_ID = SB_CLUSTER_ID + LstorIdentity.MAX_ID_BYTES + 1;
  static final int SB_NODE_UUID = SB_DISK_ID + LstorIdentity.MAX_ID_BYTES + 1;
  static final int SB_CRC = SUPERBLOCK_BYTES - 4;

  static final int FRAME_ROW_BYTES = 512;
  static final int FR_SET = 4;
  static final int FR_COEFFICIENT = 5;
  static final int FR_SUPERCHUNK = 8;
  static final int FR_EPOCH = FR_SUPERCHUNK + 8;
  static final int FR_STORAGE = FR_EPOCH + 8;
  static final int FR_PARTNER_STORAGE = FR_STORAGE + FrameRow.MAX_TEXT_BYTES + 1;
  static final int FR_PARTNER_NODE = FR_PARTNER_STORAGE + FrameRow.MAX_TEXT_BYTES + 1;

  static final int SLOT_ROW_BYTES = 256;
  static final int SR_STATE = 4;
  static final int SR_FLAGS = 5;
  static final int SR_CHECKSUM_TYPE = 6;
  static final int SR_RUN_COUNT = 7;
  static final int SR_FRAME = 8;
  static final int SR_BYTES_PER_CHECKSUM = SR_FRAME + 4;
  static final int SR_BLOCK = SR_BYTES_PER_CHECKSUM + 4;
  static final int SR_GENERATION = SR_BLOCK + 8;
  static final int SR_COVERED = SR_GENERATION + 8;
  static final int SR_COEFFICIENT = SR_COVERED + 8;
  static final int SR_RUNS = 48;
  static final int SR_END = SR_RUNS + 8 * SlotEntry.MAX_RUNS;

  static final int DATA_CELL_BYTES = 65536;
  static final int META_CELL_BYTES = 4096;
  static final int CRC_BYTES = 4;

  static final long RECORD_MAGIC = ascii("RAIDPJRN");
  static final int JR_SALT = 8;
  static final int JR_SEQUENCE = JR_SALT + 8;
  static final int JR_WRITES = JR_SEQUENCE + 8;
  static final int JR_BYTES = JR_WRITES + 4;
  static final int JR_TABLE = JR_BYTES + 4;
  static final int JR_TABLE_ROW_BYTES = 16;
  static final int JR_PAYLOAD = 2048;
  static final int JR_CRC = JR_PAYLOAD - 4;
  static final int MAX_WRITES = (JR_CRC - JR_TABLE) / JR_TABLE_ROW_BYTES;

  /**
   * Room for a coverage step of the worst shape: 256 KiB of data and every checksum cell that 16
   * KiB in 16 runs touch.
   */
  static final int MAX_RECORD_BYTES = 512 * 1024;

  static final long MIN_JOURNAL_BYTES = 2L * MAX_RECORD_BYTES;

  private LstorFormat() {}

  static long ascii(String eight) {
    return ByteBuffer.wrap(eight.getBytes(StandardCharsets.US_ASCII)).getLong();
  }

  static long alignUp(long value, long alignment) {
    return (value + alignment - 1) / alignment * alignment;
  }
}
