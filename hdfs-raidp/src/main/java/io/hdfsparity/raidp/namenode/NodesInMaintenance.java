/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.namenode.RecoveryStatus.Waiting;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;

/**
 * DataNodes of which an administrator has said that they are down for a time (admin state
 * IN_MAINTENANCE of HDFS). HDFS copies no block of theirs until that time is over, so their
 * superchunks keep their sides. Immutable.
 */
final class NodesInMaintenance {
  private static final String REASON = "IN_MAINTENANCE";

  private final Set<String> down;

  /**
   * @param nodes DataNodes as the NameNode knows them
   */
  NodesInMaintenance(Collection<Node> nodes) {
    this.down =
        nodes.stream()
            .filter(node -> !node.alive() && node.adminState().equals(REASON))
            .map(Node::uuid)
            .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Superchunks that lack a side only because its DataNode is down for maintenance, by id. A lost
   * superchunk is none of them: its blocks cannot be read before they are rebuilt.
   */
  Map<Long, Waiting> waiting(ClusterView view) {
    Map<Long, Waiting> waiting = new TreeMap<>();
    if (down.isEmpty()) {
      return waiting;
    }
    for (SuperchunkView superchunk : view.all()) {
      if (superchunk.state() == SuperchunkState.DEGRADED) {
        superchunk.gone().stream()
            .filter(side -> SuperchunkRules.epoch(side) == superchunk.epoch())
            .filter(side -> down.contains(side.nodeUuid()))
            .findFirst()
            .ifPresent(
                side ->
                    waiting.put(
                        superchunk.id(), new Waiting(superchunk.id(), REASON, detail(view, side))));
      }
    }
    return waiting;
  }

  private static String detail(ClusterView view, FrameView side) {
    return "its frame "
        + view.name(side.ref())
        + " is on a DataNode that is down for maintenance; start that DataNode, or end its"
        + " maintenance (hdfs dfsadmin -refreshNodes) to have the superchunk recovered";
  }
}
