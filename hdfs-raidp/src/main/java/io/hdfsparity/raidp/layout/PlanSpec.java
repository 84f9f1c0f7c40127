/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * A cluster described by numbers: all nodes alike, spread evenly over the racks.
 *
 * @param nodes number of nodes
 * @param disksPerNode disks of each node
 * @param racks number of racks
 * @param frames frames of each disk; absent: as many as sensible, see {@link #framesPerDisk()}
 * @param spare spare frames of each disk
 * @param roomDisks number of failed disks that the layout leaves room for, see {@link RoomyLayout}
 * @param diskBytes size of a disk in bytes
 * @param seed seed of the planner
 */
public record PlanSpec(
    int nodes,
    int disksPerNode,
    int racks,
    OptionalInt frames,
    SpareRule spare,
    int roomDisks,
    long diskBytes,
    long seed) {
  /**
   * Most frames of a disk that are chosen without being asked for; a frame costs a DataNode a
   * volume.
   */
  public static final int MAX_DEFAULT_FRAMES = 64;

  /** Frames of a disk: superchunks are cut to whole allocation units of this size in bytes. */
  public static final long UNIT_BYTES = 1 << 20;

  /** Peers that stay without a common superchunk when the number of frames is chosen here. */
  public static final int DEFAULT_SPARE_PEERS = 2;

  private static final long MAX_FRAMES = 8_000_000;

  /**
   * Checks that the rules can be kept.
   *
   * @throws LayoutRefusedException naming value, rule and what to change
   */
  public PlanSpec checked() throws LayoutRefusedException {
    atLeast("nodes", nodes, 2, "the two replicas of a superchunk lie on different nodes");
    atLeast("disks", disksPerNode, 1, "a node stores on disks");
    atLeast("racks", racks, 1, "a node is in a rack");
    if (racks > nodes) {
      throw refused("racks=" + racks, "at most nodes=" + nodes, "use fewer racks or more nodes");
    }
    if (frames.isPresent()) {
      atLeast("frames", frames.getAsInt(), 1, "superchunks lie in frames");
    }
    if ((long) nodes * disksPerNode > MAX_FRAMES / 2) {
      throw refused(
          "nodes=" + nodes + " disks=" + disksPerNode,
          "at most " + MAX_FRAMES / 2 + " disks",
          "plan a part of the cluster");
    }
    if (roomDisks < 0 || roomDisks > RoomyLayout.MAX_DISKS) {
      throw refused(
          "room=" + roomDisks,
          "0.." + RoomyLayout.MAX_DISKS,
          "ask for room for fewer failed disks");
    }
    int count = framesPerDisk();
    if ((long) nodes * disksPerNode * count > MAX_FRAMES) {
      throw refused(
          "frames=" + count + " on " + (long) nodes * disksPerNode + " disks",
          "at most " + MAX_FRAMES + " frames in all",
          "use fewer frames");
    }
    int spareFrames = spare.spareFrames(count);
    if (spareFrames >= count) {
      throw refused(
          "spare frames=" + spareFrames + " of frames=" + count,
          "at least one frame of a disk to hold a superchunk",
          "use more frames or spare fewer");
    }
    int peers = fewestPeers();
    if (count - spareFrames > peers) {
      throw refused(
          "frames="
              + count
              + " less spare="
              + spareFrames
              + ", that is "
              + (count - spareFrames)
              + " superchunks on each disk",
          "at most "
              + peers
              + ", because a disk shares at most one superchunk with each disk "
              + (racks >= 2 ? "of other racks" : "of other nodes")
              + " (1-sharing)",
          "use fewer frames, spare more, or use more nodes or disks");
    }
    if (diskBytes / count < UNIT_BYTES) {
      throw refused(
          "diskSize=" + diskBytes + " bytes in " + count + " frames",
          "frames of at least " + UNIT_BYTES + " bytes",
          "use larger disks or fewer frames");
    }
    if (diskBytes / count / UNIT_BYTES > Integer.MAX_VALUE
        || diskBytes > Long.MAX_VALUE / nodes / disksPerNode) {
      throw refused(
          "diskSize="
              + diskBytes
              + " bytes in "
              + count
              + " frames on "
              + (long) nodes * disksPerNode
              + " disks",
          "frames of at most "
              + Integer.MAX_VALUE
              + " units of "
              + UNIT_BYTES
              + " bytes and less than 8 EiB in all",
          "use smaller disks or more frames");
    }
    return this;
  }

  /**
   * Frames of a disk: as asked for, else the most up to {@value #MAX_DEFAULT_FRAMES} that 1-sharing
   * can fill, spare ones aside, with {@value #DEFAULT_SPARE_PEERS} peers left for recovery.
   */
  public int framesPerDisk() {
    if (frames.isPresent()) {
      return frames.getAsInt();
    }
    int useful = Math.max(1, fewestPeers() - DEFAULT_SPARE_PEERS);
    for (int count = MAX_DEFAULT_FRAMES; count > 2; count--) {
      int used = count - spare.spareFrames(count);
      if (used >= 1 && used <= useful) {
        return count;
      }
    }
    // One superchunk and the spare frames asked for; more than the default when the spare ones are
    // many.
    return Math.max(2, 1 + spare.minFrames());
  }

  public int spareFramesPerDisk() {
    return spare.spareFrames(framesPerDisk());
  }

  /** Size of a superchunk in bytes, whole units. */
  public long superchunkBytes() {
    return diskBytes / framesPerDisk() / UNIT_BYTES * UNIT_BYTES;
  }

  /** Fewest disks with which a disk may share a superchunk as far as nodes and racks go. */
  public int fewestPeers() {
    int nodesInGroup = racks >= 2 ? (nodes + racks - 1) / racks : 1;
    return (nodes - nodesInGroup) * disksPerNode;
  }

  /** The disks: {@code node-01/disk-0}, node i in rack {@code i mod racks}. */
  public ClusterShape shape() {
    List<Disk> disks = new ArrayList<>(nodes * disksPerNode);
    int count = framesPerDisk();
    for (int n = 0; n < nodes; n++) {
      NodeId node = new NodeId(name("node-", n, nodes));
      String rack = "/" + name("rack-", n % racks, racks);
      for (int d = 0; d < disksPerNode; d++) {
        String disk = node.value() + "/" + name("disk-", d, disksPerNode);
        List<Frame> list = new ArrayList<>(count);
        for (int f = 0; f < count; f++) {
          list.add(new Frame(new FrameId(disk + "/" + name("frame-", f, count)), f));
        }
        disks.add(new Disk(new DiskId(disk), node, rack, list));
      }
    }
    return ClusterShape.of(disks);
  }

  LayoutOptions layoutOptions() {
    return LayoutOptions.defaults()
        .withSpare(spare)
        .withSeed(seed)
        .withSparePeers(frames.isPresent() ? 0 : Math.min(roomDisks, DEFAULT_SPARE_PEERS));
  }

  /** Numbers from 1, padded so that names sort as numbers do. */
  private static String name(String prefix, int index, int count) {
    String number = Integer.toString(index + 1);
    return prefix + "0".repeat(Integer.toString(count).length() - number.length()) + number;
  }

  private static void atLeast(String name, int value, int least, String why)
      throws LayoutRefusedException {
    if (value < least) {
      throw refused(
          name + "=" + value, name + " >= " + least + ", because " + why, "use a larger -" + name);
    }
  }

  private static LayoutRefusedException refused(String value, String rule, String change) {
    return new LayoutRefusedException(
        "Cannot plan a layout: " + value + ", expected " + rule + "; " + change);
  }
}
