/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Semaphore;

/**
 * Bytes that requests under way take: at most so many of a connection, of an export and in all. One
 * export whose DataNodes do not answer keeps its part, and no more. Thread-safe.
 */
final class RequestMemory {
  private final ServerLimits limits;
  private final Semaphore all;
  private final Map<String, Semaphore> ofExports = new HashMap<>();

  RequestMemory(ServerLimits limits, ExportCatalog exports) {
    this.limits = limits;
    all = new Semaphore(limits.maxBufferedBytes(), true);
    List<ServedExport> served = exports.all();
    int eachBytes = limits.maxBufferedBytesOfExport(served.size());
    served.forEach(export -> ofExports.put(export.name(), new Semaphore(eachBytes, true)));
  }

  /** For a connection to an export of the catalog. */
  Share share(ServedExport export) {
    Semaphore own = new Semaphore(limits.maxBufferedBytesEach(), true);
    Semaphore ofExport = Objects.requireNonNull(ofExports.get(export.name()));
    // First its own share: who waits for another one waits for other clients.
    return new Share(List.of(own, ofExport, all));
  }

  /** Whether somebody waits for memory that others have. */
  boolean isAwaited() {
    return all.hasQueuedThreads()
        || ofExports.values().stream().anyMatch(Semaphore::hasQueuedThreads);
  }

  /** For tests: bytes that requests may still take. */
  int freeBytes() {
    return all.availablePermits();
  }

  /** What a connection takes. Thread-safe. */
  static final class Share {
    private final List<Semaphore> limits;

    private Share(List<Semaphore> limits) {
      this.limits = limits;
    }

    /** Waits for some bytes, no more than a connection may have; takes all or none. */
    void acquire(int bytes) throws InterruptedException {
      int taken = 0;
      try {
        for (Semaphore limit : limits) {
          limit.acquire(bytes);
          taken++;
        }
      } finally {
        if (taken < limits.size()) {
          release(bytes, taken);
        }
      }
    }

    void release(int bytes) {
      release(bytes, limits.size());
    }

    /** Its own last: else its next request would wait for what this one is about to give back. */
    private void release(int bytes, int taken) {
      for (int i = taken - 1; i >= 0; i--) {
        limits.get(i).release(bytes);
      }
    }
  }
}
