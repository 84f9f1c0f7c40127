/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.image.CoveredImage;
import io.hdfsparity.raidp.image.ReplicaFiles;
import io.hdfsparity.raidp.lstor.Extents;
import io.hdfsparity.raidp.lstor.LstorException;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.HealReport;
import io.hdfsparity.raidp.wire.message.HealRequest;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One scrub of one disk. Compares the parity of each unit with the images of the rows there, also
 * of units without rows: these have to be zero, as the next row is added to what is left there.
 * What that reads of replicas is not read again. Thread-safety: one thread.
 */
final class DiskScrub {
  private final DiskEngine disk;
  private final Iterable<VolumeFrames> volumes;
  private final ScrubRequest request;
  private final Scrubber.Actions actions;
  private final ScrubRun run;
  private final ScrubTally tally = new ScrubTally();
  private final ParityComparison comparison;
  private final List<Problem> problems = new ArrayList<>();

  /** Rows whose images were read whole, and are good. */
  private final Set<SlotEntry> read = new HashSet<>();

  private long pacedBytes;

  /** A unit whose parity is wrong, or could not be compared. */
  private record Problem(int unit, String kind, String detail) {
    static final String UNCHECKED = "parity-unchecked";

    boolean isUnchecked() {
      return kind.equals(UNCHECKED);
    }
  }

  DiskScrub(
      DiskEngine disk,
      Iterable<VolumeFrames> volumes,
      ScrubRequest request,
      Scrubber.Actions actions,
      ScrubRun run) {
    this.disk = disk;
    this.volumes = volumes;
    this.request = request;
    this.actions = actions;
    this.run = run;
    this.comparison = new ParityComparison(disk);
  }

  /**
   * Checks the disk.
   *
   * @throws java.io.InterruptedIOException when the run was stopped
   */
  ScrubTally check() throws IOException {
    for (VolumeFrames volume : volumes) {
      compareFilesWithRows(volume);
      for (FrameEngine engine : volume.engines()) {
        for (SlotEntry lost : rowsWithoutImage(engine)) {
          missing(engine.frame(), lost);
        }
      }
    }
    disk.lstor()
        .verifyTables()
        .forEach(finding -> tally.add(disk, "lstor-table", finding, null, null, false));
    compareUnits();
    if (request.verifyFiles()) {
      for (VolumeFrames volume : volumes) {
        verifyReplicas(volume);
      }
    }
    for (Problem problem : problems) {
      settle(problem);
    }
    pace();
    tally.bytesRead += comparison.bytesRead();
    return tally;
  }

  // ---------------------------------------------------------------- parity

  private void compareUnits() throws IOException {
    List<SlotEntry> rows = disk.lstor().entries();
    int units = disk.lstor().geometry().unitsPerFrame();
    run.expect(units);
    BitSet unread = new BitSet();
    for (int unit = 0; unit < units; unit++) {
      compare(unit).ifPresent(problems::add);
      run.compared(1);
      pace();
    }
    // A comparison ends at the first thing that is wrong: it may not have come to all images.
    problems.forEach(problem -> unread.set(problem.unit()));
    for (SlotEntry row : rows) {
      if (!comparison.unreadable().contains(row)
          && !Extents.unitsOf(row.runs()).intersects(unread)) {
        read.add(row);
      }
    }
  }

  private Optional<Problem> compare(int unit) throws IOException {
    try {
      return comparison
          .compare(unit)
          .map(difference -> new Problem(unit, "parity-mismatch", difference));
    } catch (LstorException.CorruptParity e) {
      return Optional.of(new Problem(unit, "parity-cell-crc", "a cell of the unit fails its CRC"));
    } catch (IOException e) {
      disk.requireOk();
      return Optional.of(new Problem(unit, Problem.UNCHECKED, String.valueOf(e.getMessage())));
    }
  }

  /**
   * Repairs what is wrong. A unit that could not be compared can be, once its replicas are healed.
   */
  private void settle(Problem problem) throws IOException {
    Problem now = problem;
    if (problem.isUnchecked()) {
      Optional<Problem> again = compare(problem.unit());
      if (again.isEmpty()) {
        return;
      }
      now = again.get();
    }
    String detail = "unit " + now.unit() + ": " + now.detail();
    if (now.isUnchecked()) {
      tally.add(disk, now.kind(), detail, null, null, false);
    } else {
      repair(now, detail);
    }
  }

  private void repair(Problem problem, String detail) throws IOException {
    boolean repaired = false;
    String outcome = "";
    if (request.repair()) {
      try (ImageScope images = new ImageScope(disk)) {
        disk.lstor().rebuildUnits(List.of(problem.unit()), images);
        repaired = comparison.compare(problem.unit()).isEmpty();
      } catch (IOException e) {
        disk.requireOk();
        outcome = "; not repaired: " + e.getMessage();
      }
    }
    tally.add(disk, problem.kind(), detail + outcome, null, null, repaired);
  }

  /** Waits until what was read is within the limit. */
  private void pace() throws IOException {
    disk.requireOk();
    long now = tally.bytesRead + comparison.bytesRead();
    run.read(now - pacedBytes);
    pacedBytes = now;
  }

  // ---------------------------------------------------------------- rows and files

  /** Plain replicas have no rows, and are for HDFS' own scanner to read. */
  private void compareFilesWithRows(VolumeFrames volume) throws IOException {
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

  private void missing(Frame frame, SlotEntry row) throws IOException {
    String detail =
        "coveredBytes="
            + row.coveredBytes()
            + " generationStamp="
            + row.generationStamp()
            + ", expected a live replica or limbo that holds them";
    if (row.state() == SlotState.LIVE) {
      damaged(frame, "missing-image", detail, expected(frame, row));
    } else {
      tally.add(frame.disk(), "missing-image", detail, frame, row.blockId(), false);
    }
  }

  private static HealRequest expected(Frame frame, SlotEntry row) {
    return new HealRequest(
        frame.storageId(), row.blockId(), row.generationStamp(), row.coveredBytes());
  }

  /** A replica is damaged: heals it when asked to, else tells HDFS, whose manager will order it. */
  private void damaged(Frame frame, String kind, String detail, HealRequest replica)
      throws IOException {
    boolean repaired = false;
    String outcome = "";
    if (request.repair()) {
      HealReport report = actions.healer().heal(replica);
      repaired = report.isRepaired();
      outcome = "; " + (repaired ? "healed " : "not repaired: ") + report.detail();
    }
    if (!repaired) {
      actions.badReplicas().report(replica);
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

  /**
   * Reads the replicas that the comparison has not read whole: those that are not covered whole,
   * and those of which something could not be read.
   */
  private void verifyReplicas(VolumeFrames volume) throws IOException {
    String pool = volume.volume().disk().context().pool().id();
    for (ReplicaFiles replica : volume.volume().directory().scan(pool)) {
      FrameEngine engine = volume.engineOf(replica.blockId()).orElse(null);
      if (engine == null || replica.inFlux()) {
        continue;
      }
      Frame frame = engine.frame();
      tally.blocks++;
      if (wasRead(engine, replica)) {
        continue;
      }
      pace();
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
        damaged(frame, "corrupt-replica", e.getMessage(), expected);
      }
    }
  }

  /** Whether the comparison has read all bytes of the replica and found them good. */
  private boolean wasRead(FrameEngine engine, ReplicaFiles replica) throws IOException {
    SlotEntry row = engine.coverage().find(replica.blockId()).orElse(null);
    try {
      return row != null
          && row.state() == SlotState.LIVE
          && read.contains(row)
          && row.generationStamp() == replica.generationStamp()
          && row.coveredBytes() == Files.size(replica.data());
    } catch (NoSuchFileException e) {
      return false; // Reading it says the same.
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
