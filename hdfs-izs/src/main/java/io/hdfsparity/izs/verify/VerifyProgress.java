/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.verify;

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
 * @param open other ids below {@code nextId} that are not verified, ascending
 */
public record VerifyProgress(
    long nextId, boolean areDoubtsDropped, List<Long> doubted, List<Long> open) {
  /** Distance of the ids of two groups, as HDFS gives them. */
  public static final int ID_STEP = 16;

  /** Ids of groups begin here. */
  static final long FIRST_ID = Long.MIN_VALUE;

  /** Nothing is verified. */
  public static final VerifyProgress NONE = new VerifyProgress(FIRST_ID, List.of());

  public VerifyProgress {
    doubted = List.copyOf(doubted);
    open = List.copyOf(open);
  }

  /** No group is doubted. */
  public VerifyProgress(long nextId, List<Long> open) {
    this(nextId, /* areDoubtsDropped= */ false, List.of(), open);
  }
}
