/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.Arrays;

/**
 * Who receives what, so far. Item i is a superchunk that needs a receiver; its sender is known, or,
 * for a lost one, is the disk on which it is rebuilt. Not thread-safe.
 *
 * <p>Invariants: a receiver is open, of another group than the sender, and shares nothing else with
 * it; no disk takes more superchunks than it has spare frames.
 */
final class RecoveryState {
  static final int NONE = -1;

  private final ShapeIndex index;
  private final boolean[] open;
  private final PairGraph graph;
  private final int[] spare;
  private final long[] cost;
  private final long costPerMove;
  private final int[] sender;
  private final int[] receiver;
  private final int copies;

  /**
   * @param open disks that may receive
   * @param graph superchunks with two live frames
   * @param spare spare frames of each disk
   * @param cost load of each disk
   * @param senders sending disk of each degraded superchunk
   * @param lost number of lost superchunks, which are the items after the degraded ones
   */
  RecoveryState(
      ShapeIndex index,
      boolean[] open,
      PairGraph graph,
      int[] spare,
      long[] cost,
      long costPerMove,
      int[] senders,
      int lost) {
    this.index = index;
    this.open = open;
    this.graph = graph;
    this.spare = spare;
    this.cost = cost;
    this.costPerMove = costPerMove;
    this.copies = senders.length;
    this.sender = Arrays.copyOf(senders, senders.length + lost);
    Arrays.fill(sender, senders.length, sender.length, NONE);
    this.receiver = new int[sender.length];
    Arrays.fill(receiver, NONE);
  }

  int items() {
    return sender.length;
  }

  int diskCount() {
    return open.length;
  }

  int node(int disk) {
    return index.node(disk);
  }

  boolean isLost(int item) {
    return item >= copies;
  }

  int sender(int item) {
    return sender[item];
  }

  int receiver(int item) {
    return receiver[item];
  }

  long cost(int disk) {
    return cost[disk];
  }

  /** Whether a disk could take one more superchunk, whichever. */
  boolean hasRoom(int disk) {
    return open[disk] && spare[disk] > 0;
  }

  /** Whether nodes and racks let a disk take from another one. */
  boolean mayShare(int from, int to) {
    return open[to] && index.mayPair(from, to);
  }

  boolean sharing(int a, int b) {
    return graph.adjacent(a, b);
  }

  boolean legal(int from, int to) {
    return hasRoom(to) && index.mayPair(from, to) && !graph.adjacent(from, to);
  }

  void place(int item, int to) {
    receiver[item] = to;
    graph.add(sender[item], to);
    take(to, 1);
  }

  void unplace(int item) {
    graph.remove(sender[item], receiver[item]);
    take(receiver[item], -1);
    receiver[item] = NONE;
  }

  void rebuildAt(int item, int disk) {
    sender[item] = disk;
    take(disk, 1);
  }

  void unrebuild(int item) {
    take(sender[item], -1);
    sender[item] = NONE;
  }

  /** Item placed in this recovery that makes two disks share, or -1. */
  int itemBetween(int a, int b) {
    for (int i = 0; i < receiver.length; i++) {
      if (receiver[i] == a && sender[i] == b || receiver[i] == b && sender[i] == a) {
        return i;
      }
    }
    return NONE;
  }

  private void take(int disk, int superchunks) {
    spare[disk] -= superchunks;
    cost[disk] += superchunks * costPerMove;
  }

  int placed() {
    int placed = 0;
    for (int i = 0; i < receiver.length; i++) {
      placed += receiver[i] != NONE ? 2 : sender[i] != NONE && isLost(i) ? 1 : 0;
    }
    return placed;
  }

  /** Undoes everything. */
  void clear() {
    for (int i = 0; i < receiver.length; i++) {
      if (receiver[i] != NONE) {
        unplace(i);
      }
      if (isLost(i) && sender[i] != NONE) {
        unrebuild(i);
      }
    }
  }

  Assignment assignment() {
    return new Assignment(sender.clone(), receiver.clone());
  }

  /**
   * Senders and receivers by item, -1 where there is none.
   *
   * @param senders sending or rebuilding disk
   * @param receivers receiving disk
   */
  record Assignment(int[] senders, int[] receivers) {}
}
