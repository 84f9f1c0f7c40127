/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.namenode.NodeState.Silence;
import io.hdfsparity.raidp.namenode.RecoveryStatus.Waiting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which nodes have looked at their disks since a recovery was asked for. Whoever pulls a disk and
 * asks at once shall not be told that all is well because the reports are a second old. A node
 * looks at its disks before each report, so its second report from now on tells of a look that
 * began later than the request.
 *
 * <p>Not thread-safe.
 */
final class FreshReports {
  private static final int ENOUGH = 2;

  private static final class Expected {
    private long seenAtMs;
    private int reports;

    Expected(long seenAtMs) {
      this.seenAtMs = seenAtMs;
    }
  }

  private final Map<String, Expected> nodes = new HashMap<>();

  /** From now on, every node that is not dead is expected to report. */
  void expect(ClusterView view) {
    nodes.clear();
    view.nodes().forEach((uuid, node) -> nodes.put(uuid, new Expected(node.reportedAtMs())));
  }

  /** Counts what has come in. */
  void look(ClusterView view) {
    view.nodes()
        .forEach(
            (uuid, node) -> {
              Expected expected = nodes.get(uuid);
              if (expected != null && expected.seenAtMs != node.reportedAtMs()) {
                expected.seenAtMs = node.reportedAtMs();
                expected.reports++;
              }
            });
  }

  /**
   * Superchunks of nodes that still have to report.
   *
   * @param most nodes that have been silent for longer are not waited for
   */
  List<Waiting> due(ClusterView view, Silence most) {
    Set<String> silent = new HashSet<>();
    nodes.forEach(
        (uuid, expected) -> {
          NodeState node = view.nodes().get(uuid);
          if (node != null && expected.reports < ENOUGH && node.silence().compareTo(most) <= 0) {
            silent.add(uuid);
          }
        });
    if (silent.isEmpty()) {
      return List.of();
    }
    List<Waiting> due = new ArrayList<>();
    for (SuperchunkView superchunk : view.all()) {
      Stream.concat(superchunk.holders().stream(), superchunk.gone().stream())
          .map(FrameView::nodeUuid)
          .filter(silent::contains)
          .distinct()
          .forEach(
              uuid ->
                  due.add(
                      new Waiting(
                          superchunk.id(),
                          "NODE_SILENT",
                          "node "
                              + uuid
                              + " has not looked at its disks since recovery was asked for;"
                              + " it has time until the dead timeout")));
    }
    due.sort(Comparator.comparingLong(Waiting::superchunkId));
    return due;
  }
}
