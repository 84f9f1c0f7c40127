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
import io.hdfsparity.raidp.wire.message.FrameRef;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;

/** Describes the cluster as the planners want it. Pure. */
final class ShapeOfCluster {
  private static final String DEFAULT_RACK = "/default-rack";
  private final ClusterView view;
  private final Map<String, Node> nodes;
  private final AdminStates states;
  private final StorageTypes.Known types;
  private final Map<Long, SuperchunkPair> pairs = new TreeMap<>();

  /**
   * @param nodes DataNodes as the NameNode knows them, by uuid
   * @param outstanding pairings that are on their way to their frames
   */
  ShapeOfCluster(ClusterView view, Map<String, Node> nodes, Collection<Assignment> outstanding) {
    this(view, nodes, outstanding, new StorageTypes());
  }

  /** The same, with storage types that are remembered. */
  ShapeOfCluster(
      ClusterView view,
      Map<String, Node> nodes,
      Collection<Assignment> outstanding,
      StorageTypes remembered) {
    this.types = remembered.look(view, nodes.values());
    this.view = view;
    this.nodes = nodes;
    this.states = new AdminStates(nodes);
    Map<Long, List<Assignment>> orders = new HashMap<>();
    outstanding.forEach(
        a -> orders.computeIfAbsent(a.pairing().superchunkId(), id -> new ArrayList<>(2)).add(a));
    for (Assignment a : outstanding) {
      long id = a.pairing().superchunkId();
      if (!a.pairing().isAlone()) {
        pairs.putIfAbsent(
            id,
            SuperchunkPair.of(id, id(a.frame()), partner(a, orders.getOrDefault(id, List.of()))));
      }
    }
    view.all().forEach(s -> pairs.putIfAbsent(s.id(), pair(s)));
  }

  /** As planners name it. */
  static FrameId id(FrameRef frame) {
    return new FrameId(frame.storageId(), frame.frameIndex());
  }

  /** As it is named on the wire. */
  static FrameRef ref(FrameId frame) {
    return new FrameRef(frame.volume(), frame.index());
  }

  /** The frame on the other volume that has or gets the same superchunk. */
  private FrameId partner(Assignment a, List<Assignment> sameSuperchunk) {
    String volume = a.pairing().partnerStorageId();
    long superchunk = a.pairing().superchunkId();
    return sameSuperchunk.stream()
        .map(Assignment::frame)
        .filter(frame -> frame.storageId().equals(volume))
        .findFirst()
        .or(
            () ->
                view.framesOn(volume).stream()
                    .filter(
                        f -> f.pairing().filter(p -> p.superchunkId() == superchunk).isPresent())
                    .max(Comparator.comparingLong(f -> f.pairing().orElseThrow().epoch()))
                    .map(FrameView::ref))
        .map(ShapeOfCluster::id)
        .orElse(new FrameId("gone-" + superchunk, 0));
  }

  private static SuperchunkPair pair(SuperchunkView s) {
    List<FrameId> members = new ArrayList<>();
    int live = s.state() == SuperchunkState.ACTIVE ? 2 : 1;
    s.holders().stream().limit(live).forEach(f -> members.add(id(f.ref())));
    s.gone().stream()
        .map(f -> id(f.ref()))
        .filter(id -> !members.contains(id))
        .forEach(members::add);
    // Planners take a frame that is on no disk for dead; a frame that nobody reports has to have
    // some name.
    members.add(new FrameId("gone-" + s.id(), 0));
    members.add(new FrameId("gone-" + s.id(), 1));
    return SuperchunkPair.of(s.id(), members.get(0), members.get(1));
  }

  /**
   * Disks with their paired and spare frames, and the superchunks that exist or are on their way.
   */
  ClusterShape shape() {
    Set<FrameId> known = new HashSet<>();
    pairs
        .values()
        .forEach(
            p -> {
              known.add(p.leader());
              known.add(p.follower());
            });
    view.frames().spares().forEach(f -> known.add(id(f.ref())));
    List<Disk> disks = new ArrayList<>();
    for (DiskView disk : new TreeMap<>(view.disks()).values()) {
      Map<Integer, Frame> frames = new TreeMap<>();
      for (String storageId : disk.storageIds()) {
        for (FrameView frame : view.framesOn(storageId)) {
          FrameId id = id(frame.ref());
          if (frame.diskId().equals(disk.diskId())
              && known.contains(id)
              && (frame.health().alive() || !disk.health().alive())) {
            // A disk that is out of service may have damaged tables, which name an index twice.
            frames.putIfAbsent(id.index(), new Frame(id));
          }
        }
      }
      disks.add(
          new Disk(
              new DiskId(disk.diskId()),
              new NodeId(disk.nodeUuid()),
              rack(disk.nodeUuid()),
              List.copyOf(frames.values())));
    }
    return ClusterShape.of(disks, List.copyOf(pairs.values()));
  }

  /** Storage types: superchunks are laid out and recovered for each by itself. */
  List<String> storageTypes() {
    return types.all();
  }

  private String typeOf(DiskView disk) {
    return types.of(disk).orElse(types.all().get(0));
  }

  /** By disks in service; where there is none, by what is remembered of the others. */
  private String typeOf(SuperchunkPair pair, ClusterShape shape, Set<DiskId> failed) {
    List<DiskId> sides = disksOf(pair, shape);
    return sides.stream()
        .filter(disk -> !failed.contains(disk))
        .findFirst()
        .or(() -> sides.stream().filter(disk -> types.of(view(disk)).isPresent()).findFirst())
        .map(disk -> typeOf(view(disk)))
        .orElse(types.all().get(0));
  }

  private DiskView view(DiskId disk) {
    return view.disks().getOrDefault(disk.value(), DiskView.UNKNOWN);
  }

  private static List<DiskId> disksOf(SuperchunkPair pair, ClusterShape shape) {
    return Stream.of(pair.leader(), pair.follower())
        .flatMap(frame -> shape.diskOf(frame).stream())
        .map(Disk::id)
        .toList();
  }

  private Set<DiskId> otherTypes(String type) {
    Set<DiskId> others = new TreeSet<>();
    if (types.all().size() > 1) {
      view.disks().values().stream()
          .filter(disk -> !typeOf(disk).equals(type))
          .forEach(disk -> others.add(new DiskId(disk.diskId())));
    }
    return others;
  }

  /**
   * What recovery has to deal with, for each storage type; disks of nodes that are being
   * decommissioned count as failed.
   *
   * @param postponed superchunks that keep their dead side for now
   * @param unfit disks that get no superchunk for now
   */
  List<RecoveryRequest> recoveries(Set<Long> postponed, Set<String> unfit) {
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
      } else if (disk.health() != FrameHealth.USABLE
          || isInMaintenance(disk.nodeUuid())
          || unfit.contains(disk.diskId())) {
        closed.add(id);
      }
    }
    ClusterShape whole = shape();
    List<RecoveryRequest> requests = new ArrayList<>();
    for (String type : types.all()) {
      Set<DiskId> closedToType = otherTypes(type);
      closedToType.removeAll(failed);
      closedToType.addAll(closed);
      requests.add(
          RecoveryRequest.of(Layout.of(ofType(whole, type, failed)), failed)
              .withClosedDisks(closedToType)
              .withLostLstors(noLstor)
              .withPostponed(postponed));
    }
    return requests;
  }

  /** Without superchunks that are recovered on disks of another type. */
  private ClusterShape ofType(ClusterShape whole, String type, Set<DiskId> failed) {
    return types.all().size() == 1
        ? whole
        : whole.withExisting(
            whole.existing().stream()
                .filter(
                    pair ->
                        disksOf(pair, whole).stream().filter(d -> !failed.contains(d)).count() == 2
                            || typeOf(pair, whole, failed).equals(type))
                .toList());
  }

  /** Disks that shall get no new superchunk of a storage type. */
  Set<DiskId> closedDisks(String type) {
    Set<DiskId> closed = otherTypes(type);
    view.disks().values().stream()
        .filter(
            d ->
                d.health() != FrameHealth.USABLE
                    || isLeaving(d.nodeUuid())
                    || isInMaintenance(d.nodeUuid()))
        .forEach(d -> closed.add(new DiskId(d.diskId())));
    return closed;
  }

  /** Decommissioning, or decommissioned: the node serves its blocks but must not keep them. */
  boolean isLeaving(String nodeUuid) {
    return states.isLeaving(nodeUuid);
  }

  private boolean isInMaintenance(String nodeUuid) {
    return states.isInMaintenance(nodeUuid);
  }

  /**
   * What administrators have decided on DataNodes.
   *
   * @param nodes as the NameNode knows them, by uuid
   */
  record AdminStates(Map<String, Node> nodes) {
    /** Decommissioning, or decommissioned: the node serves its blocks but must not keep them. */
    boolean isLeaving(String nodeUuid) {
      return of(nodeUuid).filter(s -> s.startsWith("DECOMMISSION")).isPresent();
    }

    /** Entering or in maintenance: HDFS gives the node no blocks. */
    boolean isInMaintenance(String nodeUuid) {
      return of(nodeUuid).filter(s -> s.endsWith("_MAINTENANCE")).isPresent();
    }

    private Optional<String> of(String nodeUuid) {
      return Optional.ofNullable(nodes.get(nodeUuid)).map(Node::adminState);
    }
  }

  /** Whether a frame of a node that is being decommissioned still holds a superchunk. */
  boolean hasLeavingSuperchunks() {
    Set<String> leaving = new HashSet<>();
    nodes.keySet().stream().filter(this::isLeaving).forEach(leaving::add);
    return !leaving.isEmpty()
        && view.all().stream()
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
