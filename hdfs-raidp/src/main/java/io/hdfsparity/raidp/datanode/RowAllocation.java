/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.lstor.Extents;
import io.hdfsparity.raidp.lstor.Lstor;
import io.hdfsparity.raidp.lstor.LstorException;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotCause;
import io.hdfsparity.raidp.lstor.SlotEntry;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Gives units of a frame to rows, one row at a time. Callers hold the block's lock. Thread-safe.
 */
final class RowAllocation {
  private final Frame frame;
  private final Lstor lstor;

  RowAllocation(Frame frame) {
    this.frame = frame;
    this.lstor = frame.disk().lstor();
  }

  /**
   * Gives the row at least so many units, making it if there is none.
   *
   * @param wish units to take first, where they are free
   */
  SlotEntry allocate(long blockId, int units, List<Run> wish) throws IOException {
    frame.allocation().lock();
    try {
      Optional<SlotEntry> own = lstor.entry(frame.index(), blockId);
      if (own.isEmpty()) {
        frame.requireNoOtherRow(blockId);
        boolean wished = !wish.isEmpty() && lstor.isFree(frame.index(), wish);
        SlotEntry made =
            lstor.reserve(
                frame.index(), blockId, wished ? wish : lstor.allocate(frame.index(), units), 0);
        if (made.units() >= units) {
          return made;
        }
        try {
          return allocate(blockId, units, List.of());
        } catch (LstorException.NoSpace e) {
          // Nobody would ever let go of a row whose maker was refused.
          lstor.remove(frame.index(), blockId, SlotCause.WITHDRAWN);
          throw e;
        }
      }
      int missing = units - own.get().units();
      if (missing <= 0) {
        return own.get();
      }
      List<Run> more = Extents.append(own.get().runs(), extension(own.get(), missing, wish));
      if (more.size() > SlotEntry.MAX_RUNS) {
        throw new LstorException.NoSpace(
            "Cannot extend block: block="
                + blockId
                + " runs="
                + more.size()
                + ", expected at most "
                + SlotEntry.MAX_RUNS
                + ", storageId="
                + frame.storageId());
      }
      return lstor.resize(frame.index(), blockId, more);
    } finally {
      frame.allocation().unlock();
    }
  }

  private List<Run> extension(SlotEntry own, int missing, List<Run> wish) throws IOException {
    if (Extents.units(wish) >= own.units() + missing && Extents.isPrefix(own.runs(), wish)) {
      List<Run> rest = Extents.skip(wish, own.units());
      if (lstor.isFree(frame.index(), rest)) {
        return rest;
      }
    }
    return lstor.allocate(frame.index(), missing);
  }
}
