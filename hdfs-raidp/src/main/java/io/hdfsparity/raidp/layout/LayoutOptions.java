/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.OptionalLong;
import java.util.Set;

/**
 * What a layout should look like.
 *
 * @param spare frames that stay without a superchunk
 * @param sparePeers on every disk, how many of the disks with which it may share stay without a
 *     common superchunk, so that recovery finds receivers that keep 1-sharing (section 3.1:
 *     "keeping the number of superchunks per disk less than the maximum is critical to recovery");
 *     where there are too few peers one superchunk is still made
 * @param seed same shape, same options, same seed: same layout
 * @param firstId id of the first new superchunk; absent: one more than the highest existing id, or
 *     1
 * @param closedDisks disks that get no new superchunk (failed, being decommissioned)
 */
public record LayoutOptions(
    SpareRule spare, int sparePeers, long seed, OptionalLong firstId, Set<DiskId> closedDisks) {
  public LayoutOptions {
    closedDisks = Set.copyOf(closedDisks);
    if (sparePeers < 0) {
      throw new IllegalArgumentException(
          "Cannot plan a layout: sparePeers=" + sparePeers + ", expected sparePeers >= 0");
    }
  }

  /** One frame in ten spare, two spare peers (room to recover from two failed disks), seed 0. */
  public static LayoutOptions defaults() {
    return new LayoutOptions(SpareRule.DEFAULT, 2, 0, OptionalLong.empty(), Set.of());
  }

  public LayoutOptions withSpare(SpareRule rule) {
    return new LayoutOptions(rule, sparePeers, seed, firstId, closedDisks);
  }

  public LayoutOptions withSparePeers(int peers) {
    return new LayoutOptions(spare, peers, seed, firstId, closedDisks);
  }

  public LayoutOptions withSeed(long newSeed) {
    return new LayoutOptions(spare, sparePeers, newSeed, firstId, closedDisks);
  }

  public LayoutOptions withFirstId(long id) {
    return new LayoutOptions(spare, sparePeers, seed, OptionalLong.of(id), closedDisks);
  }

  public LayoutOptions withClosedDisks(Set<DiskId> disks) {
    return new LayoutOptions(spare, sparePeers, seed, firstId, disks);
  }
}
