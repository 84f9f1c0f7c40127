/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import io.hdfsparity.core.gf.Kernel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a parity region must hold, computed from rows and the images of their blocks: the invariant,
 * executable.
 */
final class ExpectedParity {
  private final LstorGeometry geometry;
  private final Kernel kernel;
  private final ByteBuffer scratch = ByteBuffer.allocateDirect(CoverageStep.MAX_DATA_BYTES);

  ExpectedParity(LstorGeometry geometry, Kernel kernel) {
    this.geometry = geometry;
    this.kernel = kernel;
  }

  /** A row and its image. */
  record Source(SlotEntry entry, BlockImage image) {}

  /** Pairs rows that cover something with their images; rows without an image are left out. */
  static List<Source> sources(
      List<SlotEntry> rows, Function<SlotEntry, @Nullable BlockImage> images) {
    List<Source> sources = new ArrayList<>();
    for (SlotEntry row : rows) {
      if (row.coversAnything()) {
        BlockImage image = images.apply(row);
        if (image != null) {
          sources.add(new Source(row, image));
        }
      }
    }
    return sources;
  }

  /**
   * Fills {@code dst}, from position to limit, with what the region must hold from {@code
   * regionOffset}.
   */
  void compute(ParityKind kind, long regionOffset, List<Source> sources, ByteBuffer dst)
      throws IOException {
    int start = dst.position();
    for (int i = start; i < dst.limit(); i++) {
      dst.put(i, (byte) 0);
    }
    for (Source source : sources) {
      addRow(kind, regionOffset, source, dst.position(start));
    }
    dst.position(start);
  }

  private void addRow(ParityKind kind, long regionOffset, Source source, ByteBuffer dst)
      throws IOException {
    int unitBytes = kind == ParityKind.DATA ? geometry.unitBytes() : geometry.metaBytesPerUnit();
    SlotEntry entry = source.entry();
    long covered = kind == ParityKind.DATA ? entry.coveredBytes() : entry.coveredMetaBytes();
    int start = dst.position();
    long regionEnd = regionOffset + dst.remaining();
    long position = 0;
    for (Run run : entry.runs()) {
      long runStart = (long) run.start() * unitBytes;
      long from = Math.max(regionOffset, runStart);
      long to =
          Math.min(
              regionEnd, Math.min((long) run.end() * unitBytes, runStart + covered - position));
      while (from < to) {
        int count = (int) Math.min(to - from, scratch.capacity());
        long blockPosition = position + from - runStart;
        StepBuffers.fill(
            scratch.clear().limit(count), filling -> read(kind, source, blockPosition, filling));
        int at = start + (int) (from - regionOffset);
        kernel.multiplyAdd(
            entry.coefficient(), scratch, dst.duplicate().limit(at + count).position(at));
        from += count;
      }
      position += (long) run.count() * unitBytes;
    }
  }

  private static void read(ParityKind kind, Source source, long position, ByteBuffer dst)
      throws IOException {
    if (kind == ParityKind.DATA) {
      source.image().readData(position, dst);
    } else {
      source.image().readMeta(source.entry().coveredBytes(), position, dst);
    }
  }
}
