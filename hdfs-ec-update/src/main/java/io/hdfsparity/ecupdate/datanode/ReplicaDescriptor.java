/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.bridge.datanode.DatasetAccess.ReplicaView;
import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.core.framing.HeaderFormat;
import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.ecupdate.ajx.CodeTable;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.RowMap;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import io.hdfsparity.ecupdate.storage.ReplicaLayout;
import io.hdfsparity.ecupdate.storage.UpdateScheme;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

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
 * +------+-----+ version 2 only, written where bytes move ------------------------+
 * |      |   2 | p: rows of a cell                                                 |
 * |      |     | rows * columns * p targets, by parity block, data block and row   |
 * +------+-----+-------------------------------------------------------------------+
 * </pre>
 *
 * @param code of the group
 * @param block index of the internal block in its group
 * @param cellBytes of the policy
 * @param lengthBytes of the replica
 * @param stripes of the group
 * @param generationStamp of the replica
 * @param scheme of the path
 */
public record ReplicaDescriptor(
    CodeTable code,
    int block,
    int cellBytes,
    int lengthBytes,
    int stripes,
    long generationStamp,
    String scheme) {
  static final HeaderFormat FORMAT = new HeaderFormat("ECUPDESC", 1, 2);

  /** What earlier software reads as well, for codes that it knows. */
  private static final HeaderFormat FORMAT_1 = new HeaderFormat("ECUPDESC", 1, 1);

  private static final int FIXED_BYTES = 30;

  public ReplicaDescriptor {
    Checks.index("describe a replica", "block", block, code.parityBlocks() + code.dataBlocks());
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
    return block >= code.dataBlocks();
  }

  /** The same replica under another generation stamp. */
  ReplicaDescriptor withGenerationStamp(long stamp) {
    return new ReplicaDescriptor(code, block, cellBytes, lengthBytes, stripes, stamp, scheme);
  }

  /**
   * Whether the other describes the same replica under another code, as after a change of level, or
   * of the coder's coefficients.
   */
  boolean differsInCodeOnly(ReplicaDescriptor other) {
    return !code.equals(other.code)
        && code.dataBlocks() == other.code.dataBlocks()
        && block == other.block
        && cellBytes == other.cellBytes
        && lengthBytes == other.lengthBytes
        && stripes == other.stripes
        && generationStamp == other.generationStamp;
  }

  /** The same replica with another scheme. */
  ReplicaDescriptor withScheme(String other) {
    return new ReplicaDescriptor(
        code, block, cellBytes, lengthBytes, stripes, generationStamp, other);
  }

  ReplicaLayout layout(int chunkBytes) {
    return new ReplicaLayout(
        new StripeCode(Kernels.best(), code), block, cellBytes, chunkBytes, lengthBytes, stripes);
  }

  byte[] encode(ReplicaKey key) {
    byte[] name = scheme.getBytes(StandardCharsets.US_ASCII);
    byte[] coefficients = code.coefficients().toBytes();
    boolean isPlain = code.rowMap().isPlain();
    byte[] targets = isPlain ? new byte[0] : code.rowMap().toBytes();
    ByteBuffer payload =
        ByteBuffer.allocate(
            FIXED_BYTES + name.length + coefficients.length + Short.BYTES + targets.length);
    payload.putShort((short) code.parityBlocks()).putShort((short) code.dataBlocks());
    payload.putInt(block).putInt(cellBytes).putInt(lengthBytes).putInt(stripes);
    payload.putLong(generationStamp).putShort((short) name.length).put(name).put(coefficients);
    if (!isPlain) {
      payload.putShort((short) code.rowMap().rows()).put(targets);
    }
    ByteBuffer header = (isPlain ? FORMAT_1 : FORMAT).encode(key.toString(), payload.flip());
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
    HeaderFormat.Header header = FORMAT.decode(ByteBuffer.wrap(bytes), key.toString(), place);
    ByteBuffer payload = header.payload();
    try {
      int rows = payload.getShort();
      int columns = payload.getShort();
      int block = payload.getInt();
      int cellBytes = payload.getInt();
      int lengthBytes = payload.getInt();
      int stripes = payload.getInt();
      long generationStamp = payload.getLong();
      byte[] name = bytes(payload, payload.getShort());
      byte[] coefficients =
          bytes(payload, header.version() == 1 ? payload.remaining() : rows * columns);
      GfMatrix matrix =
          GfMatrix.of(rows, columns, coefficients); // so many that the map can be made
      RowMap map =
          header.version() == 1 ? RowMap.plain(rows, columns) : map(rows, columns, payload);
      return new ReplicaDescriptor(
          new CodeTable(matrix, map),
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

  /** No memory for more than there is. */
  private static byte[] bytes(ByteBuffer payload, int length) {
    if (length < 0 || length > payload.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    payload.get(bytes);
    return bytes;
  }

  private static RowMap map(int parityBlocks, int dataBlocks, ByteBuffer payload) {
    int rows = payload.getShort();
    byte[] targets = new byte[payload.remaining()];
    payload.get(targets);
    return RowMap.of(parityBlocks, dataBlocks, rows, targets);
  }

  /**
   * Refuses a replica that is not what it describes.
   *
   * @throws IOException unless it is finalized and has its generation stamp and length
   */
  void requireDescribes(@Nullable ReplicaView replica) throws IOException {
    if (replica == null
        || !replica.state().equals("FINALIZED")
        || replica.generationStamp() != generationStamp
        || replica.lengthBytes() != lengthBytes) {
      throw new IOException(
          ErrorMessage.to("update a replica")
              .value("replica", replica)
              .expected(
                  "a finalized one with generationStamp="
                      + generationStamp
                      + " and lengthBytes="
                      + lengthBytes)
              .message());
    }
  }
}
