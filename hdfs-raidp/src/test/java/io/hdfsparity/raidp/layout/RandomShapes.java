/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Seeded random clusters: uneven numbers of nodes, disks, racks and frames. */
final class RandomShapes {
  private RandomShapes() {}

  /**
   * A cluster of up to so many nodes; at least two nodes, disks with 1 to {@code maxFrames} frames.
   */
  static ClusterShape uneven(Random random, int maxNodes, int maxDisks, int maxFrames) {
    int nodes = 2 + random.nextInt(maxNodes - 1);
    int racks = 1 + random.nextInt(Math.min(4, nodes));
    List<Disk> disks = new ArrayList<>();
    for (int n = 0; n < nodes; n++) {
      int rack = random.nextInt(racks);
      int count = 1 + random.nextInt(maxDisks);
      for (int d = 0; d < count; d++) {
        disks.add(disk(n, d, rack, 1 + random.nextInt(maxFrames)));
      }
    }
    return ClusterShape.of(disks);
  }

  /** All nodes and disks alike, nodes in turn over the racks. */
  static ClusterShape even(int nodes, int disksPerNode, int racks, int frames) {
    List<Disk> disks = new ArrayList<>();
    for (int n = 0; n < nodes; n++) {
      for (int d = 0; d < disksPerNode; d++) {
        disks.add(disk(n, d, n % racks, frames));
      }
    }
    return ClusterShape.of(disks);
  }

  static Disk disk(int node, int disk, int rack, int frames) {
    List<Frame> list = new ArrayList<>();
    for (int f = 0; f < frames; f++) {
      list.add(new Frame(frame(node, disk, f)));
    }
    return new Disk(diskId(node, disk), new NodeId("n" + node), "/r" + rack, list);
  }

  static DiskId diskId(int node, int disk) {
    return new DiskId("n" + node + "d" + disk);
  }

  static FrameId frame(int node, int disk, int frame) {
    return new FrameId("n" + node + "d" + disk, frame);
  }

  /** Seeds of a property test: one when -Draidp.seed is given, else the first so many. */
  static long[] seeds(int count) {
    Long only = Long.getLong("raidp.seed");
    if (only != null) {
      return new long[] {only};
    }
    long[] seeds = new long[count];
    for (int i = 0; i < count; i++) {
      seeds[i] = i;
    }
    return seeds;
  }
}
