/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.fault;

import io.hdfsparity.localcluster.ClusterPaths;
import io.hdfsparity.localcluster.Daemon;
import io.hdfsparity.localcluster.DaemonLaunch;
import io.hdfsparity.localcluster.DaemonRole;
import io.hdfsparity.localcluster.torture.plan.FaultKind;
import io.hdfsparity.localcluster.torture.plan.Schedule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What each DataNode's host has of its own, as far as the faults of a schedule need it: a network,
 * and disks that can be full; and a clock for each daemon. Thread-safe, but for {@link #make},
 * which comes first.
 */
public final class NodeHosts implements DaemonLaunch {
  /** Set by {@code bin/hdfs-parity}, which makes them. */
  private static final String OWN_NAMESPACES = "hdfsparity.own.namespaces";

  /** Faults that only namespaces of this program's own allow. */
  public static final Set<FaultKind> IN_NAMESPACES =
      Collections.unmodifiableSet(
          EnumSet.of(
              FaultKind.PARTITION,
              FaultKind.PARTITION_NAMENODE,
              FaultKind.DISK_FULL,
              FaultKind.REFUSE_READERS,
              FaultKind.REPLY_LOSS,
              FaultKind.SLOW_LINK));

  private final boolean hasNetworks;
  private final boolean hasDisks;
  private final boolean hasClocks;
  private final int nodes;
  private Optional<DaemonClocks> clocks = Optional.empty();

  /** Nothing is made yet. */
  public NodeHosts(Schedule schedule) {
    this.nodes = schedule.nodes();
    this.hasNetworks =
        IN_NAMESPACES.stream().anyMatch(kind -> kind != FaultKind.DISK_FULL && schedule.has(kind));
    this.hasDisks = schedule.has(FaultKind.DISK_FULL);
    this.hasClocks = schedule.has(FaultKind.CLOCK);
  }

  /** Whether a schedule has faults that only namespaces of this program's own allow. */
  public static boolean needsNamespaces(Schedule schedule) {
    return IN_NAMESPACES.stream().anyMatch(schedule::has);
  }

  /** Whether this program has them. */
  public static boolean hasNamespaces() {
    return Boolean.getBoolean(OWN_NAMESPACES);
  }

  /**
   * Makes all, before there is a cluster. It ends with this program.
   *
   * @param cluster the folder of the cluster
   * @throws IOException if this machine does not allow it
   */
  public void make(Path cluster) throws IOException {
    if (hasNetworks) {
      NodeNetworks.make(nodes);
    }
    if (hasDisks) {
      NodeDisks.make(new ClusterPaths(cluster), nodes);
    }
    if (hasClocks) {
      Path library =
          DaemonClocks.library().orElseThrow(() -> new IOException(DaemonClocks.missing()));
      DaemonClocks made = new DaemonClocks(new ClusterPaths(cluster), library);
      made.make();
      clocks = Optional.of(made);
    }
  }

  /**
   * Leaves the folder of a cluster, whose daemons have ended, as an ordinary one that can be
   * deleted. To be called again if it fails.
   */
  public void leave(Path cluster) throws IOException {
    if (hasDisks) {
      NodeDisks.leave(new ClusterPaths(cluster), nodes);
    }
    if (clocks.isPresent()) {
      clocks.get().leave();
    }
  }

  @Override
  public List<String> prefix(Daemon daemon) {
    boolean isOfNode = daemon.role() == DaemonRole.DATANODE || daemon.role() == DaemonRole.LSTOR;
    List<String> words = new ArrayList<>();
    if (hasNetworks && isOfNode) {
      words.addAll(NodeNetworks.prefix(daemon.node()));
    }
    clocks.ifPresent(each -> words.addAll(each.prefix(daemon)));
    return words;
  }
}
