/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.raidp.lstor.Extents;
import io.hdfsparity.raidp.lstor.Lstor;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.SlotEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Compares the parity of a unit with the sum of the covered images of its rows, in the plainest
 * way: it is what a repair is judged by. Not thread-safe.
 */
final class ParityComparison {
  private static final int ATTEMPTS = 10;

  private final DiskEngine disk;
  private final Lstor lstor;
  private final Kernel kernel = Kernels.best();
  private final Set<SlotEntry> unreadable = new HashSet<>();
  private long bytesRead;

  ParityComparison(DiskEngine disk) {
    this.disk = disk;
    this.lstor = disk.lstor();
  }

  long bytesRead() {
    return bytesRead;
  }

  /** Rows whose image could not be read on this node since the start, or is damaged. */
  Set<SlotEntry> unreadable() {
    return unreadable;
  }

  /**
   * Compares both regions of a unit.
   *
   * @return where they differ, or nothing
   * @throws IOException when an image cannot be read, or rows keep changing
   */
  Optional<String> compare(int unit) throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      List<SlotEntry> rows = lstor.entriesOn(List.of(unit));
      Optional<String> difference = compare(unit, ParityKind.DATA, rows);
      if (difference.isEmpty()) {
        difference = compare(unit, ParityKind.META, rows);
      }
      Set<SlotEntry> now = new HashSet<>(lstor.entriesOn(List.of(unit)));
      if (now.equals(new HashSet<>(rows))) {
        return difference;
      }
    }
    throw new IOException(
        "Cannot compare parity: unit="
            + unit
            + ", expected its rows to stand still for a moment, disk="
            + disk.diskId());
  }

  private Optional<String> compare(int unit, ParityKind kind, List<SlotEntry> rows)
      throws IOException {
    LstorGeometry geometry = lstor.geometry();
    int bytesPerUnit = kind == ParityKind.DATA ? geometry.unitBytes() : geometry.metaBytesPerUnit();
    ByteBuffer expected = ByteBuffer.allocate(bytesPerUnit);
    for (SlotEntry row : rows) {
      long covered = kind == ParityKind.DATA ? row.coveredBytes() : row.coveredMetaBytes();
      long position = (long) logicalIndex(row, unit) * bytesPerUnit;
      int count = (int) Math.min(bytesPerUnit, covered - position);
      if (count > 0) {
        addImage(row, kind, position, expected.slice(0, count));
      }
    }
    ByteBuffer found = ByteBuffer.allocate(bytesPerUnit);
    lstor.readParity(kind, (long) unit * bytesPerUnit, found);
    bytesRead += bytesPerUnit;
    int at = found.flip().mismatch(expected.clear());
    return at < 0
        ? Optional.empty()
        : Optional.of(
            kind
                + " parity differs from offset "
                + at
                + " of the unit, rows "
                + rows.stream().map(row -> row.blockId() + "@frame" + row.frameIndex()).toList());
  }

  private void addImage(SlotEntry row, ParityKind kind, long position, ByteBuffer into)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(into.remaining());
    try (RowImage image = new RowImage(disk.frame(row.frameIndex()), row, unreadable::add)) {
      if (kind == ParityKind.DATA) {
        image.readData(position, bytes);
      } else {
        image.readMeta(row.coveredBytes(), position, bytes);
      }
    }
    bytesRead += bytes.capacity();
    kernel.multiplyAdd(row.coefficient(), bytes.flip(), into);
  }

  private static int logicalIndex(SlotEntry row, int unit) {
    int before = 0;
    for (var run : row.runs()) {
      if (unit >= run.start() && unit < run.end()) {
        return before + unit - run.start();
      }
      before += run.count();
    }
    throw new IllegalArgumentException(
        "Cannot find unit: unit="
            + unit
            + ", expected one of "
            + row.runs()
            + " ("
            + Extents.units(row.runs())
            + " units)");
  }
}
