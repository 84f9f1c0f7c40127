/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.FrameRef;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Units promised to blocks that the NameNode has placed but that no report shows yet. Pure: time is
 * passed in. Thread-safe; a promise is checked and made in one step.
 *
 * <p>A frame reports how many reservations it has ever made and how many units are free after them.
 * A grant is open in both frames of its superchunk; in each frame reservations close grants, and
 * what is open is taken off the free units.
 *
 * <p><b>Invariant</b>: the units of a frame's open grants are at least those of the promises that
 * its last report does not contain and whose lease runs. A report tells how many promises it
 * contains, not which; so the smallest are closed, and of the leases the oldest.
 */
final class Grants {
  private final long leaseMs;
  private final Map<FrameRef, Frame> frames = new HashMap<>();

  /**
   * @param leaseMs life of a promise that no report matches
   */
  Grants(long leaseMs) {
    this.leaseMs = leaseMs;
  }

  /** Takes in a frame's numbers. A new incarnation counts its reservations from 0 again. */
  synchronized void report(
      FrameRef ref, long incarnation, int freeUnits, long grantsTaken, long nowMs) {
    Frame frame = frames.get(ref);
    if (frame == null) {
      frame = new Frame();
      frames.put(ref, frame);
      frame.incarnation = incarnation;
      // Reservations from before this manager began match none of its promises.
      frame.taken = grantsTaken;
    } else if (frame.incarnation != incarnation) {
      frame.incarnation = incarnation;
      frame.taken = 0;
    }
    frame.close(Math.max(0, grantsTaken - frame.taken));
    frame.taken = Math.max(frame.taken, grantsTaken);
    frame.freeUnits = freeUnits;
    frame.expire(nowMs - leaseMs);
  }

  /** Forgets a frame that is gone. */
  synchronized void forget(FrameRef ref) {
    frames.remove(ref);
  }

  /** Units that may still be promised on both frames. */
  synchronized int available(FrameRef ref, FrameRef partner, long nowMs) {
    return Math.min(available(ref, nowMs), available(partner, nowMs));
  }

  /**
   * Promises units on both frames of a superchunk, if both have them.
   *
   * @return whether the promise was made
   */
  synchronized boolean grant(FrameRef ref, FrameRef partner, int units, long nowMs) {
    if (available(ref, partner, nowMs) < units) {
      return false;
    }
    frames.get(ref).open(units, nowMs);
    frames.get(partner).open(units, nowMs);
    return true;
  }

  /** Open promises over all frames; each superchunk counts twice. */
  synchronized int openGrants() {
    return frames.values().stream().mapToInt(f -> f.openedAtMs.size()).sum();
  }

  /** Units of open promises of a frame. */
  synchronized long openUnits(FrameRef ref) {
    Frame frame = frames.get(ref);
    return frame == null ? 0 : frame.openUnits;
  }

  private int available(FrameRef ref, long nowMs) {
    Frame frame = frames.get(ref);
    if (frame == null) {
      return 0;
    }
    frame.expire(nowMs - leaseMs);
    return (int) Math.max(0, frame.freeUnits - frame.openUnits);
  }

  private static final class Frame {
    private static final TreeMap<Integer, Integer> NO_SIZES = new TreeMap<>();
    private static final ArrayDeque<Long> NEVER = new ArrayDeque<>(0);
    private long incarnation;
    private long taken;
    private int freeUnits;
    private long openUnits;

    /** Number of open grants by size; most frames have none. */
    private TreeMap<Integer, Integer> sizes = NO_SIZES;

    private ArrayDeque<Long> openedAtMs = NEVER;

    private void open(int units, long nowMs) {
      if (openedAtMs == NEVER) {
        sizes = new TreeMap<>();
        openedAtMs = new ArrayDeque<>(2);
      }
      sizes.merge(units, 1, Integer::sum);
      openedAtMs.addLast(nowMs);
      openUnits += units;
    }

    private void close(long count) {
      for (long i = 0; i < count && !openedAtMs.isEmpty(); i++) {
        closeSmallest();
      }
    }

    private void expire(long openedBeforeMs) {
      while (!openedAtMs.isEmpty() && openedAtMs.peekFirst() < openedBeforeMs) {
        closeSmallest();
      }
    }

    private void closeSmallest() {
      openedAtMs.removeFirst();
      int units = sizes.firstKey();
      sizes.computeIfPresent(units, (size, n) -> n == 1 ? null : n - 1);
      openUnits -= units;
      if (openedAtMs.isEmpty()) {
        sizes = NO_SIZES;
        openedAtMs = NEVER;
      }
    }
  }
}
