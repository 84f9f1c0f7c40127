/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.geometry.ByteRange;

/**
 * How the bytes of a column lie in a codeword. A codeword is what one encode call codes, normally a
 * cell of each column; its length is that of the parity cell, also where the last data cells of a
 * file are shorter (they are coded as if filled up with zeros). Immutable.
 *
 * <pre>
 * row 0 | row 1 | ... | row p-1 | tail
 *   s       s             s       length - p * s      s = floor(length / p)
 * </pre>
 *
 * @param rows p, rows of a column
 * @param lengthBytes of one column's part of the codeword, at least 1
 */
public record CodewordLayout(int rows, int lengthBytes) {
  public CodewordLayout {
    Checks.argument(rows > 0, "lay out a codeword", "rows", rows, "> 0");
    Checks.argument(lengthBytes > 0, "lay out a codeword", "lengthBytes", lengthBytes, "> 0");
  }

  /** Bytes of a row; 0 where the codeword is shorter than p. */
  public int rowBytes() {
    return lengthBytes / rows;
  }

  /** Where the tail starts. */
  public int tailOffset() {
    return rowBytes() * rows;
  }

  /** Bytes behind the last row: 0..p-1. */
  public int tailBytes() {
    return lengthBytes % rows;
  }

  /** The bytes of consecutive rows. */
  public ByteRange rowRange(int firstRow, int rowCount) {
    return new ByteRange((long) firstRow * rowBytes(), (long) rowCount * rowBytes());
  }

  /** The bytes of the tail; empty where p divides the length. */
  public ByteRange tailRange() {
    return new ByteRange(tailOffset(), tailBytes());
  }
}
