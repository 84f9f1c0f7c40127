/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.zip.CRC32C;

/**
 * Finds units that no row covers and whose parity is not zero, as it has to be: the next row there
 * would be added to what is left, and no decode of it would be right. Looks at the CRCs of cells,
 * not at their bytes; a cell of which a row covers a part is for those who compare that part.
 */
final class StrayParity {
  private final LstorState state;
  private final int pieceCells;

  /**
   * @param pieceCells cells that are looked at under the lock at once, positive
   */
  StrayParity(LstorState state, int pieceCells) {
    this.state = state;
    this.pieceCells = pieceCells;
  }

  /** The units; one that a row has covered since may be among them. */
  BitSet units() throws IOException {
    BitSet stray = new BitSet();
    look(state.region(ParityKind.DATA), stray);
    look(state.region(ParityKind.META), stray);
    return stray;
  }

  private void look(ParityRegion region, BitSet stray) throws IOException {
    int zeros = crcOfZeros(region.cellBytes());
    ByteBuffer crcs = ByteBuffer.allocate(pieceCells * LstorFormat.CRC_BYTES);
    for (long first = 0; first < region.cells(); first += pieceCells) {
      int count = (int) Math.min(pieceCells, region.cells() - first);
      state.lock();
      try {
        state.requireUsable();
        region.loadCrcs(first, crcs.clear().limit(count * LstorFormat.CRC_BYTES));
        BitSet covered = covered();
        for (int i = 0; i < count; i++) {
          int from = region.firstUnit(first + i);
          int past = region.lastUnit(first + i) + 1;
          int next = covered.nextSetBit(from);
          if (crcs.getInt(i * LstorFormat.CRC_BYTES) != zeros && (next < 0 || next >= past)) {
            stray.set(from, past);
          }
        }
      } finally {
        state.unlock();
      }
    }
  }

  private BitSet covered() {
    BitSet units = new BitSet();
    for (int frame = 0; frame < state.geometry().frames(); frame++) {
      for (SlotEntry row : state.table().entries(frame)) {
        if (row.coversAnything()) {
          units.or(Extents.unitsOf(row.runs()));
        }
      }
    }
    return units;
  }

  private static int crcOfZeros(int bytes) {
    CRC32C crc = new CRC32C();
    crc.update(new byte[bytes]);
    return (int) crc.getValue();
  }
}
