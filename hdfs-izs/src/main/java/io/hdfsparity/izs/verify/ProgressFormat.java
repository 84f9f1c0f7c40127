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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of {@link VerifyProgress}: one header without a body. Big-endian; also in
 * docs/formats/izs-verify.md.
 *
 * <pre>
 * header (HeaderFormat): magic "IZSVERIF", version 3, owner = id of the block pool, payload:
 *   offset  bytes  field
 *   0       8      nextId         the first id that was not looked at
 *   8       4      flags          bit 0: more groups are doubted than are listed; other bits: 0
 *   12      4      d              number of doubted ids
 *   16      4      n              number of other open ids
 *   20      ...    d x varint     (id - id before) / 16 * 2, + 1 if data is suspected; unsigned
 *                                 LEB128; before the first: -2^63
 *           ...    n x varint     (id - id before) / 16, beginning at -2^63 again
 * version 2, read only; data is suspected in all doubted groups:
 *   0       20                    as above
 *   20      ...    d x varint     (id - id before) / 16
 *           ...    n x varint     as above
 * version 1, read only; no group is doubted:
 *   0       8      nextId
 *   8       4      n              number of open ids
 *   12      ...    n x varint     as above
 * </pre>
 *
 * <p>What does not fit into the limit is left out from the highest id on. Doubted ids have half of
 * the room at most; bit 0 says that some were left out. Where an open id is left out, {@code
 * nextId} is lowered to the first of them: such groups are looked at once more, none is forgotten.
 * Stateless, thread-safe.
 */
public final class ProgressFormat {
  private static final int VERSION_WITHOUT_DOUBTS = 1;
  private static final int VERSION_WITHOUT_SUSPICION = 2;
  private static final HeaderFormat HEADER =
      new HeaderFormat("IZSVERIF", VERSION_WITHOUT_DOUBTS, VERSION_WITHOUT_SUSPICION + 1);
  private static final int FLAGS_OFFSET = Long.BYTES;
  private static final int DOUBTED_COUNT_OFFSET = FLAGS_OFFSET + Integer.BYTES;
  private static final int OPEN_COUNT_OFFSET = DOUBTED_COUNT_OFFSET + Integer.BYTES;
  private static final int IDS_OFFSET = OPEN_COUNT_OFFSET + Integer.BYTES;
  private static final int DOUBTS_DROPPED = 1;
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
    int doubtedCount = putIds(ids, progress.doubted(), Set.copyOf(progress.suspected()), room / 2);
    boolean areDoubtsDropped =
        progress.areDoubtsDropped() || doubtedCount < progress.doubted().size();
    List<Long> open = progress.open();
    int openCount = putIds(ids, open, /* marked= */ null, room);
    if (openCount < open.size()) {
      nextId = open.get(openCount);
    }
    ids.flip();
    ByteBuffer payload = ByteBuffer.allocate(IDS_OFFSET + ids.remaining());
    payload.putLong(nextId).putInt(areDoubtsDropped ? DOUBTS_DROPPED : 0);
    payload.putInt(doubtedCount).putInt(openCount).put(ids).flip();
    ByteBuffer header = HEADER.encode(owner, payload);
    byte[] bytes = new byte[header.remaining()];
    header.get(bytes);
    return bytes;
  }

  /**
   * Writes ids while there is room; returns how many.
   *
   * @param marked ids that have a mark; null: there is no bit for it
   */
  private static int putIds(ByteBuffer to, List<Long> ids, @Nullable Set<Long> marked, int room) {
    long before = VerifyProgress.FIRST_ID;
    int count = 0;
    for (long id : ids) {
      int start = to.position();
      long steps = (id - before) / VerifyProgress.ID_STEP;
      putVarint(to, marked == null ? steps : 2 * steps + (marked.contains(id) ? 1 : 0));
      if (to.position() > room) {
        to.position(start);
        return count;
      }
      before = id;
      count++;
    }
    return count;
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
    HeaderFormat.Header header = HEADER.decode(in, owner, place);
    boolean hasDoubts = header.version() > VERSION_WITHOUT_DOUBTS;
    boolean hasSuspicion = header.version() > VERSION_WITHOUT_SUSPICION;
    ByteBuffer payload = header.payload();
    try {
      long nextId = payload.getLong();
      int flags = hasDoubts ? payload.getInt() : 0;
      if ((flags & ~DOUBTS_DROPPED) != 0) {
        throw corrupt("flags", flags, "0 or " + DOUBTS_DROPPED, place);
      }
      int doubtedCount = hasDoubts ? payload.getInt() : 0;
      int openCount = payload.getInt();
      List<Long> marked = new ArrayList<>();
      List<Long> doubted =
          ids(payload, doubtedCount, Long.MAX_VALUE, hasSuspicion ? marked : null, place);
      List<Long> open = ids(payload, openCount, nextId, /* marked= */ null, place);
      if (payload.hasRemaining() || in.hasRemaining()) {
        throw corrupt("n", openCount, "as many ids as the value holds", place);
      }
      return new VerifyProgress(
          nextId,
          (flags & DOUBTS_DROPPED) != 0,
          doubted,
          // Version 2 does not say in which: no parity of any of them is dropped.
          hasSuspicion ? marked : doubted,
          open);
    } catch (BufferUnderflowException e) {
      throw corrupt("payloadBytes", payload.limit(), "a whole payload", place);
    }
  }

  /**
   * Reads ids.
   *
   * @param marked takes those that have a mark; null: there is no bit for it
   */
  private static List<Long> ids(
      ByteBuffer from, int count, long endId, @Nullable List<Long> marked, String place)
      throws FormatException {
    if (count < 0) {
      throw corrupt("ids", count, ">= 0", place);
    }
    List<Long> ids = new ArrayList<>(Math.min(count, from.remaining()));
    long before = VerifyProgress.FIRST_ID;
    for (int i = 0; i < count; i++) {
      long value = varint(from);
      long id = before + (marked == null ? value : value >>> 1) * VerifyProgress.ID_STEP;
      if (id < before || i > 0 && id == before || id >= endId) {
        throw corrupt("id", id, "above " + before + " and below " + endId, place);
      }
      ids.add(id);
      if (marked != null && (value & 1) != 0) {
        marked.add(id);
      }
      before = id;
    }
    return ids;
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
