/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.bridge.namenode.DegradedBlocks.Lacking;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;

/**
 * The JSON documents that the manager answers with; the command line prints them as text or as they
 * are. Pure.
 */
final class Documents {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Superchunks that a status names as waiting for an Lstor; -recover names all. */
  private static final int MAX_UNREADABLE = 20;

  private final ClusterView view;
  private final Map<String, Node> nodes;

  /**
   * @param nodes DataNodes as the NameNode knows them, by uuid
   */
  Documents(ClusterView view, Map<String, Node> nodes) {
    this.view = view;
    this.nodes = nodes;
  }

  /** Counts, nodes with their disks, problems. */
  ObjectNode status(
      boolean active,
      boolean attached,
      int openGrants,
      RecoveryStatus recovery,
      Lacking lacking,
      int outstanding) {
    ObjectNode doc = JSON.objectNode();
    doc.put("active", active);
    doc.put("placementAttached", attached);
    ObjectNode counts = doc.putObject("superchunks");
    counts.put("total", view.superchunks().size());
    for (SuperchunkState state : SuperchunkState.values()) {
      counts.put(state.name().toLowerCase(java.util.Locale.ROOT), view.count(state));
    }
    counts.put("usable", view.all().stream().filter(SuperchunkView::usable).count());
    counts.put(
        "equalCoefficients",
        view.all().stream().filter(SuperchunkView::hasEqualCoefficients).count());
    doc.put("spareFrames", view.frames().spareCount());
    doc.put("assignmentsOutstanding", outstanding + view.completions().size());
    doc.put("openGrants", openGrants / 2);
    ObjectNode sums = doc.putObject("frames");
    List<FrameReport> latest =
        view.frames().all().filter(f -> f.health().alive()).map(view::latest).toList();
    sums.put("live", latest.size());
    sums.put("blocks", latest.stream().mapToLong(f -> f.load().blocks()).sum());
    sums.put("freeUnits", latest.stream().mapToLong(f -> f.load().freeUnits()).sum());
    sums.put("limboBytes", latest.stream().mapToLong(f -> f.load().limboBytes()).sum());
    sums.put("unacknowledged", latest.stream().mapToLong(f -> f.load().unacknowledged()).sum());
    doc.put("recovery", recovery.state().name());
    doc.set(
        "furtherFailures", furtherFailures(FurtherFailures.of(view, recovery.moves(), lacking)));
    ArrayNode nodeList = doc.putArray("nodes");
    new TreeMap<>(view.nodes()).values().forEach(n -> nodeList.add(node(n)));
    ArrayNode problems = doc.putArray("problems");
    view.problems().stream()
        .sorted(Comparator.comparing(Problem::kind).thenComparing(Problem::subject))
        .forEach(problem -> put(problems, problem));
    recovery.waiting().stream()
        .filter(each -> each.reason().equals(IncompleteSurvivors.REASON))
        .limit(MAX_UNREADABLE)
        .map(
            each ->
                new Problem(
                    Problem.Kind.LSTOR_UNREADABLE,
                    "superchunk " + each.superchunkId(),
                    each.detail()))
        .forEach(problem -> put(problems, problem));
    recovery.problems().forEach(problem -> put(problems, problem));
    return doc;
  }

  private static void put(ArrayNode problems, Problem problem) {
    problems
        .addObject()
        .put("kind", problem.kind().name())
        .put("subject", problem.subject())
        .put("detail", problem.detail());
  }

  /** Adds problems to a status that no report shows, but the lack of one. */
  static void putMissing(ObjectNode status, List<Problem> missing) {
    missing.forEach(problem -> put(status.withArray("problems"), problem));
  }

  /** While disks are dead: what is beyond repair, and which disks must not fail as well. */
  private static ObjectNode furtherFailures(FurtherFailures found) {
    ObjectNode doc = JSON.objectNode();
    doc.put("complete", found.gap().isEmpty());
    found.gap().ifPresent(gap -> doc.put("gap", gap.name()));
    ArrayNode now = doc.putArray("cannotBeComputed");
    found.now().stream().sorted().forEach(now::add);
    ArrayNode disks = doc.putArray("disks");
    for (FurtherFailures.Next next : found.next()) {
      ObjectNode entry = disks.addObject();
      entry.put("disk", next.disk());
      ArrayNode alone = entry.putArray("lost");
      next.alone().stream().sorted().forEach(alone::add);
      ArrayNode both = entry.putArray("lostWithItsLstor");
      next.withLstor().stream().sorted().forEach(both::add);
    }
    return doc;
  }

  /** Adds how far the copying of missing replicas is. */
  static void putRepair(ObjectNode doc, BlockRepair.Progress progress) {
    doc.putObject("repair")
        .put("lacking", progress.lacking())
        .put("pending", progress.pending())
        .put("scheduled", progress.scheduled())
        .put("copied", progress.copied())
        .put("timedOut", progress.timedOut());
  }

  private ObjectNode node(NodeState n) {
    ObjectNode doc = JSON.objectNode();
    doc.put("uuid", n.report().nodeUuid());
    doc.put("host", n.report().node().hostName());
    doc.put("xferPort", n.report().node().xferPort());
    doc.put("rack", rack(n.report().nodeUuid()));
    doc.put("peer", n.report().node().peerHost() + ":" + n.report().node().peerPort());
    doc.put("silence", n.silence().name());
    ArrayNode disks = doc.putArray("disks");
    n.report()
        .disks()
        .forEach(
            d -> {
              DiskView disk = view.disks().get(d.diskId());
              ObjectNode entry = disks.addObject();
              entry.put("id", d.diskId());
              entry.put("path", d.path());
              entry.put("health", disk.health().name());
              entry.put("why", disk.why());
              entry.put("frames", d.frames().size());
              entry.put("paired", d.frames().stream().filter(f -> f.pairing().isPresent()).count());
              entry.put("blocks", d.frames().stream().mapToLong(f -> f.load().blocks()).sum());
              entry.put(
                  "freeUnits", d.frames().stream().mapToLong(f -> f.load().freeUnits()).sum());
              d.geometry()
                  .ifPresent(
                      g ->
                          entry
                              .put("unitBytes", g.unitBytes())
                              .put("unitsPerFrame", g.unitsPerFrame()));
            });
    return doc;
  }

  /** All superchunks with their frames, and the spare frames. */
  ObjectNode layout() {
    ObjectNode doc = JSON.objectNode();
    ArrayNode list = doc.putArray("superchunks");
    view.all().stream()
        .sorted(Comparator.comparingLong(SuperchunkView::id))
        .forEach(s -> list.add(superchunk(s)));
    ArrayNode spares = doc.putArray("spares");
    view.frames().spares().forEach(f -> spares.add(replica(f)));
    return doc;
  }

  private ObjectNode superchunk(SuperchunkView s) {
    ObjectNode doc = JSON.objectNode();
    doc.put("id", s.id());
    doc.put("epoch", s.epoch());
    doc.put("state", s.state().name());
    doc.put("usable", s.usable());
    ArrayNode replicas = doc.putArray("replicas");
    List<FrameView> members = new ArrayList<>(s.holders());
    s.gone().stream()
        .filter(f -> f.pairing().map(Pairing::epoch).orElse(0L) == s.epoch())
        .forEach(members::add);
    members.forEach(f -> replicas.add(replica(f)));
    return doc;
  }

  private ObjectNode replica(FrameView f) {
    FrameReport latest = view.latest(f);
    ObjectNode doc = JSON.objectNode();
    doc.put("node", host(f.nodeUuid()));
    doc.put("nodeUuid", f.nodeUuid());
    doc.put("rack", rack(f.nodeUuid()));
    doc.put("disk", f.diskId());
    doc.put("frame", f.frameIndex());
    doc.put("storageId", f.storageId());
    doc.put("health", f.health().name());
    f.pairing().ifPresent(p -> doc.put("coefficient", p.coefficient()));
    doc.put("blocks", latest.load().blocks());
    doc.put("freeUnits", latest.load().freeUnits());
    return doc;
  }

  /** Lstors as their daemons and DataNodes report them. */
  ObjectNode lstors() {
    ObjectNode doc = JSON.objectNode();
    ArrayNode list = doc.putArray("lstors");
    TreeMap<String, DiskView> disks = new TreeMap<>(view.disks());
    for (DiskView disk : disks.values()) {
      ObjectNode entry = list.addObject();
      entry.put("disk", disk.diskId());
      entry.put("node", host(disk.nodeUuid()));
      entry.put("diskHealth", disk.health().name());
      Optional<LstorState> lstor = Optional.ofNullable(view.lstors().get(disk.diskId()));
      entry.put("daemon", lstor.map(l -> l.report().host() + ":" + l.report().port()).orElse(""));
      entry.put("state", state(lstor));
      entry.put("detail", lstor.map(LstorState::report).flatMap(LstorReport::failure).orElse(""));
    }
    return doc;
  }

  private static String state(Optional<LstorState> lstor) {
    if (lstor.isEmpty()) {
      return "NO_DAEMON";
    }
    if (!lstor.get().reachable()) {
      return "DAEMON_SILENT";
    }
    if (lstor.get().report().failure().isPresent()) {
      return "FAILED";
    }
    return lstor.get().report().locked() ? "HELD_BY_DATANODE" : "SERVED_BY_DAEMON";
  }

  /** Progress of the recovery. */
  ObjectNode recovery(RecoveryStatus status) {
    ObjectNode doc = JSON.objectNode();
    doc.put("state", status.state().name());
    doc.put("degraded", view.count(SuperchunkState.DEGRADED));
    doc.put("lost", view.count(SuperchunkState.LOST));
    doc.put("elapsedMs", status.elapsedMs());
    doc.put("bytesTotal", status.progress().bytesTotal());
    doc.put("bytesDone", status.progress().bytesDone());
    doc.put("bytesPerSecond", status.progress().bytesPerSecond());
    doc.put("etaMs", status.progress().etaMs());
    ArrayNode moves = doc.putArray("superchunks");
    for (RecoveryMove m : status.moves()) {
      ObjectNode entry = moves.addObject();
      entry.put("id", m.superchunkId());
      entry.put("kind", m.kind().name());
      entry.put("phase", m.phase().name());
      entry.put("receiver", view.name(m.receiver().frame()));
      entry.put("node", host(m.receiver().nodeUuid()));
      entry.put("epoch", m.epoch());
      entry.put("bytesTotal", m.counts().bytesTotal());
      entry.put("bytesDone", m.counts().bytesDone());
      entry.put("blocksTotal", m.counts().blocksTotal());
      entry.put("blocksDone", m.counts().blocksDone());
      entry.put("note", m.note());
    }
    ArrayNode givenUp = doc.putArray("givenUp");
    status.givenUp().forEach(givenUp::add);
    ArrayNode waiting = doc.putArray("waiting");
    status
        .waiting()
        .forEach(
            x ->
                waiting
                    .addObject()
                    .put("id", x.superchunkId())
                    .put("reason", x.reason())
                    .put("detail", x.detail()));
    return doc;
  }

  private String host(String nodeUuid) {
    Node known = nodes.get(nodeUuid);
    return known == null ? view.addressOf(nodeUuid).orElse(nodeUuid) : view.addressOf(known);
  }

  private String rack(String nodeUuid) {
    Node known = nodes.get(nodeUuid);
    return known == null ? "" : known.rack();
  }
}
