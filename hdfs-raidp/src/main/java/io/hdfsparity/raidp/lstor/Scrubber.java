/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One pass over an open Lstor; the lock is held for a piece at a time. */
final class Scrubber {
  private final LstorState state;
  private final int pieceBytes;
  private final List<ScrubResult.CorruptCell> corrupt = new ArrayList<>();
  private final List<String> tableFindings = new ArrayList<>();
  private long cells;
  private long bytesRead;

  Scrubber(LstorState state, int pieceBytes) {
    this.state = state;
    this.pieceBytes = pieceBytes;
  }

  ScrubResult run(ScrubResult.Progress progress) throws IOException {
    long total =
        state.region(ParityKind.DATA).sizeBytes() + state.region(ParityKind.META).sizeBytes();
    verifyTables();
    verifyRegion(state.region(ParityKind.DATA), progress, total);
    verifyRegion(state.region(ParityKind.META), progress, total);
    return new ScrubResult(cells, bytesRead, corrupt, tableFindings);
  }

  /** Looks at the tables alone. */
  List<String> tableFindings() throws IOException {
    verifyTables();
    return tableFindings;
  }

  private void verifyTables() throws IOException {
    state.lock();
    try {
      state.requireUsable();
      TreeMap<Integer, FrameRow> frames = new TreeMap<>();
      state.loader().loadFrames(frames, finding -> tableFindings.add(finding.getMessage()));
      if (!List.copyOf(frames.values()).equals(state.frames())) {
        tableFindings.add(
            "Cannot trust the frame table: stored="
                + frames.values()
                + ", expected "
                + state.frames());
      }
      Map<Integer, SlotEntry> stored = new TreeMap<>();
      state.loader().loadSlots(stored::put, finding -> tableFindings.add(finding.getMessage()));
      if (stored.size() != state.table().size()) {
        tableFindings.add(
            "Cannot trust the slot table: rows="
                + stored.size()
                + ", expected "
                + state.table().size());
      }
      stored.forEach(
          (row, entry) -> {
            SlotTable.Slot slot = state.table().find(entry.frameIndex(), entry.blockId());
            if (slot == null || slot.row() != row || !slot.entry().equals(entry)) {
              tableFindings.add(
                  "Cannot trust slot row " + row + ": stored=" + entry + ", expected " + slot);
            }
          });
    } finally {
      state.unlock();
    }
  }

  private void verifyRegion(ParityRegion region, ScrubResult.Progress progress, long total)
      throws IOException {
    ByteBuffer cell = ByteBuffer.allocateDirect(region.cellBytes());
    long piece = pieceBytes / region.cellBytes();
    for (long first = 0; first < region.cells(); first += piece) {
      long past = Math.min(region.cells(), first + piece);
      state.lock();
      try {
        state.requireUsable();
        for (long index = first; index < past; index++) {
          verifyCell(region, index, cell);
        }
      } finally {
        state.unlock();
      }
      progress.verified(Math.min(bytesRead, total), total);
    }
  }

  private void verifyCell(ParityRegion region, long index, ByteBuffer cell) throws IOException {
    cells++;
    bytesRead += region.cellBytes();
    try {
      region.load(index, cell.clear());
    } catch (LstorException.CorruptParity e) {
      corrupt.add(
          new ScrubResult.CorruptCell(
              region.kind(),
              index,
              region.firstUnit(index),
              region.lastUnit(index),
              region.fileOffset(index * region.cellBytes())));
    }
  }
}
