/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * The dumb twin: a codeword as one matrix over GF(2^8), from every byte of every data column to
 * every byte of every column, and Gaussian elimination. Written from docs/formats/izs-codeword.md
 * with arithmetic of its own, so that it shares no mistake with the codec.
 */
final class CodewordTwin {
  final int k;
  final int r;
  final int p;
  private final int[] shifts;
  private final Coefficient coefficient;
  private final Coefficient tail;

  private interface Coefficient {
    int of(int parity, int data, int row);
  }

  private CodewordTwin(int k, int r, int p, int[] shifts, Coefficient rows, Coefficient tail) {
    this.k = k;
    this.r = r;
    this.p = p;
    this.shifts = shifts;
    this.coefficient = rows;
    this.tail = tail;
  }

  static CodewordTwin izs(int k, int r) {
    int[] shifts =
        switch (k) {
          case 4 -> new int[] {0, 1, 2, 4};
          case 6 -> new int[] {0, 0, 1, 5, 5, 7};
          case 8 -> new int[] {0, 0, 1, 1, 2, 2, 4, 8};
          default -> new int[] {0, 0, 1, 1, 2, 2, 4, 4, 8, 8};
        };
    Coefficient powers = (g, j, x) -> power(power(2, j), g);
    return new CodewordTwin(k, r, k <= 6 ? 8 : 16, shifts, powers, powers);
  }

  /** Algorithm 6 with u_0 = 00, u_1 = 10. */
  static CodewordTwin twoDuplication() {
    Coefficient beta =
        (g, j, x) -> {
          boolean isOne = j % 2 == 1 && (x & 2) != 0;
          return g == 1 && (j < 2 ? isOne : !isOne) ? 2 : 1;
        };
    return new CodewordTwin(
        4, 2, 4, new int[] {0, 2, 0, 2}, beta, (g, j, x) -> power(power(2, j), g));
  }

  static CodewordTwin of(ZigzagCode code) {
    return code.rows() == 4 ? twoDuplication() : izs(code.dataColumns(), code.parityColumns());
  }

  /** All offered codes and the paper's own. */
  static List<ZigzagCode> codes() {
    List<ZigzagCode> codes = new java.util.ArrayList<>(IzsFamily.all());
    codes.add(TwoDuplication.code());
    return codes;
  }

  static int times(int a, int b) {
    int product = 0;
    for (int bit = 0; bit < 8; bit++) {
      product ^= (b >> bit & 1) != 0 ? a : 0;
      a = (a << 1) ^ ((a & 0x80) != 0 ? 0x11d : 0);
    }
    return product;
  }

  private static int power(int base, int exponent) {
    int product = 1;
    for (int i = 0; i < exponent; i++) {
      product = times(product, base);
    }
    return product;
  }

  private static int inverse(int a) {
    return power(a, 254);
  }

  private int target(int parity, int data, int at, int length) {
    int s = length / p;
    return parity != 1 || at >= p * s ? at : (at / s ^ shifts[data]) * s + at % s;
  }

  private int factor(int parity, int data, int at, int length) {
    int s = length / p;
    return at >= p * s ? tail.of(parity, data, 0) : coefficient.of(parity, data, at / s);
  }

  /** All columns of a codeword of given data. */
  byte[][] encode(byte[][] data) {
    int length = data[0].length;
    byte[][] columns = Arrays.copyOf(data, k + r);
    for (int g = 0; g < r; g++) {
      columns[k + g] = new byte[length];
      for (int j = 0; j < k; j++) {
        for (int at = 0; at < length; at++) {
          columns[k + g][target(g, j, at, length)] ^=
              (byte) times(data[j][at] & 0xff, factor(g, j, at, length));
        }
      }
    }
    return columns;
  }

  byte[][] randomCodeword(Random random, int length) {
    byte[][] data = new byte[k][length];
    for (byte[] column : data) {
      random.nextBytes(column);
    }
    return encode(data);
  }

  /** Data columns from those given, null where lost, by elimination; null if not determined. */
  byte[][] solve(byte[][] columns, int length) {
    int unknowns = k * length;
    int[][] equations = new int[columns.length * length][];
    int count = 0;
    for (int column = 0; column < columns.length; column++) {
      for (int at = 0; columns[column] != null && at < length; at++) {
        int[] equation = new int[unknowns + 1];
        equation[unknowns] = columns[column][at] & 0xff;
        if (column < k) {
          equation[column * length + at] = 1;
        } else {
          addParity(equation, column - k, at, length);
        }
        equations[count++] = equation;
      }
    }
    return eliminate(Arrays.copyOf(equations, count), unknowns)
        ? solution(equations, length)
        : null;
  }

  private void addParity(int[] equation, int g, int at, int length) {
    for (int j = 0; j < k; j++) {
      for (int source = 0; source < length; source++) {
        if (target(g, j, source, length) == at) {
          equation[j * length + source] ^= factor(g, j, source, length);
        }
      }
    }
  }

  private byte[][] solution(int[][] equations, int length) {
    byte[][] data = new byte[k][length];
    for (int[] equation : equations) {
      for (int x = 0; equation != null && x < k * length; x++) {
        if (equation[x] != 0) {
          data[x / length][x % length] = (byte) equation[k * length];
          break;
        }
      }
    }
    return data;
  }

  /** Reduces rows in place until each unknown is in one; whether that works out. */
  static boolean eliminate(int[][] rows, int unknowns) {
    boolean[] isUsed = new boolean[rows.length];
    for (int x = 0; x < unknowns; x++) {
      int pivot = 0;
      while (pivot < rows.length && (isUsed[pivot] || rows[pivot][x] == 0)) {
        pivot++;
      }
      if (pivot == rows.length) {
        return false;
      }
      isUsed[pivot] = true;
      scale(rows[pivot], inverse(rows[pivot][x]));
      for (int row = 0; row < rows.length; row++) {
        if (row != pivot && rows[row][x] != 0) {
          addScaled(rows[row], rows[pivot], rows[row][x]);
        }
      }
    }
    return true;
  }

  private static void scale(int[] row, int factor) {
    for (int i = 0; i < row.length; i++) {
      row[i] = times(row[i], factor);
    }
  }

  private static void addScaled(int[] row, int[] other, int factor) {
    for (int i = 0; i < row.length; i++) {
      row[i] ^= other[i] == 0 ? 0 : times(other[i], factor);
    }
  }
}
