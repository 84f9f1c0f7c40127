/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import java.util.Arrays;

/**
 * What exchanges gain for degraded reads. If cell c of stripe A and o of stripe B change places,
 * and w is what two cells count in one stripe, then
 *
 * <pre>
 *   sum of w(c, B) - w(c, A without c) + w(o, A) - w(o, B without o) - 2 w(c, o)
 * </pre>
 *
 * is gained. Of w, one part is the requests that read both cells: one pass over those of A's cells
 * gives the first three sums for all o at once, and the fourth is kept for each cell. The other
 * part goes by distance, see {@link ReadObjective}.
 *
 * <p><b>Invariant</b>: {@code own} holds for the present places. Not thread-safe.
 */
final class ReadTerm {
  private final Places places;
  private final CellSets reads;
  private final ReadObjective objective;

  /** Requests that read each cell and another one of its stripe, counted for each other one. */
  private final int[] own;

  /** Pairs of the cell that is looked at with cells of each stripe. */
  private final int[] together;

  private final int[] touched;
  private int touchedCount;

  /** For each place of the targets: pairs with cells of A, and with the cell that is to move. */
  private final int[] withFrom;

  private final int[] withCell;

  /** Units more than in the order of addresses. */
  private long surplus;

  ReadTerm(Places places, CellSets reads, ReadObjective objective, int maxTargets) {
    this.places = places;
    this.reads = reads;
    this.objective = objective;
    this.own = new int[places.cells.length];
    this.together = new int[places.stripes.length];
    this.touched = new int[places.stripes.length];
    this.withFrom = new int[maxTargets * places.dataCells];
    this.withCell = new int[withFrom.length];
    for (int stripe = 0; stripe < places.stripes.length; stripe++) {
      recount(stripe);
    }
    this.surplus = objective.surplus() + expectedSurplus();
  }

  boolean isOff() {
    return !objective.looksAtReads();
  }

  /** Units more than in the order of addresses. */
  long surplus() {
    return surplus;
  }

  private long expectedSurplus() {
    if (isOff()) {
      return 0;
    }
    long units = 0;
    for (int stripe = 0; stripe < places.stripes.length; stripe++) {
      for (int i = 0; i < places.dataCells; i++) {
        for (int j = 0; j < i; j++) {
          units += expected(places.logicalAt[stripe * places.dataCells + i], stripe, j);
          units -= objective.expected(i, j);
        }
      }
    }
    return units;
  }

  private long expected(long logical, int stripe, int place) {
    long other = places.logicalAt[stripe * places.dataCells + place];
    return logical == Organization.PADDING || other == Organization.PADDING
        ? 0
        : objective.expected(logical, other);
  }

  private void recount(int stripe) {
    int begin = stripe * places.dataCells;
    for (int place = begin; place < begin + places.dataCells; place++) {
      int cell = places.cellAt[place];
      if (cell >= 0) {
        int pairs = 0;
        for (int r = reads.windowsBegin()[cell]; r < reads.windowsBegin()[cell + 1]; r++) {
          int read = reads.windowsOf()[r];
          for (int i = reads.cellsBegin()[read]; i < reads.cellsBegin()[read + 1]; i++) {
            int other = reads.cellsOf()[i];
            pairs += other != cell && places.stripeOf[other] == stripe ? 1 : 0;
          }
        }
        own[cell] = pairs;
      }
    }
  }

  /** In how many requests a cell comes. */
  int readCountOf(int cell) {
    return reads.windowCountOf(cell);
  }

  /** Counts pairs of a cell with each stripe; to be forgotten later. */
  void lookAtStripes(int cell) {
    for (int r = reads.windowsBegin()[cell]; r < reads.windowsBegin()[cell + 1]; r++) {
      int read = reads.windowsOf()[r];
      for (int i = reads.cellsBegin()[read]; i < reads.cellsBegin()[read + 1]; i++) {
        int other = reads.cellsOf()[i];
        if (other != cell && together[places.stripeOf[other]]++ == 0) {
          touched[touchedCount++] = places.stripeOf[other];
        }
      }
    }
  }

  int touchedCount() {
    return touchedCount;
  }

  int touched(int i) {
    return touched[i];
  }

  /** Pairs of the cell that is looked at with a stripe. */
  int together(int stripe) {
    return together[stripe];
  }

  /**
   * Counts pairs of what could be exchanged for a cell.
   *
   * @param targetOf number of each stripe among the targets, or -1
   */
  void lookAtTargets(int cell, int[] targetOf) {
    Arrays.fill(withFrom, 0);
    Arrays.fill(withCell, 0);
    int begin = places.stripeOf[cell] * places.dataCells;
    for (int place = begin; place < begin + places.dataCells; place++) {
      int inFrom = places.cellAt[place];
      if (inFrom < 0) {
        continue;
      }
      for (int r = reads.windowsBegin()[inFrom]; r < reads.windowsBegin()[inFrom + 1]; r++) {
        int read = reads.windowsOf()[r];
        for (int i = reads.cellsBegin()[read]; i < reads.cellsBegin()[read + 1]; i++) {
          int other = reads.cellsOf()[i];
          int target = targetOf[places.stripeOf[other]];
          if (target >= 0) {
            int at = target * places.dataCells + places.placeOf[other] % places.dataCells;
            withFrom[at]++;
            withCell[at] += inFrom == cell ? 1 : 0;
          }
        }
      }
    }
  }

  /** Units gained if a cell went to a place, which is {@code at} among those of the targets. */
  long gain(int cell, int place, int at) {
    int to = place / places.dataCells;
    int other = places.cellAt[place];
    long pairs = (long) together[to] - own[cell];
    if (other >= 0) {
      pairs += (long) withFrom[at] - own[other] - 2L * withCell[at];
    }
    return ReadObjective.PAIR * pairs + expectedGain(places.placeOf[cell], place);
  }

  private long expectedGain(int from, int to) {
    int k = places.dataCells;
    long mine = places.logicalAt[from];
    long theirs = places.logicalAt[to];
    long gain = 0;
    for (int i = 0; i < k; i++) {
      if (i != to % k) {
        gain += expected(mine, to / k, i) - expected(theirs, to / k, i);
      }
      if (i != from % k) {
        gain += expected(theirs, from / k, i) - expected(mine, from / k, i);
      }
    }
    return gain;
  }

  /** Whether reads stay no worse than now, or than in the order of addresses. */
  boolean allows(long gain) {
    return gain >= 0 || surplus + gain >= 0;
  }

  double weighed(long gain) {
    return objective.stripeWritesPerUnit() * gain;
  }

  /** After an exchange between two stripes. */
  void exchanged(int from, int to, long gain) {
    surplus += gain;
    recount(from);
    recount(to);
  }

  void forgetStripes() {
    for (int i = 0; i < touchedCount; i++) {
      together[touched[i]] = 0;
    }
    touchedCount = 0;
  }
}
