/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.copy;

/**
 * The block size that an erasure-coded file is created with. HDFS takes any multiple of a
 * checksum's bytes. But where a block ends within a cell, Hadoop's DFSStripedOutputStream waits for
 * ever after the first full block group: the group is full before a stripe is, and blocks are ended
 * with stripes only. Stateless.
 */
public final class CodedBlockSize {
  private CodedBlockSize() {}

  /** The next multiple of a cell. */
  public static long wholeCells(long blockBytes, int cellBytes) {
    return Math.multiplyExact((blockBytes + cellBytes - 1) / cellBytes, (long) cellBytes);
  }
}
