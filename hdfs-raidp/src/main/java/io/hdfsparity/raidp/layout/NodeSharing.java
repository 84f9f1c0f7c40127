/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

/**
 * How many superchunks two nodes share, over all pairs of nodes that may share any.
 *
 * @param min fewest
 * @param max most
 * @param mean on average
 * @param nodeA one of two nodes that share most
 * @param nodeB the other one
 * @param maxWithDisk most superchunks that a disk shares with one node
 * @param disk such a disk
 * @param nodeOfDisk the node that it shares them with
 */
public record NodeSharing(
    int min,
    int max,
    double mean,
    int nodeA,
    int nodeB,
    int maxWithDisk,
    int disk,
    int nodeOfDisk) {
  static NodeSharing of(PairTable table) {
    DiskMap disks = table.disks();
    int[] withNode = new int[disks.nodes()];
    int[] withDisk = new int[disks.nodes()];
    int min = Integer.MAX_VALUE;
    int[] most = {0, 0, 0};
    int[] mostOfDisk = {0, 0, 0};
    long pairs = 0;
    for (int n = 0; n < disks.nodes(); n++) {
      for (int d = disks.firstDisk(n); d < disks.firstDisk(n + 1); d++) {
        for (int i = 0; i < table.load(d); i++) {
          int other = disks.node(table.peer(d, i));
          withNode[other]++;
          if (++withDisk[other] > mostOfDisk[0]) {
            mostOfDisk = new int[] {withDisk[other], d, other};
          }
        }
        for (int i = 0; i < table.load(d); i++) {
          withDisk[disks.node(table.peer(d, i))] = 0;
        }
      }
      for (int m = 0; m < disks.nodes(); m++) {
        if (m > n && disks.groupOfNode(n) != disks.groupOfNode(m)) {
          pairs++;
          min = Math.min(min, withNode[m]);
          if (withNode[m] > most[0]) {
            most = new int[] {withNode[m], n, m};
          }
        }
        withNode[m] = 0;
      }
    }
    return new NodeSharing(
        pairs == 0 ? 0 : min,
        most[0],
        pairs == 0 ? 0 : (double) table.superchunks() / pairs,
        most[1],
        most[2],
        mostOfDisk[0],
        mostOfDisk[1],
        mostOfDisk[2]);
  }
}
