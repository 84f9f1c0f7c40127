/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Asks leaders for units, and again while they are busy. Thread-safe. */
final class LeaderCalls {
  private final DiskContext context;

  LeaderCalls(DiskContext context) {
    this.context = context;
  }

  /** Where the leader has the block of a row here; it takes the row's units if they are free. */
  List<Run> place(RaidpPeerProtocol leader, SuperchunkRef ref, SlotEntry own) throws IOException {
    return allocate(leader, ref, own.blockId(), own.units(), Optional.of(own));
  }

  /**
   * The units of a block, as its leader has them.
   *
   * @param own the row here; the leader takes its units if they are free
   * @throws PeerException.Busy if the leader was busy at each of the configured attempts
   */
  List<Run> allocate(
      RaidpPeerProtocol leader, SuperchunkRef ref, long blockId, int units, Optional<SlotEntry> own)
      throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return leader.allocate(ref, blockId, units, own);
      } catch (PeerException.Busy e) {
        if (attempt >= context.busyAttempts()) {
          throw e;
        }
        // Nothing here can be awaited: what has to end is on the other node.
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(context.busyPauseMs()));
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedIOException(
              "Cannot reserve units: block=" + blockId + ", expected not to be interrupted");
        }
      }
    }
  }
}
