/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * A file that is changed in pieces by one writer, and what each may hold at any time: of a piece
 * there is one version after the other, and all bytes of a version follow from its number.
 *
 * <p>Thread-safe: one writer, many readers.
 */
final class Pieces implements Content {
  /** Whole pieces are written and read; so each lies in one cell. */
  static final int BYTES = 4096;

  private final SourceFile source;
  private final long seed;

  /** Version that the last write made that was acknowledged; 0 is the source. */
  private final AtomicIntegerArray acknowledged;

  private final AtomicIntegerArray begun;

  Pieces(SourceFile source, long seed) {
    this.source = source;
    this.seed = seed;
    int count = Math.toIntExact(source.lengthBytes() / BYTES);
    acknowledged = new AtomicIntegerArray(count);
    begun = new AtomicIntegerArray(count);
  }

  /** How many there are; what is behind the last whole one is never changed. */
  int count() {
    return acknowledged.length();
  }

  /** Begins to write the next version of some pieces; their bytes. */
  byte[] begin(int first, int pieces) {
    ByteBuffer bytes = ByteBuffer.allocate(pieces * BYTES);
    for (int piece = first; piece < first + pieces; piece++) {
      bytes.put(written(piece, begun.incrementAndGet(piece)));
    }
    return bytes.array();
  }

  /** What was begun is durable. */
  void acknowledge(int first, int pieces) {
    for (int i = first; i < first + pieces; i++) {
      acknowledged.set(i, begun.get(i));
    }
  }

  /** The oldest version of a piece that a read may return that begins now. */
  int oldest(int piece) {
    return acknowledged.get(piece);
  }

  /**
   * Whether a piece that was read holds what it may: a version that was there at some time between
   * the beginning of the read and now.
   *
   * @param oldest as told by {@link #oldest} when the read began
   * @throws IOException if the source cannot be read
   */
  boolean isRight(int piece, int oldest, byte[] got) throws IOException {
    for (int version = begun.get(piece); version >= oldest; version--) {
      byte[] expected =
          version == 0 ? source.read((long) piece * BYTES, BYTES) : written(piece, version);
      if (Arrays.equals(got, expected)) {
        return true;
      }
    }
    return false;
  }

  private byte[] written(int piece, int version) {
    byte[] bytes = new byte[BYTES];
    new SplittableRandom(seed + ((long) version << 32) + piece).nextBytes(bytes);
    return bytes;
  }

  @Override
  public long lengthBytes() {
    return source.lengthBytes();
  }

  /** As all acknowledged writes have left it. */
  @Override
  public byte[] read(long position, int length) throws IOException {
    byte[] bytes = source.read(position, length);
    for (long at = position / BYTES * BYTES; at < position + length; at += BYTES) {
      int piece = Math.toIntExact(at / BYTES);
      if (piece < count() && acknowledged.get(piece) > 0) {
        int from = (int) Math.max(position - at, 0);
        int to = (int) Math.min(position + length - at, BYTES);
        byte[] now = written(piece, acknowledged.get(piece));
        System.arraycopy(now, from, bytes, (int) (at + from - position), to - from);
      }
    }
    return bytes;
  }

  /**
   * Refuses when the source is not what it was.
   *
   * @throws QuickstartException naming the file
   */
  void requireUnchanged() throws QuickstartException {
    source.requireUnchanged();
  }
}
