/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

/**
 * How far a balance is. Immutable.
 *
 * @param pass how often moves were planned
 * @param plannedBytes of units, of this pass and of what was moved in those before
 * @param inFlight blocks on their way
 * @param before when it began
 * @param now when moves were planned last
 * @param elapsedMs since the first round
 */
public record BalanceProgress(
    Outcome outcome,
    int pass,
    long plannedBytes,
    Counts counts,
    Tally inFlight,
    Spread before,
    Spread now,
    long elapsedMs) {
  /** How it stands. */
  public enum Outcome {
    RUNNING,
    /** Each disk is within the threshold. */
    BALANCED,
    /** A disk is not, and no move that the rules allow brings it nearer. */
    NO_MOVE,
    /** A disk is not, and the one that is furthest from the mean comes no nearer. */
    NO_PROGRESS,
    /** An administrator has stopped it. */
    STOPPED,
    /** A round has thrown; the NameNode's log says what. */
    FAILED;

    public boolean isOver() {
      return this != RUNNING;
    }
  }

  /**
   * What it has done.
   *
   * @param moved blocks that have left their superchunk, and bytes of their units
   * @param copied over the network: each block twice, without the rest of its last unit
   * @param left blocks, and bytes of their units, that stayed, as they or their superchunks
   *     changed, or a copy failed
   */
  public record Counts(Tally moved, Tally copied, Tally left) {
    static final Counts NONE = new Counts(Tally.NONE, Tally.NONE, Tally.NONE);
  }

  /** Utilization of the emptiest and the fullest disk, and of all. */
  public record Spread(double lowestPercent, double meanPercent, double highestPercent) {
    static final Spread NONE = new Spread(0, 0, 0);
  }

  static BalanceProgress none() {
    return new BalanceProgress(
        Outcome.RUNNING, 0, 0, Counts.NONE, Tally.NONE, Spread.NONE, Spread.NONE, 0);
  }

  /** The same, at its end. */
  BalanceProgress over(Outcome end) {
    return new BalanceProgress(end, pass, plannedBytes, counts, Tally.NONE, before, now, elapsedMs);
  }

  /** Of blocks that have moved. */
  public long bytesPerSecond() {
    return elapsedMs <= 0 ? 0 : (long) (counts.moved().bytes() * 1000.0 / elapsedMs);
  }

  /** Time left, if the rest goes as what is done; -1: not known yet. */
  public long etaMs() {
    long done = counts.moved().bytes();
    if (outcome.isOver()) {
      return 0;
    }
    return done <= 0 ? -1 : (long) (Math.max(0, plannedBytes - done) * (double) elapsedMs / done);
  }
}
