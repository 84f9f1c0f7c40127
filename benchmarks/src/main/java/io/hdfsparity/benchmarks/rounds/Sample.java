/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.rounds;

import java.util.Map;
import java.util.TreeMap;

/**
 * What one case gave in one round.
 *
 * @param setting of the case
 * @param contender of the case
 * @param round 0 for the first
 * @param figures by name; the unit is in the name
 */
public record Sample(String setting, String contender, int round, Map<String, Double> figures) {
  public Sample {
    figures = new TreeMap<>(figures);
  }
}
