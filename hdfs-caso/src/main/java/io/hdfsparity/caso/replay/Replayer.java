/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.replay;

import io.hdfsparity.caso.correlation.TimeWindows;
import io.hdfsparity.caso.organize.Organization;
import io.hdfsparity.caso.organize.StripeWrites;
import io.hdfsparity.caso.trace.RequestTable;
import io.hdfsparity.core.check.Checks;
import java.util.Arrays;

/**
 * Counts what a trace costs under an organization (section V).
 *
 * <p>Writes: those of a time window are one partial stripe write, so that each stripe with a
 * written cell has its m parity cells updated once a window (Experiments 1 and 2).
 *
 * <p>Reads, each request by itself (Experiment 4): if the node of a requested cell is lost, k cells
 * of its stripe are read instead of the s that were requested, k - s in addition. Each of the s has
 * a node of its own, so over the loss of each node a stripe adds s (k - s); how stripes are rotated
 * over nodes does not matter. Padding counts like data, so for a padded stripe the count is an
 * upper bound.
 *
 * <p>Immutable, thread-safe.
 */
public final class Replayer {
  private final int parityCells;

  /**
   * A replayer for codes with m parity cells.
   *
   * @param parityCells the paper's m, at least 1
   */
  public Replayer(int parityCells) {
    Checks.argument(parityCells >= 1, "replay a trace", "parityCells", parityCells, ">= 1");
    this.parityCells = parityCells;
  }

  /** Replays the second part of a trace. */
  public ReplayCounts replay(TraceSplit split, Organization organization) {
    StripeWrites writes = StripeWrites.of(split.replayed(), organization);
    ReadCount reads = new ReadCount(organization);
    for (int read = split.firstRead(); read < split.reads().size(); read++) {
      reads.add(split.reads(), read);
    }
    return new ReplayCounts(
        split.replayed().count(),
        split.replayed().requestCount(),
        writes.cells(),
        Math.multiplyExact(writes.stripes(), (long) parityCells),
        split.reads().size() - split.firstRead(),
        reads.cells,
        reads.additional);
  }

  /** Parity cells that some writes update. */
  public long parityUpdates(TimeWindows windows, Organization organization) {
    return Math.multiplyExact(StripeWrites.of(windows, organization).stripes(), (long) parityCells);
  }

  private static final class ReadCount {
    private final Organization organization;
    private long[] stripes = new long[64];
    private long cells;
    private long additional;

    ReadCount(Organization organization) {
      this.organization = organization;
    }

    void add(RequestTable reads, int read) {
      int count = reads.cellCount(read);
      if (count > stripes.length) {
        stripes = new long[count];
      }
      for (int i = 0; i < count; i++) {
        stripes[i] = organization.stripe(reads.firstCell(read) + i);
      }
      Arrays.sort(stripes, 0, count);
      cells += count;
      int begin = 0;
      for (int i = 1; i <= count; i++) {
        if (i == count || stripes[i] != stripes[begin]) {
          long requested = (long) i - begin;
          additional += requested * (organization.dataCells() - requested);
          begin = i;
        }
      }
    }
  }
}
