/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What must be XORed to get a range of a block's covered image out of its disk's Lstor: the parity at the block's extents and,
 * for every other row that overlaps them, the overlapping bytes of its covered image. Immutable.
 *
 * @param row the block wanted
 * @param kind which half of its image
 * @param position first byte of the range in that half
 * @param lengthBytes of the range
 * @param parity pieces of the parity region, in order; they tile the range
 * @param contributors pieces of other rows' images
 */
record ChunkPlan(SlotEntry row, ImageKind kind, long position, int lengthBytes, List<Piece> parity,
    Map<SlotEntry, List<Piece>> contributors) {

  /**
   * Bytes of a source and where they belong.
   *
   * @param chunkOffset first byte in the range that is decoded
   * @param sourcePosition first byte in the source: parity region or image
   * @param lengthBytes at least 1
   */
  record Piece(int chunkOffset, long sourcePosition, int lengthBytes) {}

  static ChunkPlan of(RowIndex index, LstorGeometry geometry, SlotEntry row, ImageKind kind, long position,
      int lengthBytes) {
    int perUnit = kind.bytesPerUnit(geometry);
    List<Piece> parity = new ArrayList<>();
    Map<SlotEntry, List<Piece>> contributors = new LinkedHashMap<>();
    long runFrom = 0;
    for (Run run : row.runs()) {
      long runTo = runFrom + (long) run.count() * perUnit;
      long from = Math.max(position, runFrom);
      long to = Math.min(position + lengthBytes, runTo);
      if (from < to) {
        Piece piece = new Piece((int) (from - position), (long) run.start() * perUnit + from - runFrom, (int) (to - from));
        parity.add(piece);
        addContributors(index, row, kind, perUnit, piece, contributors);
      }
      runFrom = runTo;
    }
    return new ChunkPlan(row, kind, position, lengthBytes, parity, contributors);
  }

  private static void addContributors(RowIndex index, SlotEntry row, ImageKind kind, int perUnit, Piece piece,
      Map<SlotEntry, List<Piece>> contributors) {
    long from = piece.sourcePosition();
    long to = from + piece.lengthBytes();
    for (RowIndex.PlacedRun placed : index.overlapping(row.frameIndex(), (int) (from / perUnit),
        (int) ((to + perUnit - 1) / perUnit))) {
      long runAt = (long) placed.run().start() * perUnit;
      // The image of the other row ends somewhere in its runs; what follows is zero in the parity.
      long imageAt = (long) placed.firstUnit() * perUnit;
      long imageEnd = runAt + kind.imageBytes(placed.row()) - imageAt;
      long overlapFrom = Math.max(from, runAt);
      long overlapTo = Math.min(Math.min(to, (long) placed.run().end() * perUnit), imageEnd);
      if (overlapFrom < overlapTo) {
        contributors.computeIfAbsent(placed.row(), r -> new ArrayList<>()).add(new Piece(
            piece.chunkOffset() + (int) (overlapFrom - from), imageAt + overlapFrom - runAt,
            (int) (overlapTo - overlapFrom)));
      }
    }
  }
}
