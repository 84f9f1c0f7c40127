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
 * One seat a client: whoever sits down turns out who sits there, and may begin when nothing that
 * the other one asked for is being executed any more, nor will be. Thread-safe.
 */
final class ConnectionPermits {
  /** Whose seat: owners cannot turn out each other's clients. */
  record Name(String owner, String client) {}

  /** Somebody who sits, or sat, on a seat. */
  static final class Permit {
    private final Name name;
    private final ActiveRequests gate;
    private final CompletableFuture<Void> before;
    private final Runnable onTurnedOut;
    private final HeldLocks locks;

    private Permit(
        Name name,
        ActiveRequests gate,
        CompletableFuture<Void> before,
        Runnable onTurnedOut,
        HeldLocks locks) {
      this.name = name;
      this.gate = gate;
      this.before = before;
      this.onTurnedOut = onTurnedOut;
      this.locks = locks;
    }

    /** Completes when everybody who sat here before is done. */
    CompletableFuture<Void> before() {
      return before;
    }

    /** Locks of the client, whatever connection it asked for them on. */
    HeldLocks locks() {
      return locks;
    }

    private CompletableFuture<Void> end() {
      return CompletableFuture.allOf(gate.close(), before);
    }
  }

  private final Map<Name, Permit> sitting = new HashMap<>();

  /**
   * Sits down.
   *
   * @param gate which requests go through; closed at the end
   * @param onTurnedOut called when somebody else sits down
   * @param noLocks makes those of a client that was not here before
   */
  Permit sit(Name name, ActiveRequests gate, Runnable onTurnedOut, Supplier<HeldLocks> noLocks) {
    Permit earlier;
    Permit sitter;
    synchronized (this) {
      earlier = sitting.get(name);
      sitter =
          earlier == null
              ? new Permit(
                  name, gate, CompletableFuture.completedFuture(null), onTurnedOut, noLocks.get())
              : new Permit(name, gate, earlier.end(), onTurnedOut, earlier.locks);
      sitting.put(name, sitter);
    }
    if (earlier != null) {
      earlier.onTurnedOut.run();
    }
    return sitter;
  }

  /**
   * Lets no request of the sitter through any more.
   *
   * @return completes when none is being executed
   */
  CompletableFuture<Void> end(Permit sitter) {
    return sitter.end();
  }

  /**
   * Forgets the seat, unless somebody else has it. The sitter must have ended.
   *
   * @return whether nobody else had sat down
   */
  synchronized boolean leave(Permit sitter) {
    return sitting.remove(sitter.name, sitter);
  }
}
