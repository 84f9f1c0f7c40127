/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Bytes that follow from a seed and their position, so that any range can be told again without
 * keeping them.
 *
 * @param seed tells contents apart
 * @param lengthBytes length
 */
record SeededContent(long seed, long lengthBytes) implements Content {
  /** Each eight bytes are the first word of a generator of its own. */
  @Override
  public byte[] read(long position, int length) {
    long first = position / Long.BYTES;
    int skipped = (int) (position % Long.BYTES);
    ByteBuffer words = ByteBuffer.allocate(skipped + length + Long.BYTES);
    for (long word = first; words.position() < skipped + length; word++) {
      words.putLong(new SplittableRandom(seed + word).nextLong());
    }
    return Arrays.copyOfRange(words.array(), skipped, skipped + length);
  }
}
