/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.reserve;

/**
 * The code that segments of a file are stored in.
 *
 * @param dataUnits k
 * @param units n
 * @param segmentKib data of a segment
 */
record SegmentCode(int dataUnits, int units, int segmentKib) {
  /** The paper's: Cauchy RS (10,8), segments of 16 MB. */
  static final SegmentCode PAPER = new SegmentCode(8, 10, 16 << 10);

  int parityUnits() {
    return units - dataUnits;
  }

  /** Data and parity of a segment, in bytes. */
  double storedBytes() {
    return 1024.0 * segmentKib * units / dataUnits;
  }

  /** Size of a chunk, in bytes. */
  long chunkBytes() {
    return 1024L * segmentKib / dataUnits;
  }
}
