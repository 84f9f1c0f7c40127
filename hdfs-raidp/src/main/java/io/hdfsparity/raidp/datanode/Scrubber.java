/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.image.CoveredImage;
import io.hdfsparity.raidp.image.ReplicaFiles;
import io.hdfsparity.raidp.lstor.ScrubResult;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.HealReport;
import io.hdfsparity.raidp.wire.message.HealRequest;
import io.hdfsparity.raidp.wire.message.ScrubFinding;
import io.hdfsparity.raidp.wire.message.ScrubReport;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads everything on the disks of the node and compares: replicas with their CRCs, rows with
 * files, the parity's cells with their CRCs, and the parity with what the replicas make of it. Runs
 * beside writes; what changes under it is looked at again. Thread-safe.
 */
final class Scrubber {
  private final NodeFrames frames;
  private final BadReplicas badReplicas;
  private final Healer healer;
  private final AtomicLong findingsEver = new AtomicLong();

  /** Notified of replicas that are damaged, so that nobody reads them. */
  @FunctionalInterface
  interface BadReplicas {
    void report(HealRequest replica) throws IOException;
  }

  /** Puts a damaged replica right. */
  @FunctionalInterface
  interface Healer {
    HealReport heal(HealRequest replica) throws IOException;
  }

  Scrubber(NodeFrames frames, BadReplicas badReplicas, Healer healer) {
    this.frames = frames;
    this.badReplicas = badReplicas;
    this.healer = healer;
  }

  /** Findings of all runs. */
  long findingsEver() {
    return findingsEver.get();
  }

  ScrubReport run(ScrubRequest request) throws IOException {
    Tally tally = new Tally();
    for (DiskEngine disk : frames.disks()) {
      if (request.diskId().isPresent() && !request.diskId().get().equals(disk.diskId())) {
        continue;
      }
      tally.disks++;
      if (disk.failure().isPresent()) {
        tally.add(disk, "disk-failed", disk.failure().get(), null, null, false);
        continue;
      }
      scrub(disk, request, tally);
    }
    findingsEver.addAndGet(tally.findings.size());
    return new ScrubReport(tally.bytesRead, tally.blocks, tally.disks, tally.findings);
  }

  private static final class Tally {
    final List<ScrubFinding> findings = new ArrayList<>();
    long bytesRead;
    int blocks;
    int disks;

    void add(
        DiskEngine disk, String kind, String detail, Frame frame, Long blockId, boolean repaired) {
      findings.add(
          new ScrubFinding(
              disk.diskId(),
              kind,
              detail,
              repaired,
              Optional.ofNullable(frame).map(Frame::storageId),
              blockId == null ? OptionalLong.empty() : OptionalLong.of(blockId)));
    }
  }

  private void scrub(DiskEngine disk, ScrubRequest request, Tally tally) throws IOException {
    for (VolumeFrames volume : frames.volumesOf(disk)) {
      compareFilesWithRows(volume, tally);
      for (FrameEngine engine : volume.engines()) {
        for (SlotEntry lost : rowsWithoutImage(engine)) {
          missing(engine.frame(), lost, request, tally);
        }
      }
      if (request.verifyFiles()) {
        verifyReplicas(volume, request, tally);
      }
    }
    BitSet damaged = new BitSet();
    ScrubResult cells = disk.lstor().verifyAll((done, total) -> disk.requireOk());
    tally.bytesRead += cells.bytesRead();
    cells
        .tableFindings()
        .forEach(finding -> tally.add(disk, "lstor-table", finding, null, null, false));
    for (ScrubResult.CorruptCell cell : cells.corruptCells()) {
      damaged.set(cell.firstUnit(), cell.lastUnit() + 1);
    }
    ParityComparison comparison = new ParityComparison(disk);
    for (int unit = 0; unit < disk.lstor().geometry().unitsPerFrame(); unit++) {
      if (damaged.get(unit)) {
        repair(
            disk,
            unit,
            "parity-cell-crc",
            "a cell of the unit fails its CRC",
            comparison,
            request,
            tally);
        continue;
      }
      try {
        Optional<String> difference = comparison.compare(unit);
        if (difference.isPresent()) {
          repair(disk, unit, "parity-mismatch", difference.get(), comparison, request, tally);
        }
      } catch (IOException e) {
        disk.requireOk();
        tally.add(
            disk, "parity-unchecked", "unit " + unit + ": " + e.getMessage(), null, null, false);
      }
    }
    tally.bytesRead += comparison.bytesRead();
  }

  private static void repair(
      DiskEngine disk,
      int unit,
      String kind,
      String detail,
      ParityComparison comparison,
      ScrubRequest request,
      Tally tally)
      throws IOException {
    boolean repaired = false;
    String outcome = "";
    if (request.repair()) {
      try (ImageScope images = new ImageScope(disk)) {
        disk.lstor().rebuildUnits(List.of(unit), images);
        repaired = comparison.compare(unit).isEmpty();
      } catch (IOException e) {
        disk.requireOk();
        outcome = "; not repaired: " + e.getMessage();
      }
    }
    tally.add(disk, kind, "unit " + unit + ": " + detail + outcome, null, null, repaired);
  }

  // ---------------------------------------------------------------- rows and files

  /** Plain replicas have no rows, and are for HDFS' own scanner to read. */
  private static void compareFilesWithRows(VolumeFrames volume, Tally tally) throws IOException {
    DiskEngine disk = volume.volume().disk();
    String pool = disk.context().pool().id();
    for (ReplicaFiles replica : volume.volume().directory().scan(pool)) {
      FrameEngine engine = volume.engineOf(replica.blockId()).orElse(null);
      if (engine == null) {
        continue;
      }
      Frame frame = engine.frame();
      frame.lock(replica.blockId());
      try {
        Optional<ReplicaFiles> now = frame.directory().findFinalized(pool, replica.blockId());
        SlotEntry row = engine.coverage().find(replica.blockId()).orElse(null);
        if (now.isEmpty()
            || frame.isOpen(replica.blockId())
            || volume.volume().isLeaving(replica.blockId())
            || !frame.owns(replica.blockId())) {
          continue;
        }
        long length = Files.size(now.get().data());
        if (row != null && isCut(row, now.get(), length)) {
          continue;
        }
        if (row == null
            || row.state() != SlotState.LIVE
            || !row.coversAnything()
            || row.coveredBytes() != length) {
          tally.add(
              disk,
              "uncovered-replica",
              "lengthBytes=" + length + " row=" + row + ", expected it covered whole",
              frame,
              replica.blockId(),
              false);
          frame.schedule(replica.blockId());
        }
      } finally {
        frame.unlock(replica.blockId());
      }
    }
  }

  /** Whether a finished replica is there, and neither a row nor a claim. */
  /**
   * Whether the file has lost bytes that the parity holds. Found below as an image that is missing;
   * it must not be covered as it is, for the good bytes are in the parity.
   */
  private static boolean isCut(SlotEntry row, ReplicaFiles files, long lengthBytes) {
    return row.state() == SlotState.LIVE
        && row.generationStamp() == files.generationStamp()
        && row.coveredBytes() > lengthBytes;
  }

  private static List<SlotEntry> rowsWithoutImage(FrameEngine engine) {
    Frame frame = engine.frame();
    List<SlotEntry> lost = new ArrayList<>();
    for (SlotEntry row : frame.disk().lstor().entries(frame.index())) {
      frame.lock(row.blockId());
      try {
        SlotEntry now = engine.coverage().find(row.blockId()).orElse(null);
        if (now != null && now.coversAnything() && !holds(frame, now)) {
          lost.add(now);
        }
      } finally {
        frame.unlock(row.blockId());
      }
    }
    return lost;
  }

  private void missing(Frame frame, SlotEntry row, ScrubRequest request, Tally tally)
      throws IOException {
    String detail =
        "coveredBytes="
            + row.coveredBytes()
            + " generationStamp="
            + row.generationStamp()
            + ", expected a live replica or limbo that holds them";
    if (row.state() == SlotState.LIVE) {
      damaged(frame, "missing-image", detail, expected(frame, row), request, tally);
    } else {
      tally.add(frame.disk(), "missing-image", detail, frame, row.blockId(), false);
    }
  }

  private static HealRequest expected(Frame frame, SlotEntry row) {
    return new HealRequest(
        frame.storageId(), row.blockId(), row.generationStamp(), row.coveredBytes());
  }

  /** A replica is damaged: heals it when asked to, else tells HDFS, whose manager will order it. */
  private void damaged(
      Frame frame,
      String kind,
      String detail,
      HealRequest replica,
      ScrubRequest request,
      Tally tally)
      throws IOException {
    boolean repaired = false;
    String outcome = "";
    if (request.repair()) {
      HealReport report = healer.heal(replica);
      repaired = report.isRepaired();
      outcome = "; " + (repaired ? "healed " : "not repaired: ") + report.detail();
    }
    if (!repaired) {
      badReplicas.report(replica);
    }
    tally.add(frame.disk(), kind, detail + outcome, frame, replica.blockId(), repaired);
  }

  private static boolean holds(Frame frame, SlotEntry row) {
    try (CoveredImage image = frame.image(row)) {
      return image.heldBytes() >= row.coveredBytes();
    } catch (IOException e) {
      return false;
    }
  }

  // ---------------------------------------------------------------- replicas

  private void verifyReplicas(VolumeFrames volume, ScrubRequest request, Tally tally)
      throws IOException {
    String pool = volume.volume().disk().context().pool().id();
    for (ReplicaFiles replica : volume.volume().directory().scan(pool)) {
      FrameEngine engine = volume.engineOf(replica.blockId()).orElse(null);
      if (engine == null || replica.inFlux()) {
        continue;
      }
      Frame frame = engine.frame();
      tally.blocks++;
      try {
        tally.bytesRead += ReplicaCheck.verify(replica);
      } catch (NoSuchFileException e) {
        // Deleted or reopened since the directory was read: no finding.
        tally.blocks--;
      } catch (IOException e) {
        frame.disk().requireOk();
        if (!stillThere(frame, replica)) {
          continue;
        }
        HealRequest expected =
            engine
                .coverage()
                .find(replica.blockId())
                .filter(row -> row.state() == SlotState.LIVE && row.coversAnything())
                .map(row -> expected(frame, row))
                .orElse(
                    new HealRequest(
                        frame.storageId(),
                        replica.blockId(),
                        replica.generationStamp(),
                        Files.size(replica.data())));
        damaged(frame, "corrupt-replica", e.getMessage(), expected, request, tally);
      }
    }
  }

  private static boolean stillThere(Frame frame, ReplicaFiles replica) throws IOException {
    return !frame.isOpen(replica.blockId())
        && frame
            .directory()
            .findFinalized(frame.blockPoolId(), replica.blockId())
            .equals(Optional.of(replica));
  }
}
