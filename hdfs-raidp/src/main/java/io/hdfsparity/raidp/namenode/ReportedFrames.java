/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.namenode.Problem.Kind;
import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Disks and frames as nodes and Lstors report them, each in one place, with their health. Pure and
 * used once, by {@link ClusterViewBuilder}, which continues with what is found here.
 */
final class ReportedFrames {
  private final Set<String> failedByAdmin;
  private final Map<String, Pairing> highestSeen;
  private final boolean allHadTime;
  private final Map<String, DiskView> disks = new HashMap<>();
  private final Map<String, FrameView> frames = new HashMap<>();
  private final List<Problem> problems = new ArrayList<>();
  private final Set<String> barred = new HashSet<>();

  /**
   * @param failedByAdmin disks that an administrator declared failed
   * @param highestSeen highest pairing that each frame has ever reported to this manager
   * @param allHadTime the manager has been up for so long that who has not reported is gone
   */
  ReportedFrames(Set<String> failedByAdmin, Map<String, Pairing> highestSeen, boolean allHadTime) {
    this.failedByAdmin = failedByAdmin;
    this.highestSeen = highestSeen;
    this.allHadTime = allHadTime;
  }

  /** Takes the reports in. */
  void add(Collection<NodeState> nodes, Collection<LstorState> lstors) {
    nodes.forEach(this::addNode);
    lstors.forEach(this::addLstor);
    frames.values().forEach(this::checkEpoch);
  }

  /** By disk id. */
  Map<String, DiskView> disks() {
    return disks;
  }

  /** By storage id. */
  Map<String, FrameView> frames() {
    return frames;
  }

  /** Live frames that must not be used because of a problem; the builder adds its own. */
  Set<String> barred() {
    return barred;
  }

  List<Problem> problems() {
    return problems;
  }

  private void addNode(NodeState node) {
    NodeReport report = node.report();
    if (node.silence() == NodeState.Silence.DEAD) {
      problem(
          Kind.NODE_SILENT,
          report.nodeUuid(),
          "host=" + report.node().hostName() + ", expected a report in time");
    }
    for (DiskReport disk : report.disks()) {
      FrameHealth health = health(node, disk);
      String why = why(node, disk);
      DiskView known = disks.get(disk.diskId());
      if (known == null || !known.health().alive()) {
        disks.put(
            disk.diskId(),
            new DiskView(
                disk.diskId(),
                report.nodeUuid(),
                disk.path(),
                health,
                why,
                disk.geometry(),
                disk.frames().stream()
                    .sorted(Comparator.comparingInt(FrameReport::frameIndex))
                    .map(FrameReport::storageId)
                    .toList()));
      }
      if (disk.state() != DiskState.OK) {
        problem(
            disk.state() == DiskState.LSTOR_FAILED ? Kind.LSTOR_FAILED : Kind.DISK_FAILED,
            disk.diskId(),
            "node="
                + report.node().hostName()
                + " path="
                + disk.path()
                + " reason="
                + disk.failure().orElse("not given"));
      }
      for (FrameReport frame : disk.frames()) {
        FrameHealth own = frame.failed() ? FrameHealth.DEAD : health;
        addFrame(new FrameView(report.nodeUuid(), disk.diskId(), frame, own));
      }
    }
  }

  private FrameHealth health(NodeState node, DiskReport disk) {
    if (node.silence() == NodeState.Silence.DEAD
        || disk.state() == DiskState.DISK_FAILED
        || failedByAdmin.contains(disk.diskId())) {
      return FrameHealth.DEAD;
    }
    boolean held =
        node.silence() == NodeState.Silence.STALE || disk.state() == DiskState.LSTOR_FAILED;
    return held ? FrameHealth.HELD : FrameHealth.USABLE;
  }

  private String why(NodeState node, DiskReport disk) {
    if (failedByAdmin.contains(disk.diskId())) {
      return "declared failed by an administrator";
    }
    if (disk.state() != DiskState.OK) {
      return disk.failure().orElse(disk.state().toString());
    }
    return switch (node.silence()) {
      case NONE -> "";
      case STALE -> "node is late with its report";
      case DEAD -> "node does not report";
    };
  }

  private void addFrame(FrameView frame) {
    FrameView known = frames.get(frame.storageId());
    if (known == null) {
      frames.put(frame.storageId(), frame);
      return;
    }
    if (known.health().alive()
        && frame.health().alive()
        && !known.nodeUuid().equals(frame.nodeUuid())) {
      barred.add(frame.storageId());
      problem(
          Kind.FRAME_ON_TWO_NODES,
          frame.storageId(),
          "nodes="
              + known.nodeUuid()
              + ","
              + frame.nodeUuid()
              + ", expected each storage id on one node");
      return;
    }
    if (frame.health().alive() || !known.health().alive() && epoch(frame) > epoch(known)) {
      frames.put(frame.storageId(), frame);
    }
  }

  /** The frame table in an Lstor tells about frames that no DataNode reports any more. */
  private void addLstor(LstorState lstor) {
    LstorReport report = lstor.report();
    report
        .failure()
        .ifPresent(
            f -> problem(Kind.LSTOR_FAILED, report.diskId(), "host=" + report.host() + " " + f));
    DiskView disk = disks.get(report.diskId());
    // Its DataNode may be as fresh as this manager and report in a moment.
    FrameHealth health =
        allHadTime || disk != null || failedByAdmin.contains(report.diskId())
            ? FrameHealth.DEAD
            : FrameHealth.HELD;
    if (disk == null) {
      disks.put(
          report.diskId(),
          new DiskView(
              report.diskId(),
              report.nodeUuid(),
              "",
              health,
              "known from its Lstor only",
              Optional.empty(),
              report.frames().stream()
                  .sorted(Comparator.comparingInt(FrameReport::frameIndex))
                  .map(FrameReport::storageId)
                  .toList()));
    } else if (disk.health().alive()) {
      return;
    }
    for (FrameReport frame : report.frames()) {
      addFrame(new FrameView(report.nodeUuid(), report.diskId(), frame, health));
    }
  }

  private void checkEpoch(FrameView frame) {
    Pairing seen = highestSeen.get(frame.storageId());
    if (seen != null
        && frame.health().alive()
        && frame.pairing().map(p -> p.epoch() < seen.epoch()).orElse(true)) {
      barred.add(frame.storageId());
      problem(
          Kind.EPOCH_REGRESSION,
          frame.storageId(),
          "reported="
              + frame.pairing()
              + ", expected epoch >= "
              + seen.epoch()
              + " as it had reported before, node="
              + frame.nodeUuid());
    }
  }

  private static long epoch(FrameView frame) {
    return frame.pairing().map(Pairing::epoch).orElse(0L);
  }

  /** Notes a problem once. */
  void problem(Kind kind, String subject, String detail) {
    Problem problem = new Problem(kind, subject, detail);
    if (!problems.contains(problem)) {
      problems.add(problem);
    }
  }
}
