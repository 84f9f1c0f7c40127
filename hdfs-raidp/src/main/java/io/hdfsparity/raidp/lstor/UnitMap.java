/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which units of a frame are taken. Pure; not thread-safe, but {@link #freeUnits} may be read by
 * any thread.
 */
final class UnitMap {
  private final int units;
  private final BitSet taken;
  private final AtomicInteger free;

  UnitMap(int units) {
    this.units = units;
    this.taken = new BitSet(units);
    this.free = new AtomicInteger(units);
  }

  int freeUnits() {
    return free.get();
  }

  boolean isFree(List<Run> runs) {
    for (Run run : runs) {
      int next = taken.nextSetBit(run.start());
      if (next >= 0 && next < run.end()) {
        return false;
      }
    }
    return true;
  }

  /** Whether all of the units are free. */
  boolean isFree(BitSet wanted) {
    return !taken.intersects(wanted);
  }

  void take(List<Run> runs) {
    for (Run run : runs) {
      taken.set(run.start(), run.end());
    }
    free.addAndGet(-Extents.units(runs));
  }

  void release(List<Run> runs) {
    for (Run run : runs) {
      taken.clear(run.start(), run.end());
    }
    free.addAndGet(Extents.units(runs));
  }

  /**
   * The first gap that is large enough, else as few gaps as possible: the largest whole ones, and
   * for what is left the first one that holds it. In ascending order.
   *
   * @throws LstorException.NoSpace if there are not enough units, or only in more than {@link
   *     SlotEntry#MAX_RUNS} pieces
   */
  List<Run> plan(int frame, int wanted) throws LstorException.NoSpace {
    if (wanted < 1 || wanted > free.get()) {
      throw new LstorException.NoSpace(
          "Cannot allocate: frame="
              + frame
              + " units="
              + wanted
              + ", expected 1.."
              + free
              + " free units of "
              + units);
    }
    List<Run> gaps = new ArrayList<>();
    for (int start = taken.nextClearBit(0); start < units; ) {
      int next = taken.nextSetBit(start);
      int end = next < 0 ? units : next;
      if (end - start >= wanted) {
        return List.of(new Run(start, wanted));
      }
      gaps.add(new Run(start, end - start));
      start = taken.nextClearBit(end);
    }
    return planPieces(frame, wanted, gaps);
  }

  private List<Run> planPieces(int frame, int wanted, List<Run> gaps)
      throws LstorException.NoSpace {
    List<Run> bySize = new ArrayList<>(gaps);
    bySize.sort(Comparator.comparingInt(Run::count).reversed().thenComparingInt(Run::start));
    List<Run> planned = new ArrayList<>();
    int left = wanted;
    int next = 0;
    while (left > bySize.get(next).count()) {
      planned.add(bySize.get(next));
      left -= bySize.get(next).count();
      next++;
    }
    int rest = left;
    List<Run> unused = bySize.subList(next, bySize.size());
    int firstFit =
        Collections.min(
            unused.stream().filter(gap -> gap.count() >= rest).map(Run::start).toList());
    planned.add(new Run(firstFit, rest));
    if (planned.size() > SlotEntry.MAX_RUNS) {
      throw new LstorException.NoSpace(
          "Cannot allocate: frame="
              + frame
              + " units="
              + wanted
              + " pieces="
              + planned.size()
              + ", expected at most "
              + SlotEntry.MAX_RUNS
              + " pieces: the frame's free space is fragmented");
    }
    planned.sort(Comparator.comparingInt(Run::start));
    return planned;
  }
}
