/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.fault;

import io.hdfsparity.localcluster.Daemon;
import io.hdfsparity.localcluster.DaemonLaunch;
import io.hdfsparity.localcluster.DaemonRole;
import io.hdfsparity.localcluster.torture.plan.FaultKind;
import io.hdfsparity.localcluster.torture.plan.Schedule;
import java.io.IOException;
import java.util.List;

/**
 * What each DataNode's host has of its own, as far as the faults of a schedule need it: a network.
 * Thread-safe, but for {@link #make}.
 */
public final class NodeHosts implements DaemonLaunch {
  /** Set by {@code bin/hdfs-parity}, which makes them. */
  private static final String OWN_NAMESPACES = "hdfsparity.own.namespaces";

  private final boolean hasNetworks;
  private final int nodes;

  /** Nothing is made yet. */
  public NodeHosts(Schedule schedule) {
    this.nodes = schedule.nodes();
    this.hasNetworks = needsNamespaces(schedule);
  }

  /** Whether a schedule has faults that only namespaces of this program's own allow. */
  public static boolean needsNamespaces(Schedule schedule) {
    return schedule.has(FaultKind.PARTITION) || schedule.has(FaultKind.PARTITION_NAMENODE);
  }

  /** Whether this program has them. */
  public static boolean hasNamespaces() {
    return Boolean.getBoolean(OWN_NAMESPACES);
  }

  /**
   * Makes all, before there is a cluster. It ends with this program.
   *
   * @throws IOException if this machine does not allow it
   */
  public void make() throws IOException {
    if (hasNetworks) {
      NodeNetworks.make(nodes);
    }
  }

  @Override
  public List<String> prefix(Daemon daemon) {
    boolean isOfNode = daemon.role() == DaemonRole.DATANODE || daemon.role() == DaemonRole.LSTOR;
    return hasNetworks && isOfNode ? NodeNetworks.prefix(daemon.node()) : List.of();
  }
}
