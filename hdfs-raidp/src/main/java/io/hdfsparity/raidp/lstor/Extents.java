/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Arithmetic on the extents of a block: lists of {@link Run} in logical order. Pure. */
public final class Extents {
  private Extents() {}

  /**
   * A stretch of a block that is contiguous in a parity region.
   *
   * @param regionOffset where it lies in the region, in bytes
   * @param position where it lies in the block's data or checksum file, in bytes
   * @param lengthBytes its length
   */
  public record Segment(long regionOffset, long position, int lengthBytes) {}

  /** Units over all runs. */
  public static int units(List<Run> runs) {
    int units = 0;
    for (Run run : runs) {
      units += run.count();
    }
    return units;
  }

  /** The set of units. */
  public static BitSet unitsOf(List<Run> runs) {
    BitSet units = new BitSet();
    for (Run run : runs) {
      units.set(run.start(), run.end());
    }
    return units;
  }

  /** The same units in the same order, neighbours joined. */
  public static List<Run> normalize(List<Run> runs) {
    List<Run> joined = new ArrayList<>(runs.size());
    for (Run run : runs) {
      int last = joined.size() - 1;
      if (last >= 0 && joined.get(last).end() == run.start()) {
        joined.set(last, new Run(joined.get(last).start(), joined.get(last).count() + run.count()));
      } else {
        joined.add(run);
      }
    }
    return List.copyOf(joined);
  }

  /** {@code runs} followed by {@code more}. */
  public static List<Run> append(List<Run> runs, List<Run> more) {
    List<Run> all = new ArrayList<>(runs);
    all.addAll(more);
    return normalize(all);
  }

  /** The first {@code units} units; all of them when there are fewer. */
  public static List<Run> trim(List<Run> runs, int units) {
    List<Run> kept = new ArrayList<>();
    int left = units;
    for (Run run : runs) {
      if (left <= 0) {
        break;
      }
      int count = Math.min(left, run.count());
      kept.add(new Run(run.start(), count));
      left -= count;
    }
    return normalize(kept);
  }

  /** All but the first {@code units} units; none when there are fewer. */
  public static List<Run> skip(List<Run> runs, int units) {
    List<Run> rest = new ArrayList<>();
    int skip = units;
    for (Run run : runs) {
      if (run.count() <= skip) {
        skip -= run.count();
      } else {
        rest.add(new Run(run.start() + skip, run.count() - skip));
        skip = 0;
      }
    }
    return rest;
  }

  /** Whether {@code shorter} is the beginning of {@code longer}, unit by unit. */
  public static boolean isPrefix(List<Run> shorter, List<Run> longer) {
    int units = units(shorter);
    return units <= units(longer) && trim(longer, units).equals(normalize(shorter));
  }

  /** The units with which both begin. */
  public static List<Run> commonPrefix(List<Run> a, List<Run> b) {
    int units = Math.min(units(a), units(b));
    while (!trim(a, units).equals(trim(b, units))) {
      units--;
    }
    return trim(a, units);
  }

  /** The units that are not among those that are taken, lowest first. */
  public static List<Run> without(List<Run> runs, List<Run> taken) {
    BitSet units = unitsOf(runs);
    units.andNot(unitsOf(taken));
    List<Run> left = new ArrayList<>();
    for (int start = units.nextSetBit(0); start >= 0; ) {
      int end = units.nextClearBit(start);
      left.add(new Run(start, end - start));
      start = units.nextSetBit(end);
    }
    return left;
  }

  /**
   * Where bytes {@code [position, position + lengthBytes)} of a block lie in a region whose units
   * have {@code bytesPerUnit}: {@code unitBytes} for data, {@code metaBytesPerUnit} for the
   * checksum file.
   *
   * @throws IllegalArgumentException if the runs are too short
   */
  public static List<Segment> segments(
      List<Run> runs, int bytesPerUnit, long position, long lengthBytes) {
    List<Segment> segments = new ArrayList<>();
    long runStart = 0;
    long at = position;
    long end = position + lengthBytes;
    for (Run run : runs) {
      long runEnd = runStart + (long) run.count() * bytesPerUnit;
      while (at < end && at >= runStart && at < runEnd) {
        int length = (int) Math.min(Math.min(end, runEnd) - at, 1 << 30);
        segments.add(new Segment((long) run.start() * bytesPerUnit + at - runStart, at, length));
        at += length;
      }
      runStart = runEnd;
    }
    if (at < end) {
      throw new IllegalArgumentException(
          "Cannot map bytes: position="
              + position
              + " length="
              + lengthBytes
              + ", expected at most "
              + runStart
              + " bytes in runs "
              + runs);
    }
    return segments;
  }
}
