/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.ecupdate.ajx.StripeCode;

/**
 * How the bytes of a replica belong to stripes. Immutable.
 *
 * @param code of the block group
 * @param block index of the internal block in its group, 0..n-1
 * @param cellBytes of the policy
 * @param chunkBytes under one checksum
 * @param lengthBytes of the replica's file
 * @param stripes of the group, the last one perhaps not full: what a cell lacks counts as zeros
 */
public record ReplicaLayout(
    StripeCode code, int block, int cellBytes, int chunkBytes, int lengthBytes, int stripes) {
  public ReplicaLayout {
    Checks.index("lay out a replica", "block", block, code.shape().blocks());
    Checks.argument(cellBytes > 0, "lay out a replica", "cellBytes", cellBytes, "> 0");
    Checks.argument(
        chunkBytes > 0 && cellBytes % chunkBytes == 0,
        "lay out a replica",
        "chunkBytes",
        chunkBytes,
        "a divisor of cellBytes=" + cellBytes);
    Checks.argument(
        lengthBytes >= 0 && lengthBytes <= (long) stripes * cellBytes,
        "lay out a replica",
        "lengthBytes",
        lengthBytes,
        "0 <= lengthBytes <= stripes=" + stripes + " * cellBytes=" + cellBytes);
  }

  public boolean isParity() {
    return code.shape().isParity(block);
  }

  /**
   * The code of a stripe. Only a parity block says how long the codeword is; others need not know.
   */
  StripeCode codeOf(int stripe) {
    int lengthBytes = cellLength(stripe);
    return isParity() && lengthBytes > 0 ? code.forCodeword(lengthBytes) : code;
  }

  /** Where a cell begins in the file; its end if it has no byte of the cell. */
  int cellOffset(int stripe) {
    return (int) Math.min(lengthBytes, (long) stripe * cellBytes);
  }

  /** Bytes of a cell that the file has. */
  int cellLength(int stripe) {
    return (int) Math.min(lengthBytes, (stripe + 1L) * cellBytes) - cellOffset(stripe);
  }
}
