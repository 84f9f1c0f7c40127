/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Where more columns of a codeword are there than its data needs, the others must say the same:
 * parity that somebody else has written is a claim, and this is how it is held against the rest.
 *
 * <p>A codeword may be a part of a larger one: the same stretch of every row of every column, one
 * after the other. Stateless, thread-safe.
 */
public final class Overlap {
  private Overlap() {}

  /**
   * What a comparison has found. Columns are bits by their number.
   *
   * @param contradicted columns that hold other bytes than the rest says
   * @param present columns that were there
   * @param vouchedFor of these, columns that the comparison says something of beyond its own bytes:
   *     those that have a byte that is not zero, if two data columns or more may have one. Zeros
   *     fit with any linear code and with the zeros of any other unit, and one column of data alone
   *     fits with another code where the two have a coefficient in common. So a comparison that
   *     vouches for no column still holds for the bytes that were compared
   */
  public record Outcome(List<Integer> contradicted, int present, int vouchedFor) {
    public Outcome {
      contradicted = List.copyOf(contradicted);
    }

    /** Whether it says something of all columns that were there. */
    public boolean isConclusive() {
      return vouchedFor == present;
    }
  }

  /**
   * The parity columns that are there and that decoding does not need: all but as many as there are
   * data columns lost, of which those that add up rows as they are come first. As many or more are
   * lost: none.
   *
   * @param isThere whether a column, by its number, can be read or is known
   */
  public static List<Integer> spares(ZigzagCode code, IntPredicate isThere) {
    int lost = 0;
    for (int data = 0; data < code.dataColumns(); data++) {
      lost += isThere.test(data) ? 0 : 1;
    }
    List<Integer> parities = new ArrayList<>();
    for (boolean isRowwise : new boolean[] {true, false}) {
      for (int parity = 0; parity < code.parityColumns(); parity++) {
        int column = code.dataColumns() + parity;
        if (code.isRowwise(parity) == isRowwise && isThere.test(column)) {
          parities.add(column);
        }
      }
    }
    return List.copyOf(parities.subList(Math.min(lost, parities.size()), parities.size()));
  }

  /**
   * Computes columns from the others, and compares.
   *
   * @param columns all by number; null where one is lost. Those that were decoded from the others
   *     may be among them
   * @param spares columns to be compared, none null; the others determine them
   * @param scratch room for one column, from its position on; what it held is overwritten
   * @throws TooManyErasuresException if the others do not determine the spares
   */
  public static Outcome compare(
      IzsCodec codec, @Nullable ByteBuffer[] columns, List<Integer> spares, ByteBuffer scratch)
      throws TooManyErasuresException {
    @Nullable ByteBuffer[] others = columns.clone();
    for (int spare : spares) {
      others[spare] = null;
    }
    List<Integer> contradicted = new ArrayList<>();
    for (int spare : spares) {
      ByteBuffer given = columns[spare];
      if (given == null) {
        throw new IllegalArgumentException("Cannot compare column " + spare + ": it is not there");
      }
      ByteBuffer expected = scratch.slice(scratch.position(), given.remaining());
      codec.decode(others, new int[] {spare}, new ByteBuffer[] {expected});
      if (given.mismatch(expected) >= 0) {
        contradicted.add(spare);
      }
    }
    return outcome(codec.code(), columns, contradicted);
  }

  /** A data column that is lost, and not decoded, may have any bytes. */
  private static Outcome outcome(
      ZigzagCode code, @Nullable ByteBuffer[] columns, List<Integer> contradicted) {
    int present = 0;
    int withBytes = 0;
    int dataWithBytes = 0;
    for (int column = 0; column < columns.length; column++) {
      ByteBuffer bytes = columns[column];
      boolean isZero = bytes != null && isZero(bytes);
      present |= bytes == null ? 0 : 1 << column;
      withBytes |= bytes == null || isZero ? 0 : 1 << column;
      dataWithBytes += column < code.dataColumns() && !isZero ? 1 : 0;
    }
    return new Outcome(contradicted, present, dataWithBytes < 2 ? 0 : withBytes);
  }

  private static boolean isZero(ByteBuffer column) {
    for (int at = column.position(); at < column.limit(); at++) {
      if (column.get(at) != 0) {
        return false;
      }
    }
    return true;
  }
}
