/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import io.hdfsparity.caso.correlation.TimeWindows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The dumb twin of ExchangeSearch, by maps and by trying: exchanges the places of two cells as long
 * as that lets the windows touch fewer stripes.
 *
 * <p>Looks at cells that are written in at least two windows, those in the most windows first,
 * those in equally many in an order drawn from the seed. Each may go to the stripes of the cells
 * that come with it most often, in exchange for any cell there, and goes to where the most stripe
 * writes are saved; a single one is taken for chance. The number of stripe writes in the windows
 * that are looked at never rises. Same seed, same result.
 *
 * <p>Stateless, thread-safe.
 */
final class BoxedExchangeSearch {
  private static final int MIN_GAIN = 2;
  private static final int MAX_ROUNDS = 4;
  private static final int MAX_TARGETS = 4;

  /** Windows with more cells are not looked at: they fill whole stripes in any order. */
  static final int MAX_CELLS_PER_WINDOW = 1024;

  /** Only the last windows with so many cells are looked at; some 100 bytes each. */
  private static final int MAX_CELL_WRITES = 1_000_000;

  private final long seed;

  BoxedExchangeSearch(long seed) {
    this.seed = seed;
  }

  /** The base, or a better organization of these windows. */
  Organization improve(Organization base, TimeWindows windows) {
    Run run = new Run(base, windows);
    int[] order = run.order(new Random(seed));
    for (int round = 0; round < MAX_ROUNDS; round++) {
      long saved = 0;
      for (int cell : order) {
        saved += run.moveBest(cell);
      }
      if (saved == 0) {
        break;
      }
    }
    return run.result();
  }

  /** One search over the cells of some windows; cells have numbers in ascending order. */
  private static final class Run {
    private final Organization base;
    private final int dataCells;
    private final long[] cells;
    private final int[][] windowsOf;
    private final int[][] cellsOf;

    /** How many cells of a stripe each window writes. */
    private final Map<Long, Integer>[] written;

    /** Where cells are now, those that were never moved left out. */
    private final Map<Long, Long> placeOf = new HashMap<>();

    private final Map<Long, Long> cellAt = new HashMap<>();

    @SuppressWarnings({"unchecked", "rawtypes"})
    Run(Organization base, TimeWindows windows) {
      this.base = base;
      this.dataCells = base.dataCells();
      long[][] raw = newest(windows);
      this.cellsOf = new int[raw.length][];
      this.written = new Map[raw.length];
      this.cells = Arrays.stream(raw).flatMapToLong(Arrays::stream).sorted().distinct().toArray();
      int[] counts = new int[cells.length];
      for (int window = 0; window < raw.length; window++) {
        cellsOf[window] = new int[raw[window].length];
        written[window] = new HashMap<>();
        for (int i = 0; i < raw[window].length; i++) {
          cellsOf[window][i] = Arrays.binarySearch(cells, raw[window][i]);
          counts[cellsOf[window][i]]++;
          written[window].merge(base.stripe(raw[window][i]), 1, Integer::sum);
        }
      }
      this.windowsOf = new int[cells.length][];
      for (int cell = 0; cell < cells.length; cell++) {
        windowsOf[cell] = new int[counts[cell]];
      }
      int[] next = new int[cells.length];
      for (int window = 0; window < raw.length; window++) {
        for (int cell : cellsOf[window]) {
          windowsOf[cell][next[cell]++] = window;
        }
      }
    }

    private static long[][] newest(TimeWindows windows) {
      int[] counts = new int[windows.count()];
      int[] at = new int[1];
      windows.forEach((cells, count) -> counts[at[0]++] = count);
      int first = counts.length;
      long cellWrites = 0;
      while (first > 0 && cellWrites <= MAX_CELL_WRITES) {
        first--;
        cellWrites += counts[first] <= MAX_CELLS_PER_WINDOW ? counts[first] : 0;
      }
      List<long[]> newest = new ArrayList<>();
      windows
          .slice(first, counts.length)
          .forEach(
              (cells, count) -> {
                if (count <= MAX_CELLS_PER_WINDOW) {
                  newest.add(Arrays.copyOf(cells, count));
                }
              });
      return newest.toArray(long[][]::new);
    }

    int[] order(Random random) {
      int[] lottery = random.ints(cells.length).toArray();
      return IntStream.range(0, cells.length)
          .filter(cell -> windowsOf[cell].length >= 2)
          .boxed()
          .sorted(
              Comparator.<Integer>comparingInt(cell -> -windowsOf[cell].length)
                  .thenComparingInt(cell -> lottery[cell])
                  .thenComparingInt(cell -> cell))
          .mapToInt(Integer::intValue)
          .toArray();
    }

    private long place(long cell) {
      Long moved = placeOf.get(cell);
      return moved == null ? base.storedCell(cell) : moved;
    }

    private long at(long place) {
      Long moved = cellAt.get(place);
      return moved == null ? base.logicalCell(place) : moved;
    }

    /** Makes the best exchange for a cell; returns how many stripe writes it saves, or 0. */
    long moveBest(int cell) {
      long from = place(cells[cell]) / dataCells;
      long bestOther = Organization.PADDING;
      long bestGain = MIN_GAIN - 1;
      for (long stripe : targets(cell, from)) {
        for (int i = 0; i < dataCells; i++) {
          long other = at(stripe * dataCells + i);
          // A place of padding stays empty: moving there would free a place no cell could take.
          if (other != Organization.PADDING) {
            long gain = gain(cell, from, other, stripe);
            if (gain > bestGain || (gain == bestGain && bestOther >= 0 && other < bestOther)) {
              bestGain = gain;
              bestOther = other;
            }
          }
        }
      }
      if (bestOther == Organization.PADDING) {
        return 0;
      }
      exchange(cell, bestOther);
      return bestGain;
    }

    /** Stripes of the cells that come with a cell, those that come most often. */
    private long[] targets(int cell, long from) {
      Map<Long, Integer> together = new HashMap<>();
      for (int window : windowsOf[cell]) {
        written[window].keySet().forEach(stripe -> together.merge(stripe, 1, Integer::sum));
      }
      together.remove(from);
      return together.entrySet().stream()
          .filter(entry -> entry.getValue() >= 2)
          .sorted(
              Comparator.<Map.Entry<Long, Integer>>comparingInt(e -> -e.getValue())
                  .thenComparingLong(Map.Entry::getKey))
          .limit(MAX_TARGETS)
          .mapToLong(Map.Entry::getKey)
          .toArray();
    }

    /** Stripe writes saved if a cell of {@code from} and one of {@code to} changed places. */
    private long gain(int cell, long from, long other, long to) {
      int otherIndex = Arrays.binarySearch(cells, other);
      int[] mine = windowsOf[cell];
      int[] theirs = otherIndex < 0 ? new int[0] : windowsOf[otherIndex];
      long gain = 0;
      int j = 0;
      for (int window : mine) {
        while (j < theirs.length && theirs[j] < window) {
          gain += moved(theirs[j++], to, from);
        }
        if (j < theirs.length && theirs[j] == window) {
          j++;
        } else {
          gain += moved(window, from, to);
        }
      }
      while (j < theirs.length) {
        gain += moved(theirs[j++], to, from);
      }
      return gain;
    }

    private int moved(int window, long from, long to) {
      int saved = written[window].getOrDefault(from, 0) == 1 ? 1 : 0;
      return written[window].containsKey(to) ? saved : saved - 1;
    }

    private void exchange(int cell, long other) {
      long place = place(cells[cell]);
      long otherPlace = place(other);
      move(cell, place / dataCells, otherPlace / dataCells);
      int otherIndex = Arrays.binarySearch(cells, other);
      if (otherIndex >= 0) {
        move(otherIndex, otherPlace / dataCells, place / dataCells);
      }
      placeOf.put(cells[cell], otherPlace);
      cellAt.put(otherPlace, cells[cell]);
      placeOf.put(other, place);
      cellAt.put(place, other);
    }

    private void move(int cell, long from, long to) {
      for (int window : windowsOf[cell]) {
        written[window].computeIfPresent(from, (stripe, count) -> count == 1 ? null : count - 1);
        written[window].merge(to, 1, Integer::sum);
      }
    }

    Organization result() {
      long[] movedCells =
          placeOf.keySet().stream()
              .mapToLong(Long::longValue)
              .filter(cell -> place(cell) != base.storedCell(cell))
              .sorted()
              .toArray();
      if (movedCells.length == 0) {
        return base;
      }
      return new ExchangedOrganization(
          base, movedCells, Arrays.stream(movedCells).map(this::place).toArray());
    }
  }
}
