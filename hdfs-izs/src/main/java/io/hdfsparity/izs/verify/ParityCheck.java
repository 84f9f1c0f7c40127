/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.verify;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Compares the parity of codewords of one block group with their data, and collects what they say
 * together. Used by one thread.
 *
 * <p>Where parity does not fit, either parity is wrong or a data unit is. With two parity units or
 * more, another value of one data unit can fit with all parity. If the same data unit explains
 * every codeword that does not fit, parity is not to blame.
 */
public final class ParityCheck {
  private final ColumnCode code;
  private final IntFunction<ByteBuffer> allocate;
  private final SortedSet<Integer> wrong = new TreeSet<>();
  private @Nullable SortedSet<Integer> suspects;
  private ByteBuffer[] scratch = new ByteBuffer[0];

  /**
   * @param allocate makes a buffer of a length, to be kept until the end
   */
  public ParityCheck(ColumnCode code, IntFunction<ByteBuffer> allocate) {
    this.code = code;
    this.allocate = allocate;
  }

  /**
   * Compares a codeword.
   *
   * @param columns all by number, of one length
   * @param dataBytes of each data unit, the bytes at the beginning of its column that are the
   *     unit's; what follows are zeros by definition
   * @return whether it fits
   */
  public boolean compare(ByteBuffer[] columns, int[] dataBytes) throws IOException {
    int lengthBytes = columns[0].remaining();
    ByteBuffer[] expected = scratch(code.parityUnits(), lengthBytes);
    code.encode(Arrays.copyOf(columns, code.dataUnits()), expected);
    List<Integer> mismatches = new ArrayList<>();
    for (int parity = 0; parity < expected.length; parity++) {
      if (expected[parity].mismatch(columns[code.dataUnits() + parity]) >= 0) {
        mismatches.add(code.dataUnits() + parity);
      }
    }
    if (mismatches.isEmpty()) {
      return true;
    }
    wrong.addAll(mismatches);
    SortedSet<Integer> before = suspects;
    SortedSet<Integer> now = new TreeSet<>();
    for (int unit = 0; unit < code.dataUnits() && code.parityUnits() > 1; unit++) {
      if ((before == null || before.contains(unit))
          && dataBytes[unit] > 0
          && explains(unit, columns, dataBytes[unit])) {
        now.add(unit);
      }
    }
    suspects = now;
    return false;
  }

  /** Whether all parity fits if a data unit has other bytes. */
  private boolean explains(int unit, ByteBuffer[] columns, int dataBytes) throws IOException {
    @Nullable ByteBuffer[] others = columns.clone();
    int[] wanted = new int[code.parityUnits()];
    wanted[0] = unit;
    others[unit] = null;
    for (int parity = 1; parity < code.parityUnits(); parity++) {
      wanted[parity] = code.dataUnits() + parity;
      others[code.dataUnits() + parity] = null;
    }
    ByteBuffer[] outputs = scratch(wanted.length, columns[0].remaining());
    code.decode(others, wanted, outputs);
    for (int at = dataBytes; at < outputs[0].limit(); at++) {
      if (outputs[0].get(at) != 0) {
        return false;
      }
    }
    for (int parity = 1; parity < wanted.length; parity++) {
      if (outputs[parity].mismatch(columns[code.dataUnits() + parity]) >= 0) {
        return false;
      }
    }
    return true;
  }

  private ByteBuffer[] scratch(int count, int lengthBytes) {
    if (scratch.length < count || scratch[0].capacity() < lengthBytes) {
      scratch = new ByteBuffer[count];
      Arrays.setAll(scratch, i -> allocate.apply(lengthBytes));
    }
    return Arrays.stream(scratch)
        .limit(count)
        .map(each -> each.slice(0, lengthBytes))
        .toArray(ByteBuffer[]::new);
  }

  /** Whether every codeword so far fits. */
  public boolean fits() {
    return wrong.isEmpty();
  }

  /** Data units each of which would explain all that does not fit; empty where parity is wrong. */
  public List<Integer> suspectedData() {
    SortedSet<Integer> all = suspects;
    return all == null ? List.of() : List.copyOf(all);
  }

  /** Parity units that hold other bytes than data says. */
  public List<Integer> wrongParity() {
    return List.copyOf(wrong);
  }
}
