/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.image.ReplicaFiles;
import io.hdfsparity.raidp.image.ReplicaSource;
import io.hdfsparity.raidp.lstor.SlotCause;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes finalized replicas that have no row into a frame. The frame's claim ({@link BlockClaims})
 * is in memory; the row and the parity are made in the background ({@link Settler}), as for a
 * replica whose row was lost.
 *
 * <p>Left alone is what HDFS writes, cuts or deletes at that moment ({@link PlainReplicas}), a unit
 * of an erasure-coded file, and a replica that the frame has no room for or whose checksums the
 * parity cannot hold. All is looked at under the block's lock, under which HDFS announces its
 * changes. A claim that was made while the frame left its superchunk is taken back.
 *
 * <p>A replica that turns out damaged is given up, and HDFS asked to look at it ({@link
 * #giveUpDamaged}).
 *
 * <p><b>Crash</b>: before the row is made, the replica is plain after the restart, unless the
 * partner has its row by then, and tells ({@link PeerService#covered}). From then on the row says
 * that it is the frame's, and the settler goes on. Idempotent. Thread-safe.
 */
final class ReplicaTakeIn {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaTakeIn.class);

  private final Frame frame;
  private final Volume volume;

  /** What other claims leave; of the thread that takes in. */
  private int freeUnits;

  ReplicaTakeIn(Frame frame) {
    this.frame = frame;
    this.volume = frame.volume();
  }

  /**
   * Takes in what can be.
   *
   * @param pairing for which the replicas are
   * @return the blocks that the frame has taken, or has already
   * @throws PeerException.StaleEpoch when the frame has got another pairing meanwhile
   */
  List<Long> takeIn(Collection<Long> blockIds, Pairing pairing) throws IOException {
    List<Long> taken = new ArrayList<>();
    freeUnits = freeUnits();
    for (long blockId : blockIds) {
      frame.lock(blockId);
      try {
        if (isTaken(blockId, pairing)) {
          frame.schedule(blockId);
          taken.add(blockId);
        }
      } finally {
        frame.unlock(blockId);
      }
    }
    return taken;
  }

  private boolean isTaken(long blockId, Pairing pairing) throws IOException {
    frame.requireStill(pairing);
    Optional<ReplicaFiles> replica = volume.directory().findFinalized(frame.blockPoolId(), blockId);
    if (replica.isEmpty() || frame.isSuperseded(pairing)) {
      return false;
    }
    Optional<Frame> owner = volume.frameOf(blockId);
    if (owner.isPresent()) {
      volume.endLeaving(blockId);
      return owner.get() == frame && !frame.isOpen(blockId);
    }
    if (volume.plain().isChanging(blockId)
        || BlockType.fromBlockId(blockId) != BlockType.CONTIGUOUS) {
      return false;
    }
    int units = units(replica.get());
    if (units > freeUnits) {
      return false;
    }
    volume.claims().claim(blockId, frame, units);
    // A frame that is paired again ends its claims after its pairing has changed.
    if (!frame.pairing().equals(Optional.of(pairing)) || frame.isSuperseded(pairing)) {
      volume.endClaim(blockId);
      frame.requireStill(pairing);
      return false;
    }
    freeUnits -= units;
    return true;
  }

  /** Without those for replicas that are taken in, and have no row yet. */
  private int freeUnits() {
    int claimed =
        volume.claims().unitsNeeded(frame).entrySet().stream()
            .filter(each -> volume.frameWithRow(each.getKey()).isEmpty())
            .mapToInt(Map.Entry::getValue)
            .sum();
    return frame.disk().lstor().freeUnits(frame.index()) - claimed;
  }

  /** More than any frame has, of a replica that cannot be covered. */
  private int units(ReplicaFiles replica) {
    try {
      return Coverage.unitsNeeded(
          frame.disk().lstor().geometry(),
          ReplicaSource.readChecksum(replica.meta()),
          Files.size(replica.data()));
    } catch (IOException e) {
      LOG.info("Replica cannot be covered: {} cause={}", replica, e.toString());
      return Integer.MAX_VALUE;
    }
  }

  /**
   * A claim that comes to nothing: no units are left, or the replica is damaged. It must not refuse
   * an append, so the replica is plain again, unless a partner has a row of it.
   */
  static void giveUp(Frame frame, long blockId, IOException cause) {
    Volume volume = frame.volume();
    frame.lock(blockId);
    try {
      if (volume.claims().of(blockId).filter(owner -> owner == frame).isEmpty()
          || volume.frameWithRow(blockId).isPresent()
          || frame.isOpen(blockId)) {
        return;
      }
      LOG.warn(
          "Replica is not taken into the superchunk: block={} frame={} cause={}",
          blockId,
          frame.ref(),
          cause.toString());
      volume.endClaim(blockId);
    } finally {
      frame.unlock(blockId);
    }
    volume.searchFrames(List.of(blockId));
  }

  /**
   * The replica turned out damaged while it was being covered: HDFS is asked to look at it, and the
   * frame gives it up, claim and row, so that it does not refuse what HDFS does to it. A leader
   * asks for the follower's rows before it gives the units to others.
   *
   * @return whether the frame had only claimed it
   */
  static boolean giveUpDamaged(Frame frame, Coverage coverage, long blockId, IOException cause)
      throws IOException {
    Volume volume = frame.volume();
    Optional<ReplicaFiles> replica;
    frame.lock(blockId);
    try {
      if (volume.claims().of(blockId).filter(owner -> owner == frame).isEmpty()
          || frame.isOpen(blockId)) {
        return false;
      }
      LOG.warn(
          "Damaged replica is not taken into the superchunk: block={} frame={} cause={}",
          blockId,
          frame.ref(),
          cause.toString());
      frame.touch(blockId);
      Optional<SlotEntry> row = coverage.find(blockId);
      if (row.isPresent()) {
        letGo(frame, coverage.uncover(row.get()));
      }
      volume.endClaim(blockId);
      replica = volume.directory().findFinalized(frame.blockPoolId(), blockId);
    } finally {
      frame.unlock(blockId);
    }
    if (replica.isPresent()) {
      long stamp = replica.get().generationStamp();
      ExtendedBlock block = new ExtendedBlock(frame.blockPoolId(), blockId, 0, stamp);
      frame.disk().context().damaged().found(volume.storageId(), block);
    }
    return true;
  }

  private static void letGo(Frame frame, SlotEntry row) throws IOException {
    frame.disk().lstor().remove(frame.index(), row.blockId(), SlotCause.MOVED_OUT);
    // The follower may have a row at these units.
    frame.outOfStep();
    frame.schedule(Settler.FETCH_ROWS);
  }
}
