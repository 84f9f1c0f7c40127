/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Whether HDFS has known for a while what replicas its blocks lack. A NameNode that has become the
 * active one counts none at first. Thread-safe.
 */
final class ReplicaCensus {
  private final BooleanSupplier isKnown;
  private final LongSupplier clockMs;
  private final long minMs;
  private OptionalLong knownSinceMs = OptionalLong.empty();

  /**
   * @param isKnown see {@link Namespace#hasLookedAtAllBlocks}; it may wait for the NameNode's lock
   * @param minMs for so long it has to be known
   */
  ReplicaCensus(BooleanSupplier isKnown, LongSupplier clockMs, long minMs) {
    this.isKnown = isKnown;
    this.clockMs = clockMs;
    this.minMs = minMs;
  }

  /**
   * Looks whether it is known now. To be called about once a report interval, in a standby too:
   * what is not known for less than that may stay unnoticed.
   */
  synchronized boolean isSettled() {
    if (!isKnown.getAsBoolean()) {
      knownSinceMs = OptionalLong.empty();
      return false;
    }
    long nowMs = clockMs.getAsLong();
    if (knownSinceMs.isEmpty()) {
      knownSinceMs = OptionalLong.of(nowMs);
    }
    return nowMs - knownSinceMs.getAsLong() > minMs;
  }
}
