/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.net;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What each user takes of a node, over all connections: one user alone cannot take all of it. A
 * user with neither connection nor lock is forgotten. Thread-safe.
 */
final class UserShares {
  private static final class Share {
    final FrameBudget budget;
    int connections;
    long locks;

    Share(FrameBudget budget) {
      this.budget = budget;
    }
  }

  private final ServerLimits limits;
  private final FrameBudget node;
  private final Map<String, Share> shares = new HashMap<>();

  /**
   * Of nobody yet.
   *
   * @param node memory of all users together
   */
  UserShares(ServerLimits limits, FrameBudget node) {
    this.limits = limits;
    this.node = node;
  }

  /**
   * A connection of the user, which has to {@link #leave}.
   *
   * @return memory for the user's frames; null if he has as many connections as he may
   */
  synchronized @Nullable FrameBudget enter(String user) {
    Share share = share(user);
    if (share.connections >= limits.maxUserConnections()) {
      return null;
    }
    share.connections++;
    return share.budget;
  }

  synchronized void leave(String user) {
    share(user).connections--;
    forget(user);
  }

  /** So many more locks of the user, or fewer. */
  synchronized void locked(String user, int more) {
    share(user).locks += more;
    forget(user);
  }

  /** Whether the user may ask for another lock. */
  synchronized boolean mayLock(String user) {
    Share share = shares.get(user);
    return share == null || share.locks < limits.maxUserLocks();
  }

  private Share share(String user) {
    return shares.computeIfAbsent(
        user, name -> new Share(new FrameBudget(limits.userInFlightBytes(), node)));
  }

  private void forget(String user) {
    shares.computeIfPresent(
        user, (name, share) -> share.connections == 0 && share.locks == 0 ? null : share);
  }

  /** For tests: users that are known. */
  synchronized int size() {
    return shares.size();
  }
}
