/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.RaidpNodeProtocol;
import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.NodeReportResponse;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Takes reports in and answers with orders; a standby takes in and orders nothing. Thread-safe. */
final class NodeReports implements RaidpNodeProtocol {
  private final SuperchunkMap map;
  private final NodeRoster roster;
  private final Grants grants;
  private final RecoveryCoordinator recovery;
  private final Supplier<String> clusterId;
  private final BooleanSupplier active;
  private final LongSupplier clockMs;
  private final long startedAtMs;
  private final long deadTimeoutMs;

  /**
   * @param roster is told of nodes before the map, which may have orders for them
   * @param clusterId of this NameNode
   * @param active whether this NameNode is the active one
   * @param deadTimeoutMs how long a frame may be unknown before it counts as gone
   */
  NodeReports(
      SuperchunkMap map,
      NodeRoster roster,
      Grants grants,
      RecoveryCoordinator recovery,
      Supplier<String> clusterId,
      BooleanSupplier active,
      LongSupplier clockMs,
      long deadTimeoutMs) {
    this.map = map;
    this.roster = roster;
    this.grants = grants;
    this.recovery = recovery;
    this.clusterId = clusterId;
    this.active = active;
    this.clockMs = clockMs;
    this.startedAtMs = clockMs.getAsLong();
    this.deadTimeoutMs = deadTimeoutMs;
  }

  @Override
  public NodeReportResponse reportNode(NodeReport report) throws IOException {
    requireCluster(report.clusterId(), "node=" + report.nodeUuid() + " host=" + report.hostName());
    roster.add(nodes(report));
    long nowMs = clockMs.getAsLong();
    map.report(report, nowMs);
    for (DiskReport disk : report.disks()) {
      for (FrameReport frame : disk.frames()) {
        if (disk.state() == DiskState.OK && !frame.failed()) {
          grants.report(
              frame.storageId(),
              report.incarnation(),
              frame.freeUnits(),
              frame.grantsTaken(),
              nowMs);
        }
      }
    }
    boolean isActive = active.getAsBoolean();
    List<Assignment> assignments = isActive ? map.assignmentsFor(report.nodeUuid()) : List.of();
    ClusterView view = map.view();
    return new NodeReportResponse(
        assignments,
        peers(view, report, assignments),
        isActive ? recovery.ordersFor(report.nodeUuid()) : List.of(),
        isActive ? map.failedDisksOf(report.nodeUuid()) : List.of(),
        isActive ? gone(view, report, nowMs) : List.of(),
        isActive ? superseded(view, report.nodeUuid()) : List.of(),
        isActive);
  }

  @Override
  public boolean reportLstor(LstorReport report) throws IOException {
    requireCluster(report.clusterId(), "disk=" + report.diskId() + " host=" + report.host());
    roster.add(List.of(report.nodeUuid()));
    map.report(report, clockMs.getAsLong());
    return true;
  }

  /** The node and the partners of its frames, which may not have reported yet. */
  private static Set<String> nodes(NodeReport report) {
    Set<String> nodes = new TreeSet<>(Set.of(report.nodeUuid()));
    for (DiskReport disk : report.disks()) {
      disk.frames().forEach(f -> f.pairing().map(Pairing::partnerNodeUuid).ifPresent(nodes::add));
    }
    return nodes;
  }

  private void requireCluster(String reported, String who) throws IOException {
    if (!reported.equals(clusterId.get())) {
      throw new IOException(
          "Cannot take a report in: clusterId="
              + reported
              + ", expected "
              + clusterId.get()
              + ", "
              + who);
    }
  }

  private static List<PeerAddress> peers(
      ClusterView view, NodeReport report, List<Assignment> assignments) {
    Set<String> wanted = new TreeSet<>();
    for (DiskReport disk : report.disks()) {
      disk.frames().forEach(f -> f.pairing().map(Pairing::partnerNodeUuid).ifPresent(wanted::add));
    }
    assignments.forEach(a -> wanted.add(a.pairing().partnerNodeUuid()));
    return wanted.stream()
        .map(uuid -> RebuildOrders.peer(view, uuid))
        .flatMap(Optional::stream)
        .toList();
  }

  private static List<String> superseded(ClusterView view, String nodeUuid) {
    return view.superseded().stream()
        .filter(f -> f.nodeUuid().equals(nodeUuid))
        .map(FrameView::storageId)
        .toList();
  }

  private List<String> gone(ClusterView view, NodeReport report, long nowMs) {
    boolean allHadTime = nowMs - startedAtMs > deadTimeoutMs;
    List<String> gone = new ArrayList<>();
    for (DiskReport disk : report.disks()) {
      for (FrameReport frame : disk.frames()) {
        frame
            .pairing()
            .filter(p -> !p.isAlone())
            .map(Pairing::partnerStorageId)
            .filter(
                partner -> {
                  FrameView known = view.frames().get(partner);
                  return known == null ? allHadTime : !known.health().alive();
                })
            .ifPresent(gone::add);
      }
    }
    return gone;
  }
}
