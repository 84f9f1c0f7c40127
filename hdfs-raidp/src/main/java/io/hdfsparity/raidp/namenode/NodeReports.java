/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.wire.RegisteredNodes;
import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.DiskOrders;
import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.NodeReportResponse;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes reports in and answers with orders; a standby takes in and orders nothing. Thread-safe. */
final class NodeReports {
  private static final Logger LOG = LoggerFactory.getLogger(NodeReports.class);

  /** In place of a sender: the map could not be rebuilt. */
  private static final String MAP = "";

  private final SuperchunkMap map;
  private final NodeRoster roster;
  private final Registrations registrations;
  private final Grants grants;
  private final NodeOrders orders;
  private final Supplier<String> clusterId;
  private final BooleanSupplier active;
  private final LongSupplier clockMs;
  private final long startedAtMs;
  private final long deadTimeoutMs;

  /** Partners of a node's frames that were not registered when it last reported. */
  private final Map<String, Set<String>> unregistered = new ConcurrentHashMap<>();

  private final ReportedLstors lstors = new ReportedLstors();
  private final LstorClaims claims;

  /** By node, the last one. */
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();

  /** Nodes whose reports have failed in this manager: each costs a view of the whole cluster. */
  private final GrowingPauses<String> failing = GrowingPauses.ofNodes();

  /**
   * What an answer has said that changes seldom. A node that names its receipt has had it.
   *
   * @param neighborChanges see {@link SuperchunkMap#neighborChanges}
   * @param allHadTime who has not reported was gone
   */
  private record Answer(
      long receipt, long neighborChanges, boolean allHadTime, List<String> gone) {}

  /**
   * @param roster is told of nodes before the map, which may have orders for them
   * @param registrations of DataNodes with this NameNode; nobody else may report
   * @param clusterId of this NameNode
   * @param active whether this NameNode is the active one
   * @param deadTimeoutMs how long a frame may be unknown before it counts as gone
   */
  NodeReports(
      SuperchunkMap map,
      NodeRoster roster,
      Registrations registrations,
      Grants grants,
      NodeOrders orders,
      Supplier<String> clusterId,
      BooleanSupplier active,
      LongSupplier clockMs,
      long deadTimeoutMs) {
    this.map = map;
    this.roster = roster;
    this.registrations = registrations;
    this.grants = grants;
    this.orders = orders;
    this.clusterId = clusterId;
    this.active = active;
    this.clockMs = clockMs;
    this.startedAtMs = clockMs.getAsLong();
    this.deadTimeoutMs = deadTimeoutMs;
    this.claims = new LstorClaims(deadTimeoutMs);
  }

  NodeReportResponse reportNode(NodeReport report) throws IOException {
    requireCluster(
        report.node().clusterId(),
        "node=" + report.nodeUuid() + " host=" + report.node().hostName());
    Registrations.Registered node =
        registrations
            .find(report.nodeUuid())
            .orElseThrow(() -> unknown(report.nodeUuid(), "registered with this NameNode"));
    requireCallerAt(report.nodeUuid(), node);
    ReportRules.check(report, node.storageIds(), map.highestEpoch());
    ReportRules.checkPassed(report.nodeUuid(), map.passedOf(report.nodeUuid()));
    Map<String, String> addresses = new TreeMap<>();
    addresses.put(report.nodeUuid(), node.ipAddress());
    Set<String> partners = partnersToNote(report);
    for (String uuid : partners) {
      registrations.find(uuid).ifPresent(each -> addresses.put(uuid, each.ipAddress()));
    }
    roster.add(addresses);
    long nowMs = clockMs.getAsLong();
    OptionalLong receipt = takeIn(report, nowMs);
    if (receipt.isEmpty()) {
      return NodeReportResponse.NOTHING_TAKEN_IN;
    }
    partners.removeAll(addresses.keySet());
    noteUnregistered(report.nodeUuid(), partners);
    return answer(report, receipt.getAsLong(), nowMs);
  }

  /** Free units are taken in under the map's lock: an older report must not come after a newer. */
  private OptionalLong takeIn(NodeReport report, long nowMs) throws IOException {
    String uuid = report.nodeUuid();
    return unlessFailing(
        "node=" + uuid,
        nowMs,
        () -> {
          OptionalLong receipt =
              map.report(
                  report,
                  nowMs,
                  isOther -> {
                    if (isOther) {
                      answers.remove(uuid);
                    }
                    takeUnits(report, nowMs);
                  });
          if (receipt.isPresent()) {
            claims.end(uuid, report.disks()).forEach(lstor -> map.report(lstor, nowMs));
          }
          return receipt;
        });
  }

  /**
   * Takes a report in, unless one of the same sender has failed of late. The pause begins after the
   * failure: the work, and the repair that it causes, may have taken long.
   */
  private <T> T unlessFailing(String sender, long nowMs, Supplier<T> work) throws IOException {
    if (map.isBroken() && failing.isPaused(MAP, nowMs)) {
      throw new IOException(
          "Cannot take a report in: "
              + sender
              + ", expected none for a while after the map of superchunks could not be rebuilt; see"
              + " the NameNode's log");
    }
    if (failing.isPaused(sender, nowMs)) {
      throw new IOException(
          "Cannot take a report in: "
              + sender
              + ", expected none for a while after one that failed in the manager; see the"
              + " NameNode's log");
    }
    try {
      T result = work.get();
      failing.succeeded(sender);
      failing.succeeded(MAP);
      return result;
    } catch (UnrepairedMapException e) {
      // The sender is not to blame. Each attempt costs a view of the whole cluster.
      // Those that waited meanwhile fail as well: one pause for all.
      if (!failing.isPaused(MAP, nowMs)) {
        failing.failed(MAP, clockMs.getAsLong());
      }
      LOG.error("Report not taken in, as the map could not be rebuilt: {}", sender, e);
      throw new IOException("Cannot take a report in: " + sender + ": " + e.getMessage(), e);
    } catch (RuntimeException | Error e) {
      failing.failed(sender, clockMs.getAsLong());
      LOG.error("Report failed in the manager, which has not taken it in: {}", sender, e);
      throw e;
    }
  }

  private void takeUnits(NodeReport report, long nowMs) {
    for (DiskReport disk : report.disks()) {
      for (FrameReport frame : disk.frames()) {
        if (disk.state() == DiskState.OK && !frame.failed()) {
          grants.report(
              frame.ref(),
              report.node().incarnation(),
              frame.load().freeUnits(),
              frame.load().grantsTaken(),
              nowMs);
        }
      }
    }
  }

  /** An incremental report is answered without a look at frames that nothing has changed for. */
  private NodeReportResponse answer(NodeReport report, long receipt, long nowMs) {
    String uuid = report.nodeUuid();
    boolean isActive = active.getAsBoolean();
    List<Assignment> assignments = isActive ? map.assignmentsFor(uuid) : List.of();
    Answer last = answers.get(uuid);
    boolean allHadTime = nowMs - startedAtMs > deadTimeoutMs;
    long neighborChanges = map.neighborChanges();
    ClusterView view = map.view();
    Set<String> wanted = new TreeSet<>();
    assignments.forEach(a -> wanted.add(a.pairing().partnerNodeUuid()));
    List<String> gone;
    if (last == null
        || report.basis().isEmpty()
        || report.basis().getAsLong() != last.receipt()
        || neighborChanges != last.neighborChanges()
        || allHadTime != last.allHadTime()) {
      List<DiskReport> disks = view.nodes().get(uuid).report().disks();
      Set<String> partners = partners(disks);
      forgetUnnamed(uuid, partners);
      wanted.addAll(partners);
      gone = gone(view, disks, allHadTime);
    } else {
      gone = last.gone();
    }
    answers.put(uuid, new Answer(receipt, neighborChanges, allHadTime, gone));
    return new NodeReportResponse(
        assignments,
        peers(view, wanted),
        isActive ? orders.rebuilds(uuid) : List.of(),
        isActive ? diskOrders(uuid, allHadTime) : DiskOrders.NONE,
        isActive ? gone : List.of(),
        isActive ? superseded(view, uuid) : List.of(),
        isActive,
        OptionalLong.of(receipt));
  }

  /** A manager that has just started does not know yet what may be missing. */
  private DiskOrders diskOrders(String nodeUuid, boolean allHadTime) {
    return new DiskOrders(
        map.failedDisksOf(nodeUuid), allHadTime ? orders.unneededDisks(nodeUuid) : List.of());
  }

  /** Always true: what cannot be taken in is an exception. */
  boolean reportLstor(LstorReport report) throws IOException {
    requireCluster(report.clusterId(), "disk=" + report.diskId() + " host=" + report.host());
    Registrations.Registered node = registeredOrKnown(report.nodeUuid());
    DiskView disk = map.view().disks().get(report.diskId());
    boolean isClaim = disk == null || !disk.isReportedByDataNode();
    if (isClaim || disk.nodeUuid().equals(report.nodeUuid())) {
      requireCallerAt(report.nodeUuid(), node);
    } else {
      requireCallerHasDisk(disk);
    }
    ReportRules.check(
        report.frames(),
        map.highestEpoch(),
        "disk=" + report.diskId() + " node=" + report.nodeUuid());
    lstors.take(report);
    roster.add(Map.of(report.nodeUuid(), node.ipAddress()));
    long nowMs = clockMs.getAsLong();
    LstorReport known = isClaim ? claims.take(report, nowMs) : report;
    boolean isTaken =
        unlessFailing(
            "disk=" + report.diskId(),
            nowMs,
            () -> {
              map.report(known, nowMs);
              return known.nodeUuid().equals(report.nodeUuid());
            });
    if (!isTaken) {
      throw LstorClaims.refused(report, known);
    }
    return true;
  }

  /**
   * An Lstor names the node that has formatted it. Its disk may have been put into another one
   * since, and only a node with the disk may speak for its Lstor: rebuilds read what is served
   * there.
   */
  private void requireCallerHasDisk(DiskView disk) throws IOException {
    // Of several dead nodes that have had the disk the view names any one.
    Set<String> owners = new LinkedHashSet<>(map.nodesOf(disk.diskId()));
    owners.remove(disk.nodeUuid());
    for (String owner : owners) {
      if (isCallerAt(owner, registeredOrKnown(owner))) {
        return;
      }
    }
    requireCallerAt(disk.nodeUuid(), registeredOrKnown(disk.nodeUuid()));
  }

  private static boolean isCallerAt(String nodeUuid, Registrations.Registered node) {
    try {
      requireCallerAt(nodeUuid, node);
      return true;
    } catch (AccessControlException e) {
      return false;
    }
  }

  private static void requireCallerAt(String nodeUuid, Registrations.Registered node)
      throws AccessControlException {
    RegisteredNodes.requireCallerAt(nodeUuid, node.ipAddress(), node.hostNames());
  }

  /** Where a node is, as HDFS knows it, or as it was when it last reported: by its address only. */
  private Registrations.Registered registeredOrKnown(String nodeUuid) throws IOException {
    return registrations
        .find(nodeUuid)
        .or(
            () ->
                roster
                    .addressOf(nodeUuid)
                    .map(address -> new Registrations.Registered(address, Set.of(), Set.of())))
        .orElseThrow(
            () -> unknown(nodeUuid, "registered with this NameNode, or a known node of RAIDP"));
  }

  /**
   * Partners of the node's frames, which may not have reported yet. A partner that has not
   * registered either is noted with a later report of the node, which need not name it again.
   */
  private Set<String> partnersToNote(NodeReport report) {
    Set<String> partners = partners(report.disks());
    if (report.basis().isPresent()) {
      partners.addAll(unregistered.getOrDefault(report.nodeUuid(), Set.of()));
    }
    partners.remove("");
    partners.remove(report.nodeUuid());
    return partners;
  }

  private void noteUnregistered(String nodeUuid, Set<String> partners) {
    if (partners.isEmpty()) {
      unregistered.remove(nodeUuid);
    } else {
      unregistered.put(nodeUuid, Set.copyOf(partners));
    }
  }

  private static IOException unknown(String nodeUuid, String rule) {
    return new IOException("Cannot take a report in: node=" + nodeUuid + ", expected one " + rule);
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

  /** Nodes that frames name as those of their partners. */
  private static Set<String> partners(List<DiskReport> disks) {
    Set<String> partners = new TreeSet<>();
    for (DiskReport disk : disks) {
      disk.frames()
          .forEach(f -> f.pairing().map(Pairing::partnerNodeUuid).ifPresent(partners::add));
    }
    return partners;
  }

  private void forgetUnnamed(String nodeUuid, Set<String> partners) {
    Set<String> noted = new TreeSet<>(unregistered.getOrDefault(nodeUuid, Set.of()));
    noted.retainAll(partners);
    noteUnregistered(nodeUuid, noted);
  }

  private static List<PeerAddress> peers(ClusterView view, Set<String> wanted) {
    return wanted.stream()
        .map(uuid -> RebuildOrders.peer(view, uuid))
        .flatMap(Optional::stream)
        .toList();
  }

  /** Also those without blocks: rows that never got a block wait for nobody either. */
  private List<FrameRef> superseded(ClusterView view, String nodeUuid) {
    return map.volumesOf(nodeUuid).stream()
        .flatMap(
            storageId ->
                Stream.concat(
                    view.frames().supersededOn(storageId).stream(),
                    view.frames().clearedOn(storageId).stream()))
        .filter(f -> f.nodeUuid().equals(nodeUuid))
        .map(FrameView::ref)
        .toList();
  }

  private static List<String> gone(ClusterView view, List<DiskReport> disks, boolean allHadTime) {
    Set<String> gone = new LinkedHashSet<>();
    for (DiskReport disk : disks) {
      for (FrameReport frame : disk.frames()) {
        frame
            .pairing()
            .filter(p -> !p.isAlone())
            .map(Pairing::partnerStorageId)
            .filter(
                partner -> view.framesOn(partner).isEmpty() ? allHadTime : !view.isAlive(partner))
            .ifPresent(gone::add);
      }
    }
    return List.copyOf(gone);
  }
}
