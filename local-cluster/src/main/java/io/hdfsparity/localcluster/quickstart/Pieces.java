/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import java.io.IOException;
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
    byte[] bytes = new byte[pieces * BYTES];
    for (int i = 0; i < pieces; i++) {
      int version = begun.incrementAndGet(first + i);
      fill(bytes, i * BYTES, first + i, version);
    }
    return bytes;
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
    int newest = begun.get(piece);
    byte[] expected = new byte[BYTES];
    for (int version = newest; version >= oldest; version--) {
      if (version == 0) {
        source.read((long) piece * BYTES, expected, BYTES);
      } else {
        fill(expected, 0, piece, version);
      }
      if (Arrays.equals(got, expected)) {
        return true;
      }
    }
    return false;
  }

  private void fill(byte[] into, int at, int piece, int version) {
    byte[] bytes = new byte[BYTES];
    new SplittableRandom(seed + ((long) version << 32) + piece).nextBytes(bytes);
    System.arraycopy(bytes, 0, into, at, BYTES);
  }

  @Override
  public long lengthBytes() {
    return source.lengthBytes();
  }

  /** As all acknowledged writes have left it. */
  @Override
  public void read(long position, byte[] into, int length) throws IOException {
    source.read(position, into, length);
    byte[] piece = new byte[BYTES];
    for (long at = position / BYTES * BYTES; at < position + length; at += BYTES) {
      int index = Math.toIntExact(at / BYTES);
      if (index < count() && acknowledged.get(index) > 0) {
        fill(piece, 0, index, acknowledged.get(index));
        long from = Math.max(at, position);
        long to = Math.min(at + BYTES, position + length);
        System.arraycopy(
            piece, (int) (from - at), into, (int) (from - position), (int) (to - from));
      }
    }
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
