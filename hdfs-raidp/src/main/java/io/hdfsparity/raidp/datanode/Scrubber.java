/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.image.CoveredImage;
import io.hdfsparity.raidp.image.ImageException;
import io.hdfsparity.raidp.image.ReplicaFiles;
import io.hdfsparity.raidp.lstor.ScrubResult;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.ScrubFinding;
import io.hdfsparity.raidp.wire.message.ScrubReport;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
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
  private static final int PIECE_BYTES = 1 << 20;

  private final NodeFrames frames;
  private final BadReplicas badReplicas;
  private final AtomicLong findingsEver = new AtomicLong();

  /** Told of replicas that do not match their CRCs, so that HDFS replaces them. */
  @FunctionalInterface
  interface BadReplicas {
    void report(String blockPoolId, ReplicaFiles replica) throws IOException;
  }

  Scrubber(NodeFrames frames, BadReplicas badReplicas) {
    this.frames = frames;
    this.badReplicas = badReplicas;
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
    for (FrameEngine engine : frames.enginesOf(disk)) {
      compareRowsWithFiles(engine, tally);
      if (request.verifyFiles()) {
        verifyReplicas(engine, tally);
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

  private static void compareRowsWithFiles(FrameEngine engine, Tally tally) throws IOException {
    Frame frame = engine.frame();
    DiskEngine disk = frame.disk();
    String pool = frame.blockPoolId();
    for (ReplicaFiles replica : frame.directory().scan(pool)) {
      frame.lock(replica.blockId());
      try {
        Optional<ReplicaFiles> now = frame.directory().findFinalized(pool, replica.blockId());
        SlotEntry row = engine.coverage().find(replica.blockId()).orElse(null);
        if (now.isEmpty() || frame.isOpen(replica.blockId())) {
          continue;
        }
        long length = Files.size(now.get().data());
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
    for (SlotEntry row : disk.lstor().entries(frame.index())) {
      frame.lock(row.blockId());
      try {
        SlotEntry now = engine.coverage().find(row.blockId()).orElse(null);
        if (now != null && now.coversAnything() && !holds(frame, now)) {
          tally.add(
              disk,
              "missing-image",
              "coveredBytes="
                  + now.coveredBytes()
                  + " generationStamp="
                  + now.generationStamp()
                  + ", expected a live replica or limbo that holds them",
              frame,
              row.blockId(),
              false);
        }
      } finally {
        frame.unlock(row.blockId());
      }
    }
  }

  private static boolean holds(Frame frame, SlotEntry row) {
    try (CoveredImage image = frame.image(row)) {
      return image.heldBytes() >= row.coveredBytes();
    } catch (IOException e) {
      return false;
    }
  }

  // ---------------------------------------------------------------- replicas

  private void verifyReplicas(FrameEngine engine, Tally tally) throws IOException {
    Frame frame = engine.frame();
    for (ReplicaFiles replica : frame.directory().scan(frame.blockPoolId())) {
      if (replica.inFlux()) {
        continue;
      }
      tally.blocks++;
      try {
        tally.bytesRead += verify(replica);
      } catch (NoSuchFileException e) {
        // Deleted or reopened since the directory was read: no finding.
        tally.blocks--;
      } catch (IOException e) {
        frame.disk().requireOk();
        if (!stillThere(frame, replica)) {
          continue;
        }
        badReplicas.report(frame.blockPoolId(), replica);
        tally.add(frame.disk(), "corrupt-replica", e.getMessage(), frame, replica.blockId(), false);
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

  private static long verify(ReplicaFiles replica) throws IOException {
    long length = Files.size(replica.data());
    try (CoveredImage image = CoveredImage.ofReplica(replica)) {
      if (image.heldBytes() < length) {
        throw new ImageException.Corrupt(
            "Cannot verify replica: lengthBytes="
                + length
                + ", expected CRCs for all, found"
                + " them for "
                + image.heldBytes()
                + ", file="
                + replica.meta());
      }
      ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
      for (long at = 0; at < length; at += piece.limit()) {
        piece.clear().limit((int) Math.min(piece.capacity(), length - at));
        image.readData(at, piece);
      }
    }
    return length;
  }
}
