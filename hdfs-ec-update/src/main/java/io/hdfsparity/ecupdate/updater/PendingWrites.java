/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Writes that have not ended, and whether one has failed that nobody learned of. Thread-safe. */
final class PendingWrites {
  /** Complete once the failure is counted, if there is one. */
  private final Set<CompletableFuture<Void>> writes = new HashSet<>();

  private int failed;
  private @Nullable Throwable first;

  void add(CompletableFuture<?> write) {
    CompletableFuture<Void> counted = new CompletableFuture<>();
    synchronized (this) {
      writes.add(counted);
    }
    write.whenComplete((done, failure) -> ended(counted, failure));
  }

  private void ended(CompletableFuture<Void> counted, @Nullable Throwable failure) {
    synchronized (this) {
      writes.remove(counted);
      if (failure != null) {
        failed++;
        first = first == null ? failure : first;
      }
    }
    counted.complete(null);
  }

  /**
   * Waits for all that have been added.
   *
   * @throws IOException if one has failed since the last time
   */
  void await() throws IOException, InterruptedException {
    List<CompletableFuture<Void>> all;
    synchronized (this) {
      all = new ArrayList<>(writes);
    }
    try {
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // they never fail
    }
    synchronized (this) {
      if (failed == 0) {
        return;
      }
      IOException failure =
          new IOException(
              "Cannot flush: writes that failed=" + failed + ", expected none; write them again",
              first);
      failed = 0;
      first = null;
      throw failure;
    }
  }
}
