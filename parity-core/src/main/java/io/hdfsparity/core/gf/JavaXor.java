/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * XOR in Java. Heap buffers go byte by byte through a loop that the JIT compiler turns into SIMD;
 * others through long views. Stateless, thread-safe.
 */
final class JavaXor {
  private JavaXor() {}

  /** {@code dst ^= src}; the caller has checked lengths. Positions stay. */
  static void xor(ByteBuffer dst, ByteBuffer src) {
    if (dst.hasArray() && src.hasArray()) {
      xorArrays(
          dst.array(),
          dst.arrayOffset() + dst.position(),
          src.array(),
          src.arrayOffset() + src.position(),
          dst.remaining());
    } else {
      xorViews(
          dst.slice().order(ByteOrder.nativeOrder()), src.slice().order(ByteOrder.nativeOrder()));
    }
  }

  static void xorInto(long[] dst, long[] src, int longs) {
    for (int i = 0; i < longs; i++) {
      dst[i] ^= src[i];
    }
  }

  private static void xorArrays(byte[] dst, int dstOffset, byte[] src, int srcOffset, int length) {
    for (int i = 0; i < length; i++) {
      dst[dstOffset + i] ^= src[srcOffset + i];
    }
  }

  private static void xorViews(ByteBuffer dst, ByteBuffer src) {
    int length = dst.limit();
    int wholeLongs = length - length % Long.BYTES;
    for (int i = 0; i < wholeLongs; i += Long.BYTES) {
      dst.putLong(i, dst.getLong(i) ^ src.getLong(i));
    }
    for (int i = wholeLongs; i < length; i++) {
      dst.put(i, (byte) (dst.get(i) ^ src.get(i)));
    }
  }
}
