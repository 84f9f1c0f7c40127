/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.ecupdate.ajx.Request;

/**
 * The most that the log record of a request can take, known before the request is executed: room is
 * waited for then, and not under the locks of the block. Immutable.
 *
 * @param payloadBytes of the record
 * @param changedBytes of the replica
 */
public record ChangeBounds(int payloadBytes, int changedBytes) {
  /** What a record takes at most beside bytes of the replica, tids and sets. */
  public static final int FIXED_BYTES = 512;

  private static final int TID_BYTES = 20;

  /** More than any log takes in one record, and far from where sums of bytes overflow. */
  private static final int MAX_BYTES = 1 << 30;

  /**
   * Of a request; one that changes nothing durable still gets the fixed part.
   *
   * @throws IllegalArgumentException if no log could take its record
   */
  public static ChangeBounds of(Request request) {
    if (request instanceof Request.Swap swap) {
      long bytes = swap.patch().bytes().length();
      return of(2 * bytes, bytes);
    } else if (request instanceof Request.Add add) {
      long bytes = add.delta().bytes().length();
      return of(bytes, bytes);
    } else if (request instanceof Request.AddAll add) {
      long bytes = add.delta().bytes().length();
      return of((long) TID_BYTES * add.parts().size() + bytes, bytes);
    } else if (request instanceof Request.Reconstruct reconstruct) {
      long bytes = reconstruct.block().length();
      return of((long) Integer.BYTES * reconstruct.consistentSet().size() + bytes, bytes);
    } else if (request instanceof Request.GcOld gc) {
      return of((long) TID_BYTES * gc.tids().size(), 0);
    } else if (request instanceof Request.GcRecent gc) {
      return of((long) TID_BYTES * gc.tids().size(), 0);
    }
    return of(0, 0);
  }

  private static ChangeBounds of(long variableBytes, long changedBytes) {
    Checks.argument(
        variableBytes <= MAX_BYTES - FIXED_BYTES,
        "log a change",
        "bytes of the record",
        variableBytes,
        "<= " + (MAX_BYTES - FIXED_BYTES));
    return new ChangeBounds(FIXED_BYTES + (int) variableBytes, (int) changedBytes);
  }
}
