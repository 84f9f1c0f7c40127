/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import java.util.List;
import java.util.Set;

/**
 * What a storage node keeps of one block over a restart, beside the bytes. Immutable. Lists are in
 * the order in which the writes came, the latest last.
 *
 * @param consistentSet of the recovery under way, empty unless {@code opMode} is RECONS
 * @param targetEpoch of that recovery, else 0
 * @param isLocked whether some recovery held the lock: it is EXP after the restart
 */
public record DurableSlot(
    long epoch,
    OpMode opMode,
    Set<Integer> consistentSet,
    long targetEpoch,
    List<Tid> recentList,
    List<Tid> oldList,
    List<SwapReceipt> receipts,
    boolean isLocked) {
  public DurableSlot {
    consistentSet = Set.copyOf(consistentSet);
    recentList = List.copyOf(recentList);
    oldList = List.copyOf(oldList);
    receipts = List.copyOf(receipts);
  }

  /** A block that was written before any update, as a closed file leaves it. */
  public static DurableSlot untouched() {
    return fresh(OpMode.NORM);
  }

  /** A new copy whose bytes are garbage (the paper's fail-remap). */
  public static DurableSlot remapped() {
    return fresh(OpMode.INIT);
  }

  /** A block that no write and no recovery is under way in, and none was left unfinished. */
  public static DurableSlot quiescent(long epoch) {
    return new DurableSlot(epoch, OpMode.NORM, Set.of(), 0, List.of(), List.of(), List.of(), false);
  }

  /**
   * Whether there is nothing to recall but the epoch: NORM, unlocked, and all writes collected.
   *
   * <p>That is all that AJX needs of such a block. What is late is refused by it alone: an add of
   * an earlier epoch by Fig. 5 line 36, a request of a recovery because it does not hold the lock.
   * A second copy of a swap or an add whose tid was collected is not recognized, here as little as
   * with empty lists: the transport sees to it that there is none (ADR 0010).
   */
  public boolean isQuiescent() {
    return opMode == OpMode.NORM
        && !isLocked
        && recentList.isEmpty()
        && oldList.isEmpty()
        && receipts.isEmpty();
  }

  /** This after changes that were logged, in their order; bytes are left alone. */
  public DurableSlot after(List<LogRecord> records) {
    SlotState state = new SlotState(this);
    records.forEach(state::replay);
    return state.durable();
  }

  private static DurableSlot fresh(OpMode opMode) {
    return new DurableSlot(0, opMode, Set.of(), 0, List.of(), List.of(), List.of(), false);
  }
}
