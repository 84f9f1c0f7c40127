/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.DiskState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds working disks whose Lstors no Lstor daemon has reported for long. While such a disk works,
 * nothing shows it: its DataNode has the Lstor open. When it fails, nobody can read its parity.
 * Pure: time is passed in. Thread-safe.
 *
 * <p><b>Invariant</b>: a disk is named when each look of at least a grace time lacked its Lstor.
 */
final class MissingLstorDaemons {
  /** Disks that a problem names; a DataNode may have hundreds. */
  static final int MAX_NAMED = 4;

  private final long graceMs;

  /** By id of a disk: the first look that lacked its Lstor, since the last one that did not. */
  private Map<String, Long> lackingSinceMs = Map.of();

  /** By node, ids of disks. */
  private volatile Map<String, List<String>> found = Map.of();

  /**
   * @param graceMs after which a daemon that has not reported counts as missing
   */
  MissingLstorDaemons(long graceMs) {
    this.graceMs = graceMs;
  }

  /** Compares disks and Lstors; to be called about once a report interval. */
  synchronized void look(ClusterView view, long nowMs) {
    Map<String, Long> lacking = new HashMap<>();
    Map<String, List<String>> missing = new TreeMap<>();
    for (NodeState node : view.nodes().values()) {
      if (node.silence() == NodeState.Silence.DEAD) {
        continue;
      }
      for (DiskReport disk : node.report().disks()) {
        LstorState lstor = view.lstors().get(disk.diskId());
        if (disk.state() != DiskState.OK || lstor != null && lstor.reachable()) {
          continue;
        }
        long sinceMs = lackingSinceMs.getOrDefault(disk.diskId(), nowMs);
        lacking.put(disk.diskId(), sinceMs);
        if (nowMs - sinceMs >= graceMs) {
          missing
              .computeIfAbsent(node.report().nodeUuid(), uuid -> new ArrayList<>())
              .add(disk.diskId());
        }
      }
    }
    lackingSinceMs = lacking;
    found = missing;
  }

  /** How many DataNodes have such disks. */
  int nodes() {
    return found.size();
  }

  /** One for each DataNode with such disks, in the order of their UUIDs. */
  List<Problem> problems(ClusterView view) {
    List<Problem> problems = new ArrayList<>();
    found.forEach((uuid, disks) -> problems.add(problem(view, uuid, disks)));
    return problems;
  }

  private static Problem problem(ClusterView view, String nodeUuid, List<String> disks) {
    NodeState node = view.nodes().get(nodeUuid);
    int more = disks.size() - MAX_NAMED;
    return new Problem(
        Problem.Kind.LSTOR_DAEMON_MISSING,
        nodeUuid,
        "host="
            + (node == null ? nodeUuid : node.report().node().hostName())
            + " disks="
            + String.join(",", disks.subList(0, Math.min(MAX_NAMED, disks.size())))
            + (more > 0 ? " and " + more + " more" : "")
            + ", expected an Lstor daemon that reports their Lstors: if the DataNode or a disk fails,"
            + " their parity cannot be read; run hdfs --daemon start lstor there, with the"
            + " dfs.parity.raidp.lstor.dirs of the DataNode");
  }
}
