/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.NodeReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What has still to be reported to one manager: all, until it has given a receipt for a full
 * report, and from then on what has changed since its last receipt. An answer that got lost changes
 * nothing here, so the next report continues an older one, and the manager asks for a full report
 * if it has gone on. Not thread-safe.
 */
public final class IncrementalReports {
  private @Nullable NodeReport taken;
  private long receipt;

  /**
   * The next report to send.
   *
   * @param now full report of this moment
   */
  public NodeReport next(NodeReport now) {
    NodeReport before = taken;
    if (before == null) {
      return now;
    }
    return changes(before.disks(), now.disks())
        .map(disks -> new NodeReport(now.node(), disks, now.rebuilds(), OptionalLong.of(receipt)))
        .orElse(now);
  }

  /**
   * Notes an answer.
   *
   * @param now full report that the one sent was made of
   * @param newReceipt as the manager answered; empty: it needs a full report
   */
  public void answered(NodeReport now, OptionalLong newReceipt) {
    taken = newReceipt.isPresent() ? now : null;
    receipt = newReceipt.orElse(0);
  }

  /** Empty when disks or frames have come or gone. */
  private static Optional<List<DiskReport>> changes(List<DiskReport> before, List<DiskReport> now) {
    if (before.size() != now.size()) {
      return Optional.empty();
    }
    List<DiskReport> changed = new ArrayList<>();
    for (int i = 0; i < now.size(); i++) {
      DiskReport old = before.get(i);
      DiskReport disk = now.get(i);
      if (!old.diskId().equals(disk.diskId())) {
        return Optional.empty();
      }
      if (!disk.isLike(old)) {
        changed.add(disk);
        continue;
      }
      if (old.frames().size() != disk.frames().size()) {
        return Optional.empty();
      }
      List<FrameReport> frames = new ArrayList<>();
      for (int f = 0; f < disk.frames().size(); f++) {
        FrameReport frame = disk.frames().get(f);
        if (!frame.ref().equals(old.frames().get(f).ref())) {
          return Optional.empty();
        }
        if (!frame.equals(old.frames().get(f))) {
          frames.add(frame);
        }
      }
      if (!frames.isEmpty()) {
        changed.add(disk.withFrames(frames));
      }
    }
    return Optional.of(changed);
  }
}
