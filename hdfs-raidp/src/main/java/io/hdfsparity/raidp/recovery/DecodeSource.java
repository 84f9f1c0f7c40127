/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.SlotEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A dead disk during a decode: its sources, its index, and what has been learnt about them.
 * Thread-safe.
 *
 * <p>A contributor that failed once is not asked again, so that a dead mirror costs one time limit
 * a block and not one a chunk.
 */
final class DecodeSource {
  private final DeadDisk disk;
  private final RowIndex index;
  private final AtomicLong decodedBytes = new AtomicLong();
  private final AtomicLong assignedBytes = new AtomicLong();
  private final Map<SlotEntry, String> unavailable = new ConcurrentHashMap<>();
  private volatile boolean used;

  DecodeSource(DeadDisk disk) throws IOException {
    this(IndexedDisk.of(disk));
  }

  DecodeSource(IndexedDisk indexed) {
    this.disk = indexed.disk();
    this.index = indexed.index();
  }

  String diskId() {
    return disk.parity().diskId();
  }

  /** Rows of a block, at most one in each frame. */
  List<SlotEntry> rows(long blockId) {
    return index.rows(blockId);
  }

  /** Runs of rows that overlap {@code [fromUnit, toUnit)}. */
  List<RowIndex.PlacedRun> rowsOn(int fromUnit, int toUnit) {
    return index.overlapping(fromUnit, toUnit);
  }

  int bytesPerUnit(ParityKind kind) {
    return Images.bytesPerUnit(kind, disk.parity().geometry());
  }

  void readParity(ParityKind kind, long position, ByteBuffer dst) throws IOException {
    used = true;
    disk.parity().readParity(kind, position, dst);
  }

  void readImage(SlotEntry row, ParityKind kind, long position, ByteBuffer dst) throws IOException {
    used = true;
    String reason = unavailable.get(row);
    if (reason != null) {
      throw new IOException(reason);
    }
    disk.mirrors().readImage(row, kind, position, dst);
  }

  /**
   * Checks that what was read by its slot table, from the parity and from mirrors, belongs to that
   * table.
   */
  void requireUnchanged() throws IOException {
    if (used) {
      disk.parity().requireUnchanged();
    }
  }

  /** Whether the image of a row may still be asked for. */
  boolean isAvailable(SlotEntry row) {
    return !unavailable.containsKey(row);
  }

  /** Notes that nobody serves the image of a row. */
  void setUnavailable(SlotEntry row, String reason) {
    unavailable.putIfAbsent(row, reason);
  }

  /** Bytes of recovered data that were given to this Lstor to decode. */
  AtomicLong assignedBytes() {
    return assignedBytes;
  }

  /** Bytes of recovered data that this Lstor gave and that proved right. */
  AtomicLong decodedBytes() {
    return decodedBytes;
  }
}
