/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

/**
 * Shape of a disk as its Lstor sees it: how many frames share the parity, and how a frame is cut
 * into allocation units.
 *
 * <p>A data byte {@code o} of a block lies in unit {@code o / unitBytes} of its extents, a byte
 * {@code m} of the block's checksum file in unit {@code m / metaBytesPerUnit}.
 *
 * @param frames frames on the disk, at least 1
 * @param unitsPerFrame allocation units of a frame, at least 1
 * @param unitBytes data bytes of a unit, a positive multiple of 65536
 * @param metaBytesPerUnit checksum-file bytes of a unit; at least {@code unitBytes / 128 + 7}, a
 *     multiple of 64
 */
public record LstorGeometry(int frames, int unitsPerFrame, int unitBytes, int metaBytesPerUnit) {
  /** Most rows that a new slot table has. */
  public static final int MAX_ROWS = 1 << 20;

  public LstorGeometry {
    if (frames < 1
        || unitsPerFrame < 1
        || unitBytes < 65536
        || unitBytes % 65536 != 0
        || metaBytesPerUnit < unitBytes / 128 + 7
        || metaBytesPerUnit % 64 != 0) {
      throw new IllegalArgumentException(
          "Cannot use Lstor geometry: frames="
              + frames
              + " unitsPerFrame="
              + unitsPerFrame
              + " unitBytes="
              + unitBytes
              + " metaBytesPerUnit="
              + metaBytesPerUnit
              + ", expected frames >= 1, unitsPerFrame >= 1, unitBytes a multiple of 65536, metaBytesPerUnit a multiple of 64"
              + " and >= unitBytes/128+7");
    }
  }

  /** Geometry whose checksum area fits CRCs of 4 bytes per 512 bytes of data, Hadoop's default. */
  public static LstorGeometry of(int frames, int unitsPerFrame, int unitBytes) {
    return new LstorGeometry(frames, unitsPerFrame, unitBytes, unitBytes / 128 + 64);
  }

  /** Data bytes of a frame, and size of the data parity region. */
  public long frameBytes() {
    return (long) unitsPerFrame * unitBytes;
  }

  /** Size of the checksum parity region in bytes. */
  public long metaRegionBytes() {
    return (long) unitsPerFrame * metaBytesPerUnit;
  }

  /** Units needed for a block of {@code lengthBytes}; an empty block still costs one. */
  public int unitsFor(long lengthBytes) {
    return (int) unitsFor(lengthBytes, unitBytes);
  }

  /** Units of a size for a block of {@code lengthBytes}; an empty block still costs one. */
  public static long unitsFor(long lengthBytes, long unitBytes) {
    return Math.max(1, (lengthBytes + unitBytes - 1) / unitBytes);
  }

  /**
   * Rows of a new slot table: one for each unit, so that units and never rows run out, up to
   * {@value #MAX_ROWS}.
   */
  public int rows() {
    return (int) Math.min(MAX_ROWS, (long) frames * unitsPerFrame);
  }
}
