/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.Arrays;

/**
 * Which disks share a superchunk: for each disk the others, in ascending order. Two disks share at
 * most one superchunk, so their numbers name it. The side of a disk that is i-th here is its frame
 * i. Takes 8 bytes a superchunk and 8 bytes a disk. Immutable.
 */
public final class PairTable {
  private final DiskMap disks;
  private final int[] start;
  private final int[] firstId;
  private final int[] peers;

  private PairTable(DiskMap disks, int[] start, int[] peers) {
    this.disks = disks;
    this.start = start;
    this.peers = peers;
    this.firstId = new int[start.length];
    for (int d = 0; d + 1 < start.length; d++) {
      firstId[d + 1] = firstId[d] + start[d + 1] - upper(d);
    }
  }

  /**
   * A table.
   *
   * @param from where the peers of each disk begin in {@code lists}
   * @param loads how many they are
   */
  static PairTable of(DiskMap disks, int[] from, int[] loads, int[] lists) {
    int[] start = new int[loads.length + 1];
    for (int d = 0; d < loads.length; d++) {
      start[d + 1] = start[d] + loads[d];
    }
    int[] peers = start[loads.length] == lists.length ? lists : new int[start[loads.length]];
    for (int d = 0; d < loads.length; d++) {
      System.arraycopy(lists, from[d], peers, start[d], loads[d]);
      Arrays.sort(peers, start[d], start[d + 1]);
    }
    return new PairTable(disks, start, peers);
  }

  /** The superchunks of a layout of which all frames are known, on the disks in its order. */
  static PairTable of(DiskMap disks, Layout layout) {
    ShapeIndex index = layout.shape().index();
    int[] loads = new int[index.diskCount()];
    int[] from = new int[loads.length];
    for (int d = 1; d < from.length; d++) {
      from[d] = from[d - 1] + layout.load(d - 1);
    }
    int[] lists = new int[2 * layout.pairs().size()];
    for (int p = 0; p < layout.pairs().size(); p++) {
      int a = index.diskOfFrame(layout.leaderFrame(p));
      int b = index.diskOfFrame(layout.followerFrame(p));
      lists[from[a] + loads[a]++] = b;
      lists[from[b] + loads[b]++] = a;
    }
    return of(disks, from, loads, lists);
  }

  public DiskMap disks() {
    return disks;
  }

  public int superchunks() {
    return peers.length / 2;
  }

  /** Number of superchunks of a disk. */
  public int load(int disk) {
    return start[disk + 1] - start[disk];
  }

  /** The disk with which a disk shares the superchunk of its i-th frame. */
  public int peer(int disk, int i) {
    return peers[start[disk] + i];
  }

  /** Which frame of {@code disk} the superchunk shared with {@code peer} is; negative if none. */
  public int frame(int disk, int peer) {
    int at = Arrays.binarySearch(peers, start[disk], start[disk + 1], peer);
    return at < 0 ? -1 : at - start[disk];
  }

  boolean shares(int a, int b) {
    return load(a) <= load(b) ? frame(a, b) >= 0 : frame(b, a) >= 0;
  }

  /** Number of a superchunk, from 1, in the order of its lower disk, then of the other one. */
  public int id(int a, int b) {
    int low = Math.min(a, b);
    return 1 + firstId[low] + start[low] + frame(low, Math.max(a, b)) - upper(low);
  }

  /** The lower disk of the superchunk with this number less one. */
  int lowerDisk(int index) {
    int at = Arrays.binarySearch(firstId, index);
    int disk = at >= 0 ? at : -at - 2;
    while (firstId[disk + 1] == index) {
      disk++;
    }
    return disk;
  }

  /** The higher disk of the superchunk with this number less one. */
  int higherDisk(int index) {
    int low = lowerDisk(index);
    return peers[upper(low) + index - firstId[low]];
  }

  public int minLoad() {
    int min = Integer.MAX_VALUE;
    for (int d = 0; d < disks.disks(); d++) {
      min = Math.min(min, load(d));
    }
    return disks.disks() == 0 ? 0 : min;
  }

  public int maxLoad() {
    int max = 0;
    for (int d = 0; d < disks.disks(); d++) {
      max = Math.max(max, load(d));
    }
    return max;
  }

  /** Bytes of the arrays. */
  public long bytes() {
    return 4L * (peers.length + start.length + firstId.length);
  }

  /** Where the peers of a disk begin that have higher numbers. */
  private int upper(int disk) {
    int at = Arrays.binarySearch(peers, start[disk], start[disk + 1], disk);
    return at < 0 ? -at - 1 : at;
  }
}
