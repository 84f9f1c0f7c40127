/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.layout.ClusterShape;
import io.hdfsparity.raidp.layout.Disk;
import io.hdfsparity.raidp.layout.DiskId;
import io.hdfsparity.raidp.layout.FrameId;
import io.hdfsparity.raidp.layout.Layout;
import io.hdfsparity.raidp.layout.LayoutOptions;
import io.hdfsparity.raidp.layout.LayoutPlan;
import io.hdfsparity.raidp.layout.LayoutPlanner;
import io.hdfsparity.raidp.layout.LayoutRefusedException;
import io.hdfsparity.raidp.layout.RecoveryPlanner;
import io.hdfsparity.raidp.layout.RecoveryRequest;
import io.hdfsparity.raidp.layout.SpareRule;
import io.hdfsparity.raidp.layout.SuperchunkPair;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * How much of a cluster a layout must leave free so that the superchunks of two failed disks find a
 * place again that keeps every rule (paper section 3.1: "keeping the number of superchunks per disk
 * less than the maximum is critical to recovery"). Pure.
 *
 * <p>With N disks of p peers each, at most Np/2 superchunks keep 1-sharing. Two disks that fail
 * take 2p - 1 of these with them, but the superchunks stay as many as they were. So N(p - k)/2 may
 * not be more than Np/2 - 2p + 1, where k is the number of peers that every disk leaves unused: k
 * is at least (4p - 2)/N. In the same way the superchunks of two disks have to find 2F/N spare
 * frames on each of the others. Small clusters pay for that with capacity, large ones hardly.
 */
final class RecoveryRoom {
  private static final int TRIALS = 64;
  private static final int MOST_MORE_PEERS = 3;

  private RecoveryRoom() {}

  /**
   * Plans a layout that leaves the room.
   *
   * @param spareShare least share of a disk's frames that stays free; 0: no frame is kept free, and
   *     nothing is tried
   * @param firstId of new superchunks
   * @param closed disks that get none
   * @throws LayoutRefusedException when no superchunk can be made
   */
  static LayoutPlan plan(ClusterShape shape, double spareShare, long firstId, Set<DiskId> closed)
      throws LayoutRefusedException {
    LayoutOptions options = options(shape, spareShare).withFirstId(firstId).withClosedDisks(closed);
    LayoutPlan first = LayoutPlanner.plan(shape, options);
    if (spareShare == 0) {
      return first;
    }
    LayoutPlan plan = first;
    for (int more = 1; more <= MOST_MORE_PEERS; more++) {
      if (survivesTwoDisks(plan)) {
        return plan;
      }
      plan = LayoutPlanner.plan(shape, options.withSparePeers(options.sparePeers() + more));
    }
    if (survivesTwoDisks(plan)) {
      return plan;
    }
    // Existing superchunks, or too few disks: more free frames do not help, so none are wasted.
    List<String> notes = new ArrayList<>(first.notes());
    notes.add("after some failures of two disks not every superchunk finds a new place; add disks");
    return new LayoutPlan(first.layout(), first.added(), first.method(), notes);
  }

  /**
   * Whether recovery is complete after failures of both disks of a superchunk: of all, or of an
   * even sample.
   */
  private static boolean survivesTwoDisks(LayoutPlan plan) {
    List<SuperchunkPair> added = plan.added();
    int step = Math.max(1, added.size() / TRIALS);
    for (int i = 0; i < added.size(); i += step) {
      Layout layout = plan.layout();
      Set<DiskId> failed =
          Set.of(disk(layout, added.get(i).leader()), disk(layout, added.get(i).follower()));
      if (!RecoveryPlanner.plan(RecoveryRequest.of(layout, failed)).isComplete()) {
        return false;
      }
    }
    return true;
  }

  private static DiskId disk(Layout layout, FrameId frame) {
    return layout.shape().diskOf(frame).orElseThrow().id();
  }

  /** What follows from counting. */
  private static LayoutOptions options(ClusterShape shape, double spareShare) {
    int disks = 0;
    int peers = 0;
    int frames = 0;
    for (Disk disk : shape.disks()) {
      if (!disk.frames().isEmpty()) {
        disks++;
        peers = Math.max(peers, shape.peers(disk.id()));
        frames = Math.max(frames, disk.frames().size());
      }
    }
    LayoutOptions options = LayoutOptions.defaults().withSpare(SpareRule.share(spareShare));
    if (disks == 0 || spareShare == 0) {
      return options;
    }
    int sparePeers = Math.max(options.sparePeers(), ceilDiv(4 * peers - 2, disks));
    return options
        .withSparePeers(sparePeers)
        .withSpare(new SpareRule(spareShare, ceilDiv(2 * frames, disks)));
  }

  private static int ceilDiv(int a, int b) {
    return Math.max(0, (a + b - 1) / b);
  }
}
