/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.raidp.lstor.ChecksumSpec;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The slot table of a dead disk, indexed by unit. Immutable and thread-safe.
 *
 * <p>Invariants, checked when it is made: every run lies inside its frame; no two runs of a frame
 * overlap; a block has at most one row in a frame; a row's covered image fits its units. A table
 * that breaks one would decode to wrong bytes.
 */
final class RowIndex {
  /**
   * A run of a row and where it stands in the block: {@code firstUnit} is the unit's index in
   * logical order.
   */
  record PlacedRun(Run run, int firstUnit, SlotEntry row) {}

  private final LstorGeometry geometry;
  private final List<List<PlacedRun>> byFrame = new ArrayList<>();
  private final Map<Long, List<SlotEntry>> byBlock = new HashMap<>();

  RowIndex(ParitySource source) throws IOException {
    this(source.diskId(), source.geometry(), source.rows());
  }

  RowIndex(String diskId, LstorGeometry geometry, List<SlotEntry> rows) throws IOException {
    this.geometry = geometry;
    for (int frame = 0; frame < geometry.frames(); frame++) {
      byFrame.add(new ArrayList<>());
    }
    for (SlotEntry row : rows) {
      requireSane(diskId, row);
      List<SlotEntry> same = byBlock.computeIfAbsent(row.blockId(), id -> new ArrayList<>(1));
      if (same.stream().anyMatch(other -> other.frameIndex() == row.frameIndex())) {
        throw corrupt(
            diskId, row, "second row in frame=" + row.frameIndex(), "one row a block and frame");
      }
      same.add(row);
      int unit = 0;
      for (Run run : row.runs()) {
        byFrame.get(row.frameIndex()).add(new PlacedRun(run, unit, row));
        unit += run.count();
      }
    }
    for (List<PlacedRun> runs : byFrame) {
      runs.sort(Comparator.comparingInt(p -> p.run().start()));
      for (int i = 1; i < runs.size(); i++) {
        if (runs.get(i - 1).run().overlaps(runs.get(i).run())) {
          throw corrupt(
              diskId,
              runs.get(i).row(),
              "run=" + runs.get(i).run(),
              "no overlap with block " + runs.get(i - 1).row().blockId());
        }
      }
    }
  }

  /** Rows of a block: at most one in each frame. */
  List<SlotEntry> rows(long blockId) {
    return List.copyOf(byBlock.getOrDefault(blockId, List.of()));
  }

  /** Runs of rows of all frames that overlap {@code [fromUnit, toUnit)}. */
  List<PlacedRun> overlapping(int fromUnit, int toUnit) {
    List<PlacedRun> found = new ArrayList<>();
    for (List<PlacedRun> runs : byFrame) {
      for (int i = firstEndingAfter(runs, fromUnit);
          i < runs.size() && runs.get(i).run().start() < toUnit;
          i++) {
        found.add(runs.get(i));
      }
    }
    return found;
  }

  /**
   * Index of the first run whose end is past {@code unit}; runs are disjoint and sorted, so their
   * ends are sorted too.
   */
  private static int firstEndingAfter(List<PlacedRun> runs, int unit) {
    int low = 0;
    int high = runs.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (runs.get(middle).run().end() > unit) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private void requireSane(String diskId, SlotEntry row) throws IOException {
    if (row.frameIndex() < 0 || row.frameIndex() >= geometry.frames()) {
      throw corrupt(diskId, row, "frame=" + row.frameIndex(), "0.." + (geometry.frames() - 1));
    }
    for (Run run : row.runs()) {
      if (run.end() > geometry.unitsPerFrame()) {
        throw corrupt(diskId, row, "run=" + run, "end <= " + geometry.unitsPerFrame());
      }
    }
    if (row.coveredBytes() < 0 || (row.coveredBytes() > 0 && !row.coversAnything())) {
      throw corrupt(
          diskId,
          row,
          "coveredBytes=" + row.coveredBytes() + " metaCovered=" + row.metaCovered(),
          "coveredBytes >= 0 and metaCovered when it is not 0");
    }
    if (row.coversAnything()
        && (row.checksumTypeId() < 0
            || row.checksumTypeId() > 2
            || row.bytesPerChecksum() < 1
            || row.bytesPerChecksum() > ChecksumSpec.MAX_BYTES_PER_CHECKSUM)) {
      throw corrupt(
          diskId,
          row,
          "checksumType=" + row.checksumTypeId() + " bytesPerChecksum=" + row.bytesPerChecksum(),
          "type 0..2 and bytesPerChecksum 1.." + ChecksumSpec.MAX_BYTES_PER_CHECKSUM);
    }
    for (ParityKind kind : ParityKind.values()) {
      long room = (long) row.units() * Images.bytesPerUnit(kind, geometry);
      if (Images.bytes(kind, row) > room) {
        throw corrupt(
            diskId,
            row,
            kind + " image=" + Images.bytes(kind, row),
            "at most " + room + " bytes in " + row.units() + " units");
      }
    }
  }

  private static IOException corrupt(String diskId, SlotEntry row, String value, String rule) {
    return new IOException(
        "Cannot decode from slot table: "
            + value
            + ", expected "
            + rule
            + ", disk="
            + diskId
            + " block="
            + row.blockId());
  }
}
