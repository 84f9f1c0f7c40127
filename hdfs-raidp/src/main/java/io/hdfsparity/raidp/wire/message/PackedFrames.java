/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;

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

  /** Frames with deleted replicas or rows to acknowledge, ascending. */
  private final int[] busy;

  private final long[] limboBytes;
  private final int[] unacknowledged;

  private PackedFrames(List<FrameReport> frames, FrameState[] states) {
    int size = states.length;
    this.states = states;
    freeUnits = new int[size];
    blocks = new int[size];
    grantsTaken = new long[size];
    int[] positions = new int[size];
    int busyFrames = 0;
    for (int i = 0; i < size; i++) {
      FrameReport.Load load = frames.get(i).load();
      freeUnits[i] = load.freeUnits();
      blocks[i] = load.blocks();
      grantsTaken[i] = load.grantsTaken();
      if (isBusy(load)) {
        positions[busyFrames++] = i;
      }
    }
    busy = Arrays.copyOf(positions, busyFrames);
    limboBytes = new long[busyFrames];
    unacknowledged = new int[busyFrames];
    for (int b = 0; b < busyFrames; b++) {
      limboBytes[b] = frames.get(busy[b]).load().limboBytes();
      unacknowledged[b] = frames.get(busy[b]).load().unacknowledged();
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

  private PackedFrames(PackedFrames before) {
    states = before.states.clone();
    freeUnits = before.freeUnits.clone();
    blocks = before.blocks.clone();
    grantsTaken = before.grantsTaken.clone();
    busy = before.busy;
    limboBytes = before.limboBytes;
    unacknowledged = before.unacknowledged;
  }

  /**
   * The same frames, but some of them as they are now.
   *
   * @param changed by position
   */
  public static PackedFrames with(List<FrameReport> before, Map<Integer, FrameReport> changed) {
    PackedFrames packed = of(before, List.of());
    if (packed.busy.length > 0 || changed.values().stream().anyMatch(f -> isBusy(f.load()))) {
      List<FrameReport> all = new ArrayList<>(packed);
      changed.forEach(all::set);
      return of(all, packed);
    }
    PackedFrames next = new PackedFrames(packed);
    changed.forEach(
        (position, frame) -> {
          if (!next.states[position].equals(frame.state())) {
            next.states[position] = frame.state();
          }
          next.freeUnits[position] = frame.load().freeUnits();
          next.blocks[position] = frame.load().blocks();
          next.grantsTaken[position] = frame.load().grantsTaken();
        });
    return next;
  }

  private static boolean isBusy(FrameReport.Load load) {
    return load.limboBytes() != 0 || load.unacknowledged() != 0;
  }

  /** State of a frame, without a look at its numbers. */
  public static FrameState state(List<FrameReport> frames, int position) {
    return frames instanceof PackedFrames packed
        ? packed.states[position]
        : frames.get(position).state();
  }

  /** Whether both are of the same frames in the same states, with blocks or without. */
  static boolean differInNumbersOnly(List<FrameReport> a, List<FrameReport> b) {
    if (a.size() != b.size()) {
      return false;
    }
    boolean arePacked = a instanceof PackedFrames && b instanceof PackedFrames;
    for (int i = 0; i < a.size(); i++) {
      boolean isSame =
          arePacked && ((PackedFrames) a).isLike((PackedFrames) b, i)
              || a.get(i).differsInNumbersOnly(b.get(i));
      if (!isSame) {
        return false;
      }
    }
    return true;
  }

  private boolean isLike(PackedFrames other, int i) {
    return states[i].equals(other.states[i])
        && (blocks[i] == 0) == (other.blocks[i] == 0)
        && busy.length == 0
        && other.busy.length == 0;
  }

  @Override
  public FrameReport get(int i) {
    int b = Arrays.binarySearch(busy, i);
    return new FrameReport(
        states[i],
        new FrameReport.Load(
            freeUnits[i],
            grantsTaken[i],
            blocks[i],
            b < 0 ? 0 : limboBytes[b],
            b < 0 ? 0 : unacknowledged[b]));
  }

  @Override
  public int size() {
    return states.length;
  }
}
