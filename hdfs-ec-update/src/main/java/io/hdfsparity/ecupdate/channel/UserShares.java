/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * What each user takes of a node, over all connections: one user alone cannot take all of it. A
 * user with neither connection, lock nor request is forgotten. Thread-safe.
 */
final class UserShares {
  private static final System.Logger LOG = System.getLogger(UserShares.class.getName());

  private static final class Share {
    final FrameBudget budget;
    final Deque<Runnable> waiting = new ArrayDeque<>();
    int connections;
    int running;
    long locks;

    Share(FrameBudget budget) {
      this.budget = budget;
    }
  }

  private final ServerLimits limits;
  private final FrameBudget node;
  private final Executor workers;
  private final Map<String, Share> shares = new HashMap<>();

  /**
   * Of nobody yet.
   *
   * @param node memory of all users together
   * @param workers carry out requests of all users
   */
  UserShares(ServerLimits limits, FrameBudget node, Executor workers) {
    this.workers = workers;
    this.limits = limits;
    this.node = node;
  }

  /**
   * A connection of the user, which has to {@link #leave}.
   *
   * @return memory for the user's frames; null if he has as many connections as he may
   */
  synchronized @Nullable FrameBudget enter(String user) {
    forgetIdle();
    Share share = share(user);
    if (share.connections >= limits.maxUserConnections()) {
      return null;
    }
    share.connections++;
    return share.budget;
  }

  synchronized void leave(String user) {
    share(user).connections--;
  }

  /** So many more locks of the user, or fewer. */
  synchronized void locked(String user, int more) {
    share(user).locks += more;
  }

  /** Whether the user may ask for another lock. */
  synchronized boolean mayLock(String user) {
    Share share = shares.get(user);
    return share == null || share.locks < limits.maxUserLocks();
  }

  /**
   * Has a request of the user carried out, as soon as fewer of his are than he may occupy workers:
   * requests can wait, for room in a log or for a NameNode.
   *
   * @throws RejectedExecutionException if the node stops
   * @throws OutOfMemoryError if the system gives no thread more; the request never begins then
   */
  void execute(String user, Runnable request) {
    Share share;
    synchronized (this) {
      share = share(user);
      if (share.running >= limits.maxUserWorkers()) {
        share.waiting.add(request);
        return;
      }
      share.running++;
    }
    boolean isTaken = false;
    try {
      workers.execute(() -> run(share, request));
      isTaken = true;
    } finally {
      if (!isTaken) {
        notBegun(share);
      }
    }
  }

  private void run(Share share, Runnable request) {
    for (Runnable next = request; next != null; next = nextHere(share)) {
      try {
        next.run();
      } catch (RuntimeException | Error e) {
        LOG.log(Level.ERROR, "A request has failed", e);
      }
    }
  }

  /** After a request: the next one that waits, if no other worker takes it. */
  private @Nullable Runnable nextHere(Share share) {
    Runnable next = ended(share);
    if (next == null) {
      return null;
    }
    try {
      workers.execute(() -> run(share, next));
      return null;
    } catch (RejectedExecutionException e) {
      LOG.log(Level.DEBUG, "The node stops; requests that have not begun never begin", e);
      stopped(share);
      return null;
    } catch (RuntimeException | Error e) {
      LOG.log(Level.WARNING, "No thread for a request; it has the one of the request before", e);
      return next;
    }
  }

  private synchronized void stopped(Share share) {
    share.waiting.clear();
    share.running--;
  }

  private synchronized void notBegun(Share share) {
    share.running--;
  }

  private synchronized @Nullable Runnable ended(Share share) {
    Runnable next = share.waiting.poll();
    if (next == null) {
      share.running--;
    }
    return next;
  }

  private Share share(String user) {
    return shares.computeIfAbsent(
        user, name -> new Share(new FrameBudget(limits.userInFlightBytes(), node)));
  }

  /**
   * Requests of a connection that is gone still count: with a new one there would be room again.
   */
  private void forgetIdle() {
    shares
        .values()
        .removeIf(
            share ->
                share.connections == 0
                    && share.running == 0
                    && share.locks == 0
                    && share.budget.free() == limits.userInFlightBytes());
  }

  /** For tests: memory of the node that is not taken. */
  long freeBytes() {
    return node.free();
  }

  /** For tests: users that are known. */
  synchronized int size() {
    forgetIdle();
    return shares.size();
  }
}
