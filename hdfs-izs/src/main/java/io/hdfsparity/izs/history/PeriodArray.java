/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.history;

/**
 * A number for each of the last periods: the paper's access-frequency array. Numbers are never
 * negative and stay at {@link Integer#MAX_VALUE} where they would pass it. Not thread-safe.
 */
final class PeriodArray {
  private final int[] slots;
  private long newest = Long.MIN_VALUE;

  PeriodArray(int periods) {
    this.slots = new int[periods];
  }

  /** Adds to a period; one that is already too old to be kept is ignored. */
  void add(long period, long amount) {
    if (newest == Long.MIN_VALUE) {
      newest = period;
    }
    if (period > newest) {
      long gone = Math.min(period - newest, slots.length);
      for (long i = 1; i <= gone; i++) {
        slots[slot(newest + i)] = 0;
      }
      newest = period;
    }
    if (newest - period < slots.length) {
      int slot = slot(period);
      slots[slot] = (int) Math.min(Integer.MAX_VALUE, slots[slot] + amount);
    }
  }

  /** The number of a period; 0 for those that are not kept. */
  int at(long period) {
    boolean kept = newest != Long.MIN_VALUE && period <= newest && newest - period < slots.length;
    return kept ? slots[slot(period)] : 0;
  }

  /** Newest period that something was added to; meaningless before. */
  long newest() {
    return newest;
  }

  /** The numbers of so many periods up to one, oldest first. */
  int[] last(int periods, long newestPeriod) {
    int[] last = new int[periods];
    for (int i = 0; i < periods; i++) {
      last[i] = at(newestPeriod - (periods - 1) + i);
    }
    return last;
  }

  /** Sum over so many periods up to one. */
  long total(int periods, long newestPeriod) {
    long total = 0;
    for (int i = 0; i < periods; i++) {
      total += at(newestPeriod - i);
    }
    return total;
  }

  /** Periods from the oldest number that is not 0 to the newest, at least 1. */
  int used() {
    for (int back = slots.length - 1; back > 0; back--) {
      if (at(newest - back) != 0) {
        return back + 1;
      }
    }
    return 1;
  }

  private int slot(long period) {
    return (int) Math.floorMod(period, (long) slots.length);
  }
}
