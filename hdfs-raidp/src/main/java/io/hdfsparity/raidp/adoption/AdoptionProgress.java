/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * How far an adoption is. Immutable.
 *
 * @param over nothing is left to do
 * @param totals of the source
 * @param files by what has become of them
 * @param blocks of those files, by their state
 * @param inFlight blocks that DataNodes are covering
 * @param newlyCovered blocks that this run has had covered; of a release, those it has released
 * @param copied blocks that this run has had copied over the network, each time
 * @param sizes blocks by size, see {@link BlockSizes}
 * @param elapsedMs since the first round
 */
public record AdoptionProgress(
    boolean over,
    FileSource.Totals totals,
    Map<FileOutcome, Tally> files,
    Map<BlockState, Tally> blocks,
    Tally inFlight,
    Tally newlyCovered,
    Tally copied,
    List<Tally> sizes,
    long elapsedMs) {
  public AdoptionProgress {
    files = Map.copyOf(files);
    blocks = Map.copyOf(blocks);
    sizes = List.copyOf(sizes);
  }

  static AdoptionProgress none() {
    return new AdoptionProgress(
        false,
        FileSource.Totals.UNKNOWN,
        new EnumMap<>(FileOutcome.class),
        new EnumMap<>(BlockState.class),
        Tally.NONE,
        Tally.NONE,
        Tally.NONE,
        List.of(),
        0);
  }

  /** Files that are done with, for better or worse. */
  public Tally done() {
    return new Tally(
        files.values().stream().mapToLong(Tally::count).sum(),
        files.values().stream().mapToLong(Tally::bytes).sum());
  }

  /** Of the bytes covered by this run. */
  public long bytesPerSecond() {
    return elapsedMs <= 0 ? 0 : (long) (newlyCovered.bytes() * 1000.0 / elapsedMs);
  }

  /** Time left, if the rest goes as what is done; -1: not known yet. */
  public long etaMs() {
    long done = done().bytes();
    if (over) {
      return 0;
    }
    return !totals.complete() || done <= 0
        ? -1
        : (long) (Math.max(0, totals.bytes() - done) * (double) elapsedMs / done);
  }
}
