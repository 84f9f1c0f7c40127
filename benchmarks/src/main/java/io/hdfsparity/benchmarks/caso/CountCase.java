/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.caso;

import io.hdfsparity.caso.replay.ReplayCounts;
import io.hdfsparity.caso.replay.Replayer;
import io.hdfsparity.caso.replay.TraceSplit;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the second part of a trace would have cost, by organization.
 *
 * @param percent analysis ratio
 * @param counts by name of the organization
 * @param method that the default took
 */
record CountCase(
    String trace,
    boolean isGenerated,
    CodeShape code,
    int percent,
    Map<String, ReplayCounts> counts,
    String method) {
  /** Above it, an organization is worse than the order of addresses. */
  static final double TOLERANCE = 1.01;

  static CountCase of(CasoTrace trace, CodeShape code, int percent, long seed) throws IOException {
    TraceSplit split =
        TraceSplit.of(trace.writes(), trace.reads(), Organizer.DISTANCE_TICKS, percent / 100.0);
    Organizer.OrganizeResult made = new Organizer(seed).organize(split, code.dataCells());
    Replayer replayer = new Replayer(code.parityCells());
    Map<String, ReplayCounts> counts = new LinkedHashMap<>();
    made.organizations().forEach((name, each) -> counts.put(name, replayer.replay(split, each)));
    return new CountCase(trace.label(), trace.isGenerated(), code, percent, counts, made.method());
  }

  private ReplayCounts counts(String name) {
    ReplayCounts found = counts.get(name);
    if (found == null) {
      throw new IllegalArgumentException("Cannot tell counts: organization=" + name);
    }
    return found;
  }

  long parityUpdates(String name) {
    return counts(name).parityUpdates();
  }

  long degradedReads(String name) {
    return counts(name).degradedReads();
  }

  /** Of the order of addresses; NaN where there is nothing to write. */
  double updateShare(String name) {
    return share(parityUpdates(name), parityUpdates(Organizer.BSO));
  }

  /** Of the order of addresses; NaN where nothing is read. */
  double readShare(String name) {
    return share(degradedReads(name), degradedReads(Organizer.BSO));
  }

  private static double share(long part, long whole) {
    return whole == 0 ? Double.NaN : (double) part / whole;
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("trace", trace);
    json.put("generated", isGenerated);
    json.put("code", code.toString());
    json.put("analysis ratio", percent / 100.0);
    json.put("default took", method);
    counts.forEach(
        (name, each) ->
            json.put(
                name,
                Map.of(
                    "parity updates",
                    each.parityUpdates(),
                    "additional degraded reads",
                    each.degradedReads())));
    return json;
  }
}
