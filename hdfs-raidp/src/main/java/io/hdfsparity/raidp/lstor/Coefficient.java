/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

/**
 * What a side of a superchunk is multiplied by, in GF(2^8) with polynomial 0x11d, before it is
 * added to the parity of its disk: 1 on one side, 2 on the other. With 1 on both, as in the paper
 * [3.1], two failed disks can be decoded. With 1 and 2 any three can: three disks have lost at most
 * three superchunks, and the determinant of their three equations is 6 or 9, never 0 (ADR 0034).
 *
 * <p>A side keeps its coefficient for as long as it has blocks; a new partner takes the other one.
 * Each row says which one its bytes were added with.
 */
public final class Coefficient {
  /** The bytes themselves. */
  public static final int ONE = 1;

  /** The bytes times the generator of the field. */
  public static final int TWO = 2;

  private Coefficient() {}

  /** The coefficient of the other side. */
  public static int other(int coefficient) {
    return require(coefficient) == ONE ? TWO : ONE;
  }

  /**
   * Refuses what is neither.
   *
   * @throws IllegalArgumentException for a number other than 1 and 2
   */
  public static int require(int coefficient) {
    if (coefficient != ONE && coefficient != TWO) {
      throw new IllegalArgumentException(
          "Cannot use coefficient=" + coefficient + ", expected " + ONE + " or " + TWO);
    }
    return coefficient;
  }
}
