/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.trace;

import io.hdfsparity.core.check.Checks;

/**
 * Requests of a table that follow each other in time. Immutable, thread-safe.
 *
 * @param requests the table, which is shared
 * @param from number of the first request
 * @param to number behind the last one
 */
public record RequestSlice(RequestTable requests, int from, int to) {
  public RequestSlice {
    Checks.range("slice requests", from, (long) to - from, requests.size());
  }

  /** No request. */
  public static RequestSlice none() {
    return all(new RequestTable.Builder().build());
  }

  /** All requests of a table. */
  public static RequestSlice all(RequestTable requests) {
    return new RequestSlice(requests, 0, requests.size());
  }

  /** How many requests. */
  public int count() {
    return to - from;
  }

  /** Those before a time in ticks of 100 ns. */
  public RequestSlice before(long timeTicks) {
    return new RequestSlice(requests, from, at(timeTicks));
  }

  /** Those at or after a time in ticks of 100 ns. */
  public RequestSlice notBefore(long timeTicks) {
    return new RequestSlice(requests, at(timeTicks), to);
  }

  private int at(long timeTicks) {
    return Math.min(to, Math.max(from, requests.firstAtOrAfter(timeTicks)));
  }
}
