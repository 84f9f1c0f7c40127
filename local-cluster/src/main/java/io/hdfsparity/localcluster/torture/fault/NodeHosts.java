/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.fault;

import io.hdfsparity.core.check.Attempts;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.localcluster.ClusterPaths;
import io.hdfsparity.localcluster.Daemon;
import io.hdfsparity.localcluster.DaemonLaunch;
import io.hdfsparity.localcluster.DaemonRole;
import io.hdfsparity.localcluster.torture.plan.FaultKind;
import io.hdfsparity.localcluster.torture.plan.Schedule;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What each DataNode's host has of its own, as far as the faults of a schedule need it: a network,
 * a file system, a clock. Used by one thread, but for the launch.
 */
public final class NodeHosts implements DaemonLaunch, Closeable {
  /** Set by {@code bin/hdfs-parity}, which makes them. */
  private static final String OWN_NAMESPACES = "hdfsparity.own.namespaces";

  private final boolean hasNetworks;
  private final Optional<NodeDisks> disks;
  private final Optional<NodeClocks> clocks;
  private final int nodes;

  /**
   * Nothing is made yet.
   *
   * @param paths those of the cluster
   * @param folder a folder of its own
   * @throws IOException if this machine lacks something; with what to do
   */
  public NodeHosts(Schedule schedule, ClusterPaths paths, Path folder) throws IOException {
    this.nodes = schedule.nodes();
    this.hasNetworks = hasPartition(schedule);
    this.disks =
        schedule.has(FaultKind.DISK_FULL) ? Optional.of(new NodeDisks(paths)) : Optional.empty();
    this.clocks =
        schedule.has(FaultKind.CLOCK)
            ? Optional.of(new NodeClocks(requireLibrary(NodeClocks.library()), folder))
            : Optional.empty();
  }

  private static boolean hasPartition(Schedule schedule) {
    return schedule.has(FaultKind.PARTITION) || schedule.has(FaultKind.PARTITION_NAMENODE);
  }

  /** Whether a schedule has faults that only namespaces of this program's own allow. */
  public static boolean needsNamespaces(Schedule schedule) {
    return hasPartition(schedule) || schedule.has(FaultKind.DISK_FULL);
  }

  /** Whether this program has them. */
  public static boolean hasNamespaces() {
    return Boolean.getBoolean(OWN_NAMESPACES);
  }

  private static Path requireLibrary(Optional<Path> library) throws IOException {
    if (library.isEmpty()) {
      throw new IOException(
          ErrorMessage.to("change clocks")
              .value("--faults", FaultKind.CLOCK.label())
              .expected("libfaketimeMT.so.1; install the package libfaketime")
              .message());
    }
    return library.get();
  }

  /** Makes all, before there is a cluster. */
  public void make() throws IOException {
    if (hasNetworks) {
      NodeNetworks.make(nodes);
    }
    if (disks.isPresent()) {
      disks.get().make(nodes);
    }
    if (clocks.isPresent()) {
      clocks.get().make(nodes);
    }
  }

  NodeDisks disks() {
    return disks.orElseThrow();
  }

  NodeClocks clocks() {
    return clocks.orElseThrow();
  }

  private static boolean isOfNode(Daemon daemon) {
    return daemon.role() == DaemonRole.DATANODE || daemon.role() == DaemonRole.LSTOR;
  }

  @Override
  public List<String> prefix(Daemon daemon) {
    return hasNetworks && isOfNode(daemon) ? NodeNetworks.prefix(daemon.node()) : List.of();
  }

  @Override
  public Map<String, String> environment(Daemon daemon) {
    return clocks.isPresent() && isOfNode(daemon)
        ? clocks.get().environment(daemon.node())
        : Map.of();
  }

  /** Ends what does not end with this program; no process of the cluster may run any more. */
  @Override
  public void close() throws IOException {
    Attempts attempts = new Attempts();
    disks.ifPresent(its -> attempts.run(its::close));
    attempts.throwFirst();
  }
}
