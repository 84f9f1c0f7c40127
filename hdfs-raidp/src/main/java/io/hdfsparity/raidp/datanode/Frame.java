/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.config.Granularity;
import io.hdfsparity.raidp.image.CoveredImage;
import io.hdfsparity.raidp.image.FrameDirectory;
import io.hdfsparity.raidp.image.Limbo;
import io.hdfsparity.raidp.image.StampRule;
import io.hdfsparity.raidp.lstor.FrameRow;
import io.hdfsparity.raidp.lstor.SlotCause;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hdfs.protocol.BlockType;

/**
 * State of one frame that is not in the Lstor: who it is, with whom it is paired, and what is going
 * on with its blocks. Small, as a disk may have a thousand: what can be shared is the volume's or
 * the disk's.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li><em>containment</em>: the leader's row of a block holds, in order, at least the units of
 *       the follower's row; units are added at the leader first and released at the follower first;
 *   <li>a block that HDFS may be changing is {@link #isOpen open}; nothing in the background covers
 *       or trims it;
 *   <li>every change of a block's row or files bumps its {@link #touches touch count}, so that an
 *       answer of the partner that was overtaken is thrown away.
 * </ul>
 */
final class Frame {
  /** After which a row that was made for a replica to come is looked at again. */
  static final long UNUSED_ROW_MS = 5_000;

  private static final long NEVER = -1;

  private final Volume volume;
  private final DiskEngine disk;
  private final ReentrantLock allocation = new ReentrantLock();
  private final Set<Long> open = ConcurrentHashMap.newKeySet();
  private final Map<Long, Integer> pending = new ConcurrentHashMap<>();
  private final Map<Long, Long> limboSinceNanos = new ConcurrentHashMap<>();
  private final Set<Long> hurried = ConcurrentHashMap.newKeySet();
  private final AtomicLong grantsTaken = new AtomicLong();
  private final DueQueue due = new DueQueue();
  private final AgreedRows agreedRows;
  private final int index;
  private volatile Optional<Pairing> pairing;
  private volatile long syncedEpoch = NEVER;
  private volatile long confirmedEpoch;
  private volatile long supersededEpoch = NEVER;

  Frame(Volume volume, int index, Optional<Pairing> pairing) {
    this.volume = volume;
    this.disk = volume.disk();
    this.index = index;
    this.agreedRows = new AgreedRows(this);
    this.pairing = pairing;
    this.confirmedEpoch = pairing.map(Pairing::epoch).orElse(NEVER);
    if (pairing.isPresent()) {
      // What lies here may be older than what the partner has.
      schedule(Settler.COMPARE_ROWS);
    }
  }

  Volume volume() {
    return volume;
  }

  DiskEngine disk() {
    return disk;
  }

  int index() {
    return index;
  }

  String storageId() {
    return volume.storageId();
  }

  /** Its name. */
  FrameRef ref() {
    return new FrameRef(storageId(), index);
  }

  FrameDirectory directory() {
    return volume.directory();
  }

  /** Shared with the other frames of the volume. */
  Limbo limbo() {
    return volume.limbo();
  }

  /** Blocks that are about to be made or reopened. */
  AgreedRows agreedRows() {
    return agreedRows;
  }

  DueQueue due() {
    return due;
  }

  ReentrantLock allocation() {
    return allocation;
  }

  String blockPoolId() throws IOException {
    return disk.context().pool().id();
  }

  // ---------------------------------------------------------------- pairing

  Optional<Pairing> pairing() {
    return pairing;
  }

  /**
   * A unit of an erasure-coded file has no replica in the other frame: nobody would acknowledge its
   * parity, and a row that holds it could not be decoded when both disks of a superchunk die.
   */
  void requireReplicated(long blockId) throws IOException {
    if (BlockType.fromBlockId(blockId) != BlockType.CONTIGUOUS) {
      throw new IOException(
          "Cannot create block: block="
              + blockId
              + " type=erasure-coded, expected a replica: in frames of superchunks every block is"
              + " mirrored; keep DataNodes without RAIDP for erasure-coded files, and set"
              + " dfs.block.placement.ec.classname in the NameNode (docs/how-to/set-up-raidp.md), storageId="
              + storageId());
    }
  }

  /**
   * @throws IOException when the frame is in no superchunk
   */
  Pairing requirePairing() throws IOException {
    return pairing.orElseThrow(
        () ->
            new IOException(
                "Cannot use frame: superchunk=none, expected an assignment"
                    + " by the manager (hdfs raidp -layout -apply), storageId="
                    + storageId()));
  }

  void requireStill(Pairing asked) throws IOException {
    Optional<Pairing> now = pairing;
    if (!now.equals(Optional.of(asked))) {
      throw new PeerException.StaleEpoch(
          "Cannot continue: epoch="
              + asked.epoch()
              + ", expected "
              + now.map(Pairing::epoch).orElse(NEVER)
              + ": the frame has another partner meanwhile, storageId="
              + storageId());
    }
  }

  /** Whether this frame decides on extents: the lower storage id does. */
  boolean leads(Pairing pairing) {
    return storageId().compareTo(pairing.partnerStorageId()) < 0;
  }

  static SuperchunkRef ref(Pairing pairing) {
    return new SuperchunkRef(pairing.superchunkId(), pairing.epoch());
  }

  /**
   * Stores a pairing: frame table first, it is the truth; then the copy in the Lstor. Every row is
   * to be acknowledged again.
   */
  synchronized void pair(Pairing next) throws IOException {
    Optional<Pairing> now = pairing;
    if (now.isPresent() && (now.get().equals(next) || next.epoch() <= now.get().epoch())) {
      return;
    }
    requireCoefficient(now, next);
    volume.store(index, next);
    // Before anyone sees the pairing: what is covered first under it takes its coefficient.
    disk.lstor().setFrame(frameRow().withCoefficient(next.coefficient()));
    pairing = Optional.of(next);
    now.filter(before -> before.superchunkId() != next.superchunkId())
        .ifPresent(before -> volume.unpaired(this, before));
    volume.paired(this, next);
    confirmedEpoch = NEVER;
    syncedEpoch = NEVER;
    schedule(Settler.CLAIM_ROWS);
    storeInLstor();
  }

  private void requireCoefficient(Optional<Pairing> now, Pairing next) throws IOException {
    if (now.isPresent()
        && now.get().coefficient() != next.coefficient()
        && disk.lstor().entries(index()).stream().anyMatch(SlotEntry::coversAnything)) {
      throw new IOException(
          "Cannot pair frame: coefficient="
              + next.coefficient()
              + ", expected "
              + now.get().coefficient()
              + " as long as blocks of it are in the parity, storageId="
              + storageId());
    }
  }

  /** Brings the Lstor's copy of the pairing up to date, also after a crash between the two. */
  synchronized void storeInLstor() throws IOException {
    FrameRow row = frameRow();
    if (disk.lstor().frames().contains(row)) {
      return;
    }
    // Before the row of the frame table: when it is there, the flags are known to be set.
    for (SlotEntry entry : disk.lstor().entries(index())) {
      if (entry.state() == SlotState.LIVE && !entry.ackPending()) {
        lock(entry.blockId());
        try {
          SlotEntry now = disk.lstor().entry(index(), entry.blockId()).orElse(null);
          if (now != null && now.state() == SlotState.LIVE) {
            disk.lstor().apply(index(), now.blockId(), SlotCause.PARTNER_CHANGED);
          }
        } finally {
          unlock(entry.blockId());
        }
      }
      schedule(entry.blockId());
    }
    disk.lstor().setFrame(row);
  }

  private FrameRow frameRow() {
    return pairing
        .map(
            p ->
                new FrameRow(
                    index(),
                    storageId(),
                    p.superchunkId(),
                    p.epoch(),
                    p.partnerStorageId(),
                    p.partnerNodeUuid(),
                    p.coefficient()))
        .orElseGet(() -> FrameRow.spare(index(), storageId(), 0));
  }

  boolean isSynced(Pairing pairing) {
    return syncedEpoch == pairing.epoch();
  }

  void synced(Pairing pairing) {
    syncedEpoch = pairing.epoch();
    confirmedEpoch = pairing.epoch();
  }

  /**
   * The partner may decide alone from now on: before we decide again, its rows have to be fetched.
   */
  void outOfStep() {
    syncedEpoch = NEVER;
  }

  /**
   * Whether the pair has been in use: a partner that does not know it any more has lost its frame.
   */
  boolean isConfirmed(Pairing pairing) {
    return confirmedEpoch == pairing.epoch();
  }

  /**
   * Takes in whether the superchunk has gone on without this frame, under a higher epoch and with
   * another partner. Then nobody asks for what it holds, and it lets go of deleted blocks alone.
   */
  void superseded(boolean now) {
    long epoch = now ? pairing.map(Pairing::epoch).orElse(NEVER) : NEVER;
    if (epoch != supersededEpoch) {
      supersededEpoch = epoch;
      if (now) {
        volume.releaseClaims(this);
        schedule(Settler.CLAIM_ROWS);
        disk.lstor().entries(index()).forEach(row -> schedule(row.blockId()));
      }
    }
  }

  boolean isSuperseded(Pairing pairing) {
    return supersededEpoch == pairing.epoch();
  }

  /** Whether a block is in it that is alive, or that its parity still covers. */
  boolean holdsBlocks() {
    return disk.lstor().entries(index).stream()
        .anyMatch(row -> row.state() == SlotState.LIVE || row.coversAnything());
  }

  /** Whether it is paired, and its superchunk has not gone on without it. */
  boolean isInUse() {
    return pairing.filter(now -> !isSuperseded(now)).isPresent();
  }

  // ---------------------------------------------------------------- blocks

  /** Whether the block belongs to this frame, by its row or because nothing says otherwise. */
  boolean owns(long blockId) {
    return volume.frameOf(blockId).filter(frame -> frame == this).isPresent();
  }

  /** Whether the block has a row in another frame of the volume. */
  boolean hasOtherRow(long blockId) {
    return volume.frameWithRow(blockId).filter(frame -> frame != this).isPresent();
  }

  /**
   * Before a row is made: a block has rows in one frame of a volume only. The caller holds the
   * block's lock.
   *
   * @throws PeerException.Busy if another frame has yet to let go of the block
   */
  void requireNoOtherRow(long blockId) throws PeerException.Busy {
    Frame other = volume.frameWithRow(blockId).orElse(this);
    if (other != this) {
      other.release(blockId);
      throw new PeerException.Busy(
          "Cannot add a row: block="
              + blockId
              + " frameIndex="
              + index()
              + ", expected no row in frame "
              + other.index()
              + " of the volume, storageId="
              + storageId());
    }
  }

  void lock(long blockId) {
    disk.blockLocks().lock(blockId);
  }

  void unlock(long blockId) {
    disk.blockLocks().unlock(blockId);
  }

  long touches(long blockId) {
    return disk.blockLocks().touches(blockId);
  }

  void touch(long blockId) {
    disk.blockLocks().touch(blockId);
  }

  boolean isOpen(long blockId) {
    return open.contains(blockId);
  }

  void open(long blockId) {
    volume.endLeaving(blockId);
    open.add(blockId);
  }

  void closed(long blockId) {
    open.remove(blockId);
  }

  /** A question about the block is on its way to the leader; its answer will change our row. */
  void beginPending(long blockId) {
    pending.merge(blockId, 1, Integer::sum);
  }

  void endPending(long blockId) {
    pending.computeIfPresent(blockId, (id, n) -> n == 1 ? null : n - 1);
  }

  boolean isPending(long blockId) {
    return pending.containsKey(blockId);
  }

  long limboSinceNanos(long blockId, long nowNanos) {
    return limboSinceNanos.computeIfAbsent(blockId, id -> nowNanos);
  }

  void leftLimbo(long blockId) {
    limboSinceNanos.remove(blockId);
    hurried.remove(blockId);
  }

  /**
   * The block's units or its image are wanted: it leaves the parity without waiting for a quiet
   * disk.
   */
  void hurry(long blockId) {
    hurried.add(blockId);
  }

  /** As {@link #hurry}, now. */
  void release(long blockId) {
    hurry(blockId);
    schedule(blockId);
  }

  boolean isHurried(long blockId) {
    return hurried.contains(blockId);
  }

  /**
   * The NameNode places no block where it sees no room, so deleted units must come back before the
   * last one is gone.
   */
  boolean isFillingUp() {
    return disk.lstor().freeUnits(index()) < disk.lstor().geometry().unitsPerFrame() / 4;
  }

  void grantTaken() {
    grantsTaken.incrementAndGet();
  }

  long grantsTaken() {
    return grantsTaken.get();
  }

  void schedule(long blockId) {
    due.schedule(blockId, disk.context().clock().nanoTime());
  }

  void scheduleIn(long blockId, long delayMs) {
    due.schedule(
        blockId, disk.context().clock().nanoTime() + TimeUnit.MILLISECONDS.toNanos(delayMs));
  }

  /**
   * Whether a replica is covered while it is written. Then its partner may cover bytes of a packet
   * that it passed on and never wrote.
   */
  boolean coversPackets() {
    return disk.context().options().settling().granularity() == Granularity.PACKET;
  }

  /** The image that a row covers, from our own files. */
  CoveredImage image(SlotEntry row) throws IOException {
    return CoveredImage.of(
        directory(),
        limbo(),
        blockPoolId(),
        row.blockId(),
        row.generationStamp(),
        StampRule.SAME_OR_NEWER);
  }
}
