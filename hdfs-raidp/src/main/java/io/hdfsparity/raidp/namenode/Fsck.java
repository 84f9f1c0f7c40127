/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.namenode.FsckReport.Finding;
import io.hdfsparity.raidp.namenode.FsckReport.Kind;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import io.hdfsparity.raidp.wire.message.ScrubReport;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;

/**
 * Checks on storages what HDFS' own fsck sees on nodes only: 1-mirroring, equal slots on both
 * sides, coverage; then lets every DataNode check its checksums and parity.
 *
 * <p>HDFS continues meanwhile. A difference counts only when it is still there after pauses; what
 * changes in between is work in progress and no finding.
 */
final class Fsck {
  private static final int LOOKS = 4;

  /** Waits between two looks. */
  @FunctionalInterface
  interface Pause {
    void await() throws InterruptedException;
  }

  private final Supplier<ClusterView> views;
  private final Namespace namespace;
  private final FsckPeers peers;
  private final Pause pause;
  private long blocks;
  private long rows;

  Fsck(Supplier<ClusterView> views, Namespace namespace, FsckPeers peers, Pause pause) {
    this.views = views;
    this.namespace = namespace;
    this.peers = peers;
    this.pause = pause;
  }

  /** Replicas that lie where they must not, and what of their block lies right. */
  interface StrayRepair {
    /**
     * @return whether the repair was begun
     */
    boolean repair(StoredBlock block, String strayStorageId);
  }

  /**
   * Checks everything.
   *
   * @param scrub what the DataNodes shall do
   * @param repair puts stray replicas right; empty: only report
   */
  FsckReport run(ScrubRequest scrub, Optional<StrayRepair> repair) throws InterruptedException {
    Map<String, Finding> findings = look();
    for (int i = 1; i < LOOKS && !findings.isEmpty(); i++) {
      pause.await();
      Map<String, Finding> again = look();
      findings.keySet().retainAll(again.keySet());
    }
    List<Finding> all = new ArrayList<>();
    Set<Long> touched = new HashSet<>();
    findings.values().forEach(f -> all.add(repair.map(r -> repaired(f, r, touched)).orElse(f)));
    long bytesRead = scrubAll(scrub, all);
    return new FsckReport(views.get().superchunks().size(), blocks, rows, bytesRead, all);
  }

  /** Scrubs only. */
  FsckReport scrubOnly(ScrubRequest scrub) {
    List<Finding> all = new ArrayList<>();
    long bytesRead = scrubAll(scrub, all);
    return new FsckReport(0, blocks, 0, bytesRead, all);
  }

  private Map<String, Finding> look() {
    ClusterView view = views.get();
    blocks = 0;
    rows = 0;
    Map<String, Finding> found = new TreeMap<>();
    for (SuperchunkView s :
        view.all().stream().sorted(Comparator.comparingLong(SuperchunkView::id)).toList()) {
      if (s.state() != SuperchunkState.ACTIVE) {
        add(
            found,
            Finding.of(
                Kind.NOT_ACTIVE, Optional.of(s.id()), OptionalLong.empty(), "state=" + s.state()));
      }
      checkSuperchunk(view, s, found);
    }
    view.frames()
        .all()
        .filter(f -> f.health().alive() && view.superchunkOf(f).isEmpty())
        .forEach(
            f -> {
              for (StoredBlock b : namespace.blocks(f.nodeUuid(), f.storageId())) {
                add(
                    found,
                    Finding.of(
                        Kind.UNPAIRED,
                        Optional.empty(),
                        OptionalLong.of(b.blockId()),
                        "storage=" + f.storageId() + ", expected a frame of a superchunk"));
              }
            });
    return found;
  }

  private static void add(Map<String, Finding> found, Finding finding) {
    found.putIfAbsent(finding.key(), finding);
  }

  private void checkSuperchunk(ClusterView view, SuperchunkView s, Map<String, Finding> found) {
    Set<String> own =
        s.holders().stream()
            .map(FrameView::storageId)
            .collect(Collectors.toCollection(HashSet::new));
    Map<String, Map<Long, SlotEntry>> tables = new HashMap<>();
    for (FrameView frame : s.holders()) {
      table(view, s, frame, found).ifPresent(t -> tables.put(frame.storageId(), t));
    }
    Map<Long, StoredBlock> all = new TreeMap<>();
    s.holders()
        .forEach(
            f ->
                namespace
                    .blocks(f.nodeUuid(), f.storageId())
                    .forEach(b -> all.put(b.blockId(), b)));
    blocks += all.size();
    for (StoredBlock b : all.values()) {
      OptionalLong id = OptionalLong.of(b.blockId());
      List<String> live = b.storageIds().stream().filter(sid -> isLive(view, sid)).toList();
      List<String> outside = live.stream().filter(sid -> !own.contains(sid)).toList();
      if (!outside.isEmpty()) {
        add(
            found,
            Finding.of(
                Kind.STRAY,
                Optional.of(s.id()),
                id,
                "storages=" + outside + ", expected only " + own));
      }
      if (b.complete()
          && b.wantedReplicas() > 1
          && s.state() == SuperchunkState.ACTIVE
          && !live.containsAll(own)) {
        add(
            found,
            Finding.of(
                Kind.SINGLE, Optional.of(s.id()), id, "storages=" + live + ", expected " + own));
      }
      if (b.complete()) {
        checkCoverage(s, b, live, tables, found);
      }
    }
    if (s.state() == SuperchunkState.ACTIVE && tables.size() == 2) {
      compare(s, tables.get(s.leader().storageId()), tables.get(s.follower().storageId()), found);
    }
  }

  /**
   * Storages of which no agent reports are counted as live: a replica there is outside every
   * superchunk.
   */
  private static boolean isLive(ClusterView view, String storageId) {
    return view.framesOn(storageId).isEmpty() || view.isAlive(storageId);
  }

  /** Rows of a frame; empty, and a finding, when its node cannot be asked. */
  private Optional<Map<Long, SlotEntry>> table(
      ClusterView view, SuperchunkView s, FrameView frame, Map<String, Finding> found) {
    Optional<PeerAddress> peer = RebuildOrders.peer(view, frame.nodeUuid());
    try {
      if (peer.isEmpty()) {
        throw new IOException("node " + frame.nodeUuid() + " does not report");
      }
      Map<Long, SlotEntry> table = new HashMap<>();
      peers.entries(peer.get(), frame.storageId()).forEach(e -> table.put(e.blockId(), e));
      rows += table.size();
      return Optional.of(table);
    } catch (IOException e) {
      add(
          found,
          Finding.of(
              Kind.UNREACHABLE,
              Optional.of(s.id()),
              OptionalLong.empty(),
              "storage=" + frame.storageId() + " " + e.getMessage()));
      return Optional.empty();
    }
  }

  private static void checkCoverage(
      SuperchunkView s,
      StoredBlock b,
      List<String> live,
      Map<String, Map<Long, SlotEntry>> tables,
      Map<String, Finding> found) {
    for (FrameView frame : s.holders()) {
      Map<Long, SlotEntry> table = tables.get(frame.storageId());
      if (table == null || !live.contains(frame.storageId())) {
        continue;
      }
      SlotEntry row = table.get(b.blockId());
      if (row == null || row.state() != SlotState.LIVE || row.coveredBytes() != b.lengthBytes()) {
        add(
            found,
            Finding.of(
                Kind.NOT_COVERED,
                Optional.of(s.id()),
                OptionalLong.of(b.blockId()),
                "storage="
                    + frame.storageId()
                    + " row="
                    + row
                    + ", expected a live row that covers "
                    + b.lengthBytes()));
      }
    }
  }

  private static void compare(
      SuperchunkView s,
      Map<Long, SlotEntry> leader,
      Map<Long, SlotEntry> follower,
      Map<String, Finding> found) {
    for (SlotEntry a : leader.values()) {
      SlotEntry b = follower.get(a.blockId());
      if (b != null
          && a.state() == SlotState.LIVE
          && b.state() == SlotState.LIVE
          && !(a.runs().equals(b.runs())
              && a.generationStamp() == b.generationStamp()
              && a.coveredBytes() == b.coveredBytes())) {
        add(
            found,
            Finding.of(
                Kind.SLOTS_DIFFER,
                Optional.of(s.id()),
                OptionalLong.of(a.blockId()),
                "leader="
                    + a
                    + " follower="
                    + b
                    + ", expected equal runs, generation stamps and coverage"));
      }
    }
  }

  private Finding repaired(Finding finding, StrayRepair repair, Set<Long> touched) {
    boolean stray = finding.kind().equals(Kind.STRAY.name());
    Optional<StoredBlock> block =
        stray ? namespace.block(finding.blockId().orElseThrow()) : Optional.empty();
    Optional<SuperchunkView> home =
        stray
            ? Optional.ofNullable(
                views.get().superchunks().get(finding.superchunkId().orElseThrow()))
            : Optional.empty();
    if (block.isEmpty() || home.isEmpty() || home.get().state() != SuperchunkState.ACTIVE) {
      return finding;
    }
    Set<String> own =
        home.get().holders().stream().map(FrameView::storageId).collect(Collectors.toSet());
    boolean begun = false;
    // One replica stays in its superchunk, or nothing is touched: a stray may be the only good
    // copy. And a block that lies
    // in two superchunks is a stray of both: only one of its replicas may go.
    if (touched.add(block.get().blockId())
        && block.get().storageIds().stream().anyMatch(own::contains)) {
      for (String storageId : block.get().storageIds()) {
        begun |= !own.contains(storageId) && repair.repair(block.get(), storageId);
      }
    }
    return begun ? finding.asRepaired() : finding;
  }

  /**
   * A dead disk is a matter of -status and recovery; here it would make a recovered cluster look
   * damaged for ever.
   */
  private static boolean isKnownDead(ClusterView view, String diskId) {
    DiskView disk = view.disks().get(diskId);
    return disk != null && !disk.health().alive();
  }

  private long scrubAll(ScrubRequest request, List<Finding> findings) {
    ClusterView view = views.get();
    long bytesRead = 0;
    for (NodeState node : new TreeMap<>(view.nodes()).values()) {
      boolean has =
          request.diskId().isEmpty()
              || node.report().disks().stream()
                  .anyMatch(d -> d.diskId().equals(request.diskId().get()));
      if (!has || node.silence() == NodeState.Silence.DEAD) {
        continue;
      }
      try {
        ScrubReport report = peers.scrub(RebuildOrders.peer(node.report()), request);
        bytesRead += report.bytesRead();
        blocks += request.diskId().isPresent() ? report.blocks() : 0;
        report.findings().stream()
            .filter(f -> !isKnownDead(view, f.diskId()))
            .forEach(
                f ->
                    findings.add(
                        new Finding(
                            f.kind(),
                            OptionalLong.empty(),
                            f.blockId(),
                            "node="
                                + node.report().node().hostName()
                                + " disk="
                                + f.diskId()
                                + " "
                                + f.detail(),
                            f.repaired())));
      } catch (IOException e) {
        findings.add(
            Finding.of(
                Kind.UNREACHABLE,
                Optional.empty(),
                OptionalLong.empty(),
                "node=" + node.report().node().hostName() + " " + e.getMessage()));
      }
    }
    return bytesRead;
  }
}
