/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.layout;

import io.hdfsparity.caso.organize.Organization;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Collects the runs of an organization's first cells. Not thread-safe. */
final class RunList {
  private record Run(long logicalStart, long storedStart, long count) {
    long storedEnd() {
      return storedStart + count;
    }
  }

  private final List<Run> runs = new ArrayList<>();
  private final int dataCells;

  RunList(Organization organization, long cellCount) {
    this.dataCells = organization.dataCells();
    long next = 0;
    for (long displaced : organization.displacedCells()) {
      if (displaced >= cellCount) {
        break;
      }
      add(organization, next, displaced - next);
      add(organization, displaced, 1);
      next = displaced + 1;
    }
    add(organization, next, cellCount - next);
  }

  private void add(Organization organization, long logicalStart, long count) {
    if (count > 0) {
      runs.add(new Run(logicalStart, organization.storedCell(logicalStart), count));
    }
  }

  StoredOrder order() {
    leaveOutEmptyStripes();
    runs.sort(Comparator.comparingLong(Run::logicalStart));
    long[] storedStarts = new long[runs.size()];
    long[] counts = new long[runs.size()];
    int kept = 0;
    long storedCellCount = 0;
    for (Run run : runs) {
      if (kept > 0 && storedStarts[kept - 1] + counts[kept - 1] == run.storedStart()) {
        counts[kept - 1] += run.count();
      } else {
        storedStarts[kept] = run.storedStart();
        counts[kept++] = run.count();
      }
      storedCellCount = Math.max(storedCellCount, run.storedEnd());
    }
    return new StoredOrder(
        Arrays.copyOf(storedStarts, kept), Arrays.copyOf(counts, kept), storedCellCount);
  }

  private void leaveOutEmptyStripes() {
    runs.sort(Comparator.comparingLong(Run::storedStart));
    long nextStripe = 0;
    long emptyStripes = 0;
    for (int i = 0; i < runs.size(); i++) {
      Run run = runs.get(i);
      emptyStripes += Math.max(0, run.storedStart() / dataCells - nextStripe);
      nextStripe = (run.storedEnd() - 1) / dataCells + 1;
      runs.set(
          i,
          new Run(run.logicalStart(), run.storedStart() - emptyStripes * dataCells, run.count()));
    }
  }
}
