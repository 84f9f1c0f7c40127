/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

import java.util.Arrays;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * Vectors of the machine's own width through {@code jdk.incubator.vector}. A product is looked up
 * in two tables of 16, one for each half of the byte, that lie in a vector and are shuffled (Plank,
 * Greenan, Miller: Screaming Fast Galois Field Arithmetic, FAST 2013; ISA-L does the same).
 *
 * <p>Loaded only where the JVM was started with {@code --add-modules jdk.incubator.vector}.
 * Thread-safe.
 */
final class VectorKernel extends BlockedKernel {
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Byte> BYTES = LONGS.withLanes(byte.class);
  private static final int LOW_BITS = 0x0f;
  private static final int HALF = 4;
  private static final int TABLE_ENTRIES = 16;
  private static final int COEFFICIENTS = 256;
  private static final byte[] TABLES = tables();

  /** For each coefficient: the products of low halves, then those of high halves. */
  private static byte[] tables() {
    int length = BYTES.length();
    byte[] tables = new byte[COEFFICIENTS * 2 * length];
    for (int coefficient = 0; coefficient < COEFFICIENTS; coefficient++) {
      for (int i = 0; i < length; i++) {
        int half = i % TABLE_ENTRIES;
        tables[2 * coefficient * length + i] = (byte) Gf256.multiply(coefficient, half);
        tables[(2 * coefficient + 1) * length + i] =
            (byte) Gf256.multiply(coefficient, half << HALF);
      }
    }
    return tables;
  }

  @Override
  public String name() {
    return "vector";
  }

  @Override
  void combine(byte[] matrix, int rows, long[][] inputs, int inputCount, long[][] sums, int longs) {
    for (int row = 0; row < rows; row++) {
      Arrays.fill(sums[row], 0, longs, 0);
    }
    int row = 0;
    for (; row + 2 < rows; row += 3) {
      for (int in = 0; in < inputCount; in++) {
        int at = row * inputCount + in;
        addToThree(
            matrix[at] & 0xff,
            matrix[at + inputCount] & 0xff,
            matrix[at + 2 * inputCount] & 0xff,
            inputs[in],
            sums[row],
            sums[row + 1],
            sums[row + 2],
            longs);
      }
    }
    for (; row < rows; row++) {
      combineRow(matrix, row, inputs, inputCount, sums[row], longs);
    }
  }

  private static void combineRow(
      byte[] matrix, int row, long[][] inputs, int inputCount, long[] sum, int longs) {
    int at = row * inputCount;
    int in = 0;
    for (; in + 1 < inputCount; in += 2) {
      addTwo(
          matrix[at + in] & 0xff,
          inputs[in],
          matrix[at + in + 1] & 0xff,
          inputs[in + 1],
          sum,
          longs);
    }
    if (in < inputCount) {
      add(matrix[at + in] & 0xff, inputs[in], sum, longs);
    }
  }

  @Override
  void expand(long[][] powers, int longs) {
    // The tables hold all that is needed.
  }

  @Override
  void addProduct(int coefficient, long[][] powers, long[] sum, int longs) {
    add(coefficient, powers[0], sum, longs);
  }

  /** Whole vectors: a block has room for them, and what lies beyond {@code longs} is not used. */
  private static void add(int coefficient, long[] input, long[] sum, int longs) {
    if (coefficient == 1) {
      JavaXor.xorInto(sum, input, longs);
      return;
    }
    ByteVector low = ByteVector.fromArray(BYTES, TABLES, 2 * coefficient * BYTES.length());
    ByteVector high = ByteVector.fromArray(BYTES, TABLES, (2 * coefficient + 1) * BYTES.length());
    for (int i = 0; i < longs; i += LONGS.length()) {
      ByteVector v = LongVector.fromArray(LONGS, input, i).reinterpretAsBytes();
      ByteVector l = v.and((byte) LOW_BITS).selectFrom(low);
      ByteVector h = v.lanewise(VectorOperators.LSHR, HALF).and((byte) LOW_BITS).selectFrom(high);
      LongVector.fromArray(LONGS, sum, i)
          .lanewise(VectorOperators.XOR, l.reinterpretAsLongs())
          .lanewise(VectorOperators.XOR, h.reinterpretAsLongs())
          .intoArray(sum, i);
    }
  }

  /** Products of one input for three sums: its halves are taken apart once. */
  private static void addToThree(
      int c, int d, int e, long[] input, long[] sumC, long[] sumD, long[] sumE, int longs) {
    int length = BYTES.length();
    ByteVector lowC = ByteVector.fromArray(BYTES, TABLES, 2 * c * length);
    ByteVector highC = ByteVector.fromArray(BYTES, TABLES, (2 * c + 1) * length);
    ByteVector lowD = ByteVector.fromArray(BYTES, TABLES, 2 * d * length);
    ByteVector highD = ByteVector.fromArray(BYTES, TABLES, (2 * d + 1) * length);
    ByteVector lowE = ByteVector.fromArray(BYTES, TABLES, 2 * e * length);
    ByteVector highE = ByteVector.fromArray(BYTES, TABLES, (2 * e + 1) * length);
    for (int i = 0; i < longs; i += LONGS.length()) {
      ByteVector v = LongVector.fromArray(LONGS, input, i).reinterpretAsBytes();
      VectorShuffle<Byte> low = v.and((byte) LOW_BITS).toShuffle();
      VectorShuffle<Byte> high =
          v.lanewise(VectorOperators.LSHR, HALF).and((byte) LOW_BITS).toShuffle();
      addProducts(lowC, low, highC, high, sumC, i);
      addProducts(lowD, low, highD, high, sumD, i);
      addProducts(lowE, low, highE, high, sumE, i);
    }
  }

  private static void addProducts(
      ByteVector lowProducts,
      VectorShuffle<Byte> low,
      ByteVector highProducts,
      VectorShuffle<Byte> high,
      long[] sum,
      int at) {
    ByteVector product =
        lowProducts.rearrange(low).lanewise(VectorOperators.XOR, highProducts.rearrange(high));
    LongVector.fromArray(LONGS, sum, at)
        .lanewise(VectorOperators.XOR, product.reinterpretAsLongs())
        .intoArray(sum, at);
  }

  /** Two products in one pass over the sum. */
  private static void addTwo(int c, long[] a, int d, long[] b, long[] sum, int longs) {
    int length = BYTES.length();
    ByteVector lowC = ByteVector.fromArray(BYTES, TABLES, 2 * c * length);
    ByteVector highC = ByteVector.fromArray(BYTES, TABLES, (2 * c + 1) * length);
    ByteVector lowD = ByteVector.fromArray(BYTES, TABLES, 2 * d * length);
    ByteVector highD = ByteVector.fromArray(BYTES, TABLES, (2 * d + 1) * length);
    for (int i = 0; i < longs; i += LONGS.length()) {
      ByteVector v = LongVector.fromArray(LONGS, a, i).reinterpretAsBytes();
      ByteVector w = LongVector.fromArray(LONGS, b, i).reinterpretAsBytes();
      ByteVector x =
          v.and((byte) LOW_BITS)
              .selectFrom(lowC)
              .lanewise(
                  VectorOperators.XOR,
                  v.lanewise(VectorOperators.LSHR, HALF).and((byte) LOW_BITS).selectFrom(highC));
      ByteVector y =
          w.and((byte) LOW_BITS)
              .selectFrom(lowD)
              .lanewise(
                  VectorOperators.XOR,
                  w.lanewise(VectorOperators.LSHR, HALF).and((byte) LOW_BITS).selectFrom(highD));
      LongVector.fromArray(LONGS, sum, i)
          .lanewise(VectorOperators.XOR, x.reinterpretAsLongs())
          .lanewise(VectorOperators.XOR, y.reinterpretAsLongs())
          .intoArray(sum, i);
    }
  }
}
