/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.macro;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;

/** Median and range of the values of some rounds. Immutable. */
public record Spread(double median, double min, double max) {
  /** Of those that are numbers: NaN is what a round could not tell. NaN everywhere without any. */
  public static Spread of(List<Double> values) {
    List<Double> sorted = values.stream().filter(value -> !value.isNaN()).sorted().toList();
    if (sorted.isEmpty()) {
      return new Spread(Double.NaN, Double.NaN, Double.NaN);
    }
    int n = sorted.size();
    double median =
        n % 2 == 1 ? sorted.get(n / 2) : (sorted.get(n / 2 - 1) + sorted.get(n / 2)) / 2;
    return new Spread(median, sorted.get(0), sorted.get(n - 1));
  }

  /**
   * Ratios of the values of samples to those of a baseline, each to that of its own round.
   *
   * @param round of a sample
   */
  public static <S> Spread ofRatios(
      List<S> mine, List<S> baseline, ToIntFunction<S> round, ToDoubleFunction<S> value) {
    List<Double> ratios = new ArrayList<>();
    for (S sample : mine) {
      for (S base : baseline) {
        if (round.applyAsInt(base) == round.applyAsInt(sample)) {
          ratios.add(value.applyAsDouble(sample) / value.applyAsDouble(base));
        }
      }
    }
    return of(ratios);
  }

  /** Half the range, as a plot's error bar. */
  public double error() {
    return Double.isNaN(median) ? 0 : Math.max(max - median, median - min);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%.2f (%.2f..%.2f)", median, min, max);
  }
}
