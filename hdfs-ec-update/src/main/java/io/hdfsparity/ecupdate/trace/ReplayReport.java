/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.trace;

import java.util.OptionalLong;

/**
 * What a replay has come to. Immutable.
 *
 * @param elapsedNanos from the first request to when the last was durable
 * @param moved requests that were wrapped
 * @param late requests that began more than a millisecond after their time, with a speed only
 * @param differing bytes that are not what was written last; empty if they were not read back
 */
public record ReplayReport(
    RequestStats reads,
    RequestStats writes,
    long elapsedNanos,
    long moved,
    long late,
    OptionalLong differing) {
  /** Requests a second; 0 if there was none. */
  public double iops() {
    return elapsedNanos == 0 ? 0 : (reads.requests() + writes.requests()) * 1e9 / elapsedNanos;
  }
}
