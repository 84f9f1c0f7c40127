/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.wal;

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

  /** Of a request; one that changes nothing durable still gets the fixed part. */
  public static ChangeBounds of(Request request) {
    if (request instanceof Request.Swap swap) {
      int bytes = swap.patch().bytes().length();
      return new ChangeBounds(Math.addExact(FIXED_BYTES, Math.multiplyExact(2, bytes)), bytes);
    } else if (request instanceof Request.Add add) {
      int bytes = add.delta().bytes().length();
      return new ChangeBounds(Math.addExact(FIXED_BYTES, bytes), bytes);
    } else if (request instanceof Request.AddAll add) {
      int bytes = add.delta().bytes().length();
      return new ChangeBounds(
          Math.addExact(FIXED_BYTES + TID_BYTES * add.parts().size(), bytes), bytes);
    } else if (request instanceof Request.Reconstruct reconstruct) {
      int bytes = reconstruct.block().length();
      int setBytes = Integer.BYTES * reconstruct.consistentSet().size();
      return new ChangeBounds(Math.addExact(FIXED_BYTES + setBytes, bytes), bytes);
    } else if (request instanceof Request.GcOld gc) {
      return new ChangeBounds(FIXED_BYTES + TID_BYTES * gc.tids().size(), 0);
    } else if (request instanceof Request.GcRecent gc) {
      return new ChangeBounds(FIXED_BYTES + TID_BYTES * gc.tids().size(), 0);
    }
    return new ChangeBounds(FIXED_BYTES, 0);
  }
}
