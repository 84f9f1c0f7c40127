/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Permits for work that users ask for, of which one user holds some at most, so that others get at
 * it beside. Whoever is not known shares all of them. Thread-safe; nobody waits.
 *
 * <p>Invariant: a user is in the map only while he holds a permit, so it has at most as many
 * entries as there are permits.
 */
public final class UserPermits {
  private final int max;
  private final int maxPerUser;
  private final Map<String, Integer> heldByUser = new HashMap<>();
  private int held;

  /**
   * Permits of which none is taken.
   *
   * @param max of all users together, at least 1
   * @param maxPerUser that one user can hold, at least 1
   */
  public UserPermits(int max, int maxPerUser) {
    this.max = max;
    this.maxPerUser = maxPerUser;
  }

  /**
   * Takes a permit, without waiting.
   *
   * @param user empty: not known
   * @return whether there was one for the user
   */
  public synchronized boolean tryAcquire(Optional<String> user) {
    boolean isFree =
        held < max && user.map(name -> heldByUser.getOrDefault(name, 0) < maxPerUser).orElse(true);
    if (isFree) {
      held++;
      user.ifPresent(name -> heldByUser.merge(name, 1, Integer::sum));
    }
    return isFree;
  }

  /** Gives a permit back that was taken for the same user. */
  public synchronized void release(Optional<String> user) {
    held--;
    user.ifPresent(
        name -> heldByUser.computeIfPresent(name, (key, count) -> count == 1 ? null : count - 1));
  }
}
