/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * How much of a cluster a layout must leave free so that the superchunks of failed disks find a
 * place again that keeps every rule (paper section 3.1: "keeping the number of superchunks per disk
 * less than the maximum is critical to recovery"). Pure.
 *
 * <p>With N disks of p peers each, at most Np/2 superchunks keep 1-sharing. Two disks that fail
 * take 2p - 1 of these with them, one takes p, but the superchunks stay as many as they were. So
 * N(p - k)/2 may not be more than Np/2 - 2p + 1, or Np/2 - p, where k is the number of peers that
 * every disk leaves unused: k is at least (4p - 2)/N, or 2p/N. In the same way the superchunks of f
 * failed disks have to find fF/N spare frames on each of the others. Small clusters pay for that
 * with capacity, large ones hardly.
 */
public final class RoomyLayout {
  /** Most failed disks that room can be asked for. */
  public static final int MAX_DISKS = 2;

  private static final int TRIALS = 64;
  private static final int FRAMES_TO_VISIT = 3_000_000;
  private static final int MAX_MORE_PEERS = 3;
  private static final double NOTABLE_SHARE = 0.9;

  private final ClusterShape shape;
  private final LayoutOptions options;

  private RoomyLayout(ClusterShape shape, LayoutOptions options) {
    this.shape = shape;
    this.options = options;
  }

  /**
   * Plans a layout that leaves the room. Its notes say when that costs more than a tenth of the
   * superchunks, and what less room would give.
   *
   * @param options with a spare rule of no frames no room is looked for
   * @param roomDisks number of failed disks whose superchunks shall find a place, 0 to {@value
   *     #MAX_DISKS}
   * @throws LayoutRefusedException when no superchunk can be made
   */
  public static LayoutPlan plan(ClusterShape shape, LayoutOptions options, int roomDisks)
      throws LayoutRefusedException {
    if (roomDisks < 0 || roomDisks > MAX_DISKS) {
      throw new IllegalArgumentException(
          "Cannot plan a layout: room=" + roomDisks + ", expected 0.." + MAX_DISKS);
    }
    return new RoomyLayout(shape, options).withCost(roomDisks);
  }

  private LayoutPlan withCost(int roomDisks) throws LayoutRefusedException {
    LayoutPlan plan = plan(roomDisks);
    int count = plan.layout().pairs().size();
    if (roomDisks == 0 || count >= NOTABLE_SHARE * maxSuperchunks()) {
      return plan;
    }
    int densest = plan(0).layout().pairs().size();
    if (count >= NOTABLE_SHARE * densest) {
      return plan;
    }
    StringBuilder note =
        new StringBuilder("room for the superchunks of failed disks costs capacity: ");
    note.append("superchunks=").append(count).append(" with room=").append(roomDisks);
    for (int less = roomDisks - 1; less > 0; less--) {
      note.append(", ").append(plan(less).layout().pairs().size()).append(" with room=");
      note.append(less);
    }
    note.append(", ").append(densest).append(" with room=0");
    return noted(plan, note.toString());
  }

  private LayoutPlan plan(int roomDisks) throws LayoutRefusedException {
    if (roomDisks == 0 || options.spare().spareFrames(Integer.MAX_VALUE) == 0) {
      return LayoutPlanner.plan(shape, roomDisks == 0 ? options.withSparePeers(0) : options);
    }
    LayoutOptions counted = counted(roomDisks);
    LayoutPlan first = LayoutPlanner.plan(shape, counted);
    LayoutPlan plan = first;
    for (int more = 1; more <= MAX_MORE_PEERS; more++) {
      if (survives(plan, roomDisks)) {
        return plan;
      }
      plan = LayoutPlanner.plan(shape, counted.withSparePeers(counted.sparePeers() + more));
    }
    if (survives(plan, roomDisks)) {
      return plan;
    }
    // Existing superchunks, or too few disks: more free frames do not help, so none are wasted.
    return noted(
        first,
        "after some failures of "
            + (roomDisks == 1 ? "one disk" : "two disks")
            + " not every superchunk finds a new place; add disks");
  }

  private static LayoutPlan noted(LayoutPlan plan, String note) {
    List<String> notes = new ArrayList<>(plan.notes());
    notes.add(note);
    return new LayoutPlan(plan.layout(), plan.added(), plan.method(), notes);
  }

  /** What frames and 1-sharing allow at most. */
  private int maxSuperchunks() {
    long ends = 0;
    for (Disk disk : shape.disks()) {
      int frames = disk.frames().size();
      ends += Math.min(frames - options.spare().spareFrames(frames), shape.peers(disk.id()));
    }
    return Math.toIntExact(ends / 2);
  }

  /**
   * Whether recovery is complete after each failure: of all that a new superchunk tells of, or of
   * an even sample.
   */
  private boolean survives(LayoutPlan plan, int roomDisks) {
    Layout layout = plan.layout();
    List<Set<DiskId>> failures = new ArrayList<>();
    if (roomDisks == 1) {
      shape.disks().stream()
          .filter(disk -> layout.load(disk.id()) > 0)
          .forEach(disk -> failures.add(Set.of(disk.id())));
    } else {
      plan.added()
          .forEach(
              pair ->
                  failures.add(Set.of(disk(layout, pair.leader()), disk(layout, pair.follower()))));
    }
    int trials = Math.max(1, Math.min(TRIALS, FRAMES_TO_VISIT / (1 + shape.index().frameCount())));
    int step = Math.max(1, failures.size() / trials);
    return IntStream.iterate(0, i -> i < failures.size(), i -> i + step)
        .allMatch(
            i -> RecoveryPlanner.plan(RecoveryRequest.of(layout, failures.get(i))).isComplete());
  }

  private static DiskId disk(Layout layout, FrameId frame) {
    return layout.shape().diskOf(frame).orElseThrow().id();
  }

  /** What follows from counting. */
  private LayoutOptions counted(int roomDisks) {
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
    if (disks == 0) {
      return options;
    }
    int sparePeers = ceilDiv(roomDisks == 1 ? 2 * peers : 4 * peers - 2, disks);
    // A frame is left to hold something, however few disks there are.
    int spareFrames = Math.min(ceilDiv(roomDisks * frames, disks), frames - 1);
    SpareRule spare = options.spare();
    return options
        .withSparePeers(Math.max(options.sparePeers(), sparePeers))
        .withSpare(new SpareRule(spare.share(), Math.max(spare.minFrames(), spareFrames)));
  }

  private static int ceilDiv(int a, int b) {
    return Math.max(0, (a + b - 1) / b);
  }
}
