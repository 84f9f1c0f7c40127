/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;

/**
 * Nodes of RAIDP that have not reported to this manager: what they hold is known from their
 * partners at most, and not at all where those have not reported either. Thread-safe.
 */
final class UnheardNodes {
  private final NodeRoster roster;
  private final Supplier<ClusterView> views;
  private final BooleanSupplier allHadTime;

  /**
   * @param allHadTime whether who has not reported is gone
   */
  UnheardNodes(NodeRoster roster, Supplier<ClusterView> views, BooleanSupplier allHadTime) {
    this.roster = roster;
    this.views = views;
    this.allHadTime = allHadTime;
  }

  /** Those that still have time to report. A node that is gone for good is in the roster too. */
  Set<String> due() {
    return allHadTime.getAsBoolean() ? Set.of() : unheard();
  }

  /**
   * Those without which a check of the cluster is none. When all had time, a node that HDFS does
   * not have is gone for good, unless no node at all has reported. The roster may be lost, or as
   * old as an image that was put back: so until then, where nobody has reported, every live node
   * counts.
   *
   * @param known DataNodes of the NameNode
   */
  Set<String> lacking(Collection<Node> known) {
    Set<String> live = new TreeSet<>();
    known.stream().filter(Node::alive).map(Node::uuid).forEach(live::add);
    Set<String> unheard = unheard();
    boolean nobody = views.get().nodes().isEmpty();
    if (!allHadTime.getAsBoolean()) {
      unheard.addAll(nobody ? live : Set.of());
    } else if (!nobody) {
      unheard.retainAll(live);
    }
    return unheard;
  }

  private Set<String> unheard() {
    Set<String> unheard = new TreeSet<>(roster.nodeUuids());
    unheard.removeAll(views.get().nodes().keySet());
    return unheard;
  }
}
