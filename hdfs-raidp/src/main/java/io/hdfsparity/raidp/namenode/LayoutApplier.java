/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.layout.ClusterShape;
import io.hdfsparity.raidp.layout.FrameId;
import io.hdfsparity.raidp.layout.Layout;
import io.hdfsparity.raidp.layout.LayoutOptions;
import io.hdfsparity.raidp.layout.LayoutPlan;
import io.hdfsparity.raidp.layout.LayoutRefusedException;
import io.hdfsparity.raidp.layout.RoomyLayout;
import io.hdfsparity.raidp.layout.SpareRule;
import io.hdfsparity.raidp.layout.SuperchunkPair;
import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;

/**
 * Plans superchunks for frames that have none, and hands the pairings out. The disks of a
 * superchunk are of one storage type.
 */
final class LayoutApplier {
  private final SuperchunkMap map;
  private final ManagerOptions.Layout rules;

  LayoutApplier(SuperchunkMap map, ManagerOptions.Layout rules) {
    this.map = map;
    this.rules = rules;
  }

  /**
   * @throws LayoutRefusedException when no superchunk can be made
   */
  LayoutPlan plan(Map<String, Node> nodes, long wallClockMs) throws LayoutRefusedException {
    ShapeOfCluster shape = new ShapeOfCluster(map.view(), nodes, map.outstanding());
    long firstId = firstId(wallClockMs);
    ClusterShape next = shape.shape();
    List<SuperchunkPair> added = new ArrayList<>();
    Set<String> notes = new LinkedHashSet<>();
    LayoutPlan.Method method = LayoutPlan.Method.NONE;
    for (String type : shape.storageTypes()) {
      LayoutOptions layout =
          LayoutOptions.defaults()
              .withSpare(SpareRule.share(rules.spareShare()))
              .withSparePeers(rules.roomDisks())
              .withFirstId(firstId + added.size())
              .withClosedDisks(shape.closedDisks(type));
      LayoutPlan plan = RoomyLayout.plan(next, layout, rules.roomDisks());
      next = next.withExisting(plan.layout().pairs());
      added.addAll(plan.added());
      notes.addAll(plan.notes());
      method = plan.added().isEmpty() ? method : plan.method();
    }
    return new LayoutPlan(Layout.of(next), added, method, List.copyOf(notes));
  }

  /**
   * First id of a batch. Frames that do not report now may hold ids that this manager has never
   * seen, so counting on from the highest known one would not do; ids that start with the time have
   * not been given before.
   */
  private long firstId(long wallClockMs) {
    // A batch of the same second may not have been reported by its frames yet.
    LongStream ordered = map.outstanding().stream().mapToLong(a -> a.pairing().superchunkId());
    LongStream reported = map.view().superchunks().keySet().stream().mapToLong(Long::longValue);
    long highest = LongStream.concat(ordered, reported).max().orElse(0);
    return Math.max(highest + 1, (wallClockMs / 1000) << 20);
  }

  /** Hands out both sides of every new pair. */
  void apply(LayoutPlan plan) {
    ClusterView view = map.view();
    List<Assignment> assignments = new ArrayList<>();
    for (SuperchunkPair pair : plan.added()) {
      FrameView leader = frame(view, pair.leader());
      FrameView follower = frame(view, pair.follower());
      long epoch = map.nextEpoch(pair.id(), List.of(leader.ref(), follower.ref()));
      int ofLeader = rules.coefficients().ofLeader();
      int ofFollower = rules.coefficients().ofNewSide(ofLeader);
      assignments.add(
          new Assignment(
              leader.ref(),
              new Pairing(pair.id(), epoch, follower.storageId(), follower.nodeUuid(), ofLeader)));
      assignments.add(
          new Assignment(
              follower.ref(),
              new Pairing(pair.id(), epoch, leader.storageId(), leader.nodeUuid(), ofFollower)));
    }
    map.assign(assignments);
  }

  private static FrameView frame(ClusterView view, FrameId id) {
    return view.frame(ShapeOfCluster.ref(id))
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "Cannot apply the layout: frame=" + id + ", expected a reported frame"));
  }
}
