/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.Patch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Bytes of a cell that were written, the latest of each. Not thread-safe.
 *
 * <p>Invariant: the ranges do not overlap.
 */
final class CellRanges {
  private final TreeMap<Integer, byte[]> ranges = new TreeMap<>();
  private int bytes;

  /** Bytes that are held. */
  int bytes() {
    return bytes;
  }

  boolean isEmpty() {
    return ranges.isEmpty();
  }

  /** Writes; takes the array over. */
  void put(int offset, byte[] source) {
    int end = offset + source.length;
    Map.Entry<Integer, byte[]> before = ranges.lowerEntry(offset);
    if (before != null && before.getKey() + before.getValue().length > offset) {
      byte[] old = before.getValue();
      int from = before.getKey();
      replace(from, Arrays.copyOf(old, offset - from));
      if (from + old.length > end) {
        replace(end, Arrays.copyOfRange(old, end - from, old.length));
      }
    }
    Map.Entry<Integer, byte[]> next = ranges.ceilingEntry(offset);
    while (next != null && next.getKey() < end) {
      byte[] old = next.getValue();
      int from = next.getKey();
      ranges.remove(from);
      bytes -= old.length;
      if (from + old.length > end) {
        replace(end, Arrays.copyOfRange(old, end - from, old.length));
      }
      next = ranges.ceilingEntry(offset);
    }
    replace(offset, source);
  }

  private void replace(int offset, byte[] source) {
    byte[] old = ranges.put(offset, source);
    bytes += source.length - (old == null ? 0 : old.length);
  }

  /** What is held of a range of the cell; copies. */
  List<Patch> within(int offset, int lengthBytes) {
    List<Patch> held = new ArrayList<>();
    Integer first = ranges.floorKey(offset);
    for (Map.Entry<Integer, byte[]> range :
        ranges
            .subMap(first == null ? offset : first, true, offset + lengthBytes, false)
            .entrySet()) {
      int from = range.getKey();
      int start = Math.max(offset, from);
      int end = Math.min(offset + lengthBytes, from + range.getValue().length);
      if (start < end) {
        held.add(
            new Patch(
                start, Bytes.wrap(Arrays.copyOfRange(range.getValue(), start - from, end - from))));
      }
    }
    return held;
  }

  /** All of it, in as few patches as there can be. */
  List<Patch> patches() {
    List<Patch> patches = new ArrayList<>();
    List<byte[]> run = new ArrayList<>();
    int start = 0;
    int end = -1;
    for (Map.Entry<Integer, byte[]> range : ranges.entrySet()) {
      if (range.getKey() != end) {
        add(patches, start, run);
        start = range.getKey();
        run.clear();
      }
      run.add(range.getValue());
      end = range.getKey() + range.getValue().length;
    }
    add(patches, start, run);
    return patches;
  }

  private static void add(List<Patch> patches, int start, List<byte[]> run) {
    if (run.isEmpty()) {
      return;
    }
    byte[] joined = new byte[run.stream().mapToInt(part -> part.length).sum()];
    int at = 0;
    for (byte[] part : run) {
      System.arraycopy(part, 0, joined, at, part.length);
      at += part.length;
    }
    patches.add(new Patch(start, Bytes.wrap(joined)));
  }

  /** Writes what another one holds under what is held here. */
  void putUnder(CellRanges older) {
    TreeMap<Integer, byte[]> newer = new TreeMap<>(ranges);
    ranges.clear();
    bytes = 0;
    older.ranges.forEach(this::put);
    newer.forEach(this::put);
  }
}
