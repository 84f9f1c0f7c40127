/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.List;
import java.util.Optional;

/**
 * The disks of a cluster, where they are, their frames, and the superchunks that exist already.
 *
 * <p>Immutable and thread-safe. Disks and frames are unique by id; all disks of a node are in one
 * rack. The existing superchunks are taken as reported: whether they keep the rules is for {@link
 * Layout#check()} to say.
 */
public final class ClusterShape {
  private final ShapeIndex index;
  private final List<SuperchunkPair> existing;

  private ClusterShape(ShapeIndex index, List<SuperchunkPair> existing) {
    this.index = index;
    this.existing = List.copyOf(existing);
  }

  /**
   * A shape.
   *
   * @throws IllegalArgumentException when a disk or frame is named twice, or a node is in two racks
   */
  public static ClusterShape of(List<Disk> disks, List<SuperchunkPair> existing) {
    return new ClusterShape(new ShapeIndex(disks), existing);
  }

  /** A shape without superchunks. */
  public static ClusterShape of(List<Disk> disks) {
    return of(disks, List.of());
  }

  /** The same disks with other superchunks. */
  public ClusterShape withExisting(List<SuperchunkPair> pairs) {
    return new ClusterShape(index, pairs);
  }

  public List<Disk> disks() {
    return index.disks();
  }

  public List<SuperchunkPair> existing() {
    return existing;
  }

  public int nodes() {
    return index.nodes();
  }

  public Optional<Disk> disk(DiskId id) {
    int disk = index.diskIndex(id);
    return disk < 0 ? Optional.empty() : Optional.of(index.disk(disk));
  }

  /** The disk on which a frame lies. */
  public Optional<Disk> diskOf(FrameId id) {
    int frame = index.frameIndex(id);
    return frame < 0 ? Optional.empty() : Optional.of(index.disk(index.diskOfFrame(frame)));
  }

  public Optional<Frame> frame(FrameId id) {
    int frame = index.frameIndex(id);
    return frame < 0 ? Optional.empty() : Optional.of(index.frame(frame));
  }

  /**
   * Whether the node rule and, where there are two racks, the rack rule let two disks share a
   * superchunk.
   */
  public boolean mayPair(DiskId a, DiskId b) {
    int left = index.diskIndex(a);
    int right = index.diskIndex(b);
    return left >= 0 && right >= 0 && index.mayPair(left, right);
  }

  /** Number of disks with which a disk may share a superchunk as far as nodes and racks go. */
  public int peers(DiskId id) {
    int disk = index.diskIndex(id);
    return disk < 0 ? 0 : index.peers(disk);
  }

  ShapeIndex index() {
    return index;
  }
}
