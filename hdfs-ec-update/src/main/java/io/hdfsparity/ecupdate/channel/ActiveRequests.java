/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import java.util.concurrent.CompletableFuture;

/**
 * Counts the requests of a connection that are being executed, until it ends. Thread-safe.
 *
 * <p>Invariant: once {@link #close} has completed no request is being executed, and none ever will
 * be.
 */
final class ActiveRequests {
  private final CompletableFuture<Void> empty = new CompletableFuture<>();
  private int active;
  private boolean isClosed;

  /** Whether the request may be executed; if so, {@link #leave} has to follow. */
  synchronized boolean enter() {
    if (isClosed) {
      return false;
    }
    active++;
    return true;
  }

  void leave() {
    boolean isEmpty;
    synchronized (this) {
      active--;
      isEmpty = isClosed && active == 0;
    }
    if (isEmpty) {
      empty.complete(null);
    }
  }

  /** Lets no request begin any more; completes when none is executed. May be called again. */
  CompletableFuture<Void> close() {
    boolean isEmpty;
    synchronized (this) {
      isClosed = true;
      isEmpty = active == 0;
    }
    if (isEmpty) {
      empty.complete(null);
    }
    return empty;
  }
}
