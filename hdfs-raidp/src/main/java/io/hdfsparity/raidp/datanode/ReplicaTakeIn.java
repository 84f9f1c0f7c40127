/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.image.ReplicaFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.BlockType;

/**
 * Takes finalized replicas that have no row into a frame. The frame's claim ({@link BlockClaims})
 * is in memory; the row and the parity are made in the background, as for a replica whose row was
 * lost.
 *
 * <p><b>Crash</b>: before the row is made, the replica is plain after the restart, unless the
 * partner has its row by then. Idempotent. Not thread-safe.
 */
final class ReplicaTakeIn {
  private final Frame frame;
  private final Volume volume;

  ReplicaTakeIn(Frame frame) {
    this.frame = frame;
    this.volume = frame.volume();
  }

  /**
   * Takes in what can be.
   *
   * @return the blocks that the frame has taken, or has already
   */
  List<Long> takeIn(Collection<Long> blockIds) throws IOException {
    List<Long> taken = new ArrayList<>();
    for (long blockId : blockIds) {
      if (isTaken(blockId)) {
        taken.add(blockId);
      }
    }
    return taken;
  }

  private boolean isTaken(long blockId) throws IOException {
    Optional<Frame> owner = volume.frameOf(blockId);
    if (owner.isPresent()) {
      return owner.get() == frame;
    }
    Optional<ReplicaFiles> replica =
        volume.directory().find(volume.disk().context().pool().id(), blockId);
    if (replica.isEmpty() || BlockType.fromBlockId(blockId) != BlockType.CONTIGUOUS) {
      return false;
    }
    volume.claim(blockId, frame);
    frame.schedule(blockId);
    return true;
  }
}
