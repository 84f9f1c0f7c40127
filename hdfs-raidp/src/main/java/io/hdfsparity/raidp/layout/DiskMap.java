/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.Arrays;

/**
 * Where the disks of a cluster are: disks, nodes and racks are numbers from 0. Disks of a node have
 * consecutive numbers. Immutable.
 */
public final class DiskMap {
  private final int[] firstDisk;
  private final int[] nodeOfDisk;
  private final int[] rackOfNode;
  private final int[] disksInGroup;
  private final int racks;

  private DiskMap(int[] disksOfNode, int[] rackOfNode) {
    int nodes = disksOfNode.length;
    this.rackOfNode = rackOfNode.clone();
    this.racks = 1 + Arrays.stream(rackOfNode).max().orElse(-1);
    firstDisk = new int[nodes + 1];
    for (int n = 0; n < nodes; n++) {
      firstDisk[n + 1] = firstDisk[n] + disksOfNode[n];
    }
    nodeOfDisk = new int[firstDisk[nodes]];
    disksInGroup = new int[Math.max(nodes, racks)];
    for (int n = 0; n < nodes; n++) {
      Arrays.fill(nodeOfDisk, firstDisk[n], firstDisk[n + 1], n);
      disksInGroup[groupOfNode(n)] += disksOfNode[n];
    }
  }

  /**
   * A map.
   *
   * @param disksOfNode number of disks of each node
   * @param rackOfNode rack of each node; racks are numbered without a gap
   */
  static DiskMap of(int[] disksOfNode, int[] rackOfNode) {
    return new DiskMap(disksOfNode, rackOfNode);
  }

  /** All nodes alike, node i in rack {@code i mod racks}. */
  static DiskMap even(int nodes, int disksPerNode, int racks) {
    int[] disks = new int[nodes];
    int[] rack = new int[nodes];
    Arrays.fill(disks, disksPerNode);
    Arrays.setAll(rack, n -> n % racks);
    return new DiskMap(disks, rack);
  }

  public int disks() {
    return nodeOfDisk.length;
  }

  public int nodes() {
    return rackOfNode.length;
  }

  public int racks() {
    return racks;
  }

  public int node(int disk) {
    return nodeOfDisk[disk];
  }

  public int rack(int disk) {
    return rackOfNode[nodeOfDisk[disk]];
  }

  /** First disk of a node; its disks end before {@code firstDisk(node + 1)}. */
  public int firstDisk(int node) {
    return firstDisk[node];
  }

  /** Rack of a node where there are two racks, else the node: disks of one group share nothing. */
  int groupOfNode(int node) {
    return racks >= 2 ? rackOfNode[node] : node;
  }

  int groups() {
    return racks >= 2 ? racks : nodes();
  }

  int group(int disk) {
    return groupOfNode(nodeOfDisk[disk]);
  }

  boolean mayPair(int a, int b) {
    return group(a) != group(b);
  }

  /** Number of disks with which a disk may share a superchunk. */
  int peers(int disk) {
    return disks() - disksInGroup[group(disk)];
  }
}
