/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.wire.message.HealReport;
import io.hdfsparity.raidp.wire.message.HealRequest;
import io.hdfsparity.raidp.wire.message.ImageRequest;
import io.hdfsparity.raidp.wire.message.LstorRebuildRequest;
import io.hdfsparity.raidp.wire.message.LstorRebuildStatus;
import io.hdfsparity.raidp.wire.message.ScrubReport;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the DataNodes of a superchunk say to each other; the manager calls the last three as well.
 * Thread-safe, idempotent.
 */
public interface RaidpPeerProtocol {
  /**
   * Asks the leader for extents of a block.
   *
   * @param units at least so many, all together
   * @param followerHas the row that the follower already holds for this block
   * @return extents in logical order
   */
  List<Run> allocate(
      SuperchunkRef superchunk, long blockId, int units, Optional<SlotEntry> followerHas)
      throws IOException;

  /**
   * Tells the partner that our parity now covers exactly this prefix.
   *
   * @param runs where our row lies; a follower that has the block elsewhere moves it. None to ask
   *     only
   * @return the partner's own row, if it has one
   */
  Optional<SlotEntry> covered(
      SuperchunkRef superchunk,
      long blockId,
      long generationStamp,
      long coveredBytes,
      List<Run> runs)
      throws IOException;

  /**
   * Tells the partner that our parity no longer covers the block.
   *
   * @return whether the partner's parity still covers it
   */
  boolean released(SuperchunkRef superchunk, long blockId) throws IOException;

  /**
   * Reads a covered image, verified on disk by the callee and on the wire by the caller.
   *
   * @return exactly {@code request.count()} bytes
   */
  byte[] readImage(ImageRequest request) throws IOException;

  /** Rows of all frames of a storage. */
  default List<SlotEntry> listEntries(String storageId) throws IOException {
    return listEntries(storageId, OptionalLong.empty());
  }

  /**
   * Rows of a frame.
   *
   * @param superchunkId which of the storage's frames, where it has several; empty: all of them
   */
  List<SlotEntry> listEntries(String storageId, OptionalLong superchunkId) throws IOException;

  /**
   * Largest number of blocks in a call of {@link #findRows}, {@link #cover} and {@link #release}.
   */
  int MAX_BLOCKS = 10_000;

  /** The frame of a row that is not there yet. No frame has this index. */
  int NO_FRAME = Integer.MAX_VALUE;

  /**
   * Rows of some blocks.
   *
   * <p>Also those that may come, in frame {@link #NO_FRAME}: of a replica that a frame has taken
   * in, and of one whose row was lost with the Lstor and is sought. Until it is there, or is not
   * expected any more, nobody knows whether the replica is plain.
   *
   * @param blockIds at most {@link #MAX_BLOCKS}
   * @return one for each block that has a row on this storage, in any state
   */
  List<SlotEntry> findRows(String storageId, List<Long> blockIds) throws IOException;

  /**
   * For the manager: takes finalized replicas that have no row into a superchunk. Their rows and
   * their parity follow in the background; {@link #findRows} tells when they are covered. What was
   * taken is forgotten in a crash before the row is made.
   *
   * @param blockIds at most {@link #MAX_BLOCKS}
   * @return those that the frame has taken, or has already
   */
  List<Long> cover(String storageId, SuperchunkRef superchunk, List<Long> blockIds)
      throws IOException;

  /**
   * For the manager: lets replicas leave a superchunk. They stay where they are, and are plain once
   * neither parity covers them; {@link #findRows} tells when their rows are gone. A DataNode
   * forgets what it was asked for after a minute, and in a crash: then it covers the replica again.
   * So this is called again until the rows are gone on both sides.
   *
   * @param generationStamps by block id, at most {@link #MAX_BLOCKS}; a replica with another one
   *     stays as it is
   * @param ticket of {@link #releaseTicket}
   * @return those that leave, or have left already
   * @throws IOException also when the ticket is too old: the call was long on its way
   */
  List<Long> release(
      String storageId, SuperchunkRef superchunk, Map<Long, Long> generationStamps, long ticket)
      throws IOException;

  /** For the manager: a number that a {@link #release} names, for a few seconds of the callee. */
  long releaseTicket() throws IOException;

  /** Reads a replica; if it is damaged, writes the bytes of the mirror or of the parity over it. */
  HealReport heal(HealRequest request) throws IOException;

  /** Checks disks of the node; takes as long as reading them. */
  ScrubReport scrub(ScrubRequest request) throws IOException;

  /** For the manager: rebuilds the parity of a disk of this node, in the background. */
  LstorRebuildStatus rebuildLstor(LstorRebuildRequest request) throws IOException;
}
