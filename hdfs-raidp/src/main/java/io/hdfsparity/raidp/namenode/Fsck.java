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
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import io.hdfsparity.raidp.wire.message.ScrubReport;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import java.io.IOException;
import java.io.InterruptedIOException;
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
import org.jspecify.annotations.Nullable;

/**
 * Checks on storages what HDFS' own fsck sees on nodes only, for the blocks that have rows:
 * 1-mirroring, equal slots on both sides, coverage. The others are plain: they are counted, and
 * their replicas may lie anywhere. Then it lets every DataNode check its checksums and parity.
 *
 * <p>HDFS continues meanwhile. A difference counts only when it is still there after pauses; what
 * changes in between is work in progress and no finding. Where a node answers one look and not
 * another, the looks begin again.
 */
final class Fsck {
  private static final int LOOKS = 4;

  /** Looks that could not be compared with the one before. */
  private static final int MAX_RESTARTS = 4;

  /** Waits between two looks. */
  @FunctionalInterface
  interface Pause {
    void await() throws InterruptedException;
  }

  private final Supplier<ClusterView> views;
  private final Namespace namespace;
  private final FsckPeers peers;
  private final Pause pause;
  private final NodeScrubs scrubs;
  private final Supplier<Set<String>> unheard;
  private long blocks;
  private long covered;
  private long rows;

  Fsck(
      Supplier<ClusterView> views,
      Namespace namespace,
      FsckPeers peers,
      Pause pause,
      NodeScrubs scrubs,
      Supplier<Set<String>> unheard) {
    this.scrubs = scrubs;
    this.unheard = unheard;
    this.views = views;
    this.namespace = namespace;
    this.peers = peers;
    this.pause = pause;
  }

  /**
   * Checks everything.
   *
   * @param scrub what the DataNodes shall do
   * @throws InterruptedIOException when the scrubs were stopped
   */
  FsckReport run(ScrubRequest scrub) throws InterruptedException, InterruptedIOException {
    List<Finding> all = new ArrayList<>(lookUntilItStays().findings());
    long bytesRead = scrubAll(scrub, all);
    return new FsckReport(
        views.get().superchunks().size(),
        blocks,
        OptionalLong.of(Math.max(0, blocks - covered)),
        rows,
        bytesRead,
        all);
  }

  /** Scrubs only. */
  FsckReport scrubOnly(ScrubRequest scrub) throws InterruptedException, InterruptedIOException {
    FsckLook look = new FsckLook();
    if (scrub.diskId().isEmpty()) {
      noteUnheard(look);
    }
    List<Finding> all = new ArrayList<>(look.findings());
    long bytesRead = scrubAll(scrub, all);
    return new FsckReport(0, blocks, OptionalLong.empty(), 0, bytesRead, all);
  }

  private FsckLook lookUntilItStays() throws InterruptedException, InterruptedIOException {
    FsckLook found = look();
    int restarts = 0;
    for (int looks = 1; looks < LOOKS && !found.isClean(); looks++) {
      scrubs.requireRunning();
      pause.await();
      FsckLook again = look();
      if (again.hasAskedTheSameAs(found)) {
        found.retain(again);
      } else if (restarts++ < MAX_RESTARTS) {
        found = again;
        looks = 0;
      } else {
        found.addAll(again);
        return found;
      }
    }
    return found;
  }

  private void noteUnheard(FsckLook look) {
    for (String nodeUuid : unheard.get()) {
      look.addUnasked(
          nodeUuid,
          Optional.empty(),
          "node=" + nodeUuid + ", expected a report since this NameNode started");
    }
  }

  private FsckLook look() {
    FsckLook found = new FsckLook();
    // Before the view: who reports in between is looked at, or noted.
    noteUnheard(found);
    ClusterView view = views.get();
    blocks = 0;
    covered = 0;
    rows = 0;
    view.all().stream()
        .filter(superchunk -> superchunk.state() != SuperchunkState.ACTIVE)
        .forEach(
            superchunk ->
                found.add(
                    Finding.of(
                        Kind.NOT_ACTIVE,
                        Optional.of(superchunk.id()),
                        OptionalLong.empty(),
                        "state=" + superchunk.state())));
    Set<String> looked = new HashSet<>();
    for (NodeState node : view.nodes().values()) {
      node.report().disks().stream()
          .flatMap(disk -> disk.frames().stream())
          .map(FrameReport::storageId)
          .filter(storageId -> view.isAlive(storageId) && looked.add(storageId))
          .forEach(storageId -> checkVolume(view, storageId, found));
    }
    return found;
  }

  /**
   * Checks the blocks of a volume against its rows, which are listed once, and the rows of the
   * superchunks that it leads against those of their followers. So a cluster's rows are never in
   * memory at once, and those of a follower are listed twice.
   */
  private void checkVolume(ClusterView view, String storageId, FsckLook found) {
    String nodeUuid = view.framesOn(storageId).get(0).nodeUuid();
    List<SuperchunkView> superchunks = view.superchunksOn(storageId);
    Map<Integer, SuperchunkView> byFrame = view.superchunksByFrame(storageId);
    Optional<List<SlotEntry>> listed =
        superchunks.isEmpty()
            ? Optional.of(List.of())
            : list(view, nodeUuid, storageId, OptionalLong.empty(), found);
    rows += listed.map(List::size).orElse(0);
    Map<Long, SlotEntry> table = new HashMap<>();
    listed.orElse(List.of()).forEach(row -> table.merge(row.blockId(), row, Fsck::weightier));
    for (StoredBlock block : namespace.blocks(nodeUuid, storageId)) {
      blocks += isCountedAt(view, block, storageId) ? 1 : 0;
      SlotEntry row = table.get(block.blockId());
      if (row == null || row.state() == SlotState.LIMBO) {
        continue;
      }
      SuperchunkView home = byFrame.get(row.frameIndex());
      if (home == null) {
        found.add(
            Finding.of(
                Kind.UNPAIRED,
                Optional.empty(),
                OptionalLong.of(block.blockId()),
                "storage=" + storageId + ", expected a frame of a superchunk"));
        continue;
      }
      checkLocations(view, home, block, found);
      covered += isCountedAt(view, home, block, storageId) ? 1 : 0;
      if (block.complete()) {
        checkCoverage(home, storageId, block, row, found);
      }
    }
    for (SuperchunkView superchunk : superchunks) {
      if (listed.isPresent()
          && superchunk.state() == SuperchunkState.ACTIVE
          && superchunk.leader().storageId().equals(storageId)) {
        compare(view, superchunk, listed.get(), found);
      }
    }
  }

  /** Of two rows of a block the one of a replica that was not deleted. */
  private static SlotEntry weightier(SlotEntry one, SlotEntry other) {
    return one.state() == SlotState.LIMBO ? other : one;
  }

  /** A block with replicas on several volumes is counted at one of them. */
  private static boolean isCountedAt(ClusterView view, StoredBlock block, String storageId) {
    return isCountedAt(view, block.storageIds(), storageId);
  }

  /** A block in a superchunk is counted as one at one of its sides. */
  private static boolean isCountedAt(
      ClusterView view, SuperchunkView superchunk, StoredBlock block, String storageId) {
    List<String> sides =
        superchunk.holders().stream()
            .map(FrameView::storageId)
            .filter(block.storageIds()::contains)
            .toList();
    return isCountedAt(view, sides, storageId);
  }

  private static boolean isCountedAt(ClusterView view, List<String> storageIds, String storageId) {
    return storageIds.stream()
        .filter(view::isAlive)
        .min(Comparator.naturalOrder())
        .filter(storageId::equals)
        .isPresent();
  }

  private static void checkLocations(
      ClusterView view, SuperchunkView superchunk, StoredBlock block, FsckLook found) {
    OptionalLong id = OptionalLong.of(block.blockId());
    Set<String> own =
        superchunk.holders().stream()
            .map(FrameView::storageId)
            .collect(Collectors.toCollection(HashSet::new));
    List<String> live = block.storageIds().stream().filter(sid -> isLive(view, sid)).toList();
    if (block.complete()
        && block.wantedReplicas() > 1
        && superchunk.state() == SuperchunkState.ACTIVE
        && !live.containsAll(own)) {
      found.add(
          Finding.of(
              Kind.SINGLE,
              Optional.of(superchunk.id()),
              id,
              "storages=" + live + ", expected " + own));
    }
  }

  /**
   * Storages of which no agent reports are counted as live: a replica there is outside every
   * superchunk.
   */
  private static boolean isLive(ClusterView view, String storageId) {
    return view.framesOn(storageId).isEmpty() || view.isAlive(storageId);
  }

  /** Rows of a volume; empty, and a finding, when its node cannot be asked. */
  private Optional<List<SlotEntry>> list(
      ClusterView view,
      String nodeUuid,
      String storageId,
      OptionalLong superchunkId,
      FsckLook found) {
    Optional<PeerAddress> peer = RebuildOrders.peer(view, nodeUuid);
    try {
      if (peer.isEmpty()) {
        throw new IOException("node " + nodeUuid + " does not report");
      }
      return Optional.of(peers.entries(peer.get(), storageId, superchunkId));
    } catch (IOException e) {
      found.addUnasked(
          storageId,
          view.superchunksOn(storageId).stream().map(SuperchunkView::id).findFirst(),
          "storage=" + storageId + " " + e.getMessage());
      return Optional.empty();
    }
  }

  private static void checkCoverage(
      SuperchunkView home,
      String storageId,
      StoredBlock block,
      @Nullable SlotEntry row,
      FsckLook found) {
    if (row == null || row.state() != SlotState.LIVE || row.coveredBytes() != block.lengthBytes()) {
      found.add(
          Finding.of(
              Kind.NOT_COVERED,
              Optional.of(home.id()),
              OptionalLong.of(block.blockId()),
              "storage="
                  + storageId
                  + " row="
                  + row
                  + ", expected a live row that covers "
                  + block.lengthBytes()));
    }
  }

  private void compare(
      ClusterView view, SuperchunkView superchunk, List<SlotEntry> ofLeader, FsckLook found) {
    FrameView follower = superchunk.follower();
    Optional<List<SlotEntry>> ofFollower =
        list(
            view,
            follower.nodeUuid(),
            follower.storageId(),
            OptionalLong.of(superchunk.id()),
            found);
    SideRows sides = new SideRows(superchunk, ofLeader, ofFollower.orElse(List.of()));
    for (SideRows.Difference difference : sides.differences()) {
      Optional<StoredBlock> block = namespace.block(difference.blockId());
      found.add(finding(view, superchunk, difference, block));
    }
    if (ofFollower.isPresent()) {
      // A replica without a row is a plain one, unless the other side has a row.
      for (FrameView side : superchunk.holders()) {
        for (long blockId : sides.lackingAt(side)) {
          namespace
              .block(blockId)
              .filter(block -> block.complete() && block.storageIds().contains(side.storageId()))
              .ifPresent(block -> checkCoverage(superchunk, side.storageId(), block, null, found));
        }
      }
    }
  }

  private static Finding finding(
      ClusterView view,
      SuperchunkView superchunk,
      SideRows.Difference difference,
      Optional<StoredBlock> block) {
    boolean isOpen = block.filter(known -> !known.complete()).isPresent();
    return Finding.of(
        isOpen ? Kind.OPEN_DIFFERS : Kind.SLOTS_DIFFER,
        Optional.of(superchunk.id()),
        OptionalLong.of(difference.blockId()),
        "leader: "
            + side(view, superchunk.leader(), difference.ofLeader())
            + " follower: "
            + side(view, superchunk.follower(), difference.ofFollower())
            + " HDFS: "
            + block.map(Fsck::description).orElse("no such block")
            + ", expected equal runs, generation stamps and coverage"
            + (isOpen
                ? "; docs/reference/raidp.md says how to end a recovery that does not end"
                : ""));
  }

  private static String side(ClusterView view, FrameView frame, SlotEntry row) {
    NodeState node = view.nodes().get(frame.nodeUuid());
    return "node="
        + (node == null ? frame.nodeUuid() : node.report().node().hostName())
        + " storage="
        + frame.storageId()
        + " row="
        + row;
  }

  private static String description(StoredBlock block) {
    return (block.complete() ? "complete" : "open")
        + " generationStamp="
        + block.generationStamp()
        + " lengthBytes="
        + block.lengthBytes()
        + " corruptReplicas="
        + block.corruptReplicas()
        + " storages="
        + block.storageIds();
  }

  /**
   * A dead disk is a matter of -status and recovery; here it would make a recovered cluster look
   * damaged for ever.
   */
  private static boolean isKnownDead(ClusterView view, String diskId) {
    DiskView disk = view.disks().get(diskId);
    return disk != null && !disk.health().alive();
  }

  /** Whoever names a disk wants to know of that one. */
  private static Finding notRead(ClusterView view, String diskId) {
    DiskView disk = view.disks().getOrDefault(diskId, DiskView.UNKNOWN);
    return Finding.of(
        Kind.NOT_READ,
        Optional.empty(),
        OptionalLong.empty(),
        "disk="
            + diskId
            + " node="
            + disk.nodeUuid()
            + " health="
            + disk.health()
            + (disk.why().isEmpty() ? "" : " why=" + disk.why())
            + ", expected a disk in service");
  }

  private long scrubAll(ScrubRequest request, List<Finding> findings)
      throws InterruptedException, InterruptedIOException {
    ClusterView view = views.get();
    Map<String, NodeState> nodes = new TreeMap<>();
    for (NodeState node : view.nodes().values()) {
      boolean has =
          request.diskId().isEmpty()
              || node.report().disks().stream()
                  .anyMatch(d -> d.diskId().equals(request.diskId().get()));
      if (has && node.silence() != NodeState.Silence.DEAD) {
        nodes.put(node.report().nodeUuid(), node);
      }
    }
    if (request.diskId().isPresent()
        && (nodes.isEmpty() || isKnownDead(view, request.diskId().get()))) {
      findings.add(notRead(view, request.diskId().get()));
      return 0;
    }
    long bytesRead = 0;
    for (NodeScrubs.Answer answer : scrubs.run(nodes, request)) {
      String where = "node=" + answer.node().report().node().hostName();
      if (answer.report().isEmpty()) {
        findings.add(
            Finding.of(
                Kind.UNREACHABLE,
                Optional.empty(),
                OptionalLong.empty(),
                where + " " + answer.failure()));
        continue;
      }
      ScrubReport report = answer.report().get();
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
                          where + " disk=" + f.diskId() + " " + f.detail(),
                          f.repaired())));
    }
    scrubs.requireRunning();
    return bytesRead;
  }
}
