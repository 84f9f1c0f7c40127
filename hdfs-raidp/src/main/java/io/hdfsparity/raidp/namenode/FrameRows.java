/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/** Lists rows of DataNodes that are in service. Thread-safe. */
@FunctionalInterface
interface FrameRows {
  /**
   * Rows of a volume.
   *
   * @param superchunkId of its frame in this one only; empty: of all its frames
   */
  List<SlotEntry> entries(PeerAddress peer, String storageId, OptionalLong superchunkId)
      throws IOException;

  /**
   * Blocks with rows on a volume, without those whose replica was deleted.
   *
   * @param superchunkId as above
   */
  default List<Long> blockIds(PeerAddress peer, String storageId, OptionalLong superchunkId)
      throws IOException {
    return entries(peer, storageId, superchunkId).stream()
        .filter(row -> row.state() != SlotState.LIMBO)
        .map(SlotEntry::blockId)
        .toList();
  }
}
