/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The sequence up to which the log is durable, and who waits for it. Thread-safe. Those who wait
 * are notified in the order of their sequences, by the thread that commits.
 */
final class DurablePoint {
  private final TreeMap<Long, CompletableFuture<Void>> waiting = new TreeMap<>();
  private long durable;
  private @Nullable IOException failure;

  DurablePoint(long durable) {
    this.durable = durable;
  }

  synchronized long durable() {
    return durable;
  }

  synchronized CompletableFuture<Void> whenDurable(long sequence) {
    if (sequence <= durable) {
      return CompletableFuture.completedFuture(null);
    }
    if (failure != null) {
      return CompletableFuture.failedFuture(failure);
    }
    // A copy: one who completes or cancels his own does not do it to the others.
    return waiting.computeIfAbsent(sequence, key -> new CompletableFuture<>()).copy();
  }

  void advance(long sequence) {
    List<CompletableFuture<Void>> reached;
    synchronized (this) {
      durable = Math.max(durable, sequence);
      var upTo = waiting.headMap(durable, true);
      reached = new ArrayList<>(upTo.values());
      upTo.clear();
    }
    reached.forEach(future -> future.complete(null));
  }

  /** Nothing more gets durable. */
  void fail(IOException cause) {
    List<CompletableFuture<Void>> lost;
    synchronized (this) {
      failure = failure == null ? cause : failure;
      lost = new ArrayList<>(waiting.values());
      waiting.clear();
    }
    lost.forEach(future -> future.completeExceptionally(cause));
  }
}
