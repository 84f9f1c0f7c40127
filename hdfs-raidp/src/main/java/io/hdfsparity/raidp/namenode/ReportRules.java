/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a report may say, whoever sends it: the frames in service are on storages that the node has
 * registered with HDFS, each index of a disk is there once, every frame has a name, and its numbers
 * are ones that can come of this manager's orders. Pure, stateless.
 *
 * <p>An epoch grows by one at each change of a pair, so one that is far above all that the manager
 * knows was never handed out. It would outlive every real one: frames with a lower epoch are
 * superseded.
 */
final class ReportRules {
  /** How far above the highest known epoch one may be: orders of managers that are gone. */
  static final long MAX_EPOCH_STEP = 1L << 16;

  /** Highest epoch that is believed while the manager knows none. */
  static final long MAX_FIRST_EPOCH = 1L << 20;

  /** Ids are made of the time of day in seconds, 20 bits up. */
  static final long MAX_SUPERCHUNK_ID = 1L << 60;

  static final int MAX_DISKS = 1 << 12;

  /** Former frames of a node that are remembered before its reports are refused. */
  static final int MAX_PASSED = 1 << 16;

  static final int MAX_FRAMES = 1 << 16;

  private ReportRules() {}

  /**
   * @param storageIds of the node, as HDFS knows them
   * @param highestEpoch that the manager knows, of any superchunk
   * @throws IOException that names what is wrong
   */
  static void check(NodeReport report, Set<String> storageIds, long highestEpoch)
      throws IOException {
    String who = "node=" + report.nodeUuid();
    if (report.disks().size() > MAX_DISKS) {
      throw refused("disks", report.disks().size(), "at most " + MAX_DISKS, who);
    }
    int frames = report.disks().stream().mapToInt(disk -> disk.frames().size()).sum();
    if (frames > MAX_FRAMES) {
      throw refused("frames", frames, "at most " + MAX_FRAMES, who);
    }
    Map<String, Set<Integer>> indexes = new HashMap<>();
    for (DiskReport disk : report.disks()) {
      checkPairings(disk.frames(), highestEpoch, who);
      boolean ok = disk.state() == DiskState.OK;
      Optional<LstorGeometry> geometry = disk.geometry().filter(each -> ok);
      checkNames(disk.frames(), geometry.map(LstorGeometry::frames).orElse(MAX_FRAMES), who);
      // Of a disk that is out of service the tables are told as they are, and HDFS may have
      // forgotten its storages.
      if (ok) {
        checkUnique(
            disk.frames(), indexes.computeIfAbsent(disk.diskId(), id -> new HashSet<>()), who);
        for (FrameReport frame : disk.frames()) {
          if (!frame.failed() && !storageIds.contains(frame.storageId())) {
            throw refused(
                "storage", frame.storageId(), "one that the node has registered with HDFS", who);
          }
        }
      }
    }
  }

  /** The same of a frame table, of which HDFS may know no storage any more. */
  static void check(Collection<FrameReport> frames, long highestEpoch, String who)
      throws IOException {
    checkPairings(frames, highestEpoch, who);
    checkNames(frames, MAX_FRAMES, who);
    checkUnique(frames, new HashSet<>(), who);
  }

  /**
   * What a node reported before and does not report now is remembered while the manager runs, and
   * so must have an end.
   *
   * @param passed frames of the node that are remembered
   * @throws IOException that names the limit
   */
  static void checkPassed(String nodeUuid, int passed) throws IOException {
    if (passed > MAX_PASSED) {
      throw refused(
          "formerFrames",
          passed,
          "at most "
              + MAX_PASSED
              + " that a node has reported once and not since; restart the"
              + " NameNode if so many disks were replaced",
          "node=" + nodeUuid);
    }
  }

  /** A frame is named by its volume and its index, whatever state it is in. */
  private static void checkNames(Collection<FrameReport> frames, int max, String who)
      throws IOException {
    for (FrameReport frame : frames) {
      if (frame.storageId().isBlank()) {
        throw refused(
            "storage",
            frame.storageId(),
            "the id of a volume",
            who + " frameIndex=" + frame.frameIndex());
      }
      if (frame.frameIndex() < 0 || frame.frameIndex() >= max) {
        throw refused("frameIndex", frame.frameIndex(), "0 to " + (max - 1), who(frame, who));
      }
    }
  }

  private static void checkUnique(Collection<FrameReport> frames, Set<Integer> seen, String who)
      throws IOException {
    for (FrameReport frame : frames) {
      if (!seen.add(frame.frameIndex())) {
        throw refused(
            "frameIndex", frame.frameIndex(), "each index of a disk once", who(frame, who));
      }
    }
  }

  private static void checkPairings(Collection<FrameReport> frames, long highestEpoch, String who)
      throws IOException {
    long limit = Math.max(MAX_FIRST_EPOCH, highestEpoch) + MAX_EPOCH_STEP;
    for (FrameReport frame : frames) {
      if (frame.pairing().isEmpty()) {
        continue;
      }
      Pairing pairing = frame.pairing().get();
      if (pairing.epoch() < 1 || pairing.epoch() > limit) {
        throw refused("epoch", pairing.epoch(), "1 to " + limit, who(frame, who));
      }
      if (pairing.superchunkId() < 0 || pairing.superchunkId() > MAX_SUPERCHUNK_ID) {
        throw refused(
            "superchunk", pairing.superchunkId(), "0 to " + MAX_SUPERCHUNK_ID, who(frame, who));
      }
    }
  }

  private static String who(FrameReport frame, String who) {
    return who + " storage=" + frame.storageId();
  }

  private static IOException refused(String name, Object value, String rule, String where) {
    return new IOException(
        "Cannot take a report in: " + name + "=" + value + ", expected " + rule + ", " + where);
  }
}
