/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

/**
 * A row of a block on a storage, in a superchunk. Immutable.
 *
 * @param superchunkId {@link #NOT_KNOWN}: of a frame that the manager does not know yet, or the row
 *     may only come
 * @param epoch of the superchunk as the frame of the row knows it; a volume may have had several
 *     frames in one superchunk, one after the other
 * @param coveredBytes prefix of the block that the parity has
 * @param isWhole the row is live, has the checksums of that prefix, and its partner has said that
 *     it covers the same
 * @param isDeleted the replica was deleted, and its bytes have still to leave the parity
 */
public record BlockRow(
    long blockId,
    String storageId,
    long superchunkId,
    long epoch,
    long generationStamp,
    long coveredBytes,
    boolean isWhole,
    boolean isDeleted) {
  /** No superchunk has this id. */
  public static final long NOT_KNOWN = Long.MIN_VALUE;
}
