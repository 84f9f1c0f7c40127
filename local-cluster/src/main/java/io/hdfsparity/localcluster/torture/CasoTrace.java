/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * A trace in the format of MSR Cambridge by which it pays to put certain cells of a file into one
 * stripe: all cells are written in groups of cells that lie far apart, each group in many windows
 * of its own. Pure.
 *
 * @param cells erasure-coded cells of the file
 * @param cellBytes of each
 * @param dataUnits how many cells a stripe has, and a group
 */
record CasoTrace(int cells, int cellBytes, int dataUnits) {
  /** So that each third of the windows has each group some times. */
  private static final int ROUNDS = 12;

  /** 10 ms: groups lie in windows of their own, which are of 1 ms. */
  private static final long TICKS_BETWEEN_GROUPS = 100_000;

  /** Any time; the format counts from 1601. */
  private static final long FIRST_TICKS = 128_166_372_000_000_000L;

  /**
   * The lines of a trace.
   *
   * @param seed which cells are in a group: other ones for another seed
   */
  List<String> lines(long seed) {
    Random random = new Random(seed);
    List<List<Integer>> groups = groups(random);
    List<String> lines = new ArrayList<>();
    long ticks = FIRST_TICKS;
    for (int round = 0; round < ROUNDS; round++) {
      Collections.shuffle(groups, random);
      for (List<Integer> group : groups) {
        for (int cell : group) {
          lines.add(
              String.format(
                  Locale.ROOT,
                  "%d,torture,0,Write,%d,%d,0",
                  ticks,
                  (long) cell * cellBytes,
                  cellBytes));
        }
        ticks += TICKS_BETWEEN_GROUPS;
      }
    }
    return lines;
  }

  private List<List<Integer>> groups(Random random) {
    List<Integer> order = new ArrayList<>();
    for (int cell = 0; cell < cells; cell++) {
      order.add(cell);
    }
    Collections.shuffle(order, random);
    List<List<Integer>> groups = new ArrayList<>();
    for (int begin = 0; begin + dataUnits <= cells; begin += dataUnits) {
      groups.add(order.subList(begin, begin + dataUnits));
    }
    return groups;
  }
}
