/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.history;

/**
 * Who wrote a cell, and which of its writes that was: no two writes have the same. Immutable.
 *
 * @param writer number of the client, from 1 on; 0 for what a file was created with; below 2^15
 * @param number of its write, from 0 on; below 2^48
 */
public record WriteTag(int writer, long number) {
  private static final int NUMBER_BITS = 48;

  /** What a file was created with. */
  public static final WriteTag FIRST = new WriteTag(0, 0);

  /** In one number. */
  long packed() {
    return (long) writer << NUMBER_BITS | number;
  }

  static WriteTag unpacked(long packed) {
    return new WriteTag((int) (packed >>> NUMBER_BITS), packed & ((1L << NUMBER_BITS) - 1));
  }

  @Override
  public String toString() {
    return writer + "." + number;
  }
}
