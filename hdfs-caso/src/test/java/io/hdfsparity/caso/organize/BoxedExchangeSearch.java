/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import io.hdfsparity.caso.correlation.TimeWindows;
import io.hdfsparity.caso.trace.RequestSlice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The dumb twin of ExchangeSearch, by maps and by trying. Shares with it what reads weigh ({@link
 * ReadObjective}). Looks at all windows at once.
 *
 * <p>Stateless, thread-safe.
 */
final class BoxedExchangeSearch {
  private static final double MIN_SCORE = 1.5;
  private static final int MAX_ROUNDS = 4;
  private static final int MAX_TARGETS = 4;
  private static final int MAX_READ_TARGETS = 2;

  /** Windows with more cells are not looked at: they fill whole stripes in any order. */
  static final int MAX_CELLS_PER_WINDOW = 1024;

  private final long seed;

  BoxedExchangeSearch(long seed) {
    this.seed = seed;
  }

  /** The base, or a better organization of these windows. */
  Organization improve(Organization base, TimeWindows windows, RequestSlice reads) {
    Run run = new Run(base, windows, reads);
    int[] order = run.order(new Random(seed));
    for (int round = 0; round < MAX_ROUNDS; round++) {
      boolean hasMoved = false;
      for (int cell : order) {
        hasMoved |= run.moveBest(cell);
      }
      if (!hasMoved) {
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

    private final ReadObjective objective;
    private final List<long[]> reads = new ArrayList<>();
    private long surplus;

    @SuppressWarnings({"unchecked", "rawtypes"})
    Run(Organization base, TimeWindows windows, RequestSlice requests) {
      this.base = base;
      this.dataCells = base.dataCells();
      long[][] raw = all(windows);
      this.objective = ReadObjective.of(base, windows, requests);
      Set<Long> stripes = new TreeSet<>();
      for (long[] window : raw) {
        Arrays.stream(window).map(base::stripe).forEach(stripes::add);
      }
      addReads(requests, stripes);
      this.cellsOf = new int[raw.length][];
      this.written = new Map[raw.length];
      this.cells =
          LongStream.concat(
                  Arrays.stream(raw).flatMapToLong(Arrays::stream),
                  reads.stream().flatMapToLong(Arrays::stream))
              .sorted()
              .distinct()
              .toArray();
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

    private void addReads(RequestSlice requests, Set<Long> stripes) {
      for (int read = requests.from(); read < requests.to(); read++) {
        long first = requests.requests().firstCell(read);
        long[] inStripes =
            LongStream.range(first, first + requests.requests().cellCount(read))
                .filter(cell -> stripes.contains(base.stripe(cell)))
                .toArray();
        if (inStripes.length >= 2) {
          reads.add(inStripes);
        }
      }
      surplus = objective.surplus();
      for (long stripe : stripes) {
        for (int i = 0; objective.looksAtReads() && i < dataCells; i++) {
          for (int j = 0; j < i; j++) {
            long one = base.logicalCell(stripe * dataCells + i);
            long other = base.logicalCell(stripe * dataCells + j);
            boolean isPadding = one == Organization.PADDING || other == Organization.PADDING;
            surplus += isPadding ? 0 : objective.expected(one, other);
            surplus -= objective.expected(stripe * dataCells + i, stripe * dataCells + j);
          }
        }
      }
    }

    private static boolean has(long[] read, long cell) {
      return Arrays.binarySearch(read, cell) >= 0;
    }

    /** What two cells count in one stripe. */
    private long pair(long cell, long other) {
      if (cell == Organization.PADDING || other == Organization.PADDING) {
        return 0;
      }
      long both = reads.stream().filter(read -> has(read, cell) && has(read, other)).count();
      return ReadObjective.PAIR * both + objective.expected(cell, other);
    }

    private long readGain(long cell, long from, long other, long to) {
      long gain = 0;
      for (int i = 0; objective.looksAtReads() && i < dataCells; i++) {
        long inFrom = at(from * dataCells + i);
        long inTo = at(to * dataCells + i);
        gain += inTo == other ? 0 : pair(cell, inTo) - pair(other, inTo);
        gain += inFrom == cell ? 0 : pair(other, inFrom) - pair(cell, inFrom);
      }
      return gain;
    }

    private static long[][] all(TimeWindows windows) {
      List<long[]> all = new ArrayList<>();
      windows.forEach(
          (cells, count) -> {
            if (count <= MAX_CELLS_PER_WINDOW) {
              all.add(Arrays.copyOf(cells, count));
            }
          });
      return all.toArray(long[][]::new);
    }

    private int useCount(int cell) {
      long readCount = reads.stream().filter(read -> has(read, cells[cell])).count();
      return windowsOf[cell].length + (objective.looksAtReads() ? (int) readCount : 0);
    }

    int[] order(Random random) {
      int[] lottery = random.ints(cells.length).toArray();
      return IntStream.range(0, cells.length)
          .filter(cell -> useCount(cell) >= 2)
          .boxed()
          .sorted(
              Comparator.<Integer>comparingInt(cell -> -useCount(cell))
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

    /** Makes the best exchange for a cell; returns whether there is one. */
    boolean moveBest(int cell) {
      long from = place(cells[cell]) / dataCells;
      long bestOther = Organization.PADDING;
      double bestScore = MIN_SCORE;
      long bestReads = 0;
      for (long stripe : targets(cell, from)) {
        for (int i = 0; i < dataCells; i++) {
          long other = at(stripe * dataCells + i);
          // A place of padding stays empty: moving there would free a place no cell could take.
          if (other != Organization.PADDING) {
            long reads = readGain(cells[cell], from, other, stripe);
            double score =
                gain(cell, from, other, stripe) + objective.stripeWritesPerUnit() * reads;
            boolean isBetter =
                score > bestScore || (score == bestScore && bestOther >= 0 && other < bestOther);
            if (isBetter && (reads >= 0 || surplus + reads >= 0)) {
              bestScore = score;
              bestOther = other;
              bestReads = reads;
            }
          }
        }
      }
      if (bestOther == Organization.PADDING) {
        return false;
      }
      surplus += bestReads;
      exchange(cell, bestOther);
      return true;
    }

    /** Stripes of the cells that come with a cell, those that come most often. */
    private long[] targets(int cell, long from) {
      Map<Long, Integer> together = new HashMap<>();
      for (int window : windowsOf[cell]) {
        written[window].keySet().forEach(stripe -> together.merge(stripe, 1, Integer::sum));
      }
      together.remove(from);
      long[] written = most(together, MAX_TARGETS);
      if (!objective.looksAtReads()) {
        return written;
      }
      together.clear();
      for (long[] read : reads) {
        if (has(read, cells[cell])) {
          for (long other : read) {
            if (other != cells[cell]) {
              together.merge(place(other) / dataCells, 1, Integer::sum);
            }
          }
        }
      }
      together.remove(from);
      Arrays.stream(written).forEach(together::remove);
      return LongStream.concat(
              Arrays.stream(written), Arrays.stream(most(together, MAX_READ_TARGETS)))
          .toArray();
    }

    private static long[] most(Map<Long, Integer> together, int limit) {
      return together.entrySet().stream()
          .filter(entry -> entry.getValue() >= 2)
          .sorted(
              Comparator.<Map.Entry<Long, Integer>>comparingInt(e -> -e.getValue())
                  .thenComparingLong(Map.Entry::getKey))
          .limit(limit)
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
