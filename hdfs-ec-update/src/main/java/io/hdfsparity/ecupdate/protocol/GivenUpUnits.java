/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Since when a DataNode has said, in each of its reports, that it executes nothing of some units.
 * Immutable.
 *
 * <p>A call of a process that has ended may come late, after those of the next one, and says
 * nothing of what that one executes: it gives nothing up.
 *
 * @param bootEpoch of the process that sent the last report
 * @param sinceMs by block id, when the first of those reports was noted
 * @param ended processes of before, the last ones
 */
record GivenUpUnits(long bootEpoch, Map<Long, Long> sinceMs, List<Long> ended) {
  /** A DataNode that is started again while a call of its process before last is on the way. */
  private static final int MAX_ENDED = 8;

  GivenUpUnits {
    sinceMs = Map.copyOf(sinceMs);
    ended = List.copyOf(ended);
  }

  /** As its first report that is known says. */
  static GivenUpUnits first(NodeReport report, long nowMs) {
    return new GivenUpUnits(report.node().bootEpoch(), Map.of(), List.of()).after(report, nowMs);
  }

  /** Once one more report is noted. */
  GivenUpUnits after(NodeReport report, long nowMs) {
    long reporting = report.node().bootEpoch();
    if (ended.contains(reporting)) {
      return new GivenUpUnits(bootEpoch, Map.of(), ended);
    }
    Map<Long, Long> since = new HashMap<>();
    for (long unit : report.givenUp()) {
      since.put(unit, reporting == bootEpoch ? sinceMs.getOrDefault(unit, nowMs) : nowMs);
    }
    List<Long> endedNow = new ArrayList<>(ended);
    if (reporting != bootEpoch) {
      endedNow.add(bootEpoch);
    }
    int from = Math.max(0, endedNow.size() - MAX_ENDED);
    return new GivenUpUnits(reporting, since, endedNow.subList(from, endedNow.size()));
  }

  boolean contains(long unit) {
    return sinceMs.containsKey(unit);
  }

  /** Whether one of some units has been given up for all of the time since then. */
  boolean containsAny(Set<Long> units, long thenMs) {
    return units.stream().anyMatch(unit -> sinceMs.getOrDefault(unit, Long.MAX_VALUE) <= thenMs);
  }
}
