/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.rebuild;

import java.io.IOException;

/**
 * Gives blocks that are rebuilt to the frame of their superchunk, before their replicas are made: a
 * volume with several frames asks for the frame of each new replica. Thread-safe.
 */
public interface RebuiltBlocks {
  /**
   * Idempotent. In memory: a block that was not installed before the DataNode ended is claimed
   * again when its rebuild is ordered again.
   *
   * @param epoch of the superchunk, at least
   * @throws IOException if the volume has no frame in that superchunk yet
   */
  void claim(String storageId, long superchunkId, long epoch, long blockId) throws IOException;

  /** The block was not made. */
  void endClaim(String storageId, long blockId);

  /** Where every volume has one frame. */
  static RebuiltBlocks none() {
    return new RebuiltBlocks() {
      @Override
      public void claim(String storageId, long superchunkId, long epoch, long blockId) {}

      @Override
      public void endClaim(String storageId, long blockId) {}
    };
  }
}
