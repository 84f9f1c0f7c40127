/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.verify;

import java.util.HashSet;
import java.util.List;

/**
 * How far the block groups of a NameNode are verified. Groups have ascending ids; each id is a
 * multiple of {@link #ID_STEP}. Immutable.
 *
 * @param nextId the first id that was not looked at yet
 * @param areDoubtsDropped there were more contradictory groups than {@code doubted} lists; nobody
 *     knows which
 * @param doubted groups whose parity and data were found to contradict each other, ascending; may
 *     be above {@code nextId}
 * @param suspected those of {@code doubted} in which a data unit may be wrong, and parity right,
 *     ascending
 * @param open other ids below {@code nextId} that are not verified, ascending
 */
public record VerifyProgress(
    long nextId,
    boolean areDoubtsDropped,
    List<Long> doubted,
    List<Long> suspected,
    List<Long> open) {
  /** Distance of the ids of two groups, as HDFS gives them. */
  public static final int ID_STEP = 16;

  /** Ids of groups begin here. */
  static final long FIRST_ID = Long.MIN_VALUE;

  /** Nothing is verified. */
  public static final VerifyProgress NONE = new VerifyProgress(FIRST_ID, List.of());

  /**
   * @throws IllegalArgumentException when a suspected group is not doubted
   */
  public VerifyProgress {
    doubted = List.copyOf(doubted);
    suspected = List.copyOf(suspected);
    if (!new HashSet<>(doubted).containsAll(suspected)) {
      throw new IllegalArgumentException(
          "Cannot keep progress: suspected=" + suspected + ", expected some of " + doubted);
    }
    open = List.copyOf(open);
  }

  /** No group is doubted. */
  public VerifyProgress(long nextId, List<Long> open) {
    this(nextId, /* areDoubtsDropped= */ false, List.of(), open);
  }

  /** In none of the doubted groups is data suspected. */
  public VerifyProgress(
      long nextId, boolean areDoubtsDropped, List<Long> doubted, List<Long> open) {
    this(nextId, areDoubtsDropped, doubted, List.of(), open);
  }

  /** The same with some open ids at most, the first ones: others are to be looked at once more. */
  VerifyProgress withFirstOpen(int max) {
    return open.size() <= max
        ? this
        : new VerifyProgress(
            open.get(max), areDoubtsDropped, doubted, suspected, open.subList(0, max));
  }
}
