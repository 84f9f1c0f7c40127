/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import io.hdfsparity.raidp.lstor.Coefficient;

/**
 * A frame's side of a superchunk, as the frame table of its volume says.
 *
 * <p>A frame that receives the blocks of a superchunk both of whose frames were lost is
 * <em>alone</em> until it gets a partner: it allocates for itself and waits for no acknowledgement.
 *
 * @param superchunkId identity of the pair
 * @param epoch grows whenever the pair changes
 * @param partnerStorageId volume of the other frame, which is in the same superchunk; empty text:
 *     alone
 * @param partnerNodeUuid its DataNode when the pair was made; empty text: alone
 * @param coefficient what this side's bytes are multiplied by, see {@link Coefficient}
 */
public record Pairing(
    long superchunkId,
    long epoch,
    String partnerStorageId,
    String partnerNodeUuid,
    int coefficient) {
  public Pairing {
    Coefficient.require(coefficient);
  }

  /** A frame without a partner. */
  public static Pairing alone(long superchunkId, long epoch) {
    return new Pairing(superchunkId, epoch, "", "", Coefficient.ONE);
  }

  /** Whether the frame has no partner. */
  public boolean isAlone() {
    return partnerStorageId.isEmpty();
  }
}
