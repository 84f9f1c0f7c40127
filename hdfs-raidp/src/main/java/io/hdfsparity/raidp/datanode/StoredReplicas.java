/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a finalized replica of a deleted block is there again: its delete was undone, and it is
 * going to be covered. A directory that cannot be read may hold it; that is warned of once, until
 * it can be read again. Thread-safe.
 */
final class StoredReplicas {
  private static final Logger LOG = LoggerFactory.getLogger(StoredReplicas.class);

  private final String storageId;
  private final Lookup lookup;
  private final AtomicBoolean isUnreadable = new AtomicBoolean();

  /** Looks for a finalized replica. */
  @FunctionalInterface
  interface Lookup {
    boolean isFinalized(long blockId) throws IOException;
  }

  StoredReplicas(String storageId, Lookup lookup) {
    this.storageId = storageId;
    this.lookup = lookup;
  }

  static StoredReplicas of(Frame frame) {
    return new StoredReplicas(
        frame.storageId(),
        blockId -> frame.directory().findFinalized(frame.blockPoolId(), blockId).isPresent());
  }

  /** False only when it is known that no replica is there. */
  boolean mayHold(long blockId) {
    try {
      boolean isThere = lookup.isFinalized(blockId);
      if (isUnreadable.compareAndSet(true, false)) {
        LOG.info("The directory of replicas can be read again: storageId={}", storageId);
      }
      return isThere;
    } catch (IOException e) {
      if (isUnreadable.compareAndSet(false, true)) {
        LOG.warn(
            "Cannot look for replicas: storageId={} block={}, expected a directory that can be"
                + " read; deleted blocks keep their units until it can",
            storageId,
            blockId,
            e);
      }
      return true;
    }
  }

  /** Whether the last look failed. */
  boolean isUnreadable() {
    return isUnreadable.get();
  }
}
