/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.gf.Gf256;
import java.util.ArrayList;
import java.util.List;

/**
 * The codes that the codec {@code izs} offers: k in {4, 6, 8, 10}, r in {1, 2, 3}.
 *
 * <p>Data column j enters parity column g times {@code (2^j)^g}; parity 0 and 2 add up rows as they
 * are, parity 1 shifts column j by {@code v[j]}. For any shifts such a code is MDS exactly when the
 * matrix of its coefficients is superregular, because the shifts commute and differ from 1 by
 * nilpotent elements only (docs/adr/0007); that matrix is, for these k and r.
 *
 * <p>Levels are nested: the rows and the parity columns that two levels of the same k share are the
 * same, so that a change of level only adds or drops columns (paper section 4.3, Algorithm 4).
 *
 * <p>Reads to rebuild one data column, as a share of the k columns that Reed-Solomon reads, equal
 * for r = 2 and 3:
 *
 * <pre>
 *   k    p  v                              share                least possible for r = 2
 *   4    8  0 1 2 4                        .625 each            .625
 *   6    8  0 0 1 5 5 7                    .583 to .667, mean .639   .583
 *   8   16  0 0 1 1 2 2 4 8                .5625 to .625, mean .609  .5625
 *  10   16  0 0 1 1 2 2 4 4 8 8            .600 each            .550
 * </pre>
 *
 * <p>For k = 8 and 10 these are the best shifts on 16 rows for plans that split the rows by a
 * hyperplane, found by trying all of them; more rows would do better and make runs shorter.
 * Immutable tables, thread-safe.
 */
public final class IzsFamily {
  /** Maximum number of parity columns. */
  public static final int MAX_PARITY_COLUMNS = 3;

  /** The parity column that is shifted. */
  static final int SHIFTED_PARITY = 1;

  private static final List<Integer> DATA_COLUMNS = List.of(4, 6, 8, 10);

  private IzsFamily() {}

  /** Offered values of k, ascending. */
  public static List<Integer> dataColumns() {
    return DATA_COLUMNS;
  }

  /** Whether a code with k data and r parity columns is offered. */
  public static boolean isOffered(int dataColumns, int parityColumns) {
    return DATA_COLUMNS.contains(dataColumns)
        && parityColumns >= 1
        && parityColumns <= MAX_PARITY_COLUMNS;
  }

  /** All offered codes. */
  public static List<ZigzagCode> all() {
    List<ZigzagCode> codes = new ArrayList<>();
    for (int dataColumns : DATA_COLUMNS) {
      for (int parityColumns = 1; parityColumns <= MAX_PARITY_COLUMNS; parityColumns++) {
        codes.add(code(dataColumns, parityColumns));
      }
    }
    return codes;
  }

  /**
   * One of the offered codes.
   *
   * @throws IllegalArgumentException if it is not offered
   */
  public static ZigzagCode code(int dataColumns, int parityColumns) {
    Checks.argument(
        DATA_COLUMNS.contains(dataColumns),
        "make an IZS code",
        "dataColumns",
        dataColumns,
        "one of " + DATA_COLUMNS);
    Checks.argument(
        parityColumns >= 1 && parityColumns <= MAX_PARITY_COLUMNS,
        "make an IZS code",
        "parityColumns",
        parityColumns,
        "1.." + MAX_PARITY_COLUMNS);
    int[][] shifts = new int[parityColumns][dataColumns];
    if (parityColumns > SHIFTED_PARITY) {
      shifts[SHIFTED_PARITY] = shiftsOf(dataColumns);
    }
    return new ZigzagCode(
        "IZS-" + dataColumns + "-" + parityColumns,
        rowsOf(dataColumns),
        shifts,
        (parity, data, row) -> coefficient(parity, data),
        (parity, data, row) -> coefficient(parity, data));
  }

  /** {@code (2^data)^parity}. */
  static int coefficient(int parity, int data) {
    return Gf256.power(Gf256.power(2, data), parity);
  }

  private static int rowsOf(int dataColumns) {
    return dataColumns <= 6 ? 8 : 16;
  }

  private static int[] shiftsOf(int dataColumns) {
    return switch (dataColumns) {
      case 4 -> new int[] {0, 1, 2, 4};
      case 6 -> new int[] {0, 0, 1, 5, 5, 7};
      case 8 -> new int[] {0, 0, 1, 1, 2, 2, 4, 8};
      default -> new int[] {0, 0, 1, 1, 2, 2, 4, 4, 8, 8};
    };
  }
}
