/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A cluster described by numbers: all nodes alike, spread evenly over the racks.
 *
 * <p>With a number of frames it is what {@code -layout -apply} makes of such frames. Else frames
 * are rows of the Lstor: the size of a superchunk, given or chosen, and the number of peers say how
 * many superchunks a disk gets, and spare frames take no space.
 *
 * @param servers nodes with their disks
 * @param frames frames of each disk; absent: superchunks of a size
 * @param superchunk size of a superchunk in bytes; absent: chosen, unless there are frames
 * @param spare spare frames of each disk
 * @param roomDisks number of failed disks that the layout leaves room for, see {@link RoomyLayout}
 * @param diskBytes size of a disk in bytes
 * @param seed seed of the planner
 */
public record PlanSpec(
    Servers servers,
    OptionalInt frames,
    OptionalLong superchunk,
    SpareRule spare,
    int roomDisks,
    long diskBytes,
    long seed) {
  /**
   * How many there are.
   *
   * @param nodes number of nodes
   * @param disksPerNode disks of each node
   * @param racks number of racks
   */
  public record Servers(int nodes, int disksPerNode, int racks) {}

  /** Most superchunks of a disk that are planned without frames. */
  public static final int MAX_SUPERCHUNKS = 1024;

  /** An Lstor takes one part in so many of its disk where the number of disks allows it. */
  private static final int LSTOR_SHARE = 100;

  private static final long MAX_SIDES = 64_000_000;
  private static final int MAX_NODES = 50_000;
  private static final long MAX_FRAMES = 8_000_000;

  public int nodes() {
    return servers.nodes();
  }

  public int disksPerNode() {
    return servers.disksPerNode();
  }

  public int racks() {
    return servers.racks();
  }

  /**
   * Checks that the rules can be kept.
   *
   * @throws LayoutRefusedException naming value, rule and what to change
   */
  public PlanSpec checked() throws LayoutRefusedException {
    atLeast("nodes", nodes(), 2, "the two replicas of a superchunk lie on different nodes");
    atLeast("disks", disksPerNode(), 1, "a node stores on disks");
    atLeast("racks", racks(), 1, "a node is in a rack");
    if (racks() > nodes()) {
      throw refused(
          "racks=" + racks(), "at most nodes=" + nodes(), "use fewer racks or more nodes");
    }
    if (frames.isPresent()) {
      atLeast("frames", frames.getAsInt(), 1, "superchunks lie in frames");
    }
    if ((long) nodes() * disksPerNode() > MAX_FRAMES / 2) {
      throw refused(
          "nodes=" + nodes() + " disks=" + disksPerNode(),
          "at most " + MAX_FRAMES / 2 + " disks",
          "plan a part of the cluster");
    }
    if (roomDisks < 0 || roomDisks > RoomyLayout.MAX_DISKS) {
      throw refused(
          "room=" + roomDisks,
          "0.." + RoomyLayout.MAX_DISKS,
          "ask for room for fewer failed disks");
    }
    if (frames.isEmpty()) {
      return checkedSize();
    }
    int count = frames.getAsInt();
    if ((long) nodes() * disksPerNode() * count > MAX_FRAMES) {
      throw refused(
          "frames=" + count + " on " + (long) nodes() * disksPerNode() + " disks",
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
              + (racks() >= 2 ? "of other racks" : "of other nodes")
              + " (1-sharing)",
          "use fewer frames, spare more, or use more nodes or disks");
    }
    checkedFrames(count);
    return this;
  }

  private PlanSpec checkedSize() throws LayoutRefusedException {
    if (nodes() > MAX_NODES) {
      throw refused(
          "nodes=" + nodes(), "at most " + MAX_NODES + " nodes", "plan a part of the cluster");
    }
    if (superchunk.isPresent()) {
      long bytes = superchunk.getAsLong();
      if (bytes > diskBytes || bytes % LstorSizing.MIN_UNIT_BYTES != 0) {
        throw refused(
            "superchunkSize=" + bytes + " bytes",
            "a multiple of "
                + LstorSizing.MIN_UNIT_BYTES
                + " bytes, at most diskSize="
                + diskBytes
                + " bytes",
            "use another -superchunkSize");
      }
    } else {
      checkedFrames(Math.min(LSTOR_SHARE, usefulPeers()));
    }
    int load = superchunksPerDisk();
    checkedFrames(load);
    if ((long) nodes() * disksPerNode() * load > MAX_SIDES) {
      throw refused(
          "superchunks=" + load + " on each of " + (long) nodes() * disksPerNode() + " disks",
          "at most " + MAX_SIDES + " sides of superchunks in all",
          "use a larger -superchunkSize, or plan a part of the cluster");
    }
    return this;
  }

  private void checkedFrames(int count) throws LayoutRefusedException {
    if (diskBytes / count < LstorSizing.MIN_UNIT_BYTES) {
      throw refused(
          "diskSize=" + diskBytes + " bytes in " + count + " frames",
          "frames of at least " + LstorSizing.MIN_UNIT_BYTES + " bytes",
          "use larger disks or fewer frames");
    }
    long unit = unitOf(count, diskBytes / count);
    if (diskBytes / count / unit > Integer.MAX_VALUE
        || diskBytes > Long.MAX_VALUE / nodes() / disksPerNode()) {
      throw refused(
          "diskSize="
              + diskBytes
              + " bytes in "
              + count
              + " frames on "
              + (long) nodes() * disksPerNode()
              + " disks",
          "frames of at most "
              + Integer.MAX_VALUE
              + " units of "
              + unit
              + " bytes and less than 8 EiB in all",
          "use smaller disks or more frames");
    }
  }

  /** Frames of a disk: those asked for, else one for each superchunk and spare ones. */
  public int framesPerDisk() {
    return frames.orElseGet(() -> withSpare(superchunksPerDisk()));
  }

  private int withSpare(int superchunks) {
    return superchunks + spare.spareFrames(superchunks);
  }

  public int spareFramesPerDisk() {
    return frames.isPresent()
        ? spare.spareFrames(framesPerDisk())
        : spare.spareFrames(superchunksPerDisk());
  }

  /** Superchunks that a disk may get: as many as fit, as peers allow, and at most 1,024. */
  public int superchunksPerDisk() {
    if (frames.isPresent()) {
      return framesPerDisk() - spareFramesPerDisk();
    }
    return loadOf(superchunkBytes());
  }

  private int loadOf(long superchunkBytes) {
    return (int) Math.min(diskBytes / superchunkBytes, Math.min(MAX_SUPERCHUNKS, usefulPeers()));
  }

  /** Size of a superchunk in bytes, whole units. */
  public long superchunkBytes() {
    if (frames.isPresent()) {
      return wholeUnits(frames.getAsInt(), diskBytes / frames.getAsInt());
    }
    return superchunk.orElseGet(this::chosenBytes);
  }

  /** The largest power of two that keeps the Lstor small; larger where peers are too few for it. */
  private long chosenBytes() {
    long bytes = Math.max(LstorSizing.MIN_UNIT_BYTES, Long.highestOneBit(diskBytes / LSTOR_SHARE));
    while (bytes > LstorSizing.MIN_UNIT_BYTES
        && LstorSizing.of(withSpare(loadOf(bytes)), bytes).totalBytes() > diskBytes / LSTOR_SHARE) {
      bytes /= 2;
    }
    int peers = Math.min(usefulPeers(), MAX_SUPERCHUNKS);
    return diskBytes / bytes > peers ? wholeUnits(withSpare(peers), diskBytes / peers) : bytes;
  }

  private static long wholeUnits(int frames, long bytes) {
    long unit = unitOf(frames, bytes);
    return bytes / unit * unit;
  }

  private static long unitOf(int frames, long bytes) {
    return LstorSizing.unitFor(
        frames, Math.max(LstorSizing.MIN_UNIT_BYTES, Long.highestOneBit(bytes)));
  }

  /**
   * Peers that a disk may use so that the superchunks of failed disks find others: see {@link
   * RoomyLayout}.
   */
  public int usefulPeers() {
    int peers = fewestPeers();
    long disks = (long) nodes() * disksPerNode();
    long ends = roomDisks == 0 ? 0 : roomDisks == 1 ? 2L * peers : 4L * peers - 2;
    return (int) Math.max(1, peers - (ends + disks - 1) / disks);
  }

  /** Fewest disks with which a disk may share a superchunk as far as nodes and racks go. */
  public int fewestPeers() {
    int nodesInGroup = racks() >= 2 ? (nodes() + racks() - 1) / racks() : 1;
    return (nodes() - nodesInGroup) * disksPerNode();
  }

  /** The disks: {@code node-01/disk-0}, node i in rack {@code i mod racks}. */
  public ClusterShape shape() {
    List<Disk> disks = new ArrayList<>(nodes() * disksPerNode());
    int count = framesPerDisk();
    for (int n = 0; n < nodes(); n++) {
      NodeId node = new NodeId(nodeName(n));
      String rack = rackName(n);
      for (int d = 0; d < disksPerNode(); d++) {
        String disk = diskName(n * disksPerNode() + d);
        List<Frame> list = new ArrayList<>(count);
        for (int f = 0; f < count; f++) {
          list.add(new Frame(new FrameId(disk, f)));
        }
        disks.add(new Disk(new DiskId(disk), node, rack, list));
      }
    }
    return ClusterShape.of(disks);
  }

  LayoutOptions layoutOptions() {
    return LayoutOptions.defaults().withSpare(spare).withSeed(seed).withSparePeers(0);
  }

  /** The same disks, as numbers. */
  DiskMap disks() {
    return DiskMap.even(nodes(), disksPerNode(), racks());
  }

  public String nodeName(int node) {
    return name("node-", node, nodes());
  }

  public String rackName(int node) {
    return "/" + name("rack-", node % racks(), racks());
  }

  public String diskName(int disk) {
    return nodeName(disk / disksPerNode())
        + "/"
        + name("disk-", disk % disksPerNode(), disksPerNode());
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
