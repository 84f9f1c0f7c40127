/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import io.hdfsparity.core.store.ByteStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One of the two parity regions: cells of fixed size, each with a CRC in a table of its own. Not
 * thread-safe, but for {@link #unreadable}.
 */
final class ParityRegion {
  private final ByteStore store;
  private final ParityKind kind;
  private final LstorGeometry geometry;
  private final long offset;
  private final long crcOffset;
  private final int cellBytes;
  private final long cells;
  private final CRC32C crc = new CRC32C();
  private final ByteBuffer storedCrc = ByteBuffer.allocateDirect(LstorFormat.CRC_BYTES);
  private volatile LstorException.@Nullable UnreadableParity unreadable;

  private ParityRegion(
      ByteStore store,
      ParityKind kind,
      LstorGeometry geometry,
      long offset,
      long crcOffset,
      int cellBytes,
      long cells) {
    this.store = store;
    this.kind = kind;
    this.geometry = geometry;
    this.offset = offset;
    this.crcOffset = crcOffset;
    this.cellBytes = cellBytes;
    this.cells = cells;
  }

  static ParityRegion data(ByteStore store, LstorGeometry geometry, LstorLayout layout) {
    return new ParityRegion(
        store,
        ParityKind.DATA,
        geometry,
        layout.data().start(),
        layout.data().crcs(),
        LstorFormat.DATA_CELL_BYTES,
        layout.data().cells());
  }

  static ParityRegion meta(ByteStore store, LstorGeometry geometry, LstorLayout layout) {
    return new ParityRegion(
        store,
        ParityKind.META,
        geometry,
        layout.meta().start(),
        layout.meta().crcs(),
        LstorFormat.META_CELL_BYTES,
        layout.meta().cells());
  }

  ParityKind kind() {
    return kind;
  }

  int cellBytes() {
    return cellBytes;
  }

  long cells() {
    return cells;
  }

  /** Bytes that belong to units: the last checksum cell may reach past them. */
  long sizeBytes() {
    return kind == ParityKind.DATA ? geometry.frameBytes() : geometry.metaRegionBytes();
  }

  int bytesPerUnit() {
    return kind == ParityKind.DATA ? geometry.unitBytes() : geometry.metaBytesPerUnit();
  }

  /** File offset of a byte of the region. */
  long fileOffset(long regionOffset) {
    return offset + regionOffset;
  }

  long crcFileOffset(long cell) {
    return crcOffset + cell * LstorFormat.CRC_BYTES;
  }

  /**
   * Reads a whole cell into {@code dst} from its position and verifies it.
   *
   * @return the cell's CRC
   * @throws LstorException.UnreadableParity if the store cannot read it; {@link #unreadable} has
   *     the first one
   * @throws LstorException.CorruptParity if it fails its CRC
   */
  int load(long cell, ByteBuffer dst) throws LstorException {
    int start = dst.position();
    read(cell, offset + cell * cellBytes, dst.limit(start + cellBytes));
    crc.reset();
    crc.update(dst.position(start));
    int computed = (int) crc.getValue();
    read(cell, crcFileOffset(cell), storedCrc.clear());
    int stored = storedCrc.getInt(0);
    if (stored != computed) {
      throw new LstorException.CorruptParity(
          "Cannot use parity: "
              + name(cell)
              + " crc="
              + Integer.toHexString(computed)
              + ", expected "
              + Integer.toHexString(stored)
              + ", file="
              + store
              + " offset="
              + (offset + cell * cellBytes));
    }
    return computed;
  }

  private void read(long cell, long fileOffset, ByteBuffer dst)
      throws LstorException.UnreadableParity {
    try {
      store.read(fileOffset, dst);
    } catch (IOException e) {
      LstorException.UnreadableParity failure =
          new LstorException.UnreadableParity(
              "Cannot read parity: "
                  + name(cell)
                  + " cause="
                  + e.getMessage()
                  + ", expected a device that gives it back, file="
                  + store
                  + " offset="
                  + fileOffset,
              e);
      if (unreadable == null) {
        unreadable = failure;
      }
      throw failure;
    }
  }

  /** The first cell since the Lstor was opened that could not be read. Thread-safe. */
  Optional<LstorException.UnreadableParity> unreadable() {
    return Optional.ofNullable(unreadable);
  }

  private String name(long cell) {
    return "region=" + kind + " cell=" + cell + " units=" + firstUnit(cell) + ".." + lastUnit(cell);
  }

  int firstUnit(long cell) {
    return (int) (cell * cellBytes / bytesPerUnit());
  }

  int lastUnit(long cell) {
    return (int) ((Math.min((cell + 1) * cellBytes, sizeBytes()) - 1) / bytesPerUnit());
  }
}
