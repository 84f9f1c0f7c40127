/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

/**
 * Disk accesses of one block.
 *
 * @param reads accesses that read
 * @param writes accesses that write
 * @param seeks accesses that do not begin where the one before ended, in a disk that does nothing
 *     else
 * @param readBytes bytes read
 * @param writtenBytes bytes written
 */
public record IoCost(long reads, long writes, long seeks, long readBytes, long writtenBytes) {
  public static final IoCost NONE = new IoCost(0, 0, 0, 0, 0);

  static IoCost read(long bytes) {
    return new IoCost(1, 0, 1, bytes, 0);
  }

  static IoCost write(long bytes) {
    return new IoCost(0, 1, 1, 0, bytes);
  }

  /** An access that continues the one before. */
  IoCost continued() {
    return new IoCost(reads, writes, seeks - 1, readBytes, writtenBytes);
  }

  /** Both, one after the other. */
  public IoCost plus(IoCost other) {
    return new IoCost(
        reads + other.reads,
        writes + other.writes,
        seeks + other.seeks,
        readBytes + other.readBytes,
        writtenBytes + other.writtenBytes);
  }
}
