/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what limbo keeps of blocks that have no row on the volume, as after a new Lstor. No row
 * is there to be reaped, so nobody else would.
 *
 * <p>It is not known in which frame such a block was. So all of it stays until the partners of all
 * frames have answered that they have no row of the block: what no row names is in no parity, and
 * nobody can ask for it. One partner that cannot be asked keeps everything. So does a dead one: its
 * Lstor may still cover the block, until the frame is paired again, which comes after all rebuilds
 * that need that Lstor. A frame that its superchunk has left behind has no partner.
 *
 * <p>Not known either is a block whose row may come: one that a frame has claimed, or that is
 * sought ({@link BlockClaims}).
 *
 * <p><b>Crash</b> at any time: the next start looks again. Thread-safe; {@link #run} is called by
 * the thread that settles the first frame of the volume.
 */
final class LimboOrphans {
  /** Between two looks: long, as nothing waits for them, and each asks all partners. */
  static final long PAUSE_MS = 300_000;

  private static final Logger LOG = LoggerFactory.getLogger(LimboOrphans.class);

  /** While not all have been looked at. */
  private static final long NEXT_MS = 10_000;

  private static final int MAX_A_RUN = 1_000;

  private final Volume volume;
  private final AtomicLong removed = new AtomicLong();

  /** Whom to ask, and by which accounting. */
  private record Partner(Pairing pairing, PartnerCalls calls, RaidpPeerProtocol peer) {
    List<SlotEntry> findRows(List<Long> blockIds) throws IOException {
      return calls.made(
          pairing.partnerNodeUuid(), () -> peer.findRows(pairing.partnerStorageId(), blockIds));
    }
  }

  /** Blocks up to this one have been looked at. */
  private long lookedAt = Long.MIN_VALUE;

  LimboOrphans(Volume volume) {
    this.volume = volume;
  }

  /**
   * Has the volume looked at in a while, if limbo has something of a block without a row. One that
   * is claimed or sought may get none after all.
   */
  void schedule() {
    boolean isAny =
        volume.limbo().blockIds().stream()
            .anyMatch(blockId -> volume.frameWithRow(blockId).isEmpty());
    if (isAny) {
      schedule(PAUSE_MS);
    }
  }

  private void schedule(long delayMs) {
    volume.frames().stream()
        .findFirst()
        .ifPresent(frame -> frame.scheduleIn(Settler.LIMBO_ORPHANS, delayMs));
  }

  /** Blocks of which limbo had something that was removed, since the start. */
  long removed() {
    return removed.get();
  }

  /** Looks once at a bounded number of blocks. */
  void run() {
    List<Long> all = find();
    List<Long> chosen =
        all.stream().filter(blockId -> blockId > lookedAt).limit(MAX_A_RUN).toList();
    boolean isLast =
        chosen.isEmpty() || chosen.get(chosen.size() - 1).equals(all.get(all.size() - 1));
    lookedAt = isLast ? Long.MIN_VALUE : chosen.get(chosen.size() - 1);
    boolean isAsked = true;
    try {
      remove(chosen);
    } catch (IOException e) {
      isAsked = false;
      LOG.info(
          "Limbo has files of blocks without a row, which stay until all partners answer: blocks={}"
              + " storageId={} cause={}",
          all.size(),
          volume.storageId(),
          e.toString());
    }
    if (!isLast && isAsked) {
      schedule(NEXT_MS);
    } else {
      schedule();
    }
  }

  /** Blocks that have no row and get none, in ascending order. */
  private List<Long> find() {
    BlockClaims claims = volume.claims();
    return volume.limbo().blockIds().stream()
        .filter(blockId -> volume.frameOf(blockId).isEmpty() && !claims.isFrameless(blockId))
        .sorted()
        .toList();
  }

  private void remove(List<Long> blockIds) throws IOException {
    Map<Long, Long> touches = new HashMap<>();
    blockIds.forEach(blockId -> touches.put(blockId, volume.disk().blockLocks().touches(blockId)));
    Map<Frame, Pairing> asked = pairings();
    if (blockIds.isEmpty() || asked.isEmpty()) {
      return;
    }
    Set<Long> known = rows(asked, blockIds);
    if (!pairings().equals(asked)) {
      return;
    }
    int blocks = 0;
    for (long blockId : blockIds) {
      if (!known.contains(blockId) && drop(blockId, touches.get(blockId))) {
        blocks++;
      }
    }
    if (blocks > 0) {
      removed.addAndGet(blocks);
      LOG.info(
          "Removed files in limbo of blocks that have no row here, and none at any partner:"
              + " blocks={} storageId={}",
          blocks,
          volume.storageId());
    }
  }

  /** Frames whose partners may have rows. */
  private Map<Frame, Pairing> pairings() {
    Map<Frame, Pairing> pairings = new LinkedHashMap<>();
    for (Frame frame : volume.frames()) {
      frame
          .pairing()
          .filter(pairing -> !frame.isSuperseded(pairing))
          .ifPresent(pairing -> pairings.put(frame, pairing));
    }
    return pairings;
  }

  /**
   * Which of some blocks partners have rows of, in whichever frame and state.
   *
   * @throws IOException if one cannot be asked
   */
  private Set<Long> rows(Map<Frame, Pairing> pairings, List<Long> blockIds) throws IOException {
    List<Partner> partners = new ArrayList<>();
    for (Map.Entry<Frame, Pairing> each : pairings.entrySet()) {
      // Before any is asked: mostly the same one is away for long, or hangs.
      PartnerCalls calls = new PartnerCalls(each.getKey());
      partners.add(new Partner(each.getValue(), calls, calls.requirePartner(each.getValue())));
    }
    Set<Long> known = new HashSet<>();
    for (Partner each : partners) {
      each.findRows(blockIds).stream().map(SlotEntry::blockId).forEach(known::add);
    }
    return known;
  }

  /** Whether it was still there, and is known as before. */
  private boolean drop(long blockId, long touches) throws IOException {
    BlockLocks locks = volume.disk().blockLocks();
    locks.lock(blockId);
    try {
      Optional<Frame> frame = volume.frameOf(blockId);
      if (frame.isPresent()
          || volume.claims().isFrameless(blockId)
          || locks.touches(blockId) != touches
          || !volume.limbo().holds(blockId)) {
        return false;
      }
      volume.limbo().drop(blockId);
      return true;
    } finally {
      locks.unlock(blockId);
    }
  }
}
