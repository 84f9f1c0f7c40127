/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.core.framing.HeaderFormat;
import io.hdfsparity.core.framing.NotOursException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The start of a file of reserved space. Immutable.
 *
 * <pre>
 * FILE
 * +------+------+------------------------------------------------------------------+
 * |    0 | 4096 | head, copy of even generations                                   |
 * | 4096 | 4096 | head, copy of odd generations                                    |
 * | 8192 |      | records, one behind the other                                    |
 * +------+------+------------------------------------------------------------------+
 *
 * HEAD: a header of parity-core (magic "ECUPRSRV", owner: block pool "/" block id), and this payload
 * +------+-----+-------------------------------------------------------------------+
 * |    0 |   8 | salt of the log that the sequences are of                         |
 * |    8 |   8 | generation: one more with every head that is written              |
 * |   16 |   8 | voidUpTo: records up to this sequence are merged                  |
 * |   24 |   8 | last: sequence of the last record; records up to it are durable   |
 * +------+-----+-------------------------------------------------------------------+
 * </pre>
 */
record ReservedHead(String owner, long salt, long generation, long voidUpTo, long last) {
  static final HeaderFormat FORMAT = new HeaderFormat("ECUPRSRV", 1, 1);
  static final int COPY_BYTES = 4096;
  static final int RECORDS_OFFSET = 2 * COPY_BYTES;
  private static final int PAYLOAD_BYTES = 4 * Long.BYTES;

  ReservedHead next(long newVoidUpTo, long newLast) {
    return new ReservedHead(owner, salt, generation + 1, newVoidUpTo, newLast);
  }

  /** Writes it to its place; forces nothing. */
  void write(ReservedArea area) throws IOException {
    ByteBuffer payload = ByteBuffer.allocate(PAYLOAD_BYTES);
    payload.putLong(salt).putLong(generation).putLong(voidUpTo).putLong(last).flip();
    ByteBuffer copy = ByteBuffer.allocate(COPY_BYTES);
    copy.put(FORMAT.encode(owner, payload)).clear();
    area.write(generation % 2 * COPY_BYTES, copy);
  }

  /**
   * The newer of the copies that are whole.
   *
   * @throws FormatException if no copy is whole, or it is another's, too old or too new
   */
  static ReservedHead read(ReservedArea area, String owner) throws IOException {
    ReservedHead best = null;
    FormatException flaw = null;
    for (int copy = 0; copy < 2; copy++) {
      ByteBuffer bytes = ByteBuffer.allocate(COPY_BYTES);
      area.read((long) copy * COPY_BYTES, bytes);
      bytes.flip();
      String place = "reserved space of " + owner + " offset=" + copy * COPY_BYTES;
      try {
        ByteBuffer payload = FORMAT.decode(bytes, owner, place).payload();
        if (payload.remaining() != PAYLOAD_BYTES) {
          throw new CorruptFormatException(
              "Cannot read reserved space: payloadBytes="
                  + payload.remaining()
                  + ", expected "
                  + PAYLOAD_BYTES
                  + ", file="
                  + place);
        }
        ReservedHead head =
            new ReservedHead(
                owner, payload.getLong(), payload.getLong(), payload.getLong(), payload.getLong());
        best = best == null || head.generation > best.generation ? head : best;
      } catch (NotOursException | CorruptFormatException e) {
        // Not even a magic says less than a damaged copy does.
        flaw = flaw instanceof CorruptFormatException ? flaw : e;
      }
    }
    if (best == null) {
      throw flaw == null ? new CorruptFormatException("Cannot read reserved space: no head") : flaw;
    }
    return best;
  }
}
