/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.core.framing.HeaderFormat;
import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import io.hdfsparity.ecupdate.engine.ReplicaLayout;
import io.hdfsparity.ecupdate.plr.UpdateScheme;
import io.hdfsparity.ecupdate.wal.ReplicaKey;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What a DataNode cannot know of an internal block and an update session tells it. Kept in a file
 * of its own, whose existence says that the replica may have changed since it was finalized.
 * Immutable.
 *
 * <pre>
 * FILE: a header of parity-core (magic "ECUPDESC", owner: block pool "/" block id), its payload
 * +------+-----+-------------------------------------------------------------------+
 * |    0 |   2 | rows: parity blocks of a stripe                                   |
 * |    2 |   2 | columns: data blocks of a stripe                                  |
 * |    4 |   4 | block: index of the internal block in its group                   |
 * |    8 |   4 | cellBytes                                                         |
 * |   12 |   4 | lengthBytes of the replica                                        |
 * |   16 |   4 | stripes of the group                                              |
 * |   20 |   8 | generationStamp of the replica                                    |
 * |   28 |   2 | n: bytes of the scheme's name                                     |
 * |   30 |   n | scheme: FO, FL, PL or PLR                                         |
 * |      |     | rows * columns coefficients, row by row                           |
 * +------+-----+-------------------------------------------------------------------+
 * </pre>
 *
 * @param parityRows one row a parity block, one column a data block
 * @param block index of the internal block in its group
 * @param cellBytes of the policy
 * @param lengthBytes of the replica
 * @param stripes of the group
 * @param generationStamp of the replica
 * @param scheme of the path
 */
public record ReplicaDescriptor(
    GfMatrix parityRows,
    int block,
    int cellBytes,
    int lengthBytes,
    int stripes,
    long generationStamp,
    String scheme) {
  static final HeaderFormat FORMAT = new HeaderFormat("ECUPDESC", 1, 1);
  private static final int FIXED_BYTES = 30;

  public ReplicaDescriptor {
    Checks.index("describe a replica", "block", block, parityRows.rows() + parityRows.columns());
    Checks.argument(cellBytes > 0, "describe a replica", "cellBytes", cellBytes, "> 0");
    Checks.argument(lengthBytes > 0, "describe a replica", "lengthBytes", lengthBytes, "> 0");
    Checks.argument(
        lengthBytes <= (long) stripes * cellBytes,
        "describe a replica",
        "stripes",
        stripes,
        "enough for lengthBytes=" + lengthBytes);
    UpdateScheme.of(scheme);
  }

  boolean isParity() {
    return block >= parityRows.columns();
  }

  /** The same replica under another generation stamp. */
  ReplicaDescriptor withGenerationStamp(long stamp) {
    return new ReplicaDescriptor(parityRows, block, cellBytes, lengthBytes, stripes, stamp, scheme);
  }

  /** The same replica with another scheme. */
  ReplicaDescriptor withScheme(String other) {
    return new ReplicaDescriptor(
        parityRows, block, cellBytes, lengthBytes, stripes, generationStamp, other);
  }

  ReplicaLayout layout(int chunkBytes) {
    return new ReplicaLayout(
        new StripeCode(Kernels.best(), parityRows),
        block,
        cellBytes,
        chunkBytes,
        lengthBytes,
        stripes);
  }

  byte[] encode(ReplicaKey key) {
    byte[] name = scheme.getBytes(StandardCharsets.US_ASCII);
    byte[] coefficients = parityRows.toBytes();
    ByteBuffer payload = ByteBuffer.allocate(FIXED_BYTES + name.length + coefficients.length);
    payload.putShort((short) parityRows.rows()).putShort((short) parityRows.columns());
    payload.putInt(block).putInt(cellBytes).putInt(lengthBytes).putInt(stripes);
    payload.putLong(generationStamp).putShort((short) name.length).put(name).put(coefficients);
    ByteBuffer header = FORMAT.encode(key.toString(), payload.flip());
    byte[] bytes = new byte[header.remaining()];
    header.get(bytes);
    return bytes;
  }

  /**
   * The other way.
   *
   * @throws FormatException if the bytes are not the descriptor of that replica
   */
  static ReplicaDescriptor decode(byte[] bytes, ReplicaKey key, String place)
      throws FormatException {
    ByteBuffer payload = FORMAT.decode(ByteBuffer.wrap(bytes), key.toString(), place).payload();
    try {
      int rows = payload.getShort();
      int columns = payload.getShort();
      int block = payload.getInt();
      int cellBytes = payload.getInt();
      int lengthBytes = payload.getInt();
      int stripes = payload.getInt();
      long generationStamp = payload.getLong();
      byte[] name = new byte[payload.getShort()];
      payload.get(name);
      byte[] coefficients = new byte[payload.remaining()];
      payload.get(coefficients);
      return new ReplicaDescriptor(
          GfMatrix.of(rows, columns, coefficients),
          block,
          cellBytes,
          lengthBytes,
          stripes,
          generationStamp,
          new String(name, StandardCharsets.US_ASCII));
    } catch (IllegalArgumentException
        | IndexOutOfBoundsException
        | NegativeArraySizeException
        | BufferUnderflowException e) {
      CorruptFormatException corrupt =
          new CorruptFormatException(
              "Cannot read descriptor: payload=" + e + ", expected a descriptor, file=" + place);
      corrupt.initCause(e);
      throw corrupt;
    }
  }
}
