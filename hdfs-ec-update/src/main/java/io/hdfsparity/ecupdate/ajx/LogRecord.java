/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import java.util.List;
import java.util.Set;

/**
 * A change that must survive a restart: one record is one atomic write, so that a write's tid and
 * its bytes are there together or not at all. Replayed in order by {@link SlotMachine#replay}.
 *
 * <p>A data record is absolute; {@link Added} is a delta, and an engine that applies it to the base
 * must make it absolute first, or it is added twice after a crash.
 */
public sealed interface LogRecord {
  /** A swap; what it replaced is kept for a client that did not get the reply. */
  record Swapped(Patch patch, SwapReceipt receipt) implements LogRecord {}

  /** An add of one write or of several, multiplied already. */
  record Added(Patch delta, List<Tid> tids) implements LogRecord {
    public Added {
      tids = List.copyOf(tids);
    }
  }

  /** The block was locked: after a restart it counts as EXP. */
  record Locked() implements LogRecord {}

  /** The holder released it without a recovery. */
  record Unlocked() implements LogRecord {}

  /** A recovery wrote the block. */
  record Reconstructed(Set<Integer> consistentSet, Bytes block, long targetEpoch)
      implements LogRecord {
    public Reconstructed {
      consistentSet = Set.copyOf(consistentSet);
    }
  }

  /** A recovery ended here. */
  record Finalized(long epoch, boolean isStillLocked) implements LogRecord {}

  /** Garbage collection, phase 1. */
  record Discarded(List<Tid> tids) implements LogRecord {
    public Discarded {
      tids = List.copyOf(tids);
    }
  }

  /** Garbage collection, phase 2. */
  record Retired(List<Tid> tids) implements LogRecord {
    public Retired {
      tids = List.copyOf(tids);
    }
  }
}
