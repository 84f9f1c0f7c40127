/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.replay;

import io.hdfsparity.caso.correlation.TimeWindows;
import io.hdfsparity.caso.organize.DegradedReads;
import io.hdfsparity.caso.organize.Organization;
import io.hdfsparity.caso.organize.StripeWrites;
import io.hdfsparity.core.check.Checks;

/**
 * Counts what a trace costs under an organization (section V).
 *
 * <p>Writes: those of a time window are one partial stripe write, so that each stripe with a
 * written cell has its m parity cells updated once a window (Experiments 1 and 2).
 *
 * <p>Reads, each request by itself (Experiment 4): see {@link DegradedReads}.
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
    DegradedReads reads = DegradedReads.of(split.replayedReads(), organization);
    return new ReplayCounts(
        split.replayed().count(),
        split.replayed().requestCount(),
        writes.cells(),
        Math.multiplyExact(writes.stripes(), (long) parityCells),
        split.replayedReads().count(),
        reads.cells(),
        reads.additional());
  }

  /** Parity cells that some writes update. */
  public long parityUpdates(TimeWindows windows, Organization organization) {
    return Math.multiplyExact(StripeWrites.of(windows, organization).stripes(), (long) parityCells);
  }
}
