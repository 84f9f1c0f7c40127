/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.layout.ClusterShape;
import io.hdfsparity.raidp.layout.Disk;
import io.hdfsparity.raidp.layout.DiskId;
import io.hdfsparity.raidp.layout.Frame;
import io.hdfsparity.raidp.layout.FrameId;
import io.hdfsparity.raidp.layout.Layout;
import io.hdfsparity.raidp.layout.NodeId;
import io.hdfsparity.raidp.layout.RecoveryRequest;
import io.hdfsparity.raidp.layout.SuperchunkPair;
import io.hdfsparity.raidp.wire.message.Assignment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;

/** Describes the cluster as the planners want it. Pure. */
final class ShapeOfCluster {
  private static final String DEFAULT_RACK = "/default-rack";
  private final ClusterView view;
  private final Map<String, Node> nodes;
  private final Map<Long, SuperchunkPair> pairs = new TreeMap<>();

  /**
   * @param nodes DataNodes as the NameNode knows them, by uuid
   * @param outstanding pairings that are on their way to their frames
   */
  ShapeOfCluster(ClusterView view, Map<String, Node> nodes, Collection<Assignment> outstanding) {
    this.view = view;
    this.nodes = nodes;
    for (Assignment a : outstanding) {
      if (!a.pairing().isAlone()) {
        pairs.putIfAbsent(
            a.pairing().superchunkId(),
            SuperchunkPair.of(
                a.pairing().superchunkId(),
                new FrameId(a.storageId()),
                new FrameId(a.pairing().partnerStorageId())));
      }
    }
    view.all().forEach(s -> pairs.putIfAbsent(s.id(), pair(s)));
  }

  private static SuperchunkPair pair(SuperchunkView s) {
    List<String> members = new ArrayList<>();
    int live = s.state() == SuperchunkState.ACTIVE ? 2 : 1;
    s.holders().stream().limit(live).forEach(f -> members.add(f.storageId()));
    s.gone().stream()
        .map(FrameView::storageId)
        .filter(id -> !members.contains(id))
        .forEach(members::add);
    // Planners take a frame that is on no disk for dead; a frame that nobody reports has to have
    // some name.
    members.add("gone-a-" + s.id());
    members.add("gone-b-" + s.id());
    return SuperchunkPair.of(s.id(), new FrameId(members.get(0)), new FrameId(members.get(1)));
  }

  /**
   * Disks with their paired and spare frames, and the superchunks that exist or are on their way.
   */
  ClusterShape shape() {
    Set<String> known = new HashSet<>();
    pairs
        .values()
        .forEach(
            p -> {
              known.add(p.leader().value());
              known.add(p.follower().value());
            });
    view.frames().spares().forEach(f -> known.add(f.storageId()));
    List<Disk> disks = new ArrayList<>();
    for (DiskView disk : new TreeMap<>(view.disks()).values()) {
      List<Frame> frames = new ArrayList<>();
      for (String storageId : disk.storageIds()) {
        FrameView frame = view.frames().byStorage().get(storageId);
        if (frame != null
            && frame.diskId().equals(disk.diskId())
            && known.contains(storageId)
            && (frame.health().alive() || !disk.health().alive())) {
          frames.add(new Frame(new FrameId(storageId), frame.report().frameIndex()));
        }
      }
      disks.add(
          new Disk(
              new DiskId(disk.diskId()),
              new NodeId(disk.nodeUuid()),
              rack(disk.nodeUuid()),
              frames));
    }
    return ClusterShape.of(disks, List.copyOf(pairs.values()));
  }

  /**
   * What recovery has to deal with; disks of nodes that are being decommissioned count as failed.
   */
  RecoveryRequest recovery() {
    Set<DiskId> failed = new TreeSet<>();
    Set<DiskId> closed = new TreeSet<>();
    Set<DiskId> noLstor = new TreeSet<>();
    for (DiskView disk : view.disks().values()) {
      DiskId id = new DiskId(disk.diskId());
      if (!disk.health().alive()) {
        failed.add(id);
        if (view.readableLstor(disk.diskId()).isEmpty()) {
          noLstor.add(id);
        }
      } else if (isLeaving(disk.nodeUuid())) {
        failed.add(id);
      } else if (disk.health() != FrameHealth.USABLE) {
        closed.add(id);
      }
    }
    return RecoveryRequest.of(Layout.of(shape()), failed)
        .withClosedDisks(closed)
        .withLostLstors(noLstor);
  }

  /** Disks that shall get no new superchunk. */
  Set<DiskId> closedDisks() {
    Set<DiskId> closed = new TreeSet<>();
    view.disks().values().stream()
        .filter(d -> d.health() != FrameHealth.USABLE || isLeaving(d.nodeUuid()))
        .forEach(d -> closed.add(new DiskId(d.diskId())));
    return closed;
  }

  /** Decommissioning, or decommissioned: the node serves its blocks but must not keep them. */
  boolean isLeaving(String nodeUuid) {
    return Optional.ofNullable(nodes.get(nodeUuid))
        .map(Node::adminState)
        .filter(s -> s.startsWith("DECOMMISSION"))
        .isPresent();
  }

  /** Whether a frame of a node that is being decommissioned still holds a superchunk. */
  boolean hasLeavingSuperchunks() {
    Set<String> leaving = new HashSet<>();
    nodes.keySet().stream().filter(this::isLeaving).forEach(leaving::add);
    return !leaving.isEmpty()
        && view.byStorage().values().stream()
            .anyMatch(s -> s.holders().stream().anyMatch(f -> leaving.contains(f.nodeUuid())));
  }

  private String rack(String nodeUuid) {
    return Optional.ofNullable(nodes.get(nodeUuid))
        .map(Node::rack)
        .filter(r -> !r.isBlank())
        .orElse(DEFAULT_RACK);
  }

  /** Nodes by uuid. */
  static Map<String, Node> byUuid(List<Node> nodes) {
    Map<String, Node> byUuid = new LinkedHashMap<>();
    nodes.forEach(n -> byUuid.put(n.uuid(), n));
    return byUuid;
  }
}
