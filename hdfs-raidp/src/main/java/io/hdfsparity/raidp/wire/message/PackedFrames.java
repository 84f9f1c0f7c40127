/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reports of a disk's frames in arrays, for a manager that keeps millions: 20 bytes a frame beside
 * its {@link FrameState}, which later reports and views share. Numbers that most frames do not have
 * are kept only where they are not 0. Immutable; elements are made when they are asked for.
 */
public final class PackedFrames extends AbstractList<FrameReport> implements RandomAccess {
  private final FrameState[] states;
  private final int[] freeUnits;
  private final int[] blocks;
  private final long[] grantsTaken;

  private final Busy busy;

  /** Frames with deleted replicas or rows to acknowledge. */
  private static final class Busy {
    /** Ascending. */
    private final int[] positions;

    private final long[] limboBytes;
    private final int[] unacknowledged;

    private Busy(SortedMap<Integer, FrameReport.Load> loads) {
      positions = loads.keySet().stream().mapToInt(position -> position).toArray();
      limboBytes = loads.values().stream().mapToLong(FrameReport.Load::limboBytes).toArray();
      unacknowledged = loads.values().stream().mapToInt(FrameReport.Load::unacknowledged).toArray();
    }

    private long limboBytes(int position) {
      int b = Arrays.binarySearch(positions, position);
      return b < 0 ? 0 : limboBytes[b];
    }

    private int unacknowledged(int position) {
      int b = Arrays.binarySearch(positions, position);
      return b < 0 ? 0 : unacknowledged[b];
    }
  }

  private PackedFrames(List<FrameReport> frames, FrameState[] states) {
    int size = states.length;
    this.states = states;
    freeUnits = new int[size];
    blocks = new int[size];
    grantsTaken = new long[size];
    SortedMap<Integer, FrameReport.Load> busyLoads = new TreeMap<>();
    for (int i = 0; i < size; i++) {
      set(i, frames.get(i).load(), busyLoads);
    }
    busy = new Busy(busyLoads);
  }

  /** The same frames, but some of them as they are now, by position. */
  private PackedFrames(PackedFrames before, Map<Integer, FrameReport> changed) {
    states = before.states.clone();
    freeUnits = before.freeUnits.clone();
    blocks = before.blocks.clone();
    grantsTaken = before.grantsTaken.clone();
    SortedMap<Integer, FrameReport.Load> busyLoads = new TreeMap<>();
    for (int position : before.busy.positions) {
      busyLoads.put(position, before.load(position));
    }
    changed.forEach(
        (position, frame) -> {
          if (!states[position].equals(frame.state())) {
            states[position] = frame.state();
          }
          set(position, frame.load(), busyLoads);
        });
    busy = new Busy(busyLoads);
  }

  private void set(
      int position, FrameReport.Load load, SortedMap<Integer, FrameReport.Load> busyLoads) {
    freeUnits[position] = load.freeUnits();
    blocks[position] = load.blocks();
    grantsTaken[position] = load.grantsTaken();
    if (load.limboBytes() != 0 || load.unacknowledged() != 0) {
      busyLoads.put(position, load);
    } else {
      busyLoads.remove(position);
    }
  }

  /**
   * The same reports, packed.
   *
   * @param before earlier ones: where a frame at the same position has the same state, the two
   *     share it
   */
  public static PackedFrames of(List<FrameReport> frames, List<FrameReport> before) {
    if (frames instanceof PackedFrames packed) {
      return packed;
    }
    FrameState[] states = new FrameState[frames.size()];
    for (int i = 0; i < states.length; i++) {
      FrameState now = frames.get(i).state();
      FrameState known = i < before.size() ? state(before, i) : now;
      states[i] = known.equals(now) ? known : now;
    }
    return new PackedFrames(frames, states);
  }

  /**
   * The same frames, but some of them as they are now.
   *
   * @param changed by position
   */
  public static PackedFrames with(List<FrameReport> before, Map<Integer, FrameReport> changed) {
    return new PackedFrames(of(before, List.of()), changed);
  }

  /** State of a frame, without a look at its numbers. */
  public static FrameState state(List<FrameReport> frames, int position) {
    return frames instanceof PackedFrames packed
        ? packed.states[position]
        : frames.get(position).state();
  }

  /**
   * Where a frame is; -1: nowhere. Reports are in index order, and mostly have every index of a
   * disk.
   */
  public static int position(List<FrameReport> frames, FrameRef frame) {
    int guess = frame.frameIndex();
    if (guess >= 0 && guess < frames.size() && isOf(state(frames, guess), frame)) {
      return guess;
    }
    for (int i = 0; i < frames.size(); i++) {
      if (isOf(state(frames, i), frame)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isOf(FrameState state, FrameRef frame) {
    return state.frameIndex() == frame.frameIndex() && state.storageId().equals(frame.storageId());
  }

  /** Whether both are of the same frames in the same states, with blocks or without. */
  static boolean differInNumbersOnly(List<FrameReport> a, List<FrameReport> b) {
    return of(a, List.of()).isLike(of(b, List.of()));
  }

  private boolean isLike(PackedFrames other) {
    if (states.length != other.states.length) {
      return false;
    }
    for (int i = 0; i < states.length; i++) {
      if (!states[i].equals(other.states[i])
          || (blocks[i] == 0) != (other.blocks[i] == 0)
          || (busy.limboBytes(i) == 0) != (other.busy.limboBytes(i) == 0)) {
        return false;
      }
    }
    return true;
  }

  private FrameReport.Load load(int position) {
    return new FrameReport.Load(
        freeUnits[position],
        grantsTaken[position],
        blocks[position],
        busy.limboBytes(position),
        busy.unacknowledged(position));
  }

  @Override
  public FrameReport get(int i) {
    return new FrameReport(states[i], load(i));
  }

  @Override
  public int size() {
    return states.length;
  }
}
