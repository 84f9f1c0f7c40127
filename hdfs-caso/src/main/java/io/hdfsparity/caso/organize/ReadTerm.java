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

  /** Whether the cell of each place is written anywhere in the trace. */
  private final boolean[] isWritten;

  /** Units that may be lost. */
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
    this.isWritten = new boolean[places.logicalAt.length];
    for (int stripe = 0; stripe < places.stripes.length; stripe++) {
      recount(stripe);
    }
    this.surplus = objective.surplus() + expectedSurplus();
  }

  boolean isOff() {
    return !objective.looksAtReads();
  }

  /** Units more than in the order of addresses, and those that may be lost. */
  long surplus() {
    return surplus;
  }

  private long expectedSurplus() {
    if (isOff()) {
      return 0;
    }
    long units = 0;
    for (int stripe = 0; stripe < places.stripes.length; stripe++) {
      int begin = stripe * places.dataCells;
      long inOrder = places.stripes[stripe] * places.dataCells;
      for (int i = 0; i < places.dataCells; i++) {
        for (int j = 0; j < i; j++) {
          units += expected(begin + i, begin + j);
          units -= objective.expected(inOrder + i, inOrder + j);
        }
      }
    }
    return units;
  }

  /** What the cells of two places are expected to count in one stripe. */
  private long expected(int place, int otherPlace) {
    long cell = places.logicalAt[place];
    long other = places.logicalAt[otherPlace];
    return cell == Organization.PADDING || other == Organization.PADDING
        ? 0
        : objective.expected(cell, other, isWritten[place] && isWritten[otherPlace]);
  }

  private void recount(int stripe) {
    int begin = stripe * places.dataCells;
    for (int place = begin; place < begin + places.dataCells; place++) {
      int cell = places.cellAt[place];
      isWritten[place] = !isOff() && objective.isWritten(places.logicalAt[place]);
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
    long gain = 0;
    for (int i = 0; i < k; i++) {
      int inTo = to / k * k + i;
      int inFrom = from / k * k + i;
      if (inTo != to) {
        gain += expected(from, inTo) - expected(to, inTo);
      }
      if (inFrom != from) {
        gain += expected(to, inFrom) - expected(from, inFrom);
      }
    }
    return gain;
  }

  /** Whether reads stay no worse than now, or lose no more than they may. */
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
