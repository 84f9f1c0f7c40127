/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.datanode;

import java.io.InterruptedIOException;
import java.util.concurrent.Semaphore;

/**
 * Bounds what the buffers of all repairs of a node take together. Thread-safe, first come first.
 */
final class MemoryBudget {
  private static final int PERMIT_BYTES = 1024;

  private final int total;
  private final Semaphore permits;

  MemoryBudget(long lengthBytes) {
    total = permits(lengthBytes);
    permits = new Semaphore(total, true);
  }

  private static int permits(long lengthBytes) {
    return (int) Math.min(Integer.MAX_VALUE, (lengthBytes + PERMIT_BYTES - 1) / PERMIT_BYTES);
  }

  /** A part of the budget, given back by {@link #close}, once. */
  interface Grant extends AutoCloseable {
    @Override
    void close();
  }

  /** Waits for its turn. Whoever needs more than there is gets all of it, and so runs alone. */
  Grant acquire(long lengthBytes) throws InterruptedIOException {
    int wanted = Math.min(total, permits(lengthBytes));
    try {
      permits.acquire(wanted);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for repair memory");
    }
    return () -> permits.release(wanted);
  }

  /** Bytes that are not granted. */
  long freeBytes() {
    return (long) permits.availablePermits() * PERMIT_BYTES;
  }
}
