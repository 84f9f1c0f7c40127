/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.kernel;

import java.util.List;

/** Median and quartiles of the values of some rounds. Immutable. */
public record Quartiles(double lower, double median, double upper) {
  /** Of at least one value. */
  public static Quartiles of(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int last = sorted.size() - 1;
    return new Quartiles(sorted.get(last / 4), sorted.get(last / 2), sorted.get(last - last / 4));
  }
}
