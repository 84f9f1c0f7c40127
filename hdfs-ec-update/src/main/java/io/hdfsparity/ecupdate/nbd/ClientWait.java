/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How long a client has been waited for in the middle of a message: until it takes bytes of a
 * reply, or sends bytes of a request. One thread transfers at a time; thread-safe for those who
 * ask.
 */
final class ClientWait {
  private final LongSupplier nanoTime;
  private volatile long sinceNanos;
  private volatile boolean isWaiting;

  /** A piece of a message that goes over the connection. */
  @FunctionalInterface
  interface Transfer {
    /** Number of bytes; negative at the end. */
    int run() throws IOException;
  }

  /**
   * @param nanoTime as of {@link System#nanoTime}
   */
  ClientWait(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Transfers some bytes: the wait begins again from 0. */
  int during(Transfer transfer) throws IOException {
    sinceNanos = nanoTime.getAsLong();
    isWaiting = true;
    try {
      return transfer.run();
    } finally {
      isWaiting = false;
    }
  }

  /** Milliseconds that the transfer under way has taken; 0 if there is none. */
  long ms() {
    return isWaiting ? TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - sinceNanos) : 0;
  }
}
