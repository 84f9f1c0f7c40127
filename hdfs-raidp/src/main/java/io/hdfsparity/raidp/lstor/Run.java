/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

/**
 * A run of consecutive allocation units inside a frame.
 *
 * @param start index of the first unit, at least 0
 * @param count number of units, at least 1
 */
public record Run(int start, int count) {
  public Run {
    if (start < 0 || count < 1 || start > Integer.MAX_VALUE - count) {
      throw new IllegalArgumentException(
          "Cannot make a run: start="
              + start
              + " count="
              + count
              + ", expected start >= 0, count >= 1 and no overflow");
    }
  }

  /** First unit index past the run. */
  public int end() {
    return start + count;
  }

  public boolean overlaps(Run other) {
    return start < other.end() && other.start < end();
  }
}
