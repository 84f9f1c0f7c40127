/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.verify;

import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.core.framing.HeaderFormat;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of {@link VerifyProgress}: one header without a body. Big-endian; also in
 * docs/formats/izs-verify.md.
 *
 * <pre>
 * header (HeaderFormat): magic "IZSVERIF", version 1, owner = id of the block pool, payload:
 *   offset  bytes  field
 *   0       8      nextId         the first id that was not looked at
 *   8       4      n              number of open ids
 *   12      ...    n x varint     (id - id before) / 16, unsigned LEB128; before the first: nextId of
 *                                 an empty progress, -2^63
 * </pre>
 *
 * <p>What does not fit into the limit is left out from the highest id on, and {@code nextId} is
 * lowered to the first id left out: such groups are looked at once more, none is forgotten.
 * Stateless, thread-safe.
 */
public final class ProgressFormat {
  private static final HeaderFormat HEADER = new HeaderFormat("IZSVERIF", 1, 1);
  private static final int COUNT_OFFSET = Long.BYTES;
  private static final int IDS_OFFSET = COUNT_OFFSET + Integer.BYTES;
  private static final int VARINT_BITS = 7;
  private static final int VARINT_MORE = 1 << VARINT_BITS;
  private static final int MAX_VARINT_BYTES = 9;

  private ProgressFormat() {}

  /**
   * Writes progress.
   *
   * @param owner block pool
   * @param maxBytes of the result
   */
  public static byte[] encode(VerifyProgress progress, String owner, int maxBytes) {
    int room = maxBytes - HEADER.encode(owner, ByteBuffer.allocate(IDS_OFFSET)).remaining();
    if (room < 0) {
      throw new IllegalArgumentException(
          "Cannot write progress: maxBytes=" + maxBytes + ", expected " + -room + " more");
    }
    ByteBuffer ids = ByteBuffer.allocate(room + MAX_VARINT_BYTES);
    long nextId = progress.nextId();
    long before = VerifyProgress.NONE.nextId();
    int count = 0;
    for (long id : progress.open()) {
      int start = ids.position();
      putVarint(ids, (id - before) / VerifyProgress.ID_STEP);
      if (ids.position() > room) {
        ids.position(start);
        nextId = id;
        break;
      }
      before = id;
      count++;
    }
    ids.flip();
    ByteBuffer payload = ByteBuffer.allocate(IDS_OFFSET + ids.remaining());
    payload.putLong(nextId).putInt(count).put(ids).flip();
    ByteBuffer header = HEADER.encode(owner, payload);
    byte[] bytes = new byte[header.remaining()];
    header.get(bytes);
    return bytes;
  }

  private static void putVarint(ByteBuffer to, long value) {
    long left = value;
    while (left >= VARINT_MORE) {
      to.put((byte) (left & (VARINT_MORE - 1) | VARINT_MORE));
      left >>>= VARINT_BITS;
    }
    to.put((byte) left);
  }

  /**
   * Reads progress.
   *
   * @param owner whose it must be
   * @param place for messages
   * @throws FormatException the subclass says what is wrong
   */
  public static VerifyProgress decode(byte[] bytes, String owner, String place)
      throws FormatException {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    ByteBuffer payload = HEADER.decode(in, owner, place).payload();
    try {
      long nextId = payload.getLong();
      int count = payload.getInt();
      List<Long> open = new ArrayList<>(Math.max(0, Math.min(count, payload.remaining())));
      long before = VerifyProgress.NONE.nextId();
      for (int i = 0; i < count; i++) {
        long id = before + varint(payload) * VerifyProgress.ID_STEP;
        if (id < before || i > 0 && id == before || id >= nextId) {
          throw corrupt("id", id, "above " + before + " and below nextId=" + nextId, place);
        }
        open.add(id);
        before = id;
      }
      if (count < 0 || payload.hasRemaining() || in.hasRemaining()) {
        throw corrupt("n", count, "as many ids as the value holds", place);
      }
      return new VerifyProgress(nextId, open);
    } catch (BufferUnderflowException e) {
      throw corrupt("payloadBytes", payload.limit(), "a whole payload", place);
    }
  }

  private static long varint(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; ; shift += VARINT_BITS) {
      byte next = in.get();
      value |= (long) (next & (VARINT_MORE - 1)) << shift;
      if (next >= 0 || shift >= VARINT_BITS * (MAX_VARINT_BYTES - 1)) {
        return value;
      }
    }
  }

  private static CorruptFormatException corrupt(
      String name, long value, String rule, String place) {
    return new CorruptFormatException(
        "Cannot read progress of verification: "
            + name
            + "="
            + value
            + ", expected "
            + rule
            + ", at="
            + place);
  }
}
