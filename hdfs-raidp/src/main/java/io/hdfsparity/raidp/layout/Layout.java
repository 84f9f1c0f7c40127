/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Superchunks on the disks of a cluster. Immutable and thread-safe.
 *
 * <p>A layout may be illegal, because it may come from what a cluster reports; {@link #check()}
 * says what is wrong. Of two superchunks that claim one frame the queries know the first.
 */
public final class Layout {
  private static final int NONE = -1;

  private final ClusterShape shape;
  private final ShapeIndex index;
  private final List<SuperchunkPair> pairs;
  private final int[] pairOfFrame;
  private final int[] leaderFrame;
  private final int[] followerFrame;

  private Layout(ClusterShape shape, List<SuperchunkPair> pairs) {
    this.shape = shape;
    this.index = shape.index();
    this.pairs = List.copyOf(pairs);
    this.pairOfFrame = new int[index.frameCount()];
    Arrays.fill(pairOfFrame, NONE);
    this.leaderFrame = new int[this.pairs.size()];
    this.followerFrame = new int[this.pairs.size()];
    for (int p = 0; p < leaderFrame.length; p++) {
      leaderFrame[p] = claim(this.pairs.get(p).leader(), p);
      followerFrame[p] = claim(this.pairs.get(p).follower(), p);
    }
  }

  private int claim(FrameId id, int pair) {
    int frame = index.frameIndex(id);
    if (frame >= 0 && pairOfFrame[frame] == NONE) {
      pairOfFrame[frame] = pair;
    }
    return frame;
  }

  /** Number of the leader frame of the p-th superchunk, or -1 when it is unknown. */
  int leaderFrame(int p) {
    return leaderFrame[p];
  }

  /** Number of the follower frame of the p-th superchunk, or -1 when it is unknown. */
  int followerFrame(int p) {
    return followerFrame[p];
  }

  /** The existing superchunks of a shape. */
  public static Layout of(ClusterShape shape) {
    return new Layout(shape, shape.existing());
  }

  /** Given superchunks on the disks of a shape, instead of its existing ones. */
  public static Layout of(ClusterShape shape, List<SuperchunkPair> pairs) {
    return new Layout(shape, pairs);
  }

  public ClusterShape shape() {
    return shape;
  }

  public List<SuperchunkPair> pairs() {
    return pairs;
  }

  /** The superchunk of a frame; empty when the frame is spare or unknown. */
  public Optional<SuperchunkPair> pairOf(FrameId frame) {
    int f = index.frameIndex(frame);
    return f < 0 || pairOfFrame[f] == NONE
        ? Optional.empty()
        : Optional.of(pairs.get(pairOfFrame[f]));
  }

  /** The frame that mirrors a frame; empty when the frame is spare or unknown. */
  public Optional<FrameId> partnerOf(FrameId frame) {
    return pairOf(frame).map(pair -> pair.partnerOf(frame));
  }

  /** Superchunks of a disk in the order of its frames. */
  public List<SuperchunkPair> pairsOf(DiskId disk) {
    int d = index.diskIndex(disk);
    List<SuperchunkPair> result = new ArrayList<>();
    if (d >= 0) {
      for (int f = index.firstFrame(d); f < index.firstFrame(d + 1); f++) {
        if (pairOfFrame[f] != NONE) {
          result.add(pairs.get(pairOfFrame[f]));
        }
      }
    }
    return result;
  }

  /** The superchunk that two disks share; 1-sharing lets there be at most one. */
  public Optional<SuperchunkPair> sharedBy(DiskId a, DiskId b) {
    int other = index.diskIndex(b);
    for (SuperchunkPair pair : pairsOf(a)) {
      if (other >= 0
          && (diskOf(pair.leader()) == other || diskOf(pair.follower()) == other)
          && !a.equals(b)) {
        return Optional.of(pair);
      }
    }
    return Optional.empty();
  }

  /** Disks that share a superchunk with a disk. */
  public Set<DiskId> sharingDisks(DiskId disk) {
    Set<DiskId> result = new LinkedHashSet<>();
    int d = index.diskIndex(disk);
    for (SuperchunkPair pair : pairsOf(disk)) {
      for (int other : new int[] {diskOf(pair.leader()), diskOf(pair.follower())}) {
        if (other >= 0 && other != d) {
          result.add(index.disk(other).id());
        }
      }
    }
    return result;
  }

  /** Number of superchunks on a disk. */
  public int load(DiskId disk) {
    int d = index.diskIndex(disk);
    return d < 0 ? 0 : load(d);
  }

  /** Frames of a disk without a superchunk, in order. */
  public List<Frame> spareFrames(DiskId disk) {
    int d = index.diskIndex(disk);
    List<Frame> result = new ArrayList<>();
    if (d >= 0) {
      for (int f = index.firstFrame(d); f < index.firstFrame(d + 1); f++) {
        if (pairOfFrame[f] == NONE) {
          result.add(index.frame(f));
        }
      }
    }
    return result;
  }

  /** Fewest superchunks on a disk; 0 without disks. */
  public int minLoad() {
    int min = Integer.MAX_VALUE;
    for (int d = 0; d < index.diskCount(); d++) {
      min = Math.min(min, load(d));
    }
    return index.diskCount() == 0 ? 0 : min;
  }

  /** Most superchunks on a disk; 0 without disks. */
  public int maxLoad() {
    int max = 0;
    for (int d = 0; d < index.diskCount(); d++) {
      max = Math.max(max, load(d));
    }
    return max;
  }

  /** Broken rules, spare frames aside; empty for a legal layout. */
  public List<LayoutViolation> check() {
    return new LayoutChecker(this).check();
  }

  /** Broken rules, with spare frames; empty for a legal layout that leaves room for recovery. */
  public List<LayoutViolation> check(SpareRule spare) {
    LayoutChecker checker = new LayoutChecker(this);
    List<LayoutViolation> violations = new ArrayList<>(checker.check());
    violations.addAll(checker.checkSpare(spare));
    return violations;
  }

  private int diskOf(FrameId frame) {
    int f = index.frameIndex(frame);
    return f < 0 ? NONE : index.diskOfFrame(f);
  }

  int load(int disk) {
    int load = 0;
    for (int f = index.firstFrame(disk); f < index.firstFrame(disk + 1); f++) {
      if (pairOfFrame[f] != NONE) {
        load++;
      }
    }
    return load;
  }
}
