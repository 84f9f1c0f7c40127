/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.size;

import io.hdfsparity.localcluster.LocalClusterBuilder;
import java.util.List;

/**
 * The cluster that fits the files: always the same disks and superchunks, with frames as large as
 * the files need. Pure.
 *
 * <p>Six nodes of two disks in three racks, four superchunks a disk and two spare frames: for this
 * shape {@code raidp -plan -nodes 6 -disks 2 -racks 3 -frames 6 -spare 2} tries all failures of two
 * disks and finds that each can be recovered from. With two racks no three disks would share
 * superchunks pairwise: replicas lie in two racks.
 *
 * @param frameBytes size of a frame, and so of a superchunk and (about) of an Lstor
 * @param storedBytes bytes that the files take in a frame of one replica, rounded up to allocation
 *     units
 */
record ClusterShape(long frameBytes, long storedBytes) {
  static final int NODES = 6;
  static final int RACKS = 3;
  static final int DISKS_PER_NODE = 2;
  static final int FRAMES_PER_DISK = 6;
  static final int SUPERCHUNKS_PER_DISK = 4;
  static final long UNIT_BYTES = 128L << 10;
  static final long BLOCK_BYTES = 16L << 20;
  static final long JOURNAL_BYTES = 64L << 20;
  static final double SPARE_SHARE = 0.3;

  /** Before the files are taken into superchunks. */
  static final int REPLICAS = 3;

  private static final long SMALLEST_FRAME_BYTES = 64L << 20;
  private static final long LARGEST_FRAME_BYTES = 1L << 30;
  private static final long FRAME_STEP_BYTES = 16L << 20;

  /** The files fill at most this share, so that writes and recovery have room. */
  private static final double FULL_SHARE = 0.6;

  /** Share that is aimed at. */
  private static final double AIM_SHARE = 0.3;

  /** Share for the files that are written while disks fail. */
  private static final double WRITTEN_SHARE = 0.1;

  /**
   * The shape for files.
   *
   * @throws QuickstartException when they are too many
   */
  static ClusterShape of(List<SourceFile> files) throws QuickstartException {
    long stored = files.stream().mapToLong(f -> storedBytes(f.lengthBytes())).sum();
    long wanted = roundUp((long) (stored / AIM_SHARE / superchunks(NODES)), FRAME_STEP_BYTES);
    long frame = Math.min(Math.max(wanted, SMALLEST_FRAME_BYTES), LARGEST_FRAME_BYTES);
    ClusterShape shape = new ClusterShape(frame, stored);
    long most = (long) (shape.capacityBytes() * FULL_SHARE);
    if (stored > most) {
      throw QuickstartException.input(
          "Cannot store the files: %s files take %s in units of %s, expected at most %s, "
              + "which is what the largest quickstart cluster takes; name a smaller folder",
          files.size(), size(stored), size(UNIT_BYTES), size(most));
    }
    return shape;
  }

  /** Superchunks of a cluster of so many nodes. */
  static int superchunks(int nodes) {
    return nodes * DISKS_PER_NODE * SUPERCHUNKS_PER_DISK / 2;
  }

  /** What a file takes in a frame: whole allocation units, block by block. */
  static long storedBytes(long lengthBytes) {
    return roundUp(lengthBytes, UNIT_BYTES);
  }

  private static long roundUp(long value, long step) {
    return (value + step - 1) / step * step;
  }

  /** What all superchunks hold together. */
  long capacityBytes() {
    return frameBytes * superchunks(NODES);
  }

  /** Most bytes of files that are written while disks fail, at one time. */
  long writtenBytes() {
    return (long) (capacityBytes() * WRITTEN_SHARE);
  }

  /**
   * Most bytes that replicas take on the file system: three of everything and a fourth while it is
   * taken into superchunks, or, later, two, deleted ones waiting, and recovered copies; each with
   * its checksum file.
   */
  long diskBytes() {
    long replica = storedBytes + 2 * writtenBytes();
    // A checksum file takes no more than one block of the file system for each unit.
    long perReplica = replica + replica / (UNIT_BYTES / StripedSpace.FILE_SYSTEM_BLOCK_BYTES);
    return REPLICAS * perReplica + perReplica / 3;
  }

  /** Describes the cluster. */
  LocalClusterBuilder describe(LocalClusterBuilder builder) {
    return builder
        .nodes(NODES)
        .racks(RACKS)
        .disksPerNode(DISKS_PER_NODE)
        .framesPerDisk(FRAMES_PER_DISK)
        .frameBytes(frameBytes)
        .unitBytes(UNIT_BYTES)
        .journalBytes(JOURNAL_BYTES)
        .replication(REPLICAS)
        .conf("dfs.parity.raidp.max.block.size", String.valueOf(BLOCK_BYTES))
        .conf("dfs.parity.raidp.layout.spare.share", String.valueOf(SPARE_SHARE));
  }
}
