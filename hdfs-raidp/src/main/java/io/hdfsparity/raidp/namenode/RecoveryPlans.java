/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.layout.RecoveryPlan;
import io.hdfsparity.raidp.layout.RecoveryPlanner;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Storage;

/**
 * Plans recoveries that avoid disks without room. A free frame says nothing of the bytes that are
 * free on its disk: other files may have taken them. Where not every superchunk gets a receiver
 * that way, frames alone count, as the blocks of some may fit all the same. Pure.
 */
final class RecoveryPlans {
  private final ClusterView view;
  private final ShapeOfCluster shape;
  private final Collection<Node> nodes;

  /**
   * @param nodes as the NameNode knows them
   */
  RecoveryPlans(ClusterView view, ShapeOfCluster shape, Collection<Node> nodes) {
    this.view = view;
    this.shape = shape;
    this.nodes = nodes;
  }

  /**
   * A plan for each storage type.
   *
   * @param postponed superchunks that keep their dead side for now
   * @param unfit disks that get no superchunk for now
   */
  List<RecoveryPlan> plans(Set<Long> postponed, Set<String> unfit) {
    Set<String> closed = new TreeSet<>(unfit);
    if (!closed.addAll(full())) {
      return planned(postponed, unfit);
    }
    List<RecoveryPlan> roomy = planned(postponed, closed);
    if (unplaceable(roomy) == 0) {
      return roomy;
    }
    List<RecoveryPlan> all = planned(postponed, unfit);
    return unplaceable(roomy) <= unplaceable(all) ? roomy : all;
  }

  private List<RecoveryPlan> planned(Set<Long> postponed, Set<String> closed) {
    return shape.recoveries(postponed, closed).stream().map(RecoveryPlanner::plan).toList();
  }

  private static int unplaceable(List<RecoveryPlan> plans) {
    return plans.stream().mapToInt(plan -> plan.unplaceable().size()).sum();
  }

  /** Disks without room for the largest superchunk that may be moved. */
  Set<String> full() {
    long needBytes =
        view.all().stream()
            .filter(
                s ->
                    s.state() != SuperchunkState.ACTIVE
                        || s.holders().stream().anyMatch(f -> shape.isLeaving(f.nodeUuid())))
            .mapToLong(this::bytes)
            .max()
            .orElse(0);
    Map<String, Long> freeBytes = new HashMap<>();
    for (Node node : nodes) {
      for (Storage storage : node.storages()) {
        freeBytes.put(storage.id(), storage.remainingBytes());
      }
    }
    Set<String> full = new TreeSet<>();
    for (DiskView disk : view.disks().values()) {
      if (disk.storageIds().stream()
          .anyMatch(id -> freeBytes.getOrDefault(id, Long.MAX_VALUE) < needBytes)) {
        full.add(disk.diskId());
      }
    }
    return full;
  }

  /** By the side with the least: of one that nobody has reported all counts as in use. */
  private long bytes(SuperchunkView superchunk) {
    return Stream.concat(superchunk.holders().stream(), superchunk.gone().stream())
        .filter(side -> side.pairing().filter(Pairing::isAlone).isEmpty())
        .mapToLong(side -> BalanceCalls.usedBytes(view, side))
        .min()
        .orElse(0);
  }
}
