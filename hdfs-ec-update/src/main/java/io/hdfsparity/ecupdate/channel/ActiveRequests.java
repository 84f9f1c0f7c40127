/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import java.util.concurrent.CompletableFuture;

/**
 * Who is inside, and whether anybody may still come in. Thread-safe.
 *
 * <p>Invariant: once {@link #close} has completed nobody is inside, and nobody ever will be.
 */
final class ActiveRequests {
  private final CompletableFuture<Void> empty = new CompletableFuture<>();
  private int inside;
  private boolean isClosed;

  /** Whether the caller is inside now; then it has to {@link #leave}. */
  synchronized boolean enter() {
    if (isClosed) {
      return false;
    }
    inside++;
    return true;
  }

  void leave() {
    boolean isEmpty;
    synchronized (this) {
      inside--;
      isEmpty = isClosed && inside == 0;
    }
    if (isEmpty) {
      empty.complete(null);
    }
  }

  /** Lets nobody in any more; completes when nobody is inside. May be called again. */
  CompletableFuture<Void> close() {
    boolean isEmpty;
    synchronized (this) {
      isClosed = true;
      isEmpty = inside == 0;
    }
    if (isEmpty) {
      empty.complete(null);
    }
    return empty;
  }
}
