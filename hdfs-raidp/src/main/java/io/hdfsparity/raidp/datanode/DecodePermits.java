/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Permits to decode a range. One user holds at most half of them, and may hold one in any case, so
 * that others can read beside. Whoever is not known by a token shares all of them. Thread-safe.
 *
 * <p>Invariant: a user is in the map only while he holds a permit, so it has at most as many
 * entries as there are permits.
 */
final class DecodePermits {
  private final int max;
  private final Map<String, Integer> heldByUser = new HashMap<>();
  private int held;

  /**
   * @param max permits of all users together, at least 1
   */
  DecodePermits(int max) {
    this.max = max;
  }

  /** Permits that one user can hold. */
  int maxPerUser() {
    return Math.max(1, max / 2);
  }

  /**
   * Takes a permit, without waiting.
   *
   * @param user empty: not known by a token
   * @return whether there was one for the user
   */
  synchronized boolean tryAcquire(Optional<String> user) {
    boolean isFree =
        held < max
            && user.map(name -> heldByUser.getOrDefault(name, 0) < maxPerUser()).orElse(true);
    if (isFree) {
      held++;
      user.ifPresent(name -> heldByUser.merge(name, 1, Integer::sum));
    }
    return isFree;
  }

  /** Gives a permit back that was taken for the same user. */
  synchronized void release(Optional<String> user) {
    held--;
    user.ifPresent(
        name -> heldByUser.computeIfPresent(name, (key, count) -> count == 1 ? null : count - 1));
  }
}
