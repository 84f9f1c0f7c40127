/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.core.check.Checks;

/**
 * The reserved space of one parity block: Algorithm 1 of the paper (section 4.2.2) as pure
 * functions. Immutable, thread-safe.
 *
 * <p>In one period: {@link #append} as deltas come, {@link #merge} whenever one does not fit; at
 * its end {@link #endPeriod}, or {@link #shrink} alone for the paper's "shrink only".
 *
 * <p>Invariants: {@code 0 <= usedBytes <= reservedBytes}; {@code reservedBytes} never grows; {@code
 * 0 <= utility}.
 *
 * @param options constants
 * @param reservedBytes r_t; not a multiple of a chunk if chunks had another size when it was made
 * @param usedBytes deltas that lie in it now
 * @param periodBytes deltas that came in this period, those merged meanwhile included
 * @param utility u_(t-1)
 */
public record ReservedSpace(
    ReservedSpaceOptions options,
    long reservedBytes,
    long usedBytes,
    long periodBytes,
    double utility) {
  public ReservedSpace {
    Checks.argument(reservedBytes >= 0, "reserve space", "reservedBytes", reservedBytes, ">= 0");
    Checks.argument(
        usedBytes >= 0 && usedBytes <= reservedBytes,
        "reserve space",
        "usedBytes",
        usedBytes,
        "0 <= usedBytes <= reservedBytes=" + reservedBytes);
    Checks.argument(periodBytes >= 0, "reserve space", "periodBytes", periodBytes, ">= 0");
    Checks.argument(utility >= 0, "reserve space", "utility", utility, ">= 0");
  }

  /** What happens to a delta. */
  public enum Placement {
    /** It goes to the reserved space. */
    APPEND,
    /** The deltas so far are merged into the parity block, then it goes to the reserved space. */
    MERGE_THEN_APPEND,
    /** No space is reserved, or it could not hold the delta even when empty: as in FO. */
    IN_PLACE
  }

  /** Line 1: a new parity block. */
  public static ReservedSpace initial(ReservedSpaceOptions options) {
    return new ReservedSpace(options, options.defaultBytes(), 0, 0, options.initialUtility());
  }

  /** Where a delta is to go. */
  public Placement place(long deltaBytes) {
    Checks.argument(deltaBytes > 0, "place a delta", "deltaBytes", deltaBytes, "> 0");
    if (deltaBytes > reservedBytes) {
      return Placement.IN_PLACE;
    }
    return deltaBytes <= reservedBytes - usedBytes ? Placement.APPEND : Placement.MERGE_THEN_APPEND;
  }

  /** A delta was appended. It must fit: see {@link #place}. */
  public ReservedSpace append(long deltaBytes) {
    Checks.argument(deltaBytes > 0, "append a delta", "deltaBytes", deltaBytes, "> 0");
    return new ReservedSpace(
        options,
        reservedBytes,
        Math.addExact(usedBytes, deltaBytes),
        Math.addExact(periodBytes, deltaBytes),
        utility);
  }

  /** The deltas were merged into the parity block; what the period has used stays counted. */
  public ReservedSpace merge() {
    return new ReservedSpace(options, reservedBytes, 0, periodBytes, utility);
  }

  /**
   * getUtility: {@code u_t = alpha * use / r + (1 - alpha) * u_(t-1)}, where use is what came in
   * the period, or what lies there if that is more because nothing was merged at the end of the
   * last. A block that had to merge within the period has used more than it has, and counts as
   * full.
   */
  public double getUtility() {
    if (reservedBytes == 0) {
      return 0;
    }
    double share = Math.min(1, (double) Math.max(periodBytes, usedBytes) / reservedBytes);
    return options.alpha() * share + (1 - options.alpha()) * utility;
  }

  /** computeShrinkSize: {@code floor((1 - u) r / chunk) * chunk}, or all if nothing is used. */
  public long computeShrinkSize(double newUtility) {
    double unused = Math.max(0, (1 - newUtility) * reservedBytes);
    if (unused >= reservedBytes) {
      return reservedBytes;
    }
    return (long) Math.floor(unused / options.chunkBytes()) * options.chunkBytes();
  }

  /**
   * What {@link #doShrink} may really take: whole chunks that hold no delta. Algorithm 1 merges in
   * line 8, behind the shrinking of line 7, and the text says so again: "the doMerge function
   * merges the deltas in the reserved space to the parity chunk p after shrinking". So deltas still
   * lie there, and c is what doShrink "attempts". What it could not take goes in the next period.
   */
  public long shrinkableBytes(long shrinkBytes) {
    long free = reservedBytes - usedBytes;
    return Math.min(
        shrinkBytes, usedBytes == 0 ? free : free / options.chunkBytes() * options.chunkBytes());
  }

  /** doShrink: {@code r_(t+1) = r_t - c}; gives back the end, never a delta. */
  public ReservedSpace doShrink(long shrinkBytes) {
    Checks.argument(
        shrinkBytes == reservedBytes || shrinkBytes >= 0 && shrinkBytes % options.chunkBytes() == 0,
        "shrink reserved space",
        "shrinkBytes",
        shrinkBytes,
        "all, or a multiple of chunkBytes=" + options.chunkBytes());
    return new ReservedSpace(
        options, reservedBytes - shrinkableBytes(shrinkBytes), usedBytes, periodBytes, utility);
  }

  /** doMerge: deltas go into the parity block and use(p) starts over. */
  public ReservedSpace doMerge() {
    return new ReservedSpace(options, reservedBytes, 0, 0, utility);
  }

  /** One turn of lines 5 to 7, without line 8: the paper's "shrink only". */
  public ReservedSpace shrink() {
    double newUtility = getUtility();
    ReservedSpace shrunk = doShrink(computeShrinkSize(newUtility));
    return new ReservedSpace(options, shrunk.reservedBytes, shrunk.usedBytes, 0, newUtility);
  }

  /** One turn of lines 5 to 8, in that order: "shrink and merge". */
  public ReservedSpace endPeriod() {
    return shrink().doMerge();
  }
}
