/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * One connection a client: a new one supersedes the one before, and may begin when no request of
 * the earlier one is being executed any more, nor will be. Thread-safe.
 */
final class ConnectionPermits {
  /** Whose connection: owners cannot supersede each other's clients. */
  record Name(String owner, String client) {}

  /** The permit of a connection, held or superseded. */
  static final class Permit {
    private final Name name;
    private final ActiveRequests requests;
    private final CompletableFuture<Void> before;
    private final Runnable onSuperseded;
    private final HeldLocks locks;

    private Permit(
        Name name,
        ActiveRequests requests,
        CompletableFuture<Void> before,
        Runnable onSuperseded,
        HeldLocks locks) {
      this.name = name;
      this.requests = requests;
      this.before = before;
      this.onSuperseded = onSuperseded;
      this.locks = locks;
    }

    /** Completes when all earlier connections of the client have ended. */
    CompletableFuture<Void> before() {
      return before;
    }

    /** Locks of the client, whatever connection it asked for them on. */
    HeldLocks locks() {
      return locks;
    }

    private CompletableFuture<Void> end() {
      return CompletableFuture.allOf(requests.close(), before);
    }
  }

  private final Map<Name, Permit> held = new HashMap<>();

  /**
   * Gives the client's permit to a new connection.
   *
   * @param requests of the connection; closed at the end
   * @param onSuperseded called when a later connection acquires the permit
   * @param noLocks makes those of a client that was not here before
   */
  Permit acquire(
      Name name, ActiveRequests requests, Runnable onSuperseded, Supplier<HeldLocks> noLocks) {
    Permit earlier;
    Permit permit;
    synchronized (this) {
      earlier = held.get(name);
      permit =
          earlier == null
              ? new Permit(
                  name,
                  requests,
                  CompletableFuture.completedFuture(null),
                  onSuperseded,
                  noLocks.get())
              : new Permit(name, requests, earlier.end(), onSuperseded, earlier.locks);
      held.put(name, permit);
    }
    if (earlier != null) {
      earlier.onSuperseded.run();
    }
    return permit;
  }

  /**
   * Lets no request of the connection begin any more.
   *
   * @return completes when none is being executed
   */
  CompletableFuture<Void> end(Permit permit) {
    return permit.end();
  }

  /**
   * Forgets the permit, unless a later connection has it. Its own connection must have ended.
   *
   * @return whether no later connection had it
   */
  synchronized boolean release(Permit permit) {
    return held.remove(permit.name, permit);
  }
}
