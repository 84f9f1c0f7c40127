/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import java.io.IOException;
import java.util.List;

/** Finds rows of blocks on DataNodes that are in service. Thread-safe. */
@FunctionalInterface
interface RowFinder {
  /**
   * Rows of some blocks on a volume.
   *
   * @param blockIds at most {@link RaidpPeerProtocol#MAX_BLOCKS}
   * @return one for each block that has a row there, in any state
   */
  List<SlotEntry> findRows(PeerAddress peer, String storageId, List<Long> blockIds)
      throws IOException;
}
