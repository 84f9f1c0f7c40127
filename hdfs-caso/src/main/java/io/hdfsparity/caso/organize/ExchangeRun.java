/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * One local search. Cells, windows and the stripes that have such cells go by numbers, which keep
 * their order; an exchange never leads out of those stripes.
 *
 * <p>If a cell of stripe A and another one of stripe B change places, a window with the cell alone
 * saves a write of A if no other cell of A is in it, and costs one of B if none of B is; a window
 * with the other alone likewise; a window with both stays as it is. Summed up, what is saved is
 *
 * <pre>
 *   solo(cell) - (windows of cell without B) - (windows with both where the cell is alone of A)
 * + solo(other) - (windows of other without A) - (windows with both where the other is alone of B)
 * </pre>
 *
 * where solo counts the windows in which a cell is the only one of its stripe. One pass over the
 * windows of A gives all of that for every cell that could be exchanged; how often the other is
 * written does not matter, so cells that come in many windows cost no more than others.
 *
 * <p>What degraded reads gain ({@link ReadTerm}) is added with its weight. An exchange must not
 * make them worse than they are, or than {@link ReadObjective} allows.
 *
 * <p><b>Invariant</b>: solo holds for the present places. Not thread-safe.
 */
final class ExchangeRun {
  /** A single stripe write is taken for chance. */
  private static final double MIN_SCORE = 1.5;

  /** Stripes that a cell may go to: by what is written with it, and by what is read with it. */
  private static final int MAX_WRITE_TARGETS = 4;

  private static final int MAX_TARGETS = 6;

  private final Places places;
  private final int dataCells;
  private final CellSets windows;
  private final ReadTerm reads;
  private final int[] stripeOf;
  private final int[] solo;

  /** When a window or stripe was last looked at. */
  private final int[] windowStamps;

  private final int[] stripeStamps;
  private int stamp;

  /** In how many windows of the cell each stripe is, and the stripes where that is not 0. */
  private final int[] together;

  private final int[] touched;
  private int touchedCount;

  private final int[] targets = new int[MAX_TARGETS];
  private int targetCount;

  /** How often each target comes with the cell. */
  private final int[] counts = new int[MAX_TARGETS];

  /** Cells of each target in one window. */
  private final int[] toCounts = new int[MAX_TARGETS];

  /** Number of a stripe among the targets, or -1. */
  private final int[] targetOf;

  /** For each place of the targets: windows of its cell with A, and with both cells, see above. */
  private final int[] withFrom;

  private final int[] bothFromAlone;
  private final int[] bothToAlone;

  ExchangeRun(Organization base, SearchInput input, ReadObjective objective) {
    this.places = new Places(base, input);
    this.dataCells = base.dataCells();
    this.windows = input.writes();
    this.stripeOf = places.stripeOf;
    this.windowStamps = new int[windows.windowCount()];
    int stripeCount = places.stripes.length;
    this.stripeStamps = new int[stripeCount];
    this.together = new int[stripeCount];
    this.touched = new int[stripeCount];
    this.targetOf = new int[stripeCount];
    Arrays.fill(targetOf, -1);
    this.withFrom = new int[MAX_TARGETS * dataCells];
    this.bothFromAlone = new int[withFrom.length];
    this.bothToAlone = new int[withFrom.length];
    this.solo = new int[places.cells.length];
    countSolo();
    this.reads = new ReadTerm(places, input.reads(), objective, MAX_TARGETS);
  }

  private void countSolo() {
    for (int window = 0; window < windows.windowCount(); window++) {
      for (int i = windows.cellsBegin()[window]; i < windows.cellsBegin()[window + 1]; i++) {
        together[stripeOf[windows.cellsOf()[i]]]++;
      }
      for (int i = windows.cellsBegin()[window]; i < windows.cellsBegin()[window + 1]; i++) {
        int cell = windows.cellsOf()[i];
        solo[cell] += together[stripeOf[cell]] == 1 ? 1 : 0;
      }
      for (int i = windows.cellsBegin()[window]; i < windows.cellsBegin()[window + 1]; i++) {
        together[stripeOf[windows.cellsOf()[i]]] = 0;
      }
    }
  }

  /** Cells to move, in the order in which they are. */
  int[] order(Random random) {
    int[] lottery = random.ints(solo.length).toArray();
    return IntStream.range(0, lottery.length)
        .filter(cell -> useCount(cell) >= 2)
        .boxed()
        .sorted(
            Comparator.<Integer>comparingInt(cell -> -useCount(cell))
                .thenComparingInt(cell -> lottery[cell])
                .thenComparingInt(cell -> cell))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private int useCount(int cell) {
    return windows.windowCountOf(cell) + (reads.isOff() ? 0 : reads.readCountOf(cell));
  }

  /** Makes the best exchange for a cell; returns whether there is one that pays. */
  boolean moveBest(int cell) {
    findTargets(cell);
    if (targetCount > 0) {
      lookAtWindows(cell);
      if (!reads.isOff()) {
        reads.lookAtTargets(cell, targetOf);
      }
    }
    int bestPlace = -1;
    double bestScore = MIN_SCORE;
    long bestReads = 0;
    for (int at = 0; at < targetCount * dataCells; at++) {
      int place = targets[at / dataCells] * dataCells + at % dataCells;
      // A place of padding stays empty: moving there would free a place no cell could take.
      if (places.logicalAt[place] == Organization.PADDING) {
        continue;
      }
      long readGain = reads.isOff() ? 0 : reads.gain(cell, place, at);
      double score = gain(cell, place, at) + reads.weighed(readGain);
      boolean isBetter =
          score > bestScore
              || (score == bestScore
                  && bestPlace >= 0
                  && places.logicalAt[place] < places.logicalAt[bestPlace]);
      if (isBetter && reads.allows(readGain)) {
        bestScore = score;
        bestPlace = place;
        bestReads = readGain;
      }
    }
    forgetTargets();
    if (bestPlace < 0) {
      return false;
    }
    exchange(cell, bestPlace, bestReads);
    return true;
  }

  /** Stripes that come with a cell at least twice, those that do most often. */
  private void findTargets(int cell) {
    touchedCount = 0;
    for (int w = windows.windowsBegin()[cell]; w < windows.windowsBegin()[cell + 1]; w++) {
      stamp++;
      int window = windows.windowsOf()[w];
      for (int i = windows.cellsBegin()[window]; i < windows.cellsBegin()[window + 1]; i++) {
        int stripe = stripeOf[windows.cellsOf()[i]];
        if (stripeStamps[stripe] != stamp) {
          stripeStamps[stripe] = stamp;
          if (together[stripe]++ == 0) {
            touched[touchedCount++] = stripe;
          }
        }
      }
    }
    targetCount = 0;
    for (int i = 0; i < touchedCount; i++) {
      if (touched[i] != stripeOf[cell] && together[touched[i]] >= 2) {
        insertTarget(touched[i], 0, MAX_WRITE_TARGETS, together[touched[i]]);
      }
    }
    for (int target = 0; target < targetCount; target++) {
      targetOf[targets[target]] = target;
    }
    if (!reads.isOff()) {
      findReadTargets(cell);
    }
  }

  /** Further stripes that are read with a cell at least twice, those that are most often. */
  private void findReadTargets(int cell) {
    reads.lookAtStripes(cell);
    int first = targetCount;
    for (int i = 0; i < reads.touchedCount(); i++) {
      int stripe = reads.touched(i);
      if (stripe != stripeOf[cell] && targetOf[stripe] < 0 && reads.together(stripe) >= 2) {
        insertTarget(stripe, first, MAX_TARGETS - MAX_WRITE_TARGETS, reads.together(stripe));
      }
    }
    for (int target = first; target < targetCount; target++) {
      targetOf[targets[target]] = target;
    }
  }

  /** Keeps the targets from {@code first} on in order, so many at most. */
  private void insertTarget(int stripe, int first, int most, int count) {
    int at = targetCount;
    while (at > first
        && (count > counts[at - 1] || (count == counts[at - 1] && stripe < targets[at - 1]))) {
      at--;
    }
    if (at < first + most) {
      targetCount = Math.min(first + most, targetCount + 1);
      System.arraycopy(targets, at, targets, at + 1, targetCount - 1 - at);
      System.arraycopy(counts, at, counts, at + 1, targetCount - 1 - at);
      targets[at] = stripe;
      counts[at] = count;
    }
  }

  private void lookAtWindows(int cell) {
    Arrays.fill(withFrom, 0);
    Arrays.fill(bothFromAlone, 0);
    Arrays.fill(bothToAlone, 0);
    stamp++;
    for (int w = windows.windowsBegin()[cell]; w < windows.windowsBegin()[cell + 1]; w++) {
      int window = windows.windowsOf()[w];
      windowStamps[window] = stamp;
      lookAtWindowOf(window, stripeOf[cell]);
    }
    int from = stripeOf[cell] * dataCells;
    for (int place = from; place < from + dataCells; place++) {
      int inFrom = places.cellAt[place];
      if (inFrom >= 0 && inFrom != cell) {
        for (int w = windows.windowsBegin()[inFrom]; w < windows.windowsBegin()[inFrom + 1]; w++) {
          int window = windows.windowsOf()[w];
          if (windowStamps[window] != stamp) {
            windowStamps[window] = stamp;
            lookAtWindowWithout(window);
          }
        }
      }
    }
  }

  /** A window of the cell that is to move. */
  private void lookAtWindowOf(int window, int from) {
    int begin = windows.cellsBegin()[window];
    int end = windows.cellsBegin()[window + 1];
    int fromCount = 0;
    Arrays.fill(toCounts, 0);
    for (int i = begin; i < end; i++) {
      int stripe = stripeOf[windows.cellsOf()[i]];
      if (stripe == from) {
        fromCount++;
      } else if (targetOf[stripe] >= 0) {
        toCounts[targetOf[stripe]]++;
      }
    }
    for (int i = begin; i < end; i++) {
      int other = windows.cellsOf()[i];
      int target = targetOf[stripeOf[other]];
      if (target >= 0) {
        int at = target * dataCells + places.placeOf[other] % dataCells;
        withFrom[at]++;
        bothFromAlone[at] += fromCount == 1 ? 1 : 0;
        bothToAlone[at] += toCounts[target] == 1 ? 1 : 0;
      }
    }
  }

  /** A window with another cell of the stripe. */
  private void lookAtWindowWithout(int window) {
    for (int i = windows.cellsBegin()[window]; i < windows.cellsBegin()[window + 1]; i++) {
      int other = windows.cellsOf()[i];
      int target = targetOf[stripeOf[other]];
      if (target >= 0) {
        withFrom[target * dataCells + places.placeOf[other] % dataCells]++;
      }
    }
  }

  /** Stripe writes saved if a cell went to a place of a target. */
  private long gain(int cell, int place, int at) {
    int to = place / dataCells;
    long gain =
        (long) solo[cell] - (windows.windowCountOf(cell) - together[to]) - bothFromAlone[at];
    int other = places.cellAt[place];
    if (other >= 0) {
      gain += solo[other] - (windows.windowCountOf(other) - withFrom[at]) - bothToAlone[at];
    }
    return gain;
  }

  private void forgetTargets() {
    for (int target = 0; target < targetCount; target++) {
      targetOf[targets[target]] = -1;
    }
    for (int i = 0; i < touchedCount; i++) {
      together[touched[i]] = 0;
    }
    reads.forgetStripes();
  }

  private void exchange(int cell, int otherPlace, long readGain) {
    int other = places.cellAt[otherPlace];
    int from = stripeOf[cell];
    int to = otherPlace / dataCells;
    addSolo(cell, other, from, to, -1);
    places.exchange(cell, otherPlace);
    addSolo(cell, other, from, to, 1);
    if (!reads.isOff()) {
      reads.exchanged(from, to, readGain);
    }
  }

  /** Takes what two stripes are in the windows of two cells out of solo, or adds it. */
  private void addSolo(int cell, int other, int from, int to, int change) {
    stamp++;
    addSolo(cell, from, to, change);
    if (other >= 0) {
      addSolo(other, from, to, change);
    }
  }

  private void addSolo(int of, int from, int to, int change) {
    for (int w = windows.windowsBegin()[of]; w < windows.windowsBegin()[of + 1]; w++) {
      int window = windows.windowsOf()[w];
      if (windowStamps[window] == stamp) {
        continue;
      }
      windowStamps[window] = stamp;
      int fromCount = 0;
      int toCount = 0;
      int fromCell = -1;
      int toCell = -1;
      for (int i = windows.cellsBegin()[window]; i < windows.cellsBegin()[window + 1]; i++) {
        int cell = windows.cellsOf()[i];
        if (stripeOf[cell] == from) {
          fromCount++;
          fromCell = cell;
        } else if (stripeOf[cell] == to) {
          toCount++;
          toCell = cell;
        }
      }
      if (fromCount == 1) {
        solo[fromCell] += change;
      }
      if (toCount == 1) {
        solo[toCell] += change;
      }
    }
  }

  /** Where cells are now. */
  Places places() {
    return places;
  }

  /** Units of degraded reads more than in the order of addresses. */
  long readSurplus() {
    return reads.surplus();
  }
}
