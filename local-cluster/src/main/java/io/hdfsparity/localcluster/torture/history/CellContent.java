/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.history;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * What is written to the cells of a file: bytes that name who wrote them, and that are nowhere
 * else.
 *
 * <pre>
 * cell   8 slices of 512 bytes
 * slice  8 bytes  the tag of the write
 *        504 bytes that follow from seed, file, cell, slice and tag
 * </pre>
 *
 * <p>Immutable.
 *
 * @param key of seed and file: cells of different keys have different bytes
 */
public record CellContent(long key) {
  /** Bytes of a cell. */
  public static final int BYTES = 4096;

  private static final int SLICE_BYTES = 512;
  private static final int SLICES = BYTES / SLICE_BYTES;

  /** Content of the cells of a file. */
  public static CellContent of(long seed, String file) {
    return new CellContent(seed * 31 + file.hashCode());
  }

  /** The bytes of a write. */
  public byte[] bytes(int cell, WriteTag tag) {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    for (int slice = 0; slice < SLICES; slice++) {
      bytes.put(slice(cell, slice, tag));
    }
    return bytes.array();
  }

  private byte[] slice(int cell, int slice, WriteTag tag) {
    byte[] bytes = new byte[SLICE_BYTES];
    long place = (long) cell * SLICES + slice;
    long mixed = new SplittableRandom(key ^ place).nextLong() ^ tag.packed();
    new SplittableRandom(mixed).nextBytes(bytes);
    ByteBuffer.wrap(bytes).putLong(0, tag.packed());
    return bytes;
  }

  /**
   * What a read has found, as the value of an operation: the tag, or that of each slice. Bytes that
   * nobody can have written there give a question mark and their checksum.
   *
   * @param bytes of one cell
   */
  public String found(int cell, byte[] bytes) {
    List<String> slices = new ArrayList<>();
    for (int slice = 0; slice < SLICES; slice++) {
      byte[] own = Arrays.copyOfRange(bytes, slice * SLICE_BYTES, (slice + 1) * SLICE_BYTES);
      WriteTag tag = WriteTag.unpacked(ByteBuffer.wrap(own).getLong());
      slices.add(Arrays.equals(own, slice(cell, slice, tag)) ? tag.toString() : checksum(own));
    }
    return Operation.joined(slices);
  }

  private static String checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return "?" + Long.toHexString(crc.getValue());
  }
}
