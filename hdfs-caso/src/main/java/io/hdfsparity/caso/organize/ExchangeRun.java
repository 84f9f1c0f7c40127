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
 * <p><b>Invariant</b>: solo holds for the present places. Not thread-safe.
 */
final class ExchangeRun {
  private static final int MIN_GAIN = 2;
  private static final int MAX_TARGETS = 4;

  private final Organization base;
  private final int dataCells;
  private final NewestWindows windows;

  /** Stripes by number. */
  private final long[] stripes;

  /** Logical cell of each place of those stripes, and its number or -1. */
  private final long[] logicalAt;

  private final int[] cellAt;

  /** Place and stripe of each cell. */
  private final int[] placeOf;

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

  /** Cells of each target in one window. */
  private final int[] toCounts = new int[MAX_TARGETS];

  /** Number of a stripe among the targets, or -1. */
  private final int[] targetOf;

  /** For each place of the targets: windows of its cell with A, and with both cells, see above. */
  private final int[] withFrom;

  private final int[] bothFromAlone;
  private final int[] bothToAlone;

  ExchangeRun(Organization base, NewestWindows windows) {
    this.base = base;
    this.dataCells = base.dataCells();
    this.windows = windows;
    long[] cells = windows.cells();
    this.stripes = NewestWindows.ascending(Arrays.stream(cells).map(base::stripe).toArray());
    this.placeOf = new int[cells.length];
    this.stripeOf = new int[cells.length];
    for (int cell = 0; cell < cells.length; cell++) {
      long stored = base.storedCell(cells[cell]);
      stripeOf[cell] = Arrays.binarySearch(stripes, stored / dataCells);
      placeOf[cell] = stripeOf[cell] * dataCells + (int) (stored % dataCells);
    }
    this.logicalAt = new long[Math.multiplyExact(stripes.length, dataCells)];
    this.cellAt = new int[logicalAt.length];
    for (int place = 0; place < logicalAt.length; place++) {
      logicalAt[place] = base.logicalCell(storedCell(place));
      cellAt[place] = Math.max(-1, Arrays.binarySearch(cells, logicalAt[place]));
    }
    this.windowStamps = new int[windows.windowCount()];
    this.stripeStamps = new int[stripes.length];
    this.together = new int[stripes.length];
    this.touched = new int[stripes.length];
    this.targetOf = new int[stripes.length];
    Arrays.fill(targetOf, -1);
    this.withFrom = new int[MAX_TARGETS * dataCells];
    this.bothFromAlone = new int[withFrom.length];
    this.bothToAlone = new int[withFrom.length];
    this.solo = new int[cells.length];
    countSolo();
  }

  private long storedCell(int place) {
    return stripes[place / dataCells] * dataCells + place % dataCells;
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
    int[] lottery = random.ints(windows.cells().length).toArray();
    return IntStream.range(0, lottery.length)
        .filter(cell -> windows.windowCountOf(cell) >= 2)
        .boxed()
        .sorted(
            Comparator.<Integer>comparingInt(cell -> -windows.windowCountOf(cell))
                .thenComparingInt(cell -> lottery[cell])
                .thenComparingInt(cell -> cell))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** Makes the best exchange for a cell; returns how many stripe writes it saves, or 0. */
  long moveBest(int cell) {
    findTargets(cell);
    if (targetCount > 0) {
      lookAtWindows(cell);
    }
    int bestPlace = -1;
    long bestGain = MIN_GAIN - 1;
    for (int target = 0; target < targetCount; target++) {
      for (int i = 0; i < dataCells; i++) {
        int place = targets[target] * dataCells + i;
        // A place of padding stays empty: moving there would free a place no cell could take.
        if (logicalAt[place] != Organization.PADDING) {
          long gain = gain(cell, place, target * dataCells + i);
          if (gain > bestGain
              || (gain == bestGain && bestPlace >= 0 && logicalAt[place] < logicalAt[bestPlace])) {
            bestGain = gain;
            bestPlace = place;
          }
        }
      }
    }
    forgetTargets();
    if (bestPlace < 0) {
      return 0;
    }
    exchange(cell, bestPlace);
    return bestGain;
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
        insertTarget(touched[i]);
      }
    }
    for (int target = 0; target < targetCount; target++) {
      targetOf[targets[target]] = target;
    }
  }

  private void insertTarget(int stripe) {
    int at = targetCount;
    while (at > 0 && comesBefore(stripe, targets[at - 1])) {
      at--;
    }
    if (at < MAX_TARGETS) {
      targetCount = Math.min(MAX_TARGETS, targetCount + 1);
      System.arraycopy(targets, at, targets, at + 1, targetCount - 1 - at);
      targets[at] = stripe;
    }
  }

  private boolean comesBefore(int stripe, int other) {
    return together[stripe] > together[other]
        || (together[stripe] == together[other] && stripe < other);
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
      int inFrom = cellAt[place];
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
        int at = target * dataCells + placeOf[other] % dataCells;
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
        withFrom[target * dataCells + placeOf[other] % dataCells]++;
      }
    }
  }

  /** Stripe writes saved if a cell went to a place of a target. */
  private long gain(int cell, int place, int at) {
    int to = place / dataCells;
    long gain =
        (long) solo[cell] - (windows.windowCountOf(cell) - together[to]) - bothFromAlone[at];
    int other = cellAt[place];
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
  }

  private void exchange(int cell, int otherPlace) {
    int other = cellAt[otherPlace];
    int place = placeOf[cell];
    int from = place / dataCells;
    int to = otherPlace / dataCells;
    addSolo(cell, other, from, to, -1);
    long logical = logicalAt[place];
    logicalAt[place] = logicalAt[otherPlace];
    logicalAt[otherPlace] = logical;
    cellAt[place] = other;
    cellAt[otherPlace] = cell;
    placeOf[cell] = otherPlace;
    stripeOf[cell] = to;
    if (other >= 0) {
      placeOf[other] = place;
      stripeOf[other] = from;
    }
    addSolo(cell, other, from, to, 1);
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

  /** The organization of now. */
  Organization result() {
    long[] moved =
        IntStream.range(0, logicalAt.length)
            .filter(place -> logicalAt[place] != base.logicalCell(storedCell(place)))
            .mapToLong(place -> logicalAt[place])
            .sorted()
            .toArray();
    if (moved.length == 0) {
      return base;
    }
    long[] places = new long[moved.length];
    for (int place = 0; place < logicalAt.length; place++) {
      int at = Arrays.binarySearch(moved, logicalAt[place]);
      if (at >= 0) {
        places[at] = storedCell(place);
      }
    }
    return new ExchangedOrganization(base, moved, places);
  }
}
