/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A shape with everything numbered from 0, so that planners work on int arrays.
 *
 * <p>The rule on nodes and racks is one of groups: two disks may share a superchunk when their
 * groups differ. Where there are two racks or more the group is the rack (which implies different
 * nodes), else the node.
 */
final class ShapeIndex {
  private final List<Disk> disks;
  private final Map<DiskId, Integer> diskIndex = new HashMap<>();
  private final Map<FrameId, Integer> frameIndex;
  private final int[] nodeOfDisk;
  private final int[] rackOfDisk;
  private final int[] frameStart;
  private final int[] diskOfFrame;
  private final int[] disksInGroup;
  private final int nodes;
  private final int racks;

  ShapeIndex(List<Disk> disks) {
    this.disks = List.copyOf(disks);
    int count = this.disks.size();
    nodeOfDisk = new int[count];
    rackOfDisk = new int[count];
    frameStart = new int[count + 1];
    Map<NodeId, Integer> nodeIndex = new HashMap<>();
    Map<String, Integer> rackIndex = new HashMap<>();
    List<Integer> rackOfNode = new ArrayList<>();
    for (int d = 0; d < count; d++) {
      Disk disk = this.disks.get(d);
      if (diskIndex.putIfAbsent(disk.id(), d) != null) {
        throw new IllegalArgumentException(
            "Cannot describe the cluster: disk=" + disk.id() + ", expected each disk once");
      }
      rackOfDisk[d] = rackIndex.computeIfAbsent(disk.rack(), r -> rackIndex.size());
      nodeOfDisk[d] = nodeIndex.computeIfAbsent(disk.node(), n -> nodeIndex.size());
      if (nodeOfDisk[d] == rackOfNode.size()) {
        rackOfNode.add(rackOfDisk[d]);
      } else if (rackOfNode.get(nodeOfDisk[d]) != rackOfDisk[d]) {
        throw new IllegalArgumentException(
            "Cannot describe the cluster: rack="
                + disk.rack()
                + ", expected all disks of a node in one rack, node="
                + disk.node()
                + " disk="
                + disk.id());
      }
      frameStart[d + 1] = frameStart[d] + disk.frames().size();
    }
    nodes = nodeIndex.size();
    racks = rackIndex.size();
    frameIndex = new HashMap<>(frameStart[count] * 4 / 3 + 1);
    diskOfFrame = new int[frameStart[count]];
    numberFrames();
    disksInGroup = new int[Math.max(nodes, racks)];
    for (int d = 0; d < count; d++) {
      disksInGroup[group(d)]++;
    }
  }

  private void numberFrames() {
    int next = 0;
    for (int d = 0; d < disks.size(); d++) {
      for (Frame frame : disks.get(d).frames()) {
        if (frameIndex.putIfAbsent(frame.id(), next) != null) {
          throw new IllegalArgumentException(
              "Cannot describe the cluster: frame="
                  + frame.id()
                  + ", expected each frame once, disk="
                  + disks.get(d).id());
        }
        diskOfFrame[next++] = d;
      }
    }
  }

  List<Disk> disks() {
    return disks;
  }

  int diskCount() {
    return disks.size();
  }

  int frameCount() {
    return diskOfFrame.length;
  }

  int nodes() {
    return nodes;
  }

  int racks() {
    return racks;
  }

  Disk disk(int disk) {
    return disks.get(disk);
  }

  /** Number of a disk, or -1. */
  int diskIndex(DiskId id) {
    return diskIndex.getOrDefault(id, -1);
  }

  /** Number of a frame, or -1. Frames of a disk are numbered in the order of its list. */
  int frameIndex(FrameId id) {
    return frameIndex.getOrDefault(id, -1);
  }

  Frame frame(int frame) {
    int disk = diskOfFrame[frame];
    return disks.get(disk).frames().get(frame - frameStart[disk]);
  }

  int diskOfFrame(int frame) {
    return diskOfFrame[frame];
  }

  /** First frame of a disk; the frames end before {@code firstFrame(disk + 1)}. */
  int firstFrame(int disk) {
    return frameStart[disk];
  }

  int framesOf(int disk) {
    return frameStart[disk + 1] - frameStart[disk];
  }

  int node(int disk) {
    return nodeOfDisk[disk];
  }

  int rack(int disk) {
    return rackOfDisk[disk];
  }

  /** Rack of a disk where there are two racks, else its node. */
  int group(int disk) {
    return racks >= 2 ? rackOfDisk[disk] : nodeOfDisk[disk];
  }

  int groups() {
    return racks >= 2 ? racks : nodes;
  }

  int disksInGroup(int group) {
    return disksInGroup[group];
  }

  boolean mayPair(int a, int b) {
    return group(a) != group(b);
  }

  int peers(int disk) {
    return diskCount() - disksInGroup[group(disk)];
  }
}
