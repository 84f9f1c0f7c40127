/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Recomputes parity from the images of the blocks that it covers. Images are read without the
 * Lstor's lock; a step whose rows changed meanwhile is done again.
 *
 * <p>A row without an image is lost: its coverage is cleared, downwards, by recomputing the bytes
 * from the other rows. Where two lost rows share units the first one cleared takes both out of the
 * parity, and the second row claims too much until its turn comes in the same call. A crash in
 * between leaves that claim; the next call for the row, which is still lost, ends it. Till then a
 * decode there fails its CRCs.
 */
final class Rebuilder {
  private static final int META_CELLS_A_STEP = 16;

  private final LstorState state;
  private final CoverageMover mover;

  /** A stretch of a parity region with its recomputed bytes. */
  private record Recomputed(long regionOffset, ByteBuffer bytes) {}

  /** The images of rows that cover something, and the rows whose image is lost. */
  private record Images(List<ExpectedParity.Source> sources, List<SlotEntry> lost) {
    static Images of(List<SlotEntry> rows, Function<SlotEntry, @Nullable BlockImage> images) {
      List<ExpectedParity.Source> sources = ExpectedParity.sources(rows, images);
      Set<SlotEntry> having = new HashSet<>();
      sources.forEach(source -> having.add(source.entry()));
      return new Images(
          sources,
          rows.stream().filter(row -> row.coversAnything() && !having.contains(row)).toList());
    }
  }

  Rebuilder(LstorState state, CoverageMover mover) {
    this.state = state;
    this.mover = mover;
  }

  void rebuild(Collection<Integer> units, Function<SlotEntry, @Nullable BlockImage> images)
      throws IOException {
    ExpectedParity expected = new ExpectedParity(state.geometry(), state.kernel());
    int dataCells = state.geometry().unitBytes() / LstorFormat.DATA_CELL_BYTES;
    int dataStep = CoverageStep.MAX_DATA_BYTES / LstorFormat.DATA_CELL_BYTES;
    for (int unit : units) {
      long first = (long) unit * dataCells;
      for (long cell = first; cell < first + dataCells; cell += dataStep) {
        rebuildCells(
            ParityKind.DATA, cell, Math.min(cell + dataStep, first + dataCells), expected, images);
      }
      long metaStart = (long) unit * state.geometry().metaBytesPerUnit();
      long metaEnd = metaStart + state.geometry().metaBytesPerUnit();
      long pastCell = (metaEnd + LstorFormat.META_CELL_BYTES - 1) / LstorFormat.META_CELL_BYTES;
      for (long cell = metaStart / LstorFormat.META_CELL_BYTES;
          cell < pastCell;
          cell += META_CELLS_A_STEP) {
        rebuildCells(
            ParityKind.META, cell, Math.min(cell + META_CELLS_A_STEP, pastCell), expected, images);
      }
    }
  }

  /** Clears a lost row, and those that turn out to be lost too where they share units with it. */
  SlotEntry clearLost(int frame, long blockId, Function<SlotEntry, @Nullable BlockImage> images)
      throws IOException {
    Set<SlotEntry> alsoLost = new LinkedHashSet<>();
    SlotEntry cleared = clearOne(frame, blockId, images, alsoLost);
    clearLost(alsoLost, images);
    return cleared;
  }

  private void clearLost(
      Collection<SlotEntry> rows, Function<SlotEntry, @Nullable BlockImage> images)
      throws IOException {
    for (SlotEntry row : rows) {
      clearLost(row.frameIndex(), row.blockId(), images);
    }
  }

  private SlotEntry clearOne(
      int frame,
      long blockId,
      Function<SlotEntry, @Nullable BlockImage> images,
      Set<SlotEntry> alsoLost)
      throws IOException {
    ExpectedParity expected = new ExpectedParity(state.geometry(), state.kernel());
    ReentrantLock rowLock = mover.rowLock(frame, blockId);
    rowLock.lock();
    try {
      while (true) {
        SlotEntry entry = state.table().get(frame, blockId).entry();
        Optional<CoverageStep> step = CoverageStep.towardsNothingByChunks(entry);
        if (step.isEmpty()) {
          return entry;
        }
        recomputeStep(entry, step.get(), expected, images, alsoLost);
      }
    } finally {
      rowLock.unlock();
    }
  }

  private void rebuildCells(
      ParityKind kind,
      long firstCell,
      long pastCell,
      ExpectedParity expected,
      Function<SlotEntry, @Nullable BlockImage> images)
      throws IOException {
    ParityRegion region = state.region(kind);
    BitSet units = new BitSet();
    units.set(region.firstUnit(firstCell), region.lastUnit(pastCell - 1) + 1);
    int cellBytes = region.cellBytes();
    long start = firstCell * cellBytes;
    int used = (int) (Math.min(pastCell * cellBytes, region.sizeBytes()) - start);
    while (true) {
      List<SlotEntry> rows = state.entriesOn(units);
      Images found = Images.of(rows, images);
      if (!found.lost().isEmpty()) {
        clearLost(found.lost(), images);
        continue;
      }
      ByteBuffer bytes = ByteBuffer.allocateDirect((int) (pastCell - firstCell) * cellBytes);
      expected.compute(kind, start, found.sources(), bytes.limit(used));
      bytes.clear();
      state.lock();
      try {
        if (sameRows(rows, units)) {
          Transaction transaction = state.begin();
          for (long cell = firstCell; cell < pastCell; cell++) {
            transaction.overwriteCell(
                region, cell, bytes.slice((int) (cell - firstCell) * cellBytes, cellBytes));
          }
          state.commit(transaction);
          return;
        }
      } finally {
        state.unlock();
      }
    }
  }

  /** One step: parity where the lost image goes out is what the other rows make of it. */
  private void recomputeStep(
      SlotEntry entry,
      CoverageStep step,
      ExpectedParity expected,
      Function<SlotEntry, @Nullable BlockImage> images,
      Set<SlotEntry> alsoLost)
      throws IOException {
    ChecksumSpec checksum = entry.checksum();
    long metaFrom = step.metaFrom(checksum);
    List<Extents.Segment> data =
        Extents.segments(
            entry.runs(), state.geometry().unitBytes(), step.low(), step.high() - step.low());
    List<Extents.Segment> meta =
        Extents.segments(
            entry.runs(),
            state.geometry().metaBytesPerUnit(),
            metaFrom,
            step.metaTo(checksum) - metaFrom);
    BitSet units = Extents.unitsOf(entry.runs());
    List<SlotEntry> rows = state.entriesOn(units);
    Images found = Images.of(rows.stream().filter(row -> !row.equals(entry)).toList(), images);
    List<Recomputed> newData = recompute(ParityKind.DATA, data, expected, found.sources());
    List<Recomputed> newMeta = recompute(ParityKind.META, meta, expected, found.sources());
    state.lock();
    try {
      if (!sameRows(rows, units)) {
        return;
      }
      SlotTable.Slot slot = state.table().get(entry.frameIndex(), entry.blockId());
      Transaction transaction = state.begin();
      for (Recomputed part : newData) {
        transaction.replace(state.region(ParityKind.DATA), part.regionOffset(), part.bytes());
      }
      for (Recomputed part : newMeta) {
        transaction.replace(state.region(ParityKind.META), part.regionOffset(), part.bytes());
      }
      state.commitEntry(transaction, slot.row(), CoverageMover.cleared(entry, step));
      alsoLost.addAll(found.lost());
    } finally {
      state.unlock();
    }
  }

  private static List<Recomputed> recompute(
      ParityKind kind,
      List<Extents.Segment> segments,
      ExpectedParity expected,
      List<ExpectedParity.Source> sources)
      throws IOException {
    List<Recomputed> parts = new ArrayList<>();
    for (Extents.Segment segment : segments) {
      ByteBuffer bytes = ByteBuffer.allocateDirect(segment.lengthBytes());
      expected.compute(kind, segment.regionOffset(), sources, bytes);
      parts.add(new Recomputed(segment.regionOffset(), bytes));
    }
    return parts;
  }

  /** With the lock held: whether what covers the units is what was read. */
  private boolean sameRows(List<SlotEntry> rows, BitSet units) {
    return new HashSet<>(rows).equals(new HashSet<>(state.entriesOn(units)));
  }
}
