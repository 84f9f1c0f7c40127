/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import java.util.OptionalInt;
import java.util.function.IntPredicate;

/**
 * Which frames of a disk have a row of a block. Open addressing in two arrays of primitives: 12
 * bytes a slot, of which a quarter to five eighths are empty, so 16 to 32 bytes a row (measured: 18
 * to 27 at 1 to 2 million rows).
 *
 * <p>Invariants: a pair of block and frame is in it at most once; between the slot that a block
 * hashes to and each slot that holds the block no slot is empty.
 *
 * <p>Thread-safe: every call holds the monitor for a few slots.
 */
public final class BlockFrames {
  private static final int MIN_SLOTS = 16;
  private static final int EMPTY = 0;

  private long[] blocks = new long[MIN_SLOTS];

  /** Frame index + 1; {@link #EMPTY} where the slot is. */
  private int[] frames = new int[MIN_SLOTS];

  private int size;

  public synchronized int size() {
    return size;
  }

  /** The first frame found that has a row of the block and that is asked for. */
  public synchronized OptionalInt find(long blockId, IntPredicate wanted) {
    for (int at = home(blockId); frames[at] != EMPTY; at = next(at)) {
      if (blocks[at] == blockId && wanted.test(frames[at] - 1)) {
        return OptionalInt.of(frames[at] - 1);
      }
    }
    return OptionalInt.empty();
  }

  public synchronized void add(long blockId, int frame) {
    if (find(blockId, each -> each == frame).isPresent()) {
      return;
    }
    if (size + 1 > frames.length / 4 * 3) {
      grow();
    }
    put(blockId, frame + 1);
    size++;
  }

  public synchronized void remove(long blockId, int frame) {
    int at = home(blockId);
    while (frames[at] != EMPTY && (blocks[at] != blockId || frames[at] != frame + 1)) {
      at = next(at);
    }
    if (frames[at] == EMPTY) {
      return;
    }
    size--;
    // What was pushed past the slot that becomes empty moves back into it.
    int hole = at;
    for (int after = next(at); frames[after] != EMPTY; after = next(after)) {
      if (distance(home(blocks[after]), after) >= distance(hole, after)) {
        blocks[hole] = blocks[after];
        frames[hole] = frames[after];
        hole = after;
      }
    }
    frames[hole] = EMPTY;
  }

  private void put(long blockId, int value) {
    int at = home(blockId);
    while (frames[at] != EMPTY) {
      at = next(at);
    }
    blocks[at] = blockId;
    frames[at] = value;
  }

  private void grow() {
    // Both or none: with one of them new nothing that is in it is found.
    long[] newBlocks = new long[Math.multiplyExact(blocks.length, 2)];
    int[] newFrames = new int[newBlocks.length];
    long[] oldBlocks = blocks;
    int[] oldFrames = frames;
    blocks = newBlocks;
    frames = newFrames;
    for (int at = 0; at < oldFrames.length; at++) {
      if (oldFrames[at] != EMPTY) {
        put(oldBlocks[at], oldFrames[at]);
      }
    }
  }

  /** Ids of HDFS are consecutive: a multiplication spreads them over the upper bits. */
  private int home(long blockId) {
    int bits = Integer.numberOfTrailingZeros(frames.length);
    return (int) ((blockId * 0x9E3779B97F4A7C15L) >>> (Long.SIZE - bits));
  }

  private int next(int at) {
    return (at + 1) & (frames.length - 1);
  }

  private int distance(int from, int to) {
    return (to - from) & (frames.length - 1);
  }
}
