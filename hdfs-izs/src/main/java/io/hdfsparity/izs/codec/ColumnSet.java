/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

/**
 * A set of columns. Immutable.
 *
 * @param bits bit c for column c
 */
record ColumnSet(int bits) {
  static final ColumnSet NONE = new ColumnSet(0);

  ColumnSet with(int column) {
    return new ColumnSet(bits | 1 << column);
  }

  boolean has(int column) {
    return (bits >>> column & 1) != 0;
  }

  /** Whether it has any column of {@code [from, to)}. */
  boolean has(int from, int to) {
    return (bits >>> from & (1 << (to - from)) - 1) != 0;
  }
}
