/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

import java.util.Arrays;

/**
 * The plain table-driven Java kernel: one 256-byte table of products a coefficient, eight look-ups
 * a long. Runs equally well whether or not the JIT compiler vectorizes. Thread-safe.
 */
public final class TableKernel extends BlockedKernel {
  @Override
  public String name() {
    return "table";
  }

  @Override
  void combine(byte[] matrix, int rows, long[][] inputs, int inputCount, long[][] sums, int longs) {
    for (int row = 0; row < rows; row++) {
      Arrays.fill(sums[row], 0, longs, 0);
      for (int in = 0; in < inputCount; in++) {
        add(matrix[row * inputCount + in] & 0xff, inputs[in], sums[row], longs);
      }
    }
  }

  @Override
  void expand(long[][] powers, int longs) {
    // The table of products holds all that is needed.
  }

  @Override
  void addProduct(int coefficient, long[][] powers, long[] sum, int longs) {
    add(coefficient, powers[0], sum, longs);
  }

  private static void add(int coefficient, long[] input, long[] sum, int longs) {
    if (coefficient == 1) {
      JavaXor.xorInto(sum, input, longs);
    } else if (coefficient != 0) {
      addProducts(Gf256.products(), coefficient << 8, input, sum, longs);
    }
  }

  private static void addProducts(byte[] products, int row, long[] input, long[] sum, int longs) {
    for (int i = 0; i < longs; i++) {
      long word = input[i];
      sum[i] ^=
          (products[row | (int) (word & 0xff)] & 0xffL)
              | (products[row | (int) (word >>> 8 & 0xff)] & 0xffL) << 8
              | (products[row | (int) (word >>> 16 & 0xff)] & 0xffL) << 16
              | (products[row | (int) (word >>> 24 & 0xff)] & 0xffL) << 24
              | (products[row | (int) (word >>> 32 & 0xff)] & 0xffL) << 32
              | (products[row | (int) (word >>> 40 & 0xff)] & 0xffL) << 40
              | (products[row | (int) (word >>> 48 & 0xff)] & 0xffL) << 48
              | (products[row | (int) (word >>> 56)] & 0xffL) << 56;
    }
  }
}
