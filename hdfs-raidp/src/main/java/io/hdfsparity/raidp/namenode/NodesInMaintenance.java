/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.namenode.RecoveryStatus.Waiting;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;

/**
 * DataNodes of which an administrator has said that they are down for a time (admin state
 * IN_MAINTENANCE of HDFS). HDFS copies no block of theirs until that time is over, so their
 * superchunks keep their sides. Immutable.
 *
 * <p>Whether such a node is down is judged by its reports: HDFS may find it dead minutes later.
 */
final class NodesInMaintenance {
  private static final String REASON = "IN_MAINTENANCE";

  private final ClusterView view;
  private final Map<String, Node> nodes;

  /** Superchunks that keep their sides, by DataNode. */
  private final Map<String, TreeSet<Long>> postponed = new TreeMap<>();

  /**
   * @param all DataNodes as the NameNode knows them
   */
  NodesInMaintenance(ClusterView view, Collection<Node> all) {
    this.view = view;
    this.nodes =
        all.stream()
            .filter(node -> node.adminState().equals(REASON))
            .collect(Collectors.toMap(Node::uuid, Function.identity()));
    if (!nodes.isEmpty()) {
      view.all().forEach(this::look);
    }
  }

  /** A lost superchunk is not postponed: its blocks cannot be read before they are rebuilt. */
  private void look(SuperchunkView superchunk) {
    if (superchunk.state() == SuperchunkState.DEGRADED) {
      superchunk
          .survivor()
          .filter(survivor -> hasPartnerDown(survivor, superchunk))
          .flatMap(FrameView::pairing)
          .ifPresent(
              pairing ->
                  postponed
                      .computeIfAbsent(pairing.partnerNodeUuid(), uuid -> new TreeSet<>())
                      .add(superchunk.id()));
    }
  }

  private boolean hasPartnerDown(FrameView survivor, SuperchunkView superchunk) {
    Pairing pairing = survivor.pairing().orElse(null);
    return pairing != null
        && pairing.epoch() == superchunk.epoch()
        && isDown(pairing.partnerNodeUuid())
        && superchunk.gone().stream()
            .filter(side -> side.storageId().equals(pairing.partnerStorageId()))
            .allMatch(side -> hasAll(side, survivor));
  }

  /** Not one that runs, of which a disk has failed. */
  private boolean isDown(String uuid) {
    NodeState node = view.nodes().get(uuid);
    return nodes.containsKey(uuid) && (node == null || node.silence() == NodeState.Silence.DEAD);
  }

  /** A receiver that went down before it had all blocks leaves some with one replica. */
  private boolean hasAll(FrameView side, FrameView survivor) {
    return view.blocks(side) >= view.blocks(survivor);
  }

  /** Superchunks that lack a side only because its DataNode is down for maintenance. */
  Set<Long> superchunks() {
    return postponed.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
  }

  /** What an administrator sees of them: an entry for each DataNode. */
  List<Waiting> waiting() {
    return postponed.entrySet().stream()
        .map(
            each ->
                new Waiting(
                    each.getValue().first(), REASON, detail(each.getKey(), each.getValue().size())))
        .toList();
  }

  private String detail(String uuid, int superchunks) {
    return superchunks
        + " superchunks have a side on DataNode "
        + view.addressOf(Objects.requireNonNull(nodes.get(uuid)))
        + ", which is down for maintenance, and keep it; start that DataNode, or end its"
        + " maintenance by hdfs dfsadmin -refreshNodes to have them recovered";
  }
}
