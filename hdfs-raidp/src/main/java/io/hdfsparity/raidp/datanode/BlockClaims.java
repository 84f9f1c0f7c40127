/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Blocks of a volume that have no row, and the frames that they belong to. Kept in memory: a crash
 * leaves replicas without rows, and the next start finds them.
 *
 * <ul>
 *   <li>A block is claimed by a frame: it is about to be rebuilt, or its row was lost and the
 *       partner has one. The claim ends when the row is there, or the replica gone.
 *   <li>A replica is undecided while a partner that may have its row has not been asked. A LIVE or
 *       RESERVED row of a partner decides. One in LIMBO is that of a deleted replica.
 *   <li>A replica that no partner has a row of is plain.
 *   <li>A claim is for the superchunk that the frame is in. It ends when the frame leaves it, and
 *       the replica is undecided again.
 * </ul>
 *
 * <p>Invariant: no block is both claimed and without a frame. Thread-safe.
 */
final class BlockClaims {
  private final Map<Long, Frame> claims = new HashMap<>();

  /** What claimed replicas need in the frame, as far as that is known. */
  private final Map<Long, Integer> units = new HashMap<>();

  private final Set<Long> frameless = new HashSet<>();
  private final Map<Frame, Answer> answers = new HashMap<>();
  private long generation;

  /** Whose rows a frame has looked through, and which blocks it has looked for. */
  private record Answer(long epoch, long generation) {}

  synchronized Optional<Frame> of(long blockId) {
    return Optional.ofNullable(claims.get(blockId));
  }

  synchronized void claim(long blockId, Frame frame) {
    frameless.remove(blockId);
    claims.put(blockId, frame);
  }

  /**
   * @param needed units of the frame, which the replica has none of yet
   */
  synchronized void claim(long blockId, Frame frame, int needed) {
    claim(blockId, frame);
    units.put(blockId, needed);
  }

  /** What a frame has claimed and when it did needed units: by block, how many. */
  synchronized Map<Long, Integer> unitsNeeded(Frame frame) {
    Map<Long, Integer> needed = new HashMap<>(units);
    needed.keySet().removeIf(blockId -> claims.get(blockId) != frame);
    return needed;
  }

  /** The block has its row, or its replica is gone. */
  synchronized void end(long blockId) {
    claims.remove(blockId);
    units.remove(blockId);
    frameless.remove(blockId);
  }

  /** Replicas without a row: the partners of all frames are to be asked for them. */
  synchronized void search(Collection<Long> blockIds) {
    for (long blockId : blockIds) {
      if (!claims.containsKey(blockId) && frameless.add(blockId)) {
        generation++;
      }
    }
  }

  /**
   * Ends all claims of a frame that has left its superchunk: they were made for that one.
   *
   * @return the blocks
   */
  synchronized List<Long> release(Frame frame) {
    List<Long> released =
        claims.entrySet().stream()
            .filter(each -> each.getValue() == frame)
            .map(Map.Entry::getKey)
            .toList();
    released.forEach(claims::remove);
    released.forEach(units::remove);
    return released;
  }

  /**
   * Nobody has a row of what is left, and it is HDFS's alone. Nothing is sought any more, unless a
   * partner has yet to be asked.
   *
   * @return how many replicas
   */
  synchronized int endSearch(Collection<Frame> frames) {
    int plain = frameless.size();
    if (frames.stream().anyMatch(this::isAskedBy)) {
      return 0;
    }
    frameless.clear();
    return plain;
  }

  /** Replicas that no frame has claimed. */
  synchronized List<Long> framelessBlocks() {
    return List.copyOf(frameless);
  }

  synchronized boolean isFrameless(long blockId) {
    return frameless.contains(blockId);
  }

  /** Replicas that no frame has claimed. */
  synchronized int frameless() {
    return frameless.size();
  }

  /** For {@link #answered}. */
  synchronized long generation() {
    return generation;
  }

  /** Whether the partner of a frame has yet to be asked. */
  synchronized boolean isAskedBy(Frame frame) {
    Pairing pairing = frame.pairing().orElse(null);
    return !frameless.isEmpty()
        && pairing != null
        && !frame.isSuperseded(pairing)
        && !new Answer(pairing.epoch(), generation).equals(answers.get(frame));
  }

  /**
   * Takes in the rows of a frame's partner.
   *
   * @param asked {@link #generation} before the partner was asked
   * @return blocks that frames have claimed by it
   */
  synchronized Map<Long, Frame> answered(
      Frame frame, Pairing pairing, long asked, List<SlotEntry> rows) {
    Map<Long, Frame> claimed = new HashMap<>();
    for (SlotEntry row : rows) {
      if (!frameless.contains(row.blockId())) {
        continue;
      }
      if (row.state() != SlotState.LIMBO) {
        claimed.put(row.blockId(), frame);
        claim(row.blockId(), frame);
      }
    }
    answers.put(frame, new Answer(pairing.epoch(), asked));
    return claimed;
  }
}
