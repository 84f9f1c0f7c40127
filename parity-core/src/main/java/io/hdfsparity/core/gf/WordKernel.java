/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

import java.util.Arrays;

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
  void combine(byte[] matrix, int rows, long[][] inputs, int inputCount, long[][] sums, int longs) {
    for (int row = 0; row < rows; row++) {
      combineRow(matrix, row, inputs, inputCount, sums[row], longs);
    }
  }

  private static void combineRow(
      byte[] matrix, int row, long[][] inputs, int inputCount, long[] sum, int longs) {
    Arrays.fill(sum, 0, longs, 0);
    long[][] chosen = new long[inputCount][];
    boolean isZero = true;
    for (int bit = TOP_BIT; bit >= 0; bit--) {
      if (!isZero) {
        twice(sum, sum, longs);
      }
      int count = 0;
      for (int in = 0; in < inputCount; in++) {
        if ((matrix[row * inputCount + in] >>> bit & 1) != 0) {
          chosen[count++] = inputs[in];
        }
      }
      addAll(sum, chosen, count, longs);
      isZero &= count == 0;
    }
  }

  /** The delta times 2, 4, ..., 128: seven doublings for all outputs, not seven for each. */
  @Override
  void expand(long[][] powers, int longs) {
    for (int bit = 1; bit <= TOP_BIT; bit++) {
      twice(powers[bit - 1], powers[bit], longs);
    }
  }

  @Override
  void addProduct(int coefficient, long[][] powers, long[] sum, int longs) {
    long[][] chosen = new long[POWERS][];
    int count = 0;
    for (int bit = 0; bit <= TOP_BIT; bit++) {
      if ((coefficient >>> bit & 1) != 0) {
        chosen[count++] = powers[bit];
      }
    }
    addAll(sum, chosen, count, longs);
  }

  /** XORs blocks in, up to four at a time to save passes over the sum. */
  private static void addAll(long[] sum, long[][] blocks, int count, int longs) {
    int at = 0;
    for (; count - at >= 4; at += 4) {
      addFour(sum, blocks[at], blocks[at + 1], blocks[at + 2], blocks[at + 3], longs);
    }
    switch (count - at) {
      case 1 -> JavaXor.xorInto(sum, blocks[at], longs);
      case 2 -> addTwo(sum, blocks[at], blocks[at + 1], longs);
      case 3 -> addThree(sum, blocks[at], blocks[at + 1], blocks[at + 2], longs);
      default -> {
        // none left over
      }
    }
  }

  /**
   * Doubles eight elements a long: shift left, and where a high bit fell out, subtract the
   * polynomial.
   */
  private static void twice(long[] from, long[] to, int longs) {
    for (int i = 0; i < longs; i++) {
      long word = from[i];
      long high = word & HIGH_BITS;
      // 0xff in every byte whose high bit was set.
      long overflowed = (high << 1) - (high >>> TOP_BIT);
      to[i] = ((word ^ high) << 1) ^ (overflowed & POLYNOMIALS);
    }
  }

  private static void addTwo(long[] sum, long[] a, long[] b, int longs) {
    for (int i = 0; i < longs; i++) {
      sum[i] ^= a[i] ^ b[i];
    }
  }

  private static void addThree(long[] sum, long[] a, long[] b, long[] c, int longs) {
    for (int i = 0; i < longs; i++) {
      sum[i] ^= a[i] ^ b[i] ^ c[i];
    }
  }

  private static void addFour(long[] sum, long[] a, long[] b, long[] c, long[] d, int longs) {
    for (int i = 0; i < longs; i++) {
      sum[i] ^= a[i] ^ b[i] ^ c[i] ^ d[i];
    }
  }
}
