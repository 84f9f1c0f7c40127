/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.doctor.RaidpCheck;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;

/** What the manager tells administrators of its cluster in few figures. Stateless. */
final class ManagerFigures {
  private ManagerFigures() {}

  static Map<String, String> of(ManagerState state, Collection<Node> nodes) {
    ClusterView view = state.map().view();
    Map<String, String> figures = new LinkedHashMap<>();
    figures.put("superchunksActive", String.valueOf(view.count(SuperchunkState.ACTIVE)));
    figures.put(RaidpCheck.DEGRADED, String.valueOf(view.count(SuperchunkState.DEGRADED)));
    figures.put(RaidpCheck.LOST, String.valueOf(view.count(SuperchunkState.LOST)));
    figures.put(RaidpCheck.PROBLEMS, String.valueOf(view.problems().size()));
    figures.put(
        RaidpCheck.NODES_WITHOUT_PLUGIN,
        String.valueOf(NodesWithoutPlugin.of(state, nodes).size()));
    figures.put(
        RaidpCheck.NODES_WITHOUT_LSTOR_DAEMON, String.valueOf(state.nodesWithoutLstorDaemon()));
    figures.put(RaidpCheck.ROOM_LOW, ProtectedRoom.of(view).warning());
    figures.put("recovery", state.recovery().status().state().name().toLowerCase(Locale.ROOT));
    return figures;
  }

  /** Of DataNodes that have reported, by UUID; those whose plugin is not in service report none. */
  static Map<String, Integer> nodePorts(ManagerState state) {
    return state.map().view().nodes().values().stream()
        .map(NodeState::report)
        .filter(each -> each.node().peerPort() > 0)
        .collect(
            Collectors.toUnmodifiableMap(each -> each.nodeUuid(), each -> each.node().peerPort()));
  }
}
