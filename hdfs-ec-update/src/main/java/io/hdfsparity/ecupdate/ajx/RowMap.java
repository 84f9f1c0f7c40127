/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import io.hdfsparity.core.check.Checks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where the bytes of data blocks go in parity blocks. A codeword of L bytes a block is cut into p
 * rows of {@code s = floor(L / p)} bytes and a tail. Row x of data block j enters parity block g in
 * row {@code target(g, j, x)}; the tail stays in its place. A map of one row is that of codes in
 * which parity bytes depend on data bytes of the same place, as Reed-Solomon: there it does not
 * matter where a codeword begins or ends.
 *
 * <pre>
 * row 0 | row 1 | ... | row p-1 | tail
 *   s       s             s       L - p * s
 * </pre>
 *
 * <p>Immutable, thread-safe.
 */
public final class RowMap {
  /** Most rows: more would be runs of a few bytes. */
  public static final int MAX_ROWS = 64;

  private final int parityBlocks;
  private final int dataBlocks;
  private final int rows;

  /** By parity block, data block and row of the data block. */
  private final byte[] targets;

  private final byte[] sources;
  private final boolean[] isPlain;

  /**
   * Part of a change.
   *
   * @param offset in the data block
   * @param parityOffset where it goes in the parity block
   * @param lengthBytes at least 1
   */
  public record Run(int offset, int parityOffset, int lengthBytes) {
    int parityEnd() {
      return parityOffset + lengthBytes;
    }
  }

  private RowMap(int parityBlocks, int dataBlocks, int rows, byte[] targets) {
    this.parityBlocks = parityBlocks;
    this.dataBlocks = dataBlocks;
    this.rows = rows;
    this.targets = targets;
    sources = new byte[targets.length];
    isPlain = new boolean[parityBlocks];
    Arrays.fill(isPlain, true);
    for (int at = 0; at < targets.length; at += rows) {
      long seen = 0;
      for (int row = 0; row < rows; row++) {
        int target = targets[at + row];
        Checks.argument(
            target >= 0 && target < rows, "map rows", "target", target, "0 <= target < " + rows);
        seen |= 1L << target;
        sources[at + target] = (byte) row;
        isPlain[at / rows / dataBlocks] &= target == row;
      }
      Checks.argument(
          Long.bitCount(seen) == rows, "map rows", "rows hit", Long.bitCount(seen), "= " + rows);
    }
  }

  /**
   * A map.
   *
   * @param rows p, 1..{@link #MAX_ROWS}
   * @param targets by parity block, data block and row, each a row; copied
   * @throws IllegalArgumentException if two rows of a data block go to one row
   */
  public static RowMap of(int parityBlocks, int dataBlocks, int rows, byte[] targets) {
    Checks.argument(rows >= 1 && rows <= MAX_ROWS, "map rows", "rows", rows, "1.." + MAX_ROWS);
    Checks.argument(
        targets.length == parityBlocks * dataBlocks * rows,
        "map rows",
        "targets.length",
        targets.length,
        "= " + parityBlocks * dataBlocks * rows);
    return new RowMap(parityBlocks, dataBlocks, rows, targets.clone());
  }

  /** All bytes stay in their place. */
  public static RowMap plain(int parityBlocks, int dataBlocks) {
    return new RowMap(parityBlocks, dataBlocks, 1, new byte[parityBlocks * dataBlocks]);
  }

  public int parityBlocks() {
    return parityBlocks;
  }

  public int dataBlocks() {
    return dataBlocks;
  }

  /** p. */
  public int rows() {
    return rows;
  }

  /** Whether all bytes stay in their place. */
  public boolean isPlain() {
    return rows == 1;
  }

  /** Whether the bytes of a parity block depend on data bytes of the same place. */
  boolean isPlain(int parity) {
    return isPlain[parity];
  }

  private int index(int parity, int data, int row) {
    return (parity * dataBlocks + data) * rows + row;
  }

  /** The row of parity block {@code parity} (0..) that a row of a data block enters. */
  public int target(int parity, int data, int row) {
    return targets[index(parity, data, row)];
  }

  /** The row of a data block that enters a row of a parity block. */
  int source(int parity, int data, int row) {
    return sources[index(parity, data, row)];
  }

  /** Bytes of a row; 0 where the codeword is shorter than p. */
  int rowBytes(int codewordBytes) {
    return codewordBytes / rows;
  }

  /** Where the tail begins. */
  int tailOffset(int codewordBytes) {
    return codewordBytes / rows * rows;
  }

  /** Offset behind the row or tail that has a byte. */
  int endOfRow(int offset, int codewordBytes) {
    if (offset >= tailOffset(codewordBytes)) {
      return codewordBytes;
    }
    int rowBytes = rowBytes(codewordBytes);
    return (offset / rowBytes + 1) * rowBytes;
  }

  /** Where a range of a data block goes, in as few runs as there can be; in its order. */
  List<Run> runs(int parity, int data, int offset, int lengthBytes, int codewordBytes) {
    Checks.range("map a range", offset, lengthBytes, codewordBytes);
    if (isPlain[parity]) {
      return List.of(new Run(offset, offset, lengthBytes));
    }
    List<Run> runs = new ArrayList<>();
    int end = offset + lengthBytes;
    Run last = null;
    for (int at = offset; at < end; ) {
      int here = Math.min(end, endOfRow(at, codewordBytes)) - at;
      Run next = new Run(at, parityOffset(parity, data, at, codewordBytes), here);
      if (last != null && last.parityEnd() == next.parityOffset) {
        next = new Run(last.offset, last.parityOffset, last.lengthBytes + here);
        runs.remove(runs.size() - 1);
      }
      runs.add(next);
      last = next;
      at += here;
    }
    return runs;
  }

  private int parityOffset(int parity, int data, int offset, int codewordBytes) {
    if (offset >= tailOffset(codewordBytes)) {
      return offset;
    }
    int rowBytes = rowBytes(codewordBytes);
    return target(parity, data, offset / rowBytes) * rowBytes + offset % rowBytes;
  }

  /** The targets, as {@link #of} takes them; a copy. */
  public byte[] toBytes() {
    return targets.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RowMap that
        && that.parityBlocks == parityBlocks
        && that.dataBlocks == dataBlocks
        && that.rows == rows
        && Arrays.equals(that.targets, targets);
  }

  @Override
  public int hashCode() {
    return 31 * rows + Arrays.hashCode(targets);
  }

  @Override
  public String toString() {
    return rows + " rows " + Integer.toHexString(Arrays.hashCode(targets));
  }
}
