/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Before an administrator takes disks away: whether the partners have all covered blocks of these.
 * They are asked at that moment: what the manager has said of them may be minutes old. A block that
 * a partner is about to finish is waited for. Thread-safe.
 */
final class RemovalCheck {
  private static final long PAUSE_MS = 200;

  private final NodeFrames frames;
  private final long timeoutMs;

  /**
   * @param timeoutMs how long partners' blocks are waited for, in all
   */
  RemovalCheck(NodeFrames frames, long timeoutMs) {
    this.frames = frames;
    this.timeoutMs = timeoutMs;
  }

  /**
   * @throws IOException if a disk with one of these volumes may have the only replica of a covered
   *     block
   */
  void requireRemovable(Set<String> storageIds) throws IOException {
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    for (DiskEngine disk : frames.disks()) {
      if (!disk.isOut() && disk.storageIds().stream().anyMatch(storageIds::contains)) {
        for (Frame frame : disk.frames()) {
          requireReplicated(disk, frame, endNanos);
        }
      }
    }
  }

  private static void requireReplicated(DiskEngine disk, Frame frame, long endNanos)
      throws IOException {
    Pairing pairing = frame.pairing().orElse(null);
    if (pairing == null
        || disk.lstor().load(frame.index()).liveRows() == 0
        || frame.isSuperseded(pairing)) {
      return;
    }
    Partners.Partner partner = disk.context().partners().of(pairing);
    if (!(partner instanceof Partners.Reachable reachable)) {
      throw cannotRemove(disk, pairing, partner.toString(), null);
    }
    Map<Long, SlotEntry> lacking = liveRows(disk.lstor().entries(frame.index()));
    while (!lacking.isEmpty()) {
      Map<Long, SlotEntry> there = rowsOf(disk, pairing, reachable.peer());
      lacking.values().removeIf(row -> isAsNew(there.get(row.blockId()), row));
      if (!lacking.isEmpty()) {
        if (System.nanoTime() - endNanos >= 0) {
          String without = " without " + lacking.size() + " of its blocks";
          throw cannotRemove(disk, pairing, pairing.partnerStorageId() + without, null);
        }
        pause();
        Set<Long> left = Set.copyOf(lacking.keySet());
        lacking = liveRows(disk.lstor().entries(frame.index()));
        lacking.keySet().retainAll(left);
      }
    }
  }

  private static Map<Long, SlotEntry> rowsOf(
      DiskEngine disk, Pairing pairing, RaidpPeerProtocol peer) throws IOException {
    try {
      return liveRows(
          peer.listEntries(pairing.partnerStorageId(), OptionalLong.of(pairing.superchunkId())));
    } catch (IOException e) {
      throw cannotRemove(disk, pairing, pairing.partnerStorageId() + " cannot be asked: " + e, e);
    }
  }

  private static Map<Long, SlotEntry> liveRows(Collection<SlotEntry> rows) {
    Map<Long, SlotEntry> live = new HashMap<>();
    for (SlotEntry row : rows) {
      if (row.state() == SlotState.LIVE) {
        live.put(row.blockId(), row);
      }
    }
    return live;
  }

  private static boolean isAsNew(@Nullable SlotEntry there, SlotEntry here) {
    return there != null
        && there.generationStamp() >= here.generationStamp()
        && there.coveredBytes() >= here.coveredBytes();
  }

  private static void pause() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Cannot remove disk: interrupted while partners were asked");
    }
  }

  private static IOException cannotRemove(
      DiskEngine disk, Pairing pairing, String partner, @Nullable IOException cause) {
    return new IOException(
        "Cannot remove disk: superchunk="
            + pairing.superchunkId()
            + " partner="
            + partner
            + ", expected a second replica of its blocks; run hdfs raidp -recover, or give the"
            + " disk up by hdfs raidp -failDisk "
            + disk.diskId()
            + " -force, file="
            + disk.root(),
        cause);
  }
}
