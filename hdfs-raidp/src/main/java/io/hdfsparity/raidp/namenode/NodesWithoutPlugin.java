/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;

/** Nodes that HDFS uses, and whose parity nobody keeps right. Stateless. */
final class NodesWithoutPlugin {
  private NodesWithoutPlugin() {}

  /** Of a manager, in the order of their uuids. */
  static List<Node> of(ManagerState state, Collection<Node> nodes) {
    boolean allHadTime = state.map().allHadTime();
    return of(state.map().view(), nodes, uuid -> allHadTime && !state.chooser().leavesToHdfs(uuid));
  }

  /**
   * Those that HDFS counts as live, and that do not report.
   *
   * @param isExpected whether a node, by its uuid, has reported frames once and had the time to do
   *     so again
   */
  static List<Node> of(ClusterView view, Collection<Node> nodes, Predicate<String> isExpected) {
    return nodes.stream()
        .filter(node -> node.alive() && isSilent(view, node) && isExpected.test(node.uuid()))
        .sorted(Comparator.comparing(Node::uuid))
        .toList();
  }

  /** What is wrong with such a node. */
  static Problem problem(ClusterView view, Node node) {
    return new Problem(
        Problem.Kind.NODE_WITHOUT_PLUGIN,
        node.uuid(),
        "host="
            + view.addressOf(node)
            + ", expected reports of its RAIDP plugin, as HDFS counts the node as live:"
            + " blocks that it changes and deletes stay in its parity as they were; restart"
            + " it with dfs.datanode.plugins and dfs.datanode.fsdataset.factory as on the"
            + " other nodes");
  }

  private static boolean isSilent(ClusterView view, Node node) {
    NodeState known = view.nodes().get(node.uuid());
    return known == null || known.silence() == NodeState.Silence.DEAD;
  }
}
