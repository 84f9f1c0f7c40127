/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.raidp.lstor.Extents;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.SlotEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What must be XORed to get a range of a block's covered image out of its disk's Lstor: the parity
 * at the block's extents and, for every other row that overlaps them, the overlapping bytes of its
 * covered image. Immutable.
 *
 * @param row the block wanted
 * @param kind which half of its image
 * @param lengthBytes of the range
 * @param parity pieces of the parity region, in order; they tile the range
 * @param contributors pieces of other rows' images
 */
record ChunkPlan(
    SlotEntry row,
    ParityKind kind,
    int lengthBytes,
    List<Piece> parity,
    Map<SlotEntry, List<Piece>> contributors) {

  /**
   * Bytes of a source and where they belong.
   *
   * @param chunkOffset first byte in the range that is decoded
   * @param regionOffset first byte in the parity region
   * @param sourcePosition first byte in the source: parity region or image
   * @param lengthBytes at least 1
   */
  record Piece(int chunkOffset, long regionOffset, long sourcePosition, int lengthBytes) {}

  static ChunkPlan of(
      RowIndex index,
      LstorGeometry geometry,
      SlotEntry row,
      ParityKind kind,
      long position,
      int lengthBytes) {
    int perUnit = Images.bytesPerUnit(kind, geometry);
    List<Piece> parity = new ArrayList<>();
    Map<SlotEntry, List<Piece>> contributors = new LinkedHashMap<>();
    for (Extents.Segment segment : Extents.segments(row.runs(), perUnit, position, lengthBytes)) {
      Piece piece =
          new Piece(
              (int) (segment.position() - position),
              segment.regionOffset(),
              segment.regionOffset(),
              segment.lengthBytes());
      parity.add(piece);
      addContributors(index, row, kind, perUnit, piece, contributors);
    }
    return new ChunkPlan(row, kind, lengthBytes, parity, contributors);
  }

  private static void addContributors(
      RowIndex index,
      SlotEntry row,
      ParityKind kind,
      int perUnit,
      Piece piece,
      Map<SlotEntry, List<Piece>> contributors) {
    long from = piece.regionOffset();
    long to = from + piece.lengthBytes();
    for (RowIndex.PlacedRun placed :
        index.overlapping(
            row.frameIndex(), (int) (from / perUnit), (int) ((to + perUnit - 1) / perUnit))) {
      long runAt = (long) placed.run().start() * perUnit;
      long imageAt = (long) placed.firstUnit() * perUnit;
      // The image of the other row ends somewhere in its runs; what follows is zero in the parity.
      long imageEnd = runAt + Images.bytes(kind, placed.row()) - imageAt;
      long overlapFrom = Math.max(from, runAt);
      long overlapTo = Math.min(Math.min(to, (long) placed.run().end() * perUnit), imageEnd);
      if (overlapFrom < overlapTo) {
        contributors
            .computeIfAbsent(placed.row(), r -> new ArrayList<>())
            .add(
                new Piece(
                    piece.chunkOffset() + (int) (overlapFrom - from),
                    overlapFrom,
                    imageAt + overlapFrom - runAt,
                    (int) (overlapTo - overlapFrom)));
      }
    }
  }
}
