/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.namenode.Problem.Kind;
import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Twin of {@link FrameIndex}: part of {@link WholeViewBuilder}. */
final class WholeFrames {
  private final Set<String> failedByAdmin;
  private final Map<FrameRef, Pairing> highestSeen;
  private final boolean allHadTime;
  private final Map<String, DiskView> disks = new HashMap<>();
  private final Map<FrameRef, FrameView> frames = new HashMap<>();
  private final Map<String, List<FrameView>> byVolume = new HashMap<>();
  private final Map<String, String> nodeOfVolume = new HashMap<>();
  private final Set<String> onTwoNodes = new HashSet<>();
  private final Set<Problem> problems = new LinkedHashSet<>();
  private final Set<FrameRef> barred = new HashSet<>();

  /**
   * @param failedByAdmin disks that an administrator declared failed
   * @param highestSeen highest pairing that each frame has ever reported to this manager
   * @param allHadTime the manager has been up for so long that who has not reported is gone
   */
  WholeFrames(Set<String> failedByAdmin, Map<FrameRef, Pairing> highestSeen, boolean allHadTime) {
    this.failedByAdmin = failedByAdmin;
    this.highestSeen = highestSeen;
    this.allHadTime = allHadTime;
  }

  /** Takes the reports in. */
  void add(Collection<NodeState> nodes, Collection<LstorState> lstors) {
    nodes.forEach(this::addNode);
    lstors.forEach(this::addLstor);
    dropLeftBehind();
    for (FrameView frame : frames.values()) {
      byVolume.computeIfAbsent(frame.storageId(), id -> new ArrayList<>()).add(frame);
      if (onTwoNodes.contains(frame.storageId())) {
        barred.add(frame.ref());
      }
    }
    byVolume.values().forEach(list -> list.sort(Comparator.comparingInt(f -> f.frameIndex())));
    frames.values().forEach(this::checkEpoch);
  }

  /** By disk id. */
  Map<String, DiskView> disks() {
    return disks;
  }

  /** All, in no order. */
  Collection<FrameView> frames() {
    return frames.values();
  }

  /** By storage id, each list in index order. */
  Map<String, List<FrameView>> byVolume() {
    return byVolume;
  }

  /** Frames of a volume. */
  List<FrameView> framesOn(String storageId) {
    return byVolume().getOrDefault(storageId, List.of());
  }

  /** Whether a frame is alive, and not barred by a problem. */
  boolean isUsedInPairs(FrameView frame) {
    return frame.health().alive() && !barred().contains(frame.ref());
  }

  /** For people: the storage id, with the frame's index where the volume has several frames. */
  String name(FrameView frame) {
    return byVolume.getOrDefault(frame.storageId(), List.of()).size() > 1
        ? frame.ref().toString()
        : frame.storageId();
  }

  /** The superchunk that a frame was in when it had its highest epoch. */
  OptionalLong lastSuperchunkOf(FrameView frame) {
    Pairing seen = highestSeen.get(frame.ref());
    return seen == null ? OptionalLong.empty() : OptionalLong.of(seen.superchunkId());
  }

  /** Live frames that must not be used because of a problem; the builder adds its own. */
  Set<FrameRef> barred() {
    return barred;
  }

  List<Problem> problems() {
    return List.copyOf(problems);
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
                volumes(disk.frames()),
                disk.frames().size()));
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

  private static List<String> volumes(List<FrameReport> frames) {
    return frames.stream()
        .sorted(Comparator.comparingInt(FrameReport::frameIndex))
        .map(FrameReport::storageId)
        .distinct()
        .toList();
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
      return DiskView.DECLARED_FAILED;
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
    if (frame.health().alive()) {
      String node = nodeOfVolume.putIfAbsent(frame.storageId(), frame.nodeUuid());
      if (node != null && !node.equals(frame.nodeUuid())) {
        onTwoNodes.add(frame.storageId());
        problem(
            Kind.FRAME_ON_TWO_NODES,
            frame.storageId(),
            "nodes=" + node + "," + frame.nodeUuid() + ", expected each storage id on one node");
        return;
      }
    }
    FrameView known = frames.get(frame.ref());
    if (known == null
        || frame.health().alive()
        || !known.health().alive() && epoch(frame) > epoch(known)) {
      frames.put(frame.ref(), frame);
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
              failedByAdmin.contains(report.diskId())
                  ? DiskView.DECLARED_FAILED
                  : "known from its Lstor only",
              Optional.empty(),
              volumes(report.frames()),
              report.frames().size()));
    } else if (disk.health().alive()) {
      return;
    }
    for (FrameReport frame : report.frames()) {
      addFrame(new FrameView(report.nodeUuid(), report.diskId(), frame, health));
    }
  }

  /**
   * The table of a disk that is out of service may name a volume that is alive on another one:
   * there its frames are told as they are.
   */
  private void dropLeftBehind() {
    Map<String, String> liveOn = new HashMap<>();
    for (FrameView frame : frames.values()) {
      if (frame.health().alive()) {
        liveOn.put(frame.storageId(), frame.diskId());
      }
    }
    frames
        .values()
        .removeIf(
            frame -> {
              String diskId = liveOn.get(frame.storageId());
              return !frame.health().alive() && diskId != null && !diskId.equals(frame.diskId());
            });
  }

  private void checkEpoch(FrameView frame) {
    Pairing seen = highestSeen.get(frame.ref());
    if (seen != null
        && frame.health().alive()
        && frame.pairing().map(p -> p.epoch() < seen.epoch()).orElse(true)) {
      barred.add(frame.ref());
      problem(
          Kind.EPOCH_REGRESSION,
          name(frame),
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
    problems.add(new Problem(kind, subject, detail));
  }
}
