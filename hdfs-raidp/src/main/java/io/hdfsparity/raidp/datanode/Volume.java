/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.raidp.format.FrameTable;
import io.hdfsparity.raidp.image.FrameDirectory;
import io.hdfsparity.raidp.image.Limbo;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * A volume of a disk: a data directory with its limbo, and the frames whose blocks lie in it.
 *
 * <p>Which frame a block belongs to is said by its row in the Lstor. A block without a row is
 * plain, HDFS's alone, unless a frame has claimed it.
 *
 * <p>Invariant: a block has rows in at most one frame of a volume ({@link
 * Frame#requireNoOtherRow}): there is one replica of it, and one limbo.
 *
 * <p>Thread-safe.
 */
final class Volume {
  /**
   * In which the leader makes the replica for whose sake the follower has asked for units, and a
   * rebuilt replica takes the place of an older one.
   */
  private static final long HELD_MS = 60_000;

  private static final int MAX_HELD = 1 << 14;

  /** After which the manager has forgotten a replica that it had leave a superchunk. */
  static final long LEAVING_MS = 60_000;

  private static final int MAX_LEAVING = 1 << 16;

  private final DiskEngine disk;
  private final FrameDirectory directory;
  private final Limbo limbo;
  private final String storageId;
  private final Map<Integer, Frame> frames = new ConcurrentSkipListMap<>();
  private final Map<Long, List<Frame>> bySuperchunk = new ConcurrentHashMap<>();
  private final BlockClaims claims = new BlockClaims();
  private final ExpiringMap<Long, Frame> held;
  private final PlainReplicas plain;
  private final LimboOrphans limboOrphans = new LimboOrphans(this);

  /** Block pools that the last run opened with the hooks. */
  private final Set<String> hookedPools;

  /** Replicas that stay, and leave their superchunk. */
  private final ExpiringMap<Long, Boolean> leaving;

  private FrameTable table;

  Volume(
      DiskEngine disk,
      FrameTable table,
      FrameDirectory directory,
      Limbo limbo,
      Set<String> hookedPools) {
    this.disk = disk;
    this.hookedPools = hookedPools;
    this.table = table;
    this.directory = directory;
    this.limbo = limbo;
    this.storageId = table.storageId();
    this.plain = new PlainReplicas(disk.context().clock());
    this.held = new ExpiringMap<>(disk.context().clock(), HELD_MS, MAX_HELD);
    this.leaving = new ExpiringMap<>(disk.context().clock(), LEAVING_MS, MAX_LEAVING);
    table.frames().forEach((index, pairing) -> frames.put(index, new Frame(this, index, pairing)));
    frames.values().forEach(frame -> frame.pairing().ifPresent(now -> paired(frame, now)));
  }

  /** A frame has got a pairing. */
  void paired(Frame frame, Pairing now) {
    bySuperchunk.compute(
        now.superchunkId(),
        (id, known) ->
            Stream.concat(known == null ? Stream.empty() : known.stream(), Stream.of(frame))
                .distinct()
                .toList());
  }

  /** A frame has left a superchunk. */
  void unpaired(Frame frame, Pairing before) {
    bySuperchunk.computeIfPresent(
        before.superchunkId(),
        (id, known) -> {
          List<Frame> left = known.stream().filter(each -> each != frame).toList();
          return left.isEmpty() ? null : left;
        });
    releaseClaims(frame);
  }

  /**
   * A frame has left its superchunk, or was left by it: what it has claimed and has no row of is
   * sought again.
   */
  void releaseClaims(Frame frame) {
    searchFrames(claims.release(frame).stream().filter(id -> frameWithRow(id).isEmpty()).toList());
  }

  /** What HDFS does to replicas without a row now. */
  PlainReplicas plain() {
    return plain;
  }

  /** Stores the pairing of a frame durably, in the volume's frame table. */
  synchronized void store(int frameIndex, Pairing next) throws IOException {
    FrameTable changed = table.paired(frameIndex, next);
    changed.write(directory.root());
    table = changed;
  }

  DiskEngine disk() {
    return disk;
  }

  String storageId() {
    return storageId;
  }

  FrameDirectory directory() {
    return directory;
  }

  Limbo limbo() {
    return limbo;
  }

  /** What limbo keeps of blocks that have no row. */
  LimboOrphans limboOrphans() {
    return limboOrphans;
  }

  /** Whether all changes of the last run came to the hooks. */
  boolean wasHooked(String blockPoolId) {
    return hookedPools.contains(blockPoolId);
  }

  /** By frame index. */
  Collection<Frame> frames() {
    return frames.values();
  }

  /** The frame with the row of a block. */
  Optional<Frame> frameWithRow(long blockId) {
    var index = disk.lstor().frameOf(blockId, frames::containsKey);
    return index.isPresent() ? Optional.of(disk.frame(index.getAsInt())) : Optional.empty();
  }

  /** The frame in a superchunk; of several that have been in it, the one of the latest epoch. */
  Optional<Frame> frameIn(long superchunkId) {
    return NodeFrames.latest(
        bySuperchunk.getOrDefault(superchunkId, List.of()), Frame::pairing, superchunkId);
  }

  /** The frame that has been in a superchunk under an epoch. */
  Optional<Frame> frameIn(long superchunkId, long epoch) {
    return bySuperchunk.getOrDefault(superchunkId, List.of()).stream()
        .filter(
            frame ->
                frame
                    .pairing()
                    .filter(p -> p.superchunkId() == superchunkId && p.epoch() == epoch)
                    .isPresent())
        .findFirst();
  }

  /**
   * The frame that takes the next replica of a block, if that is known without the manager: the
   * frame has claimed it, has it LIVE, or has a row of it and {@link #hold}s it. Another row may be
   * left from the block's life in another superchunk.
   */
  Optional<Frame> homeOf(long blockId) {
    return claims
        .of(blockId)
        .filter(Frame::isInUse)
        .or(
            () ->
                frameWithRow(blockId)
                    .filter(
                        frame ->
                            frame.isInUse() && (isLive(frame, blockId) || isHeld(frame, blockId))));
  }

  boolean isLive(Frame frame, long blockId) {
    return disk.lstor()
        .entry(frame.index(), blockId)
        .filter(row -> row.state() == SlotState.LIVE)
        .isPresent();
  }

  /**
   * The frame with a LIVE row of an older replica than the one that is to be made. The row ends to
   * be LIVE when that replica is deleted, and {@link #homeOf} does not find it any more, unless the
   * frame {@link #hold}s the block.
   */
  Optional<Frame> frameToReplace(ExtendedBlock block) {
    long blockId = block.getBlockId();
    return frameWithRow(blockId)
        .filter(frame -> !isHeld(frame, blockId))
        .filter(
            frame ->
                disk.lstor()
                    .entry(frame.index(), blockId)
                    .filter(row -> row.state() == SlotState.LIVE)
                    .filter(row -> row.generationStamp() < block.getGenerationStamp())
                    .isPresent());
  }

  private boolean isHeld(Frame frame, long blockId) {
    return held.get(blockId).filter(holder -> holder == frame).isPresent();
  }

  /** A replica leaves its superchunk and stays; the caller holds the block's lock. */
  void beginLeaving(long blockId) {
    leaving.put(blockId, true);
  }

  /** It is wanted, or gone. */
  void endLeaving(long blockId) {
    leaving.remove(blockId);
  }

  /** Whether a row in limbo is of a replica that stays, and is not to be covered again. */
  boolean isLeaving(long blockId) {
    return leaving.get(blockId).isPresent();
  }

  /**
   * Whether HDFS writes, cuts, moves or deletes the replica here, and knows that no frame has it: a
   * row would be for bytes that change or go without the frame's knowledge.
   */
  boolean isChangingAsPlain(long blockId) throws IOException {
    // One that is deleted already may be made again, in a frame.
    return plain.isChangingHere(blockId)
        || plain.isChanging(blockId)
            && directory.find(disk.context().pool().id(), blockId).isPresent();
  }

  /**
   * HDFS is about to move the replica of a block to another volume: no frame takes it until {@link
   * PlainReplicas#endMove}.
   *
   * @return false: it may not move, as it is a frame's, or may be
   */
  boolean beginMove(long blockId) {
    return disk.blockLocks()
        .under(
            blockId,
            () -> {
              boolean isPlain = frameOf(blockId).isEmpty() && !isRowSought(blockId);
              if (isPlain) {
                plain.beginMove(blockId);
              }
              return isPlain;
            });
  }

  /**
   * A frame is to get a replica of a block: its follower makes one, as the manager has answered, or
   * it is rebuilt. The row that the frame has of it says so for a while, whatever its state.
   */
  void hold(long blockId, Frame frame) {
    held.put(blockId, frame);
  }

  /**
   * Why no plain replica of a block is made: calls about it would go to a frame. The row goes with
   * the partner's consent; that is hurried.
   */
  PeerException.Busy leftoverRow(Frame frame, long blockId) {
    frame.release(blockId);
    return new PeerException.Busy(
        ErrorMessage.to("make a replica outside superchunks")
            .value("block", blockId)
            .value("storageId", storageId)
            .value("frameIndex", frame.index())
            .expected("no row of it in a frame of the volume, which is being released; write again")
            .message());
  }

  /** The frame that a block belongs to; empty: it is plain. */
  Optional<Frame> frameOf(long blockId) {
    Optional<Frame> frame = frameWithRow(blockId);
    return frame.isPresent() ? frame : claims.of(blockId);
  }

  /**
   * A block that has no row is the frame's, and gets one: a replica that lost its row with the
   * Lstor, or one that is about to be recovered.
   */
  void claim(long blockId, Frame frame) {
    claims.claim(blockId, frame);
  }

  /** The block has its row, or its replica is gone. */
  void endClaim(long blockId) {
    claims.end(blockId);
  }

  /** Replicas have no row: the partners of all frames are asked to which they belong. */
  void searchFrames(Collection<Long> blockIds) {
    if (blockIds.isEmpty()) {
      return;
    }
    claims.search(blockIds);
    // Not at once: replicas that come back one by one must not have all rows listed for each.
    long delayMs = disk.context().options().reportIntervalMs();
    frames.values().stream()
        .filter(claims::isAskedBy)
        .forEach(frame -> frame.scheduleIn(Settler.CLAIM_ROWS, delayMs));
  }

  /** Whether a partner that may have rows of replicas without one has yet to answer. */
  boolean isSearching() {
    return claims.frameless() > 0 && frames.values().stream().anyMatch(claims::isAskedBy);
  }

  /**
   * Whether a replica may have lost its row with an Lstor, in place of which a new one was made in
   * this life of the node, and a partner has yet to say so. After any other start a replica without
   * a row is plain.
   */
  boolean isRowSought(long blockId) {
    return disk.isLstorRebuilt() && claims.isFrameless(blockId);
  }

  /** Replicas that had no row when they were found, and that no frame has claimed so far. */
  int framelessReplicas() {
    return claims.frameless();
  }

  BlockClaims claims() {
    return claims;
  }
}
