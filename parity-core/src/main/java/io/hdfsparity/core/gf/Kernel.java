/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

import java.nio.ByteBuffer;

/**
 * Bulk arithmetic over GF(2^8) with polynomial 0x11d. All kernels give the same bytes; they differ
 * in speed.
 *
 * <p>Buffers are used from position to limit and positions are left unchanged. Source and
 * destination lengths must be equal; a destination overlaps no source. Direct and heap buffers are
 * accepted. Thread-safe.
 */
public interface Kernel {
  /**
   * Short name for logs: {@code scalar}, {@code table}, {@code word}, {@code vector}, {@code isal}.
   */
  String name();

  /** {@code dst ^= src}. */
  void xor(ByteBuffer dst, ByteBuffer src);

  /** {@code dst ^= coefficient * src}. */
  void multiplyAdd(int coefficient, ByteBuffer src, ByteBuffer dst);

  /**
   * {@code outputs[i] = sum over j of matrix[i * inputs.length + j] * inputs[j]}: encode, decode
   * and any other linear map.
   */
  void encode(byte[] matrix, ByteBuffer[] inputs, ByteBuffer[] outputs);

  /**
   * {@code outputs[i] ^= column[i] * delta}: the parities' update when one input changes by {@code
   * delta}.
   */
  void update(byte[] column, ByteBuffer delta, ByteBuffer[] outputs);
}
