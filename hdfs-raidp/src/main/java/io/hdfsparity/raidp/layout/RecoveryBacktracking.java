/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

/**
 * Places all items or proves that it cannot be done, by trying everything, the item with the fewest
 * ways first. Releases after a number of steps. Not thread-safe; leaves its result in the state.
 */
final class RecoveryBacktracking {
  private final RecoveryState state;
  private final boolean[] skipped;
  private int stepsLeft;

  /**
   * @param skipped items that are not to be placed
   * @param maxSteps placements to try at most
   */
  RecoveryBacktracking(RecoveryState state, boolean[] skipped, int maxSteps) {
    this.state = state;
    this.skipped = skipped;
    this.stepsLeft = maxSteps;
  }

  /** Outcome. */
  enum Outcome {
    FOUND,
    IMPOSSIBLE,
    GAVE_UP
  }

  /** Searches from a cleared state; the state is cleared again unless the outcome is FOUND. */
  Outcome run() {
    if (search()) {
      return Outcome.FOUND;
    }
    return stepsLeft <= 0 ? Outcome.GAVE_UP : Outcome.IMPOSSIBLE;
  }

  private boolean search() {
    int next = RecoveryState.NONE;
    int fewest = Integer.MAX_VALUE;
    boolean done = true;
    for (int item = 0; item < state.items(); item++) {
      if (skipped[item] || state.receiver(item) != RecoveryState.NONE) {
        continue;
      }
      done = false;
      int ways = ways(item);
      if (ways < fewest) {
        fewest = ways;
        next = item;
      }
    }
    if (done) {
      return true;
    }
    return fewest > 0 && (state.sender(next) == RecoveryState.NONE ? rebuild(next) : place(next));
  }

  private int ways(int item) {
    int ways = 0;
    for (int disk = 0; disk < state.diskCount(); disk++) {
      if (fits(item, disk)) {
        ways++;
      }
    }
    return ways;
  }

  private boolean fits(int item, int disk) {
    int from = state.sender(item);
    return from == RecoveryState.NONE ? state.hasRoom(disk) : state.legal(from, disk);
  }

  private boolean rebuild(int item) {
    for (int disk = 0; disk < state.diskCount(); disk++) {
      if (fits(item, disk)) {
        if (--stepsLeft <= 0) {
          return false;
        }
        state.rebuildAt(item, disk);
        if (search()) {
          return true;
        }
        state.unrebuild(item);
      }
    }
    return false;
  }

  private boolean place(int item) {
    for (int disk = 0; disk < state.diskCount(); disk++) {
      if (fits(item, disk)) {
        if (--stepsLeft <= 0) {
          return false;
        }
        state.place(item, disk);
        if (search()) {
          return true;
        }
        state.unplace(item);
      }
    }
    return false;
  }
}
