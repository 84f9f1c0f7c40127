/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.history;

import io.hdfsparity.core.check.Checks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a history, or those of several NameNodes together, knows of some paths. All lists are oldest
 * period first, end in {@code newestPeriod} and are equally long.
 *
 * @param periodMs length of a period
 * @param newestPeriod periods since the epoch
 * @param observedMs milliseconds of each period in which accesses were counted
 * @param missed for each period, the most accesses of one path that may lack in its counts
 * @param counts accesses by path; a path that is not there has none that are known
 */
public record HistoryView(
    long periodMs,
    long newestPeriod,
    List<Integer> observedMs,
    List<Integer> missed,
    Map<String, List<Integer>> counts) {
  public HistoryView {
    int periods = observedMs.size();
    Checks.argument(
        missed.size() == periods && counts.values().stream().allMatch(c -> c.size() == periods),
        "view a history",
        "periods",
        periods,
        "equally many in all lists");
    observedMs = List.copyOf(observedMs);
    missed = List.copyOf(missed);
    counts = Map.copyOf(counts);
  }

  /** Periods shown. */
  public int periods() {
    return observedMs.size();
  }

  /**
   * This and what another NameNode counted: only one is active at a time, so both times and counts
   * add up.
   *
   * @throws IllegalArgumentException if their periods are not equally long
   */
  public HistoryView plus(HistoryView other) {
    Checks.argument(
        periodMs == other.periodMs,
        "add the histories of two NameNodes",
        "periodMs",
        other.periodMs,
        "the same on both, " + periodMs);
    if (other.newestPeriod > newestPeriod) {
      return other.plus(this);
    }
    Map<String, List<Integer>> sums = new HashMap<>(counts);
    other.counts.forEach(
        (path, its) ->
            sums.merge(path, other.aligned(its, this), (mine, theirs) -> sum(mine, theirs)));
    return new HistoryView(
        periodMs,
        newestPeriod,
        sum(observedMs, other.aligned(other.observedMs, this)),
        sum(missed, other.aligned(other.missed, this)),
        sums);
  }

  /** A list of this view in the periods of another; those that it lacks are 0. */
  private List<Integer> aligned(List<Integer> numbers, HistoryView to) {
    List<Integer> aligned = new ArrayList<>(to.periods());
    for (int i = 0; i < to.periods(); i++) {
      long period = to.newestPeriod - to.periods() + 1 + i;
      long index = period - (newestPeriod - periods() + 1);
      aligned.add(index >= 0 && index < numbers.size() ? numbers.get((int) index) : 0);
    }
    return aligned;
  }

  private static List<Integer> sum(List<Integer> one, List<Integer> other) {
    List<Integer> sum = new ArrayList<>(one.size());
    for (int i = 0; i < one.size(); i++) {
      sum.add((int) Math.min(Integer.MAX_VALUE, (long) one.get(i) + other.get(i)));
    }
    return sum;
  }
}
