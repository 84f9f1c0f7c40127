/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.izscodec;

/**
 * A stripe.
 *
 * @param dataUnits k
 * @param parityUnits r
 * @param cellBytes of each unit: one codeword
 */
record Shape(int dataUnits, int parityUnits, int cellBytes) {
  private static final int CHANGED_SHARE = 16;

  int units() {
    return dataUnits + parityUnits;
  }

  /** Bytes that an update changes. */
  int changedBytes() {
    return cellBytes / CHANGED_SHARE;
  }

  /** Where the change begins: between the codes' elements, so that it touches two of them. */
  int changedOffset() {
    return changedBytes() + changedBytes() / 2;
  }

  /** What speeds are counted in: data encoded, lost data recovered, data changed. */
  long bytesPerCall(Work work) {
    return switch (work.kind()) {
      case ENCODE -> (long) dataUnits * cellBytes;
      case DECODE, REPAIR -> (long) work.losses() * cellBytes;
      case UPDATE -> changedBytes();
    };
  }
}
