/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.image.ReplicaFiles;
import io.hdfsparity.raidp.image.ReplicaSource;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives replicas that have no row, here or at any partner, to frames of the volume that are in use:
 * their rows and those of their partners went with two Lstors or disks. The manager then has each
 * copied to the partner, as any block that lacks a replica.
 */
final class FrameAdoption {
  private static final Logger LOG = LoggerFactory.getLogger(FrameAdoption.class);

  private final Volume volume;
  private final Map<Frame, Integer> room = new HashMap<>();

  FrameAdoption(Volume volume) {
    this.volume = volume;
    for (Frame frame : volume.frames()) {
      if (frame.isInUse()) {
        room.put(frame, volume.disk().lstor().freeUnits(frame.index()));
      }
    }
  }

  /**
   * Claims for the frame with most room, as far as there is any.
   *
   * @return what frames have claimed
   */
  Map<Long, Frame> adopt() throws IOException {
    String pool = volume.disk().context().pool().id();
    Map<Long, Frame> adopted = new HashMap<>();
    for (long blockId : volume.claims().framelessBlocks()) {
      ReplicaFiles replica = volume.directory().find(pool, blockId).orElse(null);
      if (replica == null) {
        volume.endClaim(blockId);
        continue;
      }
      if (BlockType.fromBlockId(blockId) != BlockType.CONTIGUOUS) {
        continue;
      }
      int units = units(replica);
      Optional<Map.Entry<Frame, Integer>> roomiest =
          room.entrySet().stream().max(Comparator.comparingInt(Map.Entry::getValue));
      if (roomiest.filter(each -> each.getValue() >= units).isPresent()) {
        Frame frame = roomiest.get().getKey();
        if (volume.claims().claimFrameless(blockId, frame)) {
          room.merge(frame, -units, Integer::sum);
          adopted.put(blockId, frame);
        }
      }
    }
    return adopted;
  }

  /** More than any frame has, of a replica that cannot be read. */
  private int units(ReplicaFiles replica) {
    try {
      return Coverage.unitsNeeded(
          volume.disk().lstor().geometry(),
          ReplicaSource.readChecksum(replica.meta()),
          Files.size(replica.data()));
    } catch (IOException e) {
      LOG.info("Replica without a row cannot be read: {} cause={}", replica, e.toString());
      return Integer.MAX_VALUE;
    }
  }
}
