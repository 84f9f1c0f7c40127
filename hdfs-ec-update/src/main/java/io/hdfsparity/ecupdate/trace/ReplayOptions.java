/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.trace;

import io.hdfsparity.core.check.Checks;

/**
 * How a trace is replayed. Immutable.
 *
 * @param concurrency requests under way at a time, at most
 * @param limit requests that are made, at most
 * @param speed how much faster than it was recorded; 0: each request as soon as there is room
 * @param seed of the bytes that are written
 * @param beyond what becomes of requests behind the end of the file
 * @param check whether what was written is read back at the end
 */
public record ReplayOptions(
    int concurrency, long limit, double speed, long seed, OutOfRange beyond, ReadBack check) {
  /** Requests that do not lie inside the file. */
  public enum OutOfRange {
    /** The offset is taken modulo the file's length; what then reaches over the end is shifted. */
    WRAP,
    /** The replay ends. */
    REFUSE
  }

  /** Whether all that was written is read at the end, and compared. */
  public enum ReadBack {
    NO,
    AT_THE_END
  }

  public ReplayOptions {
    Checks.argument(concurrency > 0, "replay", "concurrency", concurrency, "> 0");
    Checks.argument(limit > 0, "replay", "limit", limit, "> 0");
    Checks.argument(
        speed >= 0 && Double.isFinite(speed), "replay", "speed", speed, "a number >= 0");
  }
}
