/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.FrameReport;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;

/**
 * What parities cover still, by the reports of DataNodes.
 *
 * @param blocks with a live row, once for each side
 * @param units that rows hold, also those of deleted blocks
 * @param silentNodes that do not report now: what they have said last counts
 * @param known each node had the time to report
 */
record CoverageLeft(long blocks, long units, int silentNodes, boolean known) {
  /**
   * @param nodes of the NameNode
   */
  static CoverageLeft of(ManagerState state, Collection<Node> nodes) {
    ClusterView view = state.map().view();
    long blocks = 0;
    long units = 0;
    Set<String> silent = new HashSet<>();
    for (NodeState node : view.nodes().values()) {
      if (node.silence() != NodeState.Silence.NONE) {
        silent.add(node.report().nodeUuid());
      }
      for (DiskReport disk : node.report().disks()) {
        for (FrameReport frame : disk.frames()) {
          blocks += frame.load().blocks();
          units +=
              disk.geometry()
                  .map(shape -> (long) shape.unitsPerFrame() - frame.load().freeUnits())
                  .orElse(0L);
        }
      }
    }
    for (Node node : nodes) {
      if (!view.nodes().containsKey(node.uuid()) && !state.chooser().leavesToHdfs(node.uuid())) {
        silent.add(node.uuid());
      }
    }
    return new CoverageLeft(blocks, units, silent.size(), state.map().allHadTime());
  }

  /** Whether all nodes say that nothing is covered: RAIDP can be taken out. */
  boolean isNone() {
    return known && blocks == 0 && units == 0 && silentNodes == 0;
  }

  void put(ObjectNode doc) {
    doc.put("none", isNone())
        .put("known", known)
        .put("blocks", blocks)
        .put("units", units)
        .put("silentNodes", silentNodes);
  }
}
