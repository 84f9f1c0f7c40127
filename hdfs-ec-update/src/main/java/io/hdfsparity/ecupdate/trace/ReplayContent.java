/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.trace;

/**
 * What a replay writes: bytes that follow from a seed, the number of the write and the place in the
 * file, so that any part of any write can be computed again. Immutable, thread-safe.
 *
 * @param seed of the run
 */
record ReplayContent(long seed) {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  /** Bytes of a write at a place of the file. */
  byte[] bytes(long write, long position, int lengthBytes) {
    byte[] bytes = new byte[lengthBytes];
    long word = 0;
    for (int i = 0; i < lengthBytes; i++) {
      long at = position + i;
      if (i == 0 || (at & 7) == 0) {
        word = mix(seed ^ mix(write + 1) ^ (at >>> 3) * GOLDEN);
      }
      bytes[i] = (byte) (word >>> ((at & 7) * 8));
    }
    return bytes;
  }

  /** The finalizer of SplitMix64. */
  private static long mix(long value) {
    long mixed = value + GOLDEN;
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
