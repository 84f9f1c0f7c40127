/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import java.io.IOException;
import java.util.OptionalInt;

/** Says into which frame of a volume a new block goes. Thread-safe. */
@FunctionalInterface
interface FrameChoice {
  /**
   * Asked when a replica is about to be made of a block that has no row on the volume.
   *
   * @return index of a frame of the volume; empty: the block is in no superchunk, and its replica
   *     is HDFS's alone
   */
  OptionalInt frameFor(long blockId) throws IOException;

  /** For volumes with one frame, which takes all blocks. */
  static FrameChoice none() {
    return blockId -> OptionalInt.empty();
  }
}
