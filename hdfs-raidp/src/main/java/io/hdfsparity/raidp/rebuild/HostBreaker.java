/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.rebuild;

import io.hdfsparity.core.check.Clock;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Remembers hosts that do not answer, so that a dead one costs a time limit now and then and not
 * one for each of the thousands of blocks that it mirrors. What a host refuses by itself is not
 * held against it. Thread-safe.
 */
final class HostBreaker {
  private static final long OPEN_NANOS = TimeUnit.SECONDS.toNanos(15);

  private final Clock clock;
  private final Map<InetSocketAddress, Failure> failures = new ConcurrentHashMap<>();

  /** A host has not answered, whatever it has done since. */
  private volatile boolean isUnanswered;

  private record Failure(long atNanos, String message) {}

  HostBreaker(Clock clock) {
    this.clock = clock;
  }

  /** A call to a host. */
  interface Call<T> {
    T run() throws IOException;
  }

  /** Whether a host has ever not answered. */
  boolean isUnanswered() {
    return isUnanswered;
  }

  <T> T run(InetSocketAddress host, Call<T> call) throws IOException {
    Failure last = failures.get(host);
    if (last != null && clock.nanoTime() - last.atNanos() < OPEN_NANOS) {
      throw new IOException("Cannot reach " + host + ": it failed a moment ago: " + last.message());
    }
    try {
      T answer = call.run();
      failures.remove(host);
      return answer;
    } catch (ClosedByInterruptException e) {
      // It says nothing of the host, which has not answered all the same.
      isUnanswered = true;
      throw e;
    } catch (SocketException
        | SocketTimeoutException
        | UnknownHostException
        | EOFException
        | ClosedChannelException e) {
      isUnanswered = true;
      failures.put(host, new Failure(clock.nanoTime(), String.valueOf(e.getMessage())));
      throw e;
    }
  }

  /** What was read of a host does not belong together any more, so it is no answer. */
  void noteUnanswered() {
    isUnanswered = true;
  }
}
