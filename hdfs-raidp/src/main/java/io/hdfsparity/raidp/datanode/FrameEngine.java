/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.bridge.datanode.VolumeHooks;
import io.hdfsparity.raidp.config.Mode;
import io.hdfsparity.raidp.config.NodeOptions;
import io.hdfsparity.raidp.image.FrameDirectory;
import io.hdfsparity.raidp.image.ImageException;
import io.hdfsparity.raidp.image.ReplicaFiles;
import io.hdfsparity.raidp.image.ReplicaSource;
import io.hdfsparity.raidp.lstor.Extents;
import io.hdfsparity.raidp.lstor.Lstor;
import io.hdfsparity.raidp.lstor.LstorException;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.SlotCause;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the parity right through every change that HDFS makes to the replicas of one frame. The
 * order of the steps of each change, and what a crash after any of them leaves, is in the table of
 * docs/design/raidp.md. {@link VolumeFrames} brings the calls of HDFS here; they mean what {@link
 * VolumeHooks} says.
 *
 * <p>Thread-safe. Refuses by exception, and then nothing has changed that matters.
 */
final class FrameEngine {
  private static final Logger LOG = LoggerFactory.getLogger(FrameEngine.class);

  private final Frame frame;
  private final Lstor lstor;
  private final Coverage coverage;
  private final StartFindings startFindings;
  private final RowPlaces places;
  private final SlotAgreement agreement;
  private final Settler settler;
  private final WriteGate writeGate;

  /** Refuses writes while the DataNode's plugin is not in service. */
  @FunctionalInterface
  interface WriteGate {
    void requireOpen() throws IOException;
  }

  FrameEngine(Frame frame, WriteGate writeGate) {
    this.frame = frame;
    this.lstor = frame.disk().lstor();
    this.coverage = new Coverage(frame);
    this.startFindings = new StartFindings(frame, coverage);
    this.places = new RowPlaces(frame);
    this.agreement = new SlotAgreement(frame, coverage, this::makeRoom);
    this.settler = new Settler(frame, coverage, startFindings, agreement, places);
    this.writeGate = writeGate;
  }

  private void makeRoom() {
    settler.makeRoom();
  }

  Frame frame() {
    return frame;
  }

  Coverage coverage() {
    return coverage;
  }

  StartFindings startFindings() {
    return startFindings;
  }

  RowPlaces places() {
    return places;
  }

  SlotAgreement agreement() {
    return agreement;
  }

  Settler settler() {
    return settler;
  }

  private NodeOptions options() {
    return frame.disk().context().options();
  }

  private LstorGeometry geometry() {
    return lstor.geometry();
  }

  private void enter(String blockPoolId) throws IOException {
    frame.disk().context().pool().use(blockPoolId);
    frame.disk().requireOk();
  }

  // ---------------------------------------------------------------- making and finishing replicas

  /**
   * What may take long of {@link #reserve}: agrees with the partner on units. If HDFS makes no
   * replica, the row goes after {@link Frame#UNUSED_ROW_MS}.
   */
  void reserveAhead(String blockPoolId, long blockId, long maxBytes) throws IOException {
    int units = unitsToReserve(blockPoolId, blockId, maxBytes);
    agreeAhead(blockId, () -> agreement.reserveAhead(blockId, units));
  }

  /** Asks the partner for units before HDFS takes its lock. */
  private interface Question {
    void ask() throws IOException;
  }

  private void agreeAhead(long blockId, Question question) throws IOException {
    Pairing pairing = frame.requirePairing();
    try {
      question.ask();
    } finally {
      frame.scheduleIn(blockId, Frame.UNUSED_ROW_MS);
    }
    frame.agreedRows().add(blockId, pairing);
  }

  private int unitsToReserve(String blockPoolId, long blockId, long maxBytes) throws IOException {
    writeGate.requireOpen();
    enter(blockPoolId);
    frame.requireReplicated(blockId);
    frame.requirePairing();
    return geometry().unitsFor(requireSize(blockId, maxBytes));
  }

  void reserve(String blockPoolId, long blockId, long maxBytes) throws IOException {
    int units = unitsToReserve(blockPoolId, blockId, maxBytes);
    frame.disk().noteWrite();
    boolean wasOpen = frame.isOpen(blockId);
    frame.open(blockId);
    boolean reserved = false;
    try {
      if (!frame.agreedRows().take(blockId, row -> isReserved(row, units))) {
        agreement.reserve(blockId, units);
      }
      frame.grantTaken();
      reserved = true;
    } finally {
      if (!reserved && !wasOpen) {
        frame.closed(blockId);
        frame.schedule(blockId);
      }
    }
  }

  private static boolean isReserved(SlotEntry row, int units) {
    return row.state() == SlotState.RESERVED && !row.coversAnything() && row.units() >= units;
  }

  private static boolean isHeld(SlotEntry row, int units) {
    return row.state() != SlotState.LIMBO && row.units() >= units;
  }

  /**
   * Any length that a frame can hold: the NameNode limits the blocks that it places, and writers,
   * copies and rebuilds may bring longer ones that were acknowledged.
   */
  private long requireSize(long blockId, long maxBytes) throws IOException {
    if (maxBytes == VolumeHooks.MAX_BYTES_UNKNOWN) {
      return options().frames().maxBlockBytes();
    }
    if (maxBytes > geometry().frameBytes()) {
      throw new IOException(
          "Cannot create block: block="
              + blockId
              + " blockBytes="
              + maxBytes
              + ", expected at most dfs.parity.raidp.frame.size="
              + geometry().frameBytes());
    }
    return maxBytes;
  }

  void reserveFailed(long blockId) {
    frame.closed(blockId);
    // The row, if there is one, is RESERVED and without a file: let go of with the partner's
    // consent.
    frame.schedule(blockId);
  }

  /**
   * All that can take long of {@link #finalizing}: units that only the leader can give, room in the
   * journal, and the bytes themselves. A crash after it leaves a covered row whose file is not
   * finalized, as one in the middle of {@link #finalizing} does.
   */
  void beforeFinalizing(String blockPoolId, ReplicaFiles files, long lengthBytes)
      throws IOException {
    enter(blockPoolId);
    frame.disk().noteWrite();
    long blockId = files.blockId();
    SlotEntry row = rowWithUnits(files, lengthBytes);
    if (row.coveredBytes() > lengthBytes) {
      return; // It is about to be cut, and covered as long as it will be.
    }
    JournalGate gate = frame.disk().gate();
    gate.admit(frame.index(), blockId, Math.max(0, lengthBytes - row.coveredBytes()));
    boolean isCovered = false;
    try {
      cover(files, lengthBytes, false);
      isCovered = true;
    } finally {
      if (!isCovered) {
        gate.withdraw(frame.index(), blockId);
      }
    }
  }

  void finalizeFailed(long blockId) {
    frame.disk().gate().withdraw(frame.index(), blockId);
  }

  void finalizing(String blockPoolId, ReplicaFiles files, long lengthBytes) throws IOException {
    enter(blockPoolId);
    frame.disk().noteWrite();
    long blockId = files.blockId();
    SlotEntry row = rowWithUnits(files, lengthBytes);
    frame
        .disk()
        .gate()
        .await(frame.index(), blockId, Math.max(0, lengthBytes - row.coveredBytes()));
    cover(files, lengthBytes, true);
    frame.lock(blockId);
    try {
      frame.touch(blockId);
      giveUpSpareUnits(blockId);
      frame.closed(blockId);
    } finally {
      frame.unlock(blockId);
    }
    frame.schedule(blockId);
  }

  /**
   * The follower releases what a finished block does not need; the leader does once it knows that.
   */
  private void giveUpSpareUnits(long blockId) throws IOException {
    Optional<Pairing> pairing = frame.pairing();
    boolean leads = pairing.isPresent() && frame.leads(pairing.get());
    SlotEntry row = coverage.row(blockId);
    int needed = Coverage.unitsNeeded(geometry(), row.checksum(), row.coveredBytes());
    if (!leads && row.units() > needed) {
      lstor.resize(frame.index(), blockId, Extents.trim(row.runs(), needed));
    }
  }

  /**
   * The row of a block, with units for so many bytes. Not limited by the largest block that is
   * placed: HDFS takes all that a writer sends of one block, and has acknowledged it.
   */
  private SlotEntry rowWithUnits(ReplicaFiles files, long lengthBytes) throws IOException {
    int units =
        Coverage.unitsNeeded(geometry(), ReplicaSource.readChecksum(files.meta()), lengthBytes);
    SlotEntry row = coverage.find(files.blockId()).orElse(null);
    if (row == null || row.units() < units) {
      agreement.extend(files.blockId(), units);
      row = coverage.row(files.blockId());
    }
    return row;
  }

  private void cover(ReplicaFiles files, long lengthBytes, boolean finished) throws IOException {
    long blockId = files.blockId();
    JournalGate gate = frame.disk().gate();
    frame.lock(blockId);
    try {
      frame.disk().requireOk();
      frame.touch(blockId);
      long grown = coverage.cover(files, files.generationStamp(), lengthBytes);
      gate.note(frame.index(), blockId, grown);
      if (finished) {
        gate.finish(frame.index(), blockId, coverage.row(blockId).ackPending());
      }
    } finally {
      frame.unlock(blockId);
    }
  }

  boolean wantsWrites() {
    return frame.coversPackets();
  }

  void written(String blockPoolId, ReplicaFiles files, long lengthBytes) throws IOException {
    if (!wantsWrites()) {
      return;
    }
    enter(blockPoolId);
    frame.disk().noteWrite();
    SlotEntry row = coverage.find(files.blockId()).orElse(null);
    if (row == null || row.coveredBytes() < lengthBytes) {
      rowWithUnits(files, lengthBytes);
      cover(files, lengthBytes, false);
    }
  }

  // ---------------------------------------------------------------- changing finished replicas

  /** As {@link #reserveAhead}; units that are not used go when the row is settled again. */
  void beforeReopening(String blockPoolId, long blockId, long maxBytes) throws IOException {
    int units = unitsToReopen(blockPoolId, blockId, maxBytes);
    agreeAhead(blockId, () -> agreement.extend(blockId, units));
  }

  private int unitsToReopen(String blockPoolId, long blockId, long maxBytes) throws IOException {
    writeGate.requireOpen();
    enter(blockPoolId);
    return geometry().unitsFor(requireSize(blockId, maxBytes));
  }

  void reopening(String blockPoolId, long blockId, long maxBytes) throws IOException {
    int units = unitsToReopen(blockPoolId, blockId, maxBytes);
    frame.disk().noteWrite();
    boolean wasOpen = frame.isOpen(blockId);
    open(blockId);
    boolean extended = false;
    try {
      if (!frame.agreedRows().take(blockId, row -> isHeld(row, units))) {
        agreement.extend(blockId, units);
      }
      extended = true;
    } finally {
      if (!extended && !wasOpen) {
        reopenFailed(blockId);
      }
    }
  }

  private void open(long blockId) {
    frame.open(blockId);
    frame.disk().gate().reopen(frame.index(), blockId);
  }

  void reopenFailed(long blockId) {
    frame.closed(blockId);
    frame.disk().gate().finish(frame.index(), blockId, true);
    frame.schedule(blockId);
  }

  void truncating(
      String blockPoolId, long blockId, File blockFile, File metaFile, long newLengthBytes)
      throws IOException {
    frame.disk().context().pool().use(blockPoolId);
    ReplicaFiles files = ReplicaFiles.of(blockFile.toPath(), metaFile.toPath());
    if (frame.disk().state() == DiskState.DISK_FAILED
        && coverage.isUncoveredTornTail(files, newLengthBytes)) {
      return;
    }
    enter(blockPoolId);
    frame.disk().noteWrite();
    frame.lock(blockId);
    try {
      SlotEntry row = coverage.find(blockId).orElse(null);
      if (row != null && !files.inFlux()) {
        // One that is being written is cut by a recovery, which cannot wait.
        frame.limbo().requireRoom(blockId, 2 * options().frames().maxBlockBytes());
      }
      // Until finalizing comes, nothing in the background may cover what is about to be cut.
      open(blockId);
      frame.touch(blockId);
      if (row == null) {
        return;
      }
      coverage.saveTail(files, newLengthBytes);
      if (row.coveredBytes() > newLengthBytes) {
        coverage.shrink(row, newLengthBytes, files.inFlux());
      }
    } catch (LstorException.CorruptParity e) {
      if (!files.inFlux()) {
        // HDFS holds a lock of the volume, and tries again; meanwhile the cell is repaired.
        reopenFailed(blockId);
      }
      throw e;
    } finally {
      frame.unlock(blockId);
    }
  }

  // ---------------------------------------------------------------- taking replicas away

  /** A block file at a live place is about to be deleted. */
  boolean removing(long blockId, Path path) throws IOException {
    frame.lock(blockId);
    try {
      SlotEntry row = coverage.find(blockId).orElse(null);
      frame.closed(blockId);
      frame.volume().endLeaving(blockId);
      if (row == null) {
        return false;
      }
      frame.touch(blockId);
      lstor.apply(frame.index(), blockId, SlotCause.DELETED);
      frame.disk().gate().forget(frame.index(), blockId);
      Optional<ReplicaFiles> replica = FrameDirectory.findIn(path.getParent(), blockId);
      if (replica.isPresent()) {
        coverage.noteBeforeLimbo(row, replica.get());
        frame.limbo().take(replica.get());
      }
      if (options().settling().mode() == Mode.INLINE) {
        coverage.uncover(coverage.row(blockId));
      }
      return replica.isPresent();
    } finally {
      frame.unlock(blockId);
      frame.schedule(blockId);
    }
  }

  void restored(String blockPoolId, File blockFile) throws IOException {
    enter(blockPoolId);
    long blockId = ReplicaFiles.blockIdOf(blockFile.toPath());
    Optional<ReplicaFiles> files = FrameDirectory.findIn(blockFile.toPath().getParent(), blockId);
    if (files.isEmpty()) {
      throw new ImageException.NotHeld(
          "Cannot cover restored replica: block="
              + blockId
              + ", expected a checksum file beside it, file="
              + blockFile);
    }
    frame.volume().endLeaving(blockId);
    settler.coverFinalized(files.get());
    frame.schedule(blockId);
  }

  void lost(String blockPoolId, long blockId) throws IOException {
    enter(blockPoolId);
    frame.lock(blockId);
    try {
      SlotEntry row = coverage.find(blockId).orElse(null);
      if (row == null || frame.isOpen(blockId)) {
        return;
      }
      LOG.warn(
          "Replica is gone behind HDFS' back: block={} storageId={}", blockId, frame.storageId());
      frame.touch(blockId);
      lstor.apply(frame.index(), blockId, SlotCause.LOST);
      frame.disk().gate().forget(frame.index(), blockId);
      coverage.noteUnknownPast(coverage.uncover(coverage.row(blockId)));
    } finally {
      frame.unlock(blockId);
      frame.schedule(blockId);
    }
  }
}
