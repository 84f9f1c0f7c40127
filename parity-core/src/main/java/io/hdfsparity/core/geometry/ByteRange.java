/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.geometry;

import io.hdfsparity.core.check.Checks;

/**
 * Bytes {@code [offsetBytes, offsetBytes + lengthBytes)}. Immutable.
 *
 * @param offsetBytes at least 0
 * @param lengthBytes at least 0; the end must not overflow
 */
public record ByteRange(long offsetBytes, long lengthBytes) {
  public ByteRange {
    Checks.argument(offsetBytes >= 0, "make a byte range", "offsetBytes", offsetBytes, ">= 0");
    Checks.argument(
        lengthBytes >= 0 && lengthBytes <= Long.MAX_VALUE - offsetBytes,
        "make a byte range",
        "lengthBytes",
        lengthBytes,
        ">= 0 and an end that fits a long");
  }

  /** The range between two offsets, the second one excluded. */
  public static ByteRange between(long fromOffset, long toOffset) {
    return new ByteRange(fromOffset, toOffset - fromOffset);
  }

  /** The first offset behind the range. */
  public long endOffset() {
    return offsetBytes + lengthBytes;
  }

  public boolean isEmpty() {
    return lengthBytes == 0;
  }

  /** Whether every byte of {@code other} is in this range; an empty one is where its offset is. */
  public boolean contains(ByteRange other) {
    return other.offsetBytes >= offsetBytes && other.endOffset() <= endOffset();
  }

  /** Whether the ranges have a byte in common. */
  public boolean overlaps(ByteRange other) {
    return offsetBytes < other.endOffset()
        && other.offsetBytes < endOffset()
        && !isEmpty()
        && !other.isEmpty();
  }

  /** The bytes that both have; empty, at the later of both offsets, if there are none. */
  public ByteRange intersect(ByteRange other) {
    long from = Math.max(offsetBytes, other.offsetBytes);
    long to = Math.min(endOffset(), other.endOffset());
    return new ByteRange(from, Math.max(0, to - from));
  }

  /**
   * The smallest range that holds this one and starts and ends at multiples of {@code
   * alignmentBytes}.
   */
  public ByteRange alignedTo(long alignmentBytes) {
    Checks.argument(
        alignmentBytes > 0, "align a byte range", "alignmentBytes", alignmentBytes, "> 0");
    long from = offsetBytes - offsetBytes % alignmentBytes;
    long excess = endOffset() % alignmentBytes;
    long to = excess == 0 ? endOffset() : Math.addExact(endOffset(), alignmentBytes - excess);
    return between(from, isEmpty() ? from : to);
  }
}
