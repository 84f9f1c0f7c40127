/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.PackedFrames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which report of each node was taken in last, by its receipt. An incremental report is believed
 * only if it continues that one: after a lost, repeated or reordered report, and after a start of
 * the manager, its basis is another receipt. Not thread-safe.
 */
final class ReportChain {
  private final Map<String, Long> receipts = new HashMap<>();
  private long next;

  /**
   * @param first receipt; random, so that no other manager gives the same ones
   */
  ReportChain(long first) {
    this.next = first;
  }

  /** Gives a receipt for a report that was taken in. */
  long taken(String nodeUuid) {
    long receipt = next++;
    receipts.put(nodeUuid, receipt);
    return receipt;
  }

  /**
   * All that a node has reported, with a report.
   *
   * @param known last report that was taken in, with all that came before it
   * @return empty if the report continues another one, names what that one does not have, or makes
   *     more of it than a full report may have
   */
  Optional<NodeReport> expand(Optional<NodeReport> known, NodeReport report) {
    if (report.basis().isEmpty()) {
      return Optional.of(packed(known, report));
    }
    Long receipt = receipts.get(report.nodeUuid());
    if (receipt == null
        || receipt != report.basis().getAsLong()
        || known.isEmpty()
        || known.get().node().incarnation() != report.node().incarnation()) {
      return Optional.empty();
    }
    return disks(known.get().disks(), report.disks())
        .filter(ReportChain::isBounded)
        .map(disks -> new NodeReport(report.node(), disks, report.rebuilds()));
  }

  /** Many small reports may not grow to what {@link ReportRules} refuses in one. */
  private static boolean isBounded(List<DiskReport> disks) {
    return disks.stream().mapToInt(disk -> disk.frames().size()).sum() <= ReportRules.MAX_FRAMES;
  }

  /** The same full report, packed; states that are as before are the objects that are kept. */
  private static NodeReport packed(Optional<NodeReport> known, NodeReport report) {
    List<DiskReport> before = known.map(NodeReport::disks).orElse(List.of());
    List<DiskReport> disks = new ArrayList<>(report.disks());
    for (int d = 0; d < disks.size(); d++) {
      disks.set(d, packed(d < before.size() ? before.get(d).frames() : List.of(), disks.get(d)));
    }
    return new NodeReport(report.node(), disks, report.rebuilds());
  }

  private static DiskReport packed(List<FrameReport> before, DiskReport disk) {
    return disk.withFrames(PackedFrames.of(disk.frames(), before));
  }

  private static Optional<List<DiskReport>> disks(
      List<DiskReport> known, List<DiskReport> changed) {
    List<DiskReport> merged = new ArrayList<>(known);
    Set<Integer> seen = new HashSet<>();
    for (DiskReport disk : changed) {
      int position = position(known, disk.diskId());
      if (position < 0 || !seen.add(position)) {
        return Optional.empty();
      }
      DiskReport before = known.get(position);
      if (!disk.isLike(before)) {
        merged.set(position, packed(before.frames(), disk));
        continue;
      }
      Optional<List<FrameReport>> frames = frames(before.frames(), disk.frames());
      if (frames.isEmpty()) {
        return Optional.empty();
      }
      merged.set(position, before.withFrames(frames.get()));
    }
    return Optional.of(merged);
  }

  /** Negative also if there are several: none of them is meant for sure. */
  private static int position(List<DiskReport> disks, String diskId) {
    int found = -1;
    for (int i = 0; i < disks.size(); i++) {
      if (disks.get(i).diskId().equals(diskId)) {
        if (found >= 0) {
          return -1;
        }
        found = i;
      }
    }
    return found;
  }

  private static Optional<List<FrameReport>> frames(
      List<FrameReport> known, List<FrameReport> changed) {
    Map<Integer, FrameReport> byPosition = new HashMap<>();
    for (FrameReport frame : changed) {
      int position = PackedFrames.position(known, frame.ref());
      if (position < 0) {
        return Optional.empty();
      }
      byPosition.put(position, frame);
    }
    return Optional.of(PackedFrames.with(known, byPosition));
  }
}
