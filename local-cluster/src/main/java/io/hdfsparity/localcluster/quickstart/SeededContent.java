/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

/**
 * Bytes that follow from a seed and their position, so that any range can be told again without
 * keeping them.
 *
 * @param seed tells contents apart
 * @param lengthBytes length
 */
record SeededContent(long seed, long lengthBytes) implements Content {
  @Override
  public byte[] read(long position, int length) {
    byte[] bytes = new byte[length];
    long word = 0;
    long wordIndex = -1;
    for (int i = 0; i < length; i++) {
      long at = position + i;
      if (at >>> 3 != wordIndex) {
        wordIndex = at >>> 3;
        word = mix(seed + wordIndex * 0x9E3779B97F4A7C15L);
      }
      bytes[i] = (byte) (word >>> ((at & 7) * 8));
    }
    return bytes;
  }

  /** The finalizer of SplitMix64 (Steele, Lea, Flood 2014). */
  private static long mix(long z) {
    long a = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    long b = (a ^ (a >>> 27)) * 0x94D049BB133111EBL;
    return b ^ (b >>> 31);
  }
}
