/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Pairs frames into superchunks: a pure function of shape and options.
 *
 * <p>Existing superchunks stay; only frames without one are paired. Every pair is of two nodes, of
 * two racks where there are two, and no two disks share twice; disks get as many superchunks as
 * their spare frames and spare peers leave, evenly. What comes out has been checked against every
 * rule.
 */
public final class LayoutPlanner {
  private final ClusterShape shape;
  private final ShapeIndex index;
  private final LayoutOptions options;
  private final Layout before;
  private final boolean[] closed;

  private LayoutPlanner(ClusterShape shape, LayoutOptions options) {
    this.shape = shape;
    this.index = shape.index();
    this.options = options;
    this.before = Layout.of(shape);
    this.closed = new boolean[index.diskCount()];
    for (int d = 0; d < closed.length; d++) {
      closed[d] = options.closedDisks().contains(index.disk(d).id());
    }
  }

  /**
   * Plans a layout.
   *
   * @throws LayoutRefusedException when no superchunk can ever be made on this shape
   */
  public static LayoutPlan plan(ClusterShape shape, LayoutOptions options)
      throws LayoutRefusedException {
    return new LayoutPlanner(shape, options).plan();
  }

  /**
   * Superchunks that a disk would get if partners were plenty: its frames less the spare ones, at
   * most its peers less the spare ones.
   */
  static int wanted(ShapeIndex index, int disk, int openPeers, LayoutOptions options) {
    int frames = index.framesOf(disk);
    int byFrames = frames - options.spare().spareFrames(frames);
    int byPeers = openPeers == 0 ? 0 : Math.max(1, openPeers - options.sparePeers());
    return Math.min(byFrames, byPeers);
  }

  private LayoutPlan plan() throws LayoutRefusedException {
    refuseImpossible();
    int[] target = targets();
    PairGraph graph = PairGraph.of(before, new boolean[closed.length]);
    Optional<List<int[]>> shifted =
        Shapes.oneDiskPerNode(index) ? shiftedFrames(target) : Optional.empty();
    LayoutPlan.Method method = LayoutPlan.Method.SHIFTED;
    List<int[]> frames;
    if (shifted.isPresent()) {
      frames = shifted.get();
    } else {
      frames = greedyFrames(graph, target);
      method = frames.isEmpty() ? LayoutPlan.Method.NONE : LayoutPlan.Method.GREEDY;
      shifted = shiftedFrames(target);
      if (shifted.isPresent() && shifted.get().size() > frames.size()) {
        frames = shifted.get();
        method = LayoutPlan.Method.SHIFTED;
      }
    }
    return checked(frames, target, method);
  }

  private void refuseImpossible() throws LayoutRefusedException {
    if (index.diskCount() < 2 || index.nodes() < 2) {
      throw new LayoutRefusedException(
          "Cannot plan a layout: nodes="
              + index.nodes()
              + " disks="
              + index.diskCount()
              + ", expected at least 2 nodes, because the two replicas of a"
              + " superchunk lie on different nodes; add nodes");
    }
    boolean room = false;
    int most = 0;
    for (int d = 0; d < index.diskCount(); d++) {
      int frames = index.framesOf(d);
      most = Math.max(most, frames);
      room |= options.spare().spareFrames(frames) < frames;
    }
    if (!room) {
      throw new LayoutRefusedException(
          "Cannot plan a layout: spare frames="
              + options.spare().spareFrames(most)
              + " of "
              + most
              + " frames of a disk, expected fewer"
              + " spare frames than frames on some disk; use more frames or spare fewer");
    }
  }

  private int[] targets() {
    int[] openInGroup = new int[index.groups()];
    int open = 0;
    for (int d = 0; d < closed.length; d++) {
      if (!closed[d]) {
        openInGroup[index.group(d)]++;
        open++;
      }
    }
    int[] target = new int[closed.length];
    for (int d = 0; d < target.length; d++) {
      int load = before.load(d);
      int peers = open - openInGroup[index.group(d)];
      target[d] = closed[d] ? load : Math.max(load, wanted(index, d, peers, options));
    }
    return target;
  }

  /**
   * The paper's construction, where nothing exists yet and all disks are alike; pairs of frames in
   * its order.
   */
  private Optional<List<int[]>> shiftedFrames(int[] target) {
    if (!before.pairs().isEmpty()
        || !Shapes.groupsOfEqualSize(index)
        || Arrays.stream(target).distinct().count() != 1) {
      return Optional.empty();
    }
    int[] columns = Shapes.groupsInterleaved(index);
    return ShiftedConstruction.of(columns.length, target[0], index.groups())
        .map(
            construction -> {
              List<int[]> frames = new ArrayList<>(construction.superchunks());
              for (ShiftedConstruction.Cell cell : construction.cells()) {
                frames.add(
                    new int[] {
                      index.firstFrame(columns[cell.columnA()]) + cell.rowA(),
                      index.firstFrame(columns[cell.columnB()]) + cell.rowB()
                    });
              }
              return frames;
            });
  }

  private List<int[]> greedyFrames(PairGraph graph, int[] target) {
    int[] need = new int[target.length];
    int[] maxShared = new int[target.length];
    for (int d = 0; d < need.length; d++) {
      need[d] = target[d] - before.load(d);
      maxShared[d] = graph.degree(d) + need[d];
    }
    new GreedyPairing(index, graph, need, new Random(options.seed())).run();
    new PairingRepair(index, graph).run(maxShared);
    int[][] free = freeFrames();
    int[] used = new int[need.length];
    List<int[]> frames = new ArrayList<>();
    for (int a = 0; a < need.length; a++) {
      for (int i = 0; i < graph.added(a); i++) {
        int b = graph.addedNeighbour(a, i);
        if (a < b) {
          frames.add(new int[] {free[a][used[a]++], free[b][used[b]++]});
        }
      }
    }
    return frames;
  }

  private int[][] freeFrames() {
    int[][] free = new int[index.diskCount()][];
    for (int d = 0; d < free.length; d++) {
      free[d] =
          before.spareFrames(index.disk(d).id()).stream()
              .mapToInt(frame -> index.frameIndex(frame.id()))
              .toArray();
    }
    return free;
  }

  private LayoutPlan checked(List<int[]> frames, int[] target, LayoutPlan.Method method) {
    long id =
        options
            .firstId()
            .orElse(1 + before.pairs().stream().mapToLong(SuperchunkPair::id).max().orElse(0));
    List<SuperchunkPair> added = new ArrayList<>(frames.size());
    for (int[] pair : frames) {
      added.add(SuperchunkPair.of(id++, index.frame(pair[0]).id(), index.frame(pair[1]).id()));
    }
    List<SuperchunkPair> all = new ArrayList<>(before.pairs());
    all.addAll(added);
    Layout layout = Layout.of(shape, all);
    List<LayoutViolation> old = before.check();
    Set<LayoutViolation> fresh = new HashSet<>(layout.check());
    old.forEach(fresh::remove);
    if (!fresh.isEmpty()) {
      throw new IllegalStateException(
          "Cannot use the planned layout: violations="
              + fresh
              + ", expected none, seed="
              + options.seed());
    }
    return new LayoutPlan(layout, added, method, notes(layout, target, old));
  }

  private List<String> notes(Layout layout, int[] target, List<LayoutViolation> old) {
    List<String> notes = new ArrayList<>();
    old.forEach(
        violation ->
            notes.add("existing layout breaks " + violation.rule() + ": " + violation.message()));
    int unpaired = 0;
    int disks = 0;
    int limited = 0;
    for (int d = 0; d < target.length; d++) {
      Disk disk = index.disk(d);
      int byFrames = disk.frames().size() - options.spare().spareFrames(disk.frames().size());
      int missing = Math.max(0, target[d] - layout.load(d));
      unpaired += missing;
      disks += missing > 0 ? 1 : 0;
      limited += !closed[d] && byFrames > target[d] ? 1 : 0;
    }
    if (limited > 0) {
      notes.add(
          limited
              + " disks have more frames than disks to share with, by 1-sharing and with "
              + options.sparePeers()
              + " peers spare for recovery; the rest stays spare");
    }
    if (unpaired > 0) {
      notes.add(
          unpaired
              + " frames on "
              + disks
              + " disks found no partner by the rules on nodes,"
              + " racks and 1-sharing; they stay spare");
    }
    return notes;
  }
}
