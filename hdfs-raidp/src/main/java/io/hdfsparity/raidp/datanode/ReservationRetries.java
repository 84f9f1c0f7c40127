/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;

/** Limits how often one reservation is tried again, by what was in its way. Not thread-safe. */
final class ReservationRetries {
  private final Map<Obstacle, Integer> counts = new EnumMap<>(Obstacle.class);

  /** What was in the way, and how often that is accepted. */
  enum Obstacle {
    /** No unit is free; units of deleted blocks can be released. */
    NO_SPACE(1),
    /** Other blocks of the follower hold units that the leader gave; it knows of them now. */
    UNITS_HELD(2),
    /** The frame got another partner while the former one was asked. */
    NEW_PARTNER(2);

    private final int maxRetries;

    Obstacle(int maxRetries) {
      this.maxRetries = maxRetries;
    }
  }

  /**
   * Counts one retry.
   *
   * @throws E the failure itself, if the obstacle was met too often
   */
  <E extends IOException> void count(Obstacle obstacle, E failure) throws E {
    if (counts.merge(obstacle, 1, Integer::sum) > obstacle.maxRetries) {
      throw failure;
    }
  }
}
