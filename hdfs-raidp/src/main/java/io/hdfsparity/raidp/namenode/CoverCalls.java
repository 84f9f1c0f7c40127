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

/** Has DataNodes take replicas without rows into superchunks. Thread-safe. */
@FunctionalInterface
interface CoverCalls {
  /**
   * Takes finalized replicas of a volume in; {@link RowFinder} tells when they are covered.
   *
   * @param blockIds at most {@link RaidpPeerProtocol#MAX_BLOCKS}
   * @return those that the volume's frame has taken, or has already
   */
  List<Long> cover(
      PeerAddress peer, String storageId, SuperchunkRef superchunk, List<Long> blockIds)
      throws IOException;
}
