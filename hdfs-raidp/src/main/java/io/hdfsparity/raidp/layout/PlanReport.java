/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a described cluster would be with RAIDP: sizes, capacity, and which failures it survives.
 * The survival flags are found by looking at the planned layout, not taken for granted.
 *
 * @param spec description
 * @param plan layout
 * @param lstor size of the Lstor of each disk
 * @param capacity what fits
 * @param load how evenly disks are used
 * @param survival which failures lose nothing
 * @param room whether recovery finds receivers
 */
public record PlanReport(
    PlanSpec spec,
    LayoutPlan plan,
    LstorSizing lstor,
    Capacity capacity,
    Load load,
    Survival survival,
    List<RecoveryRoom> room) {

  /**
   * Bytes.
   *
   * @param rawBytes bytes of all disks
   * @param usableBytes bytes of user data that the superchunks hold
   * @param threeReplicasBytes bytes of user data that three replicas would hold on the same disks,
   *     nothing held back
   */
  public record Capacity(long rawBytes, long usableBytes, long threeReplicasBytes) {}

  /**
   * Superchunks of a disk.
   *
   * @param min fewest on a disk
   * @param max most on a disk
   */
  public record Load(int min, int max) {}

  /**
   * What is left after failures.
   *
   * @param anyDisk a replica of everything is left when one disk fails
   * @param anyNode a replica of everything is left when one node fails
   * @param anyTwoDisks when two disks fail, at most one superchunk loses both replicas, so that
   *     either Lstor rebuilds it
   * @param availableWithoutAnyRack a replica of everything is left when one rack is out
   * @param sharedByTwoNodes most superchunks whose two replicas lie on the same two nodes; with
   *     more than one, the loss of two whole nodes may be more than their Lstors can rebuild
   */
  public record Survival(
      boolean anyDisk,
      boolean anyNode,
      boolean anyTwoDisks,
      boolean availableWithoutAnyRack,
      int sharedByTwoNodes) {}

  /**
   * Plans the described cluster.
   *
   * @throws LayoutRefusedException when the rules cannot be kept
   */
  public static PlanReport of(PlanSpec spec) throws LayoutRefusedException {
    spec.checked();
    LayoutPlan plan = RoomyLayout.plan(spec.shape(), spec.layoutOptions(), spec.roomDisks());
    Layout layout = plan.layout();
    Set<LayoutRule> broken = new HashSet<>();
    layout.check(spec.spare()).forEach(violation -> broken.add(violation.rule()));
    long raw = Math.multiplyExact((long) spec.nodes() * spec.disksPerNode(), spec.diskBytes());
    boolean mirrored = !broken.contains(LayoutRule.ONE_MIRRORING);
    boolean nodes = mirrored && !broken.contains(LayoutRule.DIFFERENT_NODES);
    return new PlanReport(
        spec,
        plan,
        LstorSizing.of(spec.framesPerDisk(), spec.superchunkBytes()),
        new Capacity(raw, layout.pairs().size() * spec.superchunkBytes(), raw / 3),
        new Load(layout.minLoad(), layout.maxLoad()),
        new Survival(
            mirrored,
            nodes,
            nodes && !broken.contains(LayoutRule.ONE_SHARING),
            spec.racks() >= 2 && nodes && !broken.contains(LayoutRule.DIFFERENT_RACKS),
            sharedByTwoNodes(layout)),
        RecoveryRoom.of(layout, spec.seed()));
  }

  private static int sharedByTwoNodes(Layout layout) {
    ShapeIndex index = layout.shape().index();
    Map<Long, Integer> shared = new HashMap<>();
    int most = 0;
    for (int p = 0; p < layout.pairs().size(); p++) {
      int a = index.node(index.diskOfFrame(layout.leaderFrame(p)));
      int b = index.node(index.diskOfFrame(layout.followerFrame(p)));
      long key = ((long) Math.min(a, b) << 32) | Math.max(a, b);
      most = Math.max(most, shared.merge(key, 1, Integer::sum));
    }
    return most;
  }
}
