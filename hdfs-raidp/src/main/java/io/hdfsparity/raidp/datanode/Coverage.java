/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.image.CoveredImage;
import io.hdfsparity.raidp.image.ReplicaFiles;
import io.hdfsparity.raidp.image.TornTail;
import io.hdfsparity.raidp.lstor.BlockImage;
import io.hdfsparity.raidp.lstor.ChecksumSpec;
import io.hdfsparity.raidp.lstor.Extents;
import io.hdfsparity.raidp.lstor.Lstor;
import io.hdfsparity.raidp.lstor.LstorException;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.SlotCause;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves what the parity holds of the blocks of a frame. Callers hold the block's lock.
 *
 * <p>Whatever fails half-way leaves a row that says exactly what is covered; calling again
 * continues from there.
 */
final class Coverage {
  private static final Logger LOG = LoggerFactory.getLogger(Coverage.class);

  private static final BlockImage ZEROS =
      new BlockImage() {
        @Override
        public void readData(long position, ByteBuffer dst) {
          dst.put(new byte[dst.remaining()]);
        }

        @Override
        public void readMeta(long prefixBytes, long position, ByteBuffer dst) {
          dst.put(new byte[dst.remaining()]);
        }
      };

  /** The image of another row than the one that is taken out; names it when it cannot be read. */
  private record OtherImage(SlotEntry row, BlockImage image) implements BlockImage {
    @Override
    public void readData(long position, ByteBuffer dst) throws IOException {
      try {
        image.readData(position, dst);
      } catch (IOException e) {
        throw new UnreadableRowException(row, e);
      }
    }

    @Override
    public void readMeta(long prefixBytes, long position, ByteBuffer dst) throws IOException {
      try {
        image.readMeta(prefixBytes, position, dst);
      } catch (IOException e) {
        throw new UnreadableRowException(row, e);
      }
    }
  }

  private final Frame frame;
  private final Lstor lstor;
  private final LostRows lostRows;

  /**
   * Blocks of {@link #noteUnknownPast}; found again at each start, until a new replica is made and
   * limbo has the mark.
   */
  private final Set<Long> unknownPasts = ConcurrentHashMap.newKeySet();

  /** Blocks whose cuts were refused, as cells of the parity are damaged. */
  private final Set<Long> refusedCuts = ConcurrentHashMap.newKeySet();

  Coverage(Frame frame) {
    this.frame = frame;
    this.lstor = frame.disk().lstor();
    this.lostRows = frame.disk().lostRows();
  }

  /** Units that a replica needs for its data and its checksum file. */
  static int unitsNeeded(LstorGeometry geometry, ChecksumSpec checksum, long lengthBytes) {
    long metaUnits =
        (checksum.metaLength(lengthBytes) + geometry.metaBytesPerUnit() - 1)
            / geometry.metaBytesPerUnit();
    return (int) Math.max(geometry.unitsFor(lengthBytes), metaUnits);
  }

  /**
   * Makes the row cover the first {@code lengthBytes} of a replica that HDFS holds still, under its
   * stamp.
   *
   * @return bytes newly covered
   */
  long cover(ReplicaFiles files, long generationStamp, long lengthBytes) throws IOException {
    SlotEntry row = row(files.blockId());
    try (CoveredImage image = CoveredImage.ofReplica(files)) {
      if (row.coversAnything()
          && (lostRows.contains(row)
              || row.coveredBytes() > lengthBytes
              || row.generationStamp() > generationStamp
              || !row.checksum().equals(image.checksum()))) {
        // Bytes that are not a prefix of this replica: they went past the hooks, so the row's image
        // may be gone.
        LOG.warn(
            "Covering again: block={} row={} generationStamp={} lengthBytes={}",
            files.blockId(),
            row,
            generationStamp,
            lengthBytes);
        frame.limbo().saveLength(files, 0);
        row = uncover(row);
      }
      boolean stampChanges = row.coversAnything() && row.generationStamp() != generationStamp;
      if (row.state() == SlotState.LIVE && stampChanges && frame.coversPackets()) {
        frame.limbo().saveLength(files, row.coveredBytes());
      }
      if (row.state() == SlotState.LIMBO || (row.state() == SlotState.LIVE && stampChanges)) {
        // Under another stamp the partner has to show again that it holds the same.
        SlotCause cause = row.state() == SlotState.LIMBO ? SlotCause.RESTORED : SlotCause.RESTAMPED;
        row = lstor.apply(frame.index(), row.blockId(), cause);
        frame.leftLimbo(row.blockId());
      }
      if (isFirst(row) || isOfUnknownPast(row, generationStamp)) {
        // What became of the replica as a plain one, or without the hooks, is not in limbo.
        frame.limbo().saveLength(files, 0);
      }
      unknownPasts.remove(row.blockId());
      frame.limbo().endUnknownPast(row.blockId());
      long before = row.coveredBytes();
      onSoundCells(
          row,
          () ->
              lstor.setCoverage(
                  frame.index(),
                  files.blockId(),
                  generationStamp,
                  image.checksum(),
                  lengthBytes,
                  image));
      return lengthBytes - before;
    }
  }

  /**
   * Whether the frame begins to cover a replica that was there before the row, and not one that is
   * being made for the row.
   */
  private boolean isFirst(SlotEntry row) {
    boolean isNew = row.state() == SlotState.RESERVED && frame.isOpen(row.blockId());
    return row.generationStamp() == 0 && !isNew;
  }

  /**
   * Notes a row whose replica was there, and is neither in limbo nor live: it went without the
   * hooks, and may have been changed before that. A newer replica proves nothing of stamps before
   * its own. In memory, as a row without any replica says the same after a restart.
   */
  void noteUnknownPast(SlotEntry row) {
    if (!row.coversAnything()
        && row.generationStamp() != 0
        && !frame.limbo().holdsReplica(row.blockId(), row.generationStamp())) {
      unknownPasts.add(row.blockId());
    }
  }

  /** Whether a replica under a stamp is not known to be the one of before, with some more bytes. */
  boolean isOfUnknownPast(SlotEntry row, long generationStamp) {
    return (unknownPasts.contains(row.blockId()) || frame.limbo().hasUnknownPast(row.blockId()))
        && !row.coversAnything()
        && row.generationStamp() != 0
        && row.generationStamp() < generationStamp;
  }

  /**
   * Before a replica of unknown past goes to limbo, where it would stand for the one of before. One
   * that was covered has its note already.
   */
  void noteBeforeLimbo(SlotEntry row, ReplicaFiles replica) throws IOException {
    if (isOfUnknownPast(row, replica.generationStamp())) {
      frame.limbo().noteUnknown(replica.blockId(), replica.generationStamp() - 1);
    }
  }

  /** Moves the coverage of a row. */
  @FunctionalInterface
  private interface Move {
    void run() throws IOException;
  }

  /**
   * Moves the coverage of a row. A damaged cell of the parity stops that, and would until a scrub
   * repairs it: so units with one are recomputed, once.
   */
  private void onSoundCells(SlotEntry row, Move move) throws IOException {
    try {
      move.run();
    } catch (LstorException.CorruptParity e) {
      frame.disk().requireOk();
      LOG.warn(
          "Parity cell of a block is damaged, recomputing its unit from the blocks: block={} storageId={}",
          row.blockId(),
          frame.storageId(),
          e);
      try {
        recomputeDamaged(row);
      } catch (IOException failed) {
        failed.addSuppressed(e);
        throw failed;
      }
      move.run();
    }
  }

  private void recomputeDamaged(SlotEntry row) throws IOException {
    try (ImageScope scope = new ImageScope(frame.disk())) {
      lstor.rebuildUnits(damagedUnits(row), scope);
    }
  }

  /** Recomputes the cells for which a cut of a block was refused. Takes long. */
  void repairRefusedCut(long blockId) throws IOException {
    if (refusedCuts.contains(blockId)) {
      SlotEntry row = find(blockId).orElse(null);
      if (row != null) {
        recomputeDamaged(row);
      }
      refusedCuts.remove(blockId);
    }
  }

  private List<Integer> damagedUnits(SlotEntry row) throws IOException {
    List<Integer> damaged = new ArrayList<>();
    for (int unit : Extents.unitsOf(row.runs()).stream().toArray()) {
      if (!isSound(ParityKind.DATA, unit, lstor.geometry().unitBytes())
          || !isSound(ParityKind.META, unit, lstor.geometry().metaBytesPerUnit())) {
        damaged.add(unit);
      }
    }
    return damaged;
  }

  private boolean isSound(ParityKind kind, int unit, int bytesPerUnit) throws IOException {
    try {
      lstor.readParity(kind, (long) unit * bytesPerUnit, ByteBuffer.allocate(bytesPerUnit));
      return true;
    } catch (LstorException.CorruptParity e) {
      return false;
    }
  }

  /**
   * Puts what a cut takes away into limbo. Of a torn replica that is not needed: at its start
   * Hadoop takes one that it cannot cut for an empty one, and a lease recovery that finds only
   * empty ones deletes the block.
   *
   * @throws IOException if limbo cannot take it, as on a full disk; nothing may be cut then
   */
  void saveTail(ReplicaFiles files, long newLengthBytes) throws IOException {
    try {
      frame.limbo().saveTail(files, newLengthBytes);
    } catch (IOException e) {
      if (!isUncoveredTornTail(files, newLengthBytes)) {
        throw e;
      }
      LOG.warn(
          "Torn tail of a replica is not kept: block={} storageId={} newLengthBytes={}",
          files.blockId(),
          frame.storageId(),
          newLengthBytes,
          e);
    }
  }

  /**
   * Whether a cut takes away only a torn tail of which the row covers nothing: what is left is what
   * an earlier crash would have left. Where the row covers some of it the partner's does too, and
   * limbo has to have the cut: else the partner is given what is written there later.
   */
  boolean isUncoveredTornTail(ReplicaFiles files, long newLengthBytes) throws IOException {
    long coveredBytes = find(files.blockId()).map(SlotEntry::coveredBytes).orElse(0L);
    return coveredBytes <= newLengthBytes
        && TornTail.isCut(
            frame.directory(), frame.blockPoolId(), files.data(), files.meta(), newLengthBytes);
  }

  /**
   * Takes everything above a length out of the parity; the replica still has the bytes.
   *
   * @param mayTakeLong damaged cells are recomputed from all blocks at their units, some of them
   *     the partners'
   * @throws LstorException.CorruptParity when they are not; {@link #repairRefusedCut} does it then
   */
  void shrink(SlotEntry row, long lengthBytes, boolean mayTakeLong) throws IOException {
    try {
      shrinkTo(row, lengthBytes, mayTakeLong);
    } finally {
      giveBack(row);
    }
  }

  /** What has left the parity is no longer booked in the journal; also when only a part has. */
  private void giveBack(SlotEntry before) {
    long left = find(before.blockId()).map(SlotEntry::coveredBytes).orElse(0L);
    frame.disk().gate().uncovered(frame.index(), before.blockId(), before.coveredBytes() - left);
  }

  private void shrinkTo(SlotEntry row, long lengthBytes, boolean mayTakeLong) throws IOException {
    if (lostRows.contains(row)) {
      clearLost(row);
      return;
    }
    try (RowImage image = new RowImage(frame, row)) {
      Move move =
          () ->
              lstor.setCoverage(
                  frame.index(),
                  row.blockId(),
                  row.generationStamp(),
                  row.checksum(),
                  lengthBytes,
                  image);
      if (mayTakeLong) {
        onSoundCells(row, move);
      } else {
        move.run();
      }
    } catch (LstorException.CorruptParity e) {
      refusedCuts.add(row.blockId());
      throw e;
    } catch (LstorException e) {
      throw e;
    } catch (IOException e) {
      // Unreadable here and at the partner. Recomputing takes all of the block out; finalizing
      // covers it again.
      forgetLost(row, e);
    }
  }

  /** Takes a block out of the parity. */
  SlotEntry uncover(SlotEntry row) throws IOException {
    if (!row.coversAnything()) {
      return row;
    }
    try {
      return lostRows.contains(row) ? clearLost(row) : clear(row);
    } finally {
      giveBack(row);
    }
  }

  private SlotEntry clear(SlotEntry row) throws IOException {
    try (RowImage image = new RowImage(frame, row)) {
      return lstor.clearCoverage(frame.index(), row.blockId(), image);
    } catch (LstorException e) {
      if (!(e instanceof LstorException.CorruptParity)) {
        throw e;
      }
      return forgetLost(row, e);
    } catch (IOException e) {
      return forgetLost(row, e);
    }
  }

  /** Takes one of {@link LostRows} out. */
  private SlotEntry clearLost(SlotEntry row) throws IOException {
    SlotEntry cleared = forgetLost(row, new IOException("No file here had its bytes at the start"));
    lostRows.remove(row);
    if (frame.directory().find(frame.blockPoolId(), row.blockId()).isEmpty()) {
      noteUnknownPast(cleared);
    }
    return cleared;
  }

  /**
   * Takes a block out whose covered bytes nobody here has any more.
   *
   * @param isLost other rows of the disk of which the same is true, and that go next: the parity is
   *     recomputed without them
   * @throws UnreadableRowException if another block at its units cannot be read
   */
  SlotEntry forget(SlotEntry row, Predicate<SlotEntry> isLost) throws IOException {
    try {
      return forgetLost(row, isLost, new IOException("No file here has the covered bytes: " + row));
    } finally {
      giveBack(row);
    }
  }

  /** The row's image is lost: recomputes the parity at its extents from the other rows' files. */
  private SlotEntry forgetLost(SlotEntry row, IOException cause) throws IOException {
    return forgetLost(row, lostRows::contains, cause);
  }

  private SlotEntry forgetLost(SlotEntry row, Predicate<SlotEntry> isLost, IOException cause)
      throws IOException {
    frame.disk().requireOk();
    LOG.warn(
        "Image of a block is lost, recomputing its part of the parity from the other blocks: block={} storageId={}",
        row.blockId(),
        frame.storageId(),
        cause);
    try (ImageScope scope = new ImageScope(frame.disk())) {
      Function<SlotEntry, BlockImage> images =
          each -> isLost.test(each) ? ZEROS : new OtherImage(each, scope.apply(each));
      try {
        return lstor.clearLostCoverage(frame.index(), row.blockId(), images);
      } catch (LstorException.CorruptParity e) {
        // A cell cannot be changed while it contradicts its CRC, nor be recomputed without this
        // image. With zeros for it the cell is right for all other rows; this one goes next, and a
        // decode of it meanwhile fails its CRCs.
        lstor.rebuildUnits(
            Extents.unitsOf(row.runs()).stream().boxed().toList(),
            each -> isSameRow(each, row) ? ZEROS : images.apply(each));
        return lstor.clearLostCoverage(frame.index(), row.blockId(), images);
      }
    } catch (IOException e) {
      e.addSuppressed(cause);
      throw e;
    }
  }

  private static boolean isSameRow(SlotEntry a, SlotEntry b) {
    return a.frameIndex() == b.frameIndex() && a.blockId() == b.blockId();
  }

  /**
   * Makes a row ready for a new replica of the block: nothing covered, state RESERVED. What the
   * partner still covers of the old one stays in limbo.
   */
  SlotEntry prepareReuse(SlotEntry row) throws IOException {
    SlotEntry cleared = uncover(row);
    if (unknownPasts.contains(row.blockId())) {
      // A start that finds the new replica, not covered yet, could not tell.
      frame.limbo().markUnknownPast(row.blockId());
    }
    frame.leftLimbo(row.blockId());
    return lstor.apply(frame.index(), cleared.blockId(), SlotCause.REUSED);
  }

  SlotEntry row(long blockId) throws IOException {
    return find(blockId)
        .orElseThrow(
            () ->
                new LstorException.NoSuchEntry(
                    "Cannot cover block: block="
                        + blockId
                        + ", expected a row in the slot table, storageId="
                        + frame.storageId()));
  }

  Optional<SlotEntry> find(long blockId) {
    return lstor.entry(frame.index(), blockId);
  }
}
