/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.store.DirectoryListing;
import io.hdfsparity.raidp.format.DiskFile;
import io.hdfsparity.raidp.format.FrameTable;
import io.hdfsparity.raidp.lstor.FrameLoad;
import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.NodeIdentity;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.RebuildStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the reports of this node to the managers. Thread-safe. */
final class NodeReporter {
  private static final Logger LOG = LoggerFactory.getLogger(NodeReporter.class);

  private final NodeFrames frames;
  private final List<RefusedDisk> refused;
  private final Supplier<NodeIdentity> identity;
  private final Supplier<List<RebuildStatus>> rebuilds;

  NodeReporter(
      NodeFrames frames,
      List<RefusedDisk> refused,
      Supplier<NodeIdentity> identity,
      Supplier<List<RebuildStatus>> rebuilds) {
    this.frames = frames;
    this.refused = refused;
    this.identity = identity;
    this.rebuilds = rebuilds;
  }

  NodeReport report() {
    List<DiskReport> disks = new ArrayList<>();
    List<DiskEngine> inService;
    List<RefusedDisk> outOfService;
    // A disk that is being taken into service must not look gone, or be two disks.
    synchronized (refused) {
      inService = List.copyOf(frames.disks());
      outOfService = List.copyOf(refused);
    }
    inService.forEach(disk -> disks.add(report(disk)));
    outOfService.forEach(disk -> disks.add(report(disk)));
    return new NodeReport(identity.get(), disks, rebuilds.get());
  }

  private static DiskReport report(DiskEngine disk) {
    List<FrameReport> reports = new ArrayList<>();
    for (Frame frame : disk.frames()) {
      reports.add(report(disk, frame));
    }
    return new DiskReport(
        disk.diskId(),
        disk.root().toString(),
        disk.state(),
        Optional.of(disk.lstor().geometry()),
        reports,
        disk.failure());
  }

  private static FrameReport report(DiskEngine disk, Frame frame) {
    FrameLoad load = disk.lstor().load(frame.index());
    return new FrameReport(
        frame.storageId(),
        frame.index(),
        frame.pairing(),
        new FrameReport.Load(
            load.freeUnits(),
            frame.grantsTaken(),
            load.liveRows(),
            load.limboBytes(),
            load.unacknowledgedRows()),
        disk.state() == DiskState.DISK_FAILED);
  }

  /** A refused disk tells what its frame tables say, as far as they can be read. */
  private static DiskReport report(RefusedDisk disk) {
    List<FrameReport> reports = new ArrayList<>();
    try {
      for (Path directory : DirectoryListing.of(disk.root(), "*")) {
        if (Files.isDirectory(directory) && FrameTable.isIn(directory)) {
          FrameTable table = FrameTable.read(directory);
          if (table.diskId().equals(disk.diskId())) {
            table
                .frames()
                .forEach(
                    (index, pairing) ->
                        reports.add(
                            new FrameReport(
                                table.storageId(),
                                index,
                                pairing,
                                FrameReport.Load.UNKNOWN,
                                disk.isTaken())));
          }
        }
      }
    } catch (IOException e) {
      LOG.debug("Frames of a refused disk cannot be read: disk={}", disk, e);
      return new DiskReport(
          disk.diskId(),
          disk.root().toString(),
          DiskState.DISK_FAILED,
          Optional.empty(),
          List.of(),
          Optional.of(disk.reason()));
    }
    return new DiskReport(
        disk.diskId(),
        disk.root().toString(),
        disk.isTaken() ? DiskState.DISK_FAILED : DiskState.LSTOR_FAILED,
        Optional.empty(),
        reports,
        Optional.of(disk.reason()));
  }

  /** Durable id of a disk, or a stand-in that names the path. */
  static String diskIdOf(Path root) {
    try {
      return DiskFile.read(root).diskId();
    } catch (IOException e) {
      LOG.debug("Disk id cannot be read: root={}", root, e);
      return "unreadable:" + root;
    }
  }
}
