/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import java.io.IOException;
import java.util.Optional;

/** Says into which frame of a volume a new block goes. Thread-safe. */
@FunctionalInterface
interface FrameChoice {
  /**
   * A frame, and the superchunk that it was chosen for.
   *
   * @param epoch of the superchunk, at least
   */
  record Chosen(int frameIndex, long superchunkId, long epoch) {
    /** Whether a frame is still in that superchunk. */
    boolean fits(Frame frame) {
      return frame
          .pairing()
          .filter(now -> now.superchunkId() == superchunkId && now.epoch() >= epoch)
          .isPresent();
    }
  }

  /**
   * Asked when a replica is about to be made on a volume.
   *
   * @return a frame of the volume; empty: the block is in no superchunk, and its replica is HDFS's
   *     alone
   * @throws PeerException.Busy if nobody has been asked, so that it must be asked for first
   */
  Optional<Chosen> frameFor(long blockId) throws IOException;

  /** The replica has its row, or is not made after all. */
  default void done(long blockId) {}

  /** All replicas are plain. */
  static FrameChoice none() {
    return blockId -> Optional.empty();
  }
}
