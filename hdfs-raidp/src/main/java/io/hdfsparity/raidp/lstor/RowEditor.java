/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes of rows that leave the parity as it is: reserves and resizes extents, changes states,
 * removes rows. The lock is held for one change.
 */
final class RowEditor {
  private final LstorState state;

  RowEditor(LstorState state) {
    this.state = state;
  }

  /** See {@link Lstor#isFree}. */
  boolean isFree(int frame, List<Run> runs) {
    UnitMap units = state.table().units(frame);
    state.lock();
    try {
      return Extents.unitsOf(runs).length() <= state.geometry().unitsPerFrame()
          && units.isFree(runs);
    } finally {
      state.unlock();
    }
  }

  /** See {@link Lstor#allocate}. */
  List<Run> plan(int frame, int units) throws IOException {
    UnitMap map = state.table().units(frame);
    state.lock();
    try {
      return map.plan(frame, units);
    } finally {
      state.unlock();
    }
  }

  /** See {@link Lstor#reserve}. */
  SlotEntry reserve(int frame, long blockId, List<Run> runs, long generationStamp)
      throws IOException {
    state.lock();
    try {
      SlotTable.@Nullable Slot slot = state.table().find(frame, blockId);
      SlotEntry old = slot == null ? null : slot.entry();
      SlotStatus status =
          old == null ? SlotStatus.RESERVED : SlotLife.after(old, SlotCause.RESERVED);
      SlotEntry entry =
          new SlotEntry(
              frame, blockId, generationStamp, Extents.normalize(runs), SlotCoverage.NONE, status);
      state.table().requireFree(frame, entry.runs(), old);
      int row = slot == null ? state.table().freeRow() : slot.row();
      state.commitEntry(state.begin(), row, entry);
      return entry;
    } finally {
      state.unlock();
    }
  }

  /** See {@link Lstor#resize}. */
  SlotEntry resize(int frame, long blockId, List<Run> runs) throws IOException {
    state.lock();
    try {
      SlotTable.Slot slot = state.table().get(frame, blockId);
      SlotEntry entry = slot.entry().withRuns(Extents.normalize(runs));
      int kept = coveredUnits(entry);
      if (!Extents.trim(entry.runs(), kept).equals(Extents.trim(slot.entry().runs(), kept))
          || entry.units() < kept) {
        throw new LstorException.Refused(
            "Cannot resize: frame="
                + frame
                + " block="
                + blockId
                + " runs="
                + runs
                + ", expected the first "
                + kept
                + " units to stay as in "
                + slot.entry().runs()
                + ", coverage lies there");
      }
      state.table().requireFree(frame, entry.runs(), slot.entry());
      if (!entry.equals(slot.entry())) {
        state.commitEntry(state.begin(), slot.row(), entry);
      }
      return entry;
    } finally {
      state.unlock();
    }
  }

  /** Decides on the status of a row. */
  @FunctionalInterface
  interface Decision {
    SlotStatus after(SlotEntry row) throws LstorException;
  }

  /** Commits a decision on a row, if it changes the row. */
  SlotEntry change(int frame, long blockId, Decision decision) throws IOException {
    state.lock();
    try {
      SlotTable.Slot slot = state.table().get(frame, blockId);
      SlotEntry entry = slot.entry().withStatus(decision.after(slot.entry()));
      if (!entry.equals(slot.entry())) {
        state.commitEntry(state.begin(), slot.row(), entry);
      }
      return entry;
    } finally {
      state.unlock();
    }
  }

  /** See {@link Lstor#remove}. */
  void remove(int frame, long blockId, SlotCause cause) throws IOException {
    state.lock();
    try {
      SlotTable.Slot slot = state.table().get(frame, blockId);
      SlotLife.requireMayEnd(slot.entry(), cause);
      state.commitRemoval(slot);
    } finally {
      state.unlock();
    }
  }

  private int coveredUnits(SlotEntry entry) {
    long data =
        (entry.coveredBytes() + state.geometry().unitBytes() - 1) / state.geometry().unitBytes();
    long meta =
        (entry.coveredMetaBytes() + state.geometry().metaBytesPerUnit() - 1)
            / state.geometry().metaBytesPerUnit();
    return (int) Math.max(data, meta);
  }
}
