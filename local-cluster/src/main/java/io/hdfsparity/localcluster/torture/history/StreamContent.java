/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.history;

import java.util.Arrays;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/**
 * What files hold that are created and appended to: at each position a byte that follows from seed,
 * file and position, so that any prefix can be checked. Immutable.
 *
 * @param key of seed and file
 */
public record StreamContent(long key) {
  private static final int PIECE_BYTES = 4096;

  /** Content of a file. */
  public static StreamContent of(long seed, String file) {
    return new StreamContent(seed * 31 + file.hashCode());
  }

  /** Bytes from a position on. */
  public byte[] bytes(long position, int lengthBytes) {
    byte[] bytes = new byte[lengthBytes];
    int done = 0;
    while (done < lengthBytes) {
      long at = position + done;
      byte[] piece = new byte[PIECE_BYTES];
      new SplittableRandom(new SplittableRandom(key).nextLong() ^ at / PIECE_BYTES)
          .nextBytes(piece);
      int from = (int) (at % PIECE_BYTES);
      int length = Math.min(PIECE_BYTES - from, lengthBytes - done);
      System.arraycopy(piece, from, bytes, done, length);
      done += length;
    }
    return bytes;
  }

  /** Where the first byte is that differs from what belongs there, if any does. */
  public OptionalLong firstWrong(long position, byte[] found, int lengthBytes) {
    int wrong = Arrays.mismatch(bytes(position, lengthBytes), Arrays.copyOf(found, lengthBytes));
    return wrong < 0 ? OptionalLong.empty() : OptionalLong.of(position + wrong);
  }
}
