/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Has DataNodes let replicas leave superchunks, and keep them. Thread-safe. */
@FunctionalInterface
interface RowReleases {
  /**
   * Lets finalized replicas of a volume leave; {@link RowFinder} tells when their rows are gone.
   *
   * @param generationStamps by block id, at most {@link RaidpPeerProtocol#MAX_BLOCKS}
   * @param isDue whether they are still to leave, asked when the DataNode has answered that it
   *     takes an order in the next seconds, and in no later ones
   * @return those that leave, or have left
   */
  List<Long> release(
      PeerAddress peer,
      String storageId,
      SuperchunkRef superchunk,
      Map<Long, Long> generationStamps,
      BooleanSupplier isDue)
      throws IOException;
}
