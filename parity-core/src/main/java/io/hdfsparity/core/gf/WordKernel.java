/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

/**
 * The fast Java kernel: no tables, but eight field elements in a long, worked on by shifts and XORs
 * that the JIT compiler turns into SIMD.
 *
 * <p>A sum of products is evaluated bit by bit of the coefficients, by Horner's rule: {@code sum =
 * 2 * sum + (XOR of the inputs whose coefficient has this bit)}, from the highest bit down. That
 * takes seven doublings however many inputs there are, and about four XORs an input. Thread-safe.
 */
public final class WordKernel extends BlockedKernel {
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long POLYNOMIALS = Gf256.POLYNOMIAL * 0x0101010101010101L;
  private static final int TOP_BIT = 7;

  @Override
  public String name() {
    return "word";
  }

  @Override
  void combine(byte[] matrix, int row, long[][] inputs, int inputCount, long[] sum, int longs) {
    java.util.Arrays.fill(sum, 0, longs, 0);
    boolean isZero = true;
    for (int bit = TOP_BIT; bit >= 0; bit--) {
      if (!isZero) {
        twice(sum, longs);
      }
      isZero &= !addInputsWithBit(matrix, row, bit, inputs, inputCount, sum, longs);
    }
  }

  /**
   * XORs in the inputs whose coefficient has the bit, four at a time to save passes; tells whether
   * there were any.
   */
  private static boolean addInputsWithBit(
      byte[] matrix, int row, int bit, long[][] inputs, int inputCount, long[] sum, int longs) {
    int waiting = 0;
    boolean any = false;
    long[] a = sum;
    long[] b = sum;
    long[] c = sum;
    for (int in = 0; in < inputCount; in++) {
      if ((matrix[row * inputCount + in] >>> bit & 1) == 0) {
        continue;
      }
      any = true;
      switch (waiting) {
        case 0 -> a = inputs[in];
        case 1 -> b = inputs[in];
        case 2 -> c = inputs[in];
        default -> xorFour(sum, a, b, c, inputs[in], longs);
      }
      waiting = waiting == 3 ? 0 : waiting + 1;
    }
    switch (waiting) {
      case 1 -> JavaXor.xorInto(sum, a, longs);
      case 2 -> xorTwo(sum, a, b, longs);
      case 3 -> xorThree(sum, a, b, c, longs);
      default -> {
        // nothing left over
      }
    }
    return any;
  }

  /**
   * Doubles eight elements a long: shift left, and where a high bit fell out, subtract the
   * polynomial.
   */
  private static void twice(long[] sum, int longs) {
    for (int i = 0; i < longs; i++) {
      long word = sum[i];
      long high = word & HIGH_BITS;
      // 0xff in every byte whose high bit was set.
      long overflowed = (high << 1) - (high >>> TOP_BIT);
      sum[i] = ((word ^ high) << 1) ^ (overflowed & POLYNOMIALS);
    }
  }

  private static void xorTwo(long[] sum, long[] a, long[] b, int longs) {
    for (int i = 0; i < longs; i++) {
      sum[i] ^= a[i] ^ b[i];
    }
  }

  private static void xorThree(long[] sum, long[] a, long[] b, long[] c, int longs) {
    for (int i = 0; i < longs; i++) {
      sum[i] ^= a[i] ^ b[i] ^ c[i];
    }
  }

  private static void xorFour(long[] sum, long[] a, long[] b, long[] c, long[] d, int longs) {
    for (int i = 0; i < longs; i++) {
      sum[i] ^= a[i] ^ b[i] ^ c[i] ^ d[i];
    }
  }
}
