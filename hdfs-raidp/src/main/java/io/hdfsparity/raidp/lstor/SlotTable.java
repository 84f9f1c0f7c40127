/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The slot table in memory. Changed by one thread at a time; lookups take no lock and see immutable
 * entries.
 *
 * <p>Invariants: a block has at most one row in a frame; two rows of a frame share no unit; the
 * unit map of a frame is the union of its rows; the index by block has exactly the rows; the counts
 * are those of the rows.
 */
final class SlotTable {
  private final LstorGeometry geometry;
  private final int maxEntries;
  private final List<ConcurrentHashMap<Long, Slot>> frames = new ArrayList<>();
  private final List<UnitMap> units = new ArrayList<>();
  private final BlockFrames byBlock = new BlockFrames();
  private final BitSet takenRows = new BitSet();
  private final AtomicIntegerArray liveRows;
  private final AtomicIntegerArray unacknowledgedRows;
  private final AtomicLongArray limboOfFrames;
  private int entries;
  private int unacknowledged;
  private long unacknowledgedBytes;
  private int limbo;
  private long limboBytes;

  /** An entry and the row that it lives in. */
  record Slot(int row, SlotEntry entry) {}

  SlotTable(LstorGeometry geometry, int maxEntries) {
    this.geometry = geometry;
    this.maxEntries = maxEntries;
    this.liveRows = new AtomicIntegerArray(geometry.frames());
    this.unacknowledgedRows = new AtomicIntegerArray(geometry.frames());
    this.limboOfFrames = new AtomicLongArray(geometry.frames());
    for (int frame = 0; frame < geometry.frames(); frame++) {
      frames.add(new ConcurrentHashMap<>());
      units.add(new UnitMap(geometry.unitsPerFrame()));
    }
  }

  @Nullable Slot find(int frame, long blockId) {
    return frames.get(requireFrame(frame)).get(blockId);
  }

  Slot get(int frame, long blockId) throws LstorException.NoSuchEntry {
    Slot slot = find(frame, blockId);
    if (slot == null) {
      throw new LstorException.NoSuchEntry(
          "Cannot find slot: frame="
              + frame
              + " block="
              + blockId
              + ", expected a row of the slot table");
    }
    return slot;
  }

  /** A frame that has a row of the block, of those that are asked for. */
  OptionalInt frameOf(long blockId, IntPredicate wanted) {
    return byBlock.find(blockId, wanted);
  }

  List<SlotEntry> entries(int frame) {
    List<SlotEntry> list = new ArrayList<>();
    frames.get(requireFrame(frame)).values().forEach(slot -> list.add(slot.entry()));
    return list;
  }

  UnitMap units(int frame) {
    return units.get(requireFrame(frame));
  }

  int requireFrame(int frame) {
    if (frame < 0 || frame >= geometry.frames()) {
      throw new IllegalArgumentException(
          "Cannot use frame: frameIndex=" + frame + ", expected 0.." + (geometry.frames() - 1));
    }
    return frame;
  }

  int freeRow() throws LstorException.Full {
    int row = takenRows.nextClearBit(0);
    if (row >= maxEntries) {
      throw new LstorException.Full(
          "Cannot add a slot: entries="
              + entries
              + ", expected fewer than maxEntries="
              + maxEntries);
    }
    return row;
  }

  /**
   * Refuses runs outside the frame, that overlap each other, or that a row other than {@code self}
   * holds.
   */
  void requireFree(int frame, List<Run> runs, @Nullable SlotEntry self) throws LstorException {
    BitSet wanted = Extents.unitsOf(runs);
    if (wanted.length() > geometry.unitsPerFrame() || wanted.cardinality() != Extents.units(runs)) {
      throw new LstorException.Overlap(
          "Cannot place a block: frame="
              + frame
              + " runs="
              + runs
              + ", expected disjoint runs below unit "
              + geometry.unitsPerFrame());
    }
    if (self != null) {
      wanted.andNot(Extents.unitsOf(self.runs()));
    }
    if (!units.get(frame).isFree(wanted)) {
      throw new LstorException.Overlap(
          "Cannot place a block: frame="
              + frame
              + " runs="
              + runs
              + ", expected units that no other row holds, but "
              + firstOwner(frame, wanted, self));
    }
  }

  /** Puts an entry into a row that was free or held the same block. */
  void put(int row, SlotEntry entry) {
    ConcurrentHashMap<Long, Slot> slots = frames.get(entry.frameIndex());
    Slot before = slots.put(entry.blockId(), new Slot(row, entry));
    if (before == null) {
      takenRows.set(row);
      entries++;
      byBlock.add(entry.blockId(), entry.frameIndex());
      units.get(entry.frameIndex()).take(entry.runs());
    } else {
      count(before.entry(), -1);
      if (!before.entry().runs().equals(entry.runs())) {
        units.get(entry.frameIndex()).release(before.entry().runs());
        units.get(entry.frameIndex()).take(entry.runs());
      }
    }
    count(entry, 1);
  }

  void remove(Slot slot) {
    SlotEntry entry = slot.entry();
    byBlock.remove(entry.blockId(), entry.frameIndex());
    frames.get(entry.frameIndex()).remove(entry.blockId());
    takenRows.clear(slot.row());
    entries--;
    units.get(entry.frameIndex()).release(entry.runs());
    count(entry, -1);
  }

  int size() {
    return entries;
  }

  int maxEntries() {
    return maxEntries;
  }

  int unacknowledged() {
    return unacknowledged;
  }

  long unacknowledgedBytes() {
    return unacknowledgedBytes;
  }

  int limbo() {
    return limbo;
  }

  long limboBytes() {
    return limboBytes;
  }

  /** Counts of a frame's rows; any thread may ask. */
  FrameLoad load(int frame) {
    return new FrameLoad(
        units.get(requireFrame(frame)).freeUnits(),
        liveRows.get(frame),
        limboOfFrames.get(frame),
        unacknowledgedRows.get(frame));
  }

  private void count(SlotEntry entry, int sign) {
    if (entry.state() == SlotState.LIVE) {
      liveRows.addAndGet(entry.frameIndex(), sign);
    }
    if (entry.ackPending()) {
      unacknowledgedRows.addAndGet(entry.frameIndex(), sign);
      unacknowledged += sign;
      unacknowledgedBytes += sign * entry.coveredBytes();
    }
    if (entry.state() == SlotState.LIMBO) {
      limbo += sign;
      limboBytes += sign * entry.coveredBytes();
      if (entry.coversAnything()) {
        // An empty replica is in the parity with its checksum file.
        limboOfFrames.addAndGet(entry.frameIndex(), sign * Math.max(1, entry.coveredBytes()));
      }
    }
  }

  private String firstOwner(int frame, BitSet wanted, @Nullable SlotEntry self) {
    for (SlotEntry entry : entries(frame)) {
      if ((self == null || self.blockId() != entry.blockId())
          && Extents.unitsOf(entry.runs()).intersects(wanted)) {
        return "block " + entry.blockId() + " holds " + entry.runs();
      }
    }
    return "no row holds them";
  }
}
