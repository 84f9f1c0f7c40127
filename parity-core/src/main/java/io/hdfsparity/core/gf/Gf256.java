/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

/**
 * The field GF(2^8) with polynomial x^8 + x^4 + x^3 + x^2 + 1 (0x11d) and generator 2. Elements are
 * ints in 0..255.
 *
 * <p>Same field as ISA-L's {@code erasure_code/ec_base.c} and Hadoop's {@code
 * org.apache.hadoop.io.erasurecode.rawcoder.util.GF256}. Immutable tables, thread-safe.
 */
public final class Gf256 {
  /** Low byte of the polynomial. */
  public static final int POLYNOMIAL = 0x1d;

  /** Order of the multiplicative group. */
  private static final int GROUP_ORDER = 255;

  private static final byte[] EXP = new byte[2 * GROUP_ORDER];
  private static final int[] LOG = new int[256];
  private static final byte[] PRODUCTS = new byte[256 * 256];

  static {
    int element = 1;
    for (int power = 0; power < GROUP_ORDER; power++) {
      EXP[power] = (byte) element;
      EXP[power + GROUP_ORDER] = (byte) element;
      LOG[element] = power;
      element = twice(element);
    }
    for (int a = 1; a < 256; a++) {
      for (int b = 1; b < 256; b++) {
        PRODUCTS[(a << 8) | b] = EXP[LOG[a] + LOG[b]];
      }
    }
  }

  private Gf256() {}

  /** {@code 2 * element}. */
  static int twice(int element) {
    int shifted = element << 1;
    return shifted > 0xff ? (shifted ^ POLYNOMIAL) & 0xff : shifted;
  }

  /** The product of two elements. */
  public static int multiply(int a, int b) {
    return PRODUCTS[((a & 0xff) << 8) | (b & 0xff)] & 0xff;
  }

  /**
   * The inverse of a non-zero element.
   *
   * @throws ArithmeticException for zero, which has none
   */
  public static int inverse(int element) {
    if ((element & 0xff) == 0) {
      throw new ArithmeticException("Cannot invert field element: element=0, expected 1..255");
    }
    return EXP[GROUP_ORDER - LOG[element & 0xff]] & 0xff;
  }

  /**
   * {@code base} to the power {@code exponent}; anything to the power 0 is 1.
   *
   * @param exponent at least 0
   */
  public static int power(int base, int exponent) {
    if (exponent < 0) {
      throw new ArithmeticException(
          "Cannot raise to a power: exponent=" + exponent + ", expected >= 0");
    }
    if (exponent == 0) {
      return 1;
    }
    if ((base & 0xff) == 0) {
      return 0;
    }
    return EXP[(int) ((long) LOG[base & 0xff] * exponent % GROUP_ORDER)] & 0xff;
  }

  /**
   * All products as one table: entry {@code (a << 8) | b}. Shared with the kernels; not to be
   * written.
   */
  static byte[] products() {
    return PRODUCTS;
  }
}
