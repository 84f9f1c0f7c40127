/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.FrameRef;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

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
  private final Map<String, Volume> volumes = new HashMap<>();

  /** Of frames that have open grants. */
  private final Map<FrameRef, Promises> open = new HashMap<>();

  /**
   * @param leaseMs life of a promise that no report matches
   */
  Grants(long leaseMs) {
    this.leaseMs = leaseMs;
  }

  /** Takes in a frame's numbers. A new incarnation counts its reservations from 0 again. */
  synchronized void report(
      FrameRef ref, long incarnation, int freeUnits, long grantsTaken, long nowMs) {
    Volume volume = volumes.computeIfAbsent(ref.storageId(), id -> new Volume());
    long closed = volume.report(ref.frameIndex(), incarnation, freeUnits, grantsTaken);
    Promises promises = open.get(ref);
    if (promises != null) {
      promises.close(closed);
      expire(ref, promises, nowMs);
    }
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
    open.computeIfAbsent(ref, each -> new Promises()).open(units, nowMs);
    open.computeIfAbsent(partner, each -> new Promises()).open(units, nowMs);
    return true;
  }

  /**
   * Lets the youngest promises of a frame live on as if they were made now: as many blocks are
   * still on their way to it.
   */
  synchronized void renew(FrameRef ref, int count, long nowMs) {
    Promises promises = open.get(ref);
    if (promises != null) {
      expire(ref, promises, nowMs);
      promises.renew(count, nowMs);
    }
  }

  /** Open promises over all frames; each superchunk counts twice. */
  synchronized int openGrants() {
    return open.values().stream().mapToInt(f -> f.openedAtMs.size()).sum();
  }

  /** Units of open promises of a frame. */
  synchronized long openUnits(FrameRef ref) {
    Promises promises = open.get(ref);
    return promises == null ? 0 : promises.openUnits;
  }

  private int available(FrameRef ref, long nowMs) {
    Volume volume = volumes.get(ref.storageId());
    if (volume == null) {
      return 0;
    }
    Promises promises = open.get(ref);
    if (promises != null) {
      expire(ref, promises, nowMs);
    }
    return (int) Math.max(0, volume.freeUnits(ref.frameIndex()) - openUnits(ref));
  }

  private void expire(FrameRef ref, Promises promises, long nowMs) {
    promises.expire(nowMs - leaseMs);
    if (promises.openedAtMs.isEmpty()) {
      open.remove(ref);
    }
  }

  /** What the frames of a volume have reported, in arrays: a large cluster has millions. */
  private static final class Volume {
    private long incarnation;

    /** Ascending; null: as many as there are, from 0 on. */
    private int @Nullable [] indexes;

    private int[] freeUnits = {};
    private long[] taken = {};

    /** Takes in a frame's numbers, and tells how many reservations are new. */
    long report(int index, long newIncarnation, int newFreeUnits, long grantsTaken) {
      boolean isFirst = freeUnits.length == 0;
      if (!isFirst && incarnation != newIncarnation) {
        Arrays.fill(taken, 0);
      }
      incarnation = newIncarnation;
      int position = position(index);
      if (position < 0) {
        position = -position - 1;
        if (indexes != null || index != freeUnits.length) {
          indexes = insert(indexes(), position, index);
        }
        freeUnits = insert(freeUnits, position, newFreeUnits);
        long[] more = Arrays.copyOf(taken, taken.length + 1);
        System.arraycopy(taken, position, more, position + 1, taken.length - position);
        // Reservations from before this manager began match none of its promises.
        more[position] = grantsTaken;
        taken = more;
        return 0;
      }
      long closed = Math.max(0, grantsTaken - taken[position]);
      taken[position] = Math.max(taken[position], grantsTaken);
      freeUnits[position] = newFreeUnits;
      return closed;
    }

    private int[] indexes() {
      return indexes == null ? IntStream.range(0, freeUnits.length).toArray() : indexes;
    }

    /** As a binary search answers. */
    private int position(int index) {
      if (indexes != null) {
        return Arrays.binarySearch(indexes, index);
      }
      return index >= 0 && index < freeUnits.length
          ? index
          : index < 0 ? -1 : -freeUnits.length - 1;
    }

    private static int[] insert(int[] values, int position, int value) {
      int[] more = Arrays.copyOf(values, values.length + 1);
      System.arraycopy(values, position, more, position + 1, values.length - position);
      more[position] = value;
      return more;
    }

    long freeUnits(int index) {
      int position = position(index);
      return position < 0 ? 0 : freeUnits[position];
    }
  }

  private static final class Promises {
    private long openUnits;

    /** Number of open grants by size. */
    private final TreeMap<Integer, Integer> sizes = new TreeMap<>();

    private final ArrayDeque<Long> openedAtMs = new ArrayDeque<>(2);

    private void open(int units, long nowMs) {
      sizes.merge(units, 1, Integer::sum);
      openedAtMs.addLast(nowMs);
      openUnits += units;
    }

    private void renew(int count, long nowMs) {
      int renewed = Math.min(count, openedAtMs.size());
      for (int i = 0; i < renewed; i++) {
        openedAtMs.removeLast();
      }
      for (int i = 0; i < renewed; i++) {
        openedAtMs.addLast(nowMs);
      }
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
    }
  }
}
