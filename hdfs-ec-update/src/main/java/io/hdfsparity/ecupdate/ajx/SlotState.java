/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The variables of a storage node for one block. Not thread-safe.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>no tid is in both lists;
 *   <li>{@code isLocked} exactly when {@code lockMode} is not UNL;
 *   <li>there is a holder exactly when the lock is L0 or L1;
 *   <li>there is a consistent set exactly when RECONS;
 *   <li>every receipt's tid is in the recent list, one a client at most.
 * </ul>
 */
final class SlotState {
  private long epoch;
  private OpMode opMode;
  private Set<Integer> consistentSet;
  private long targetEpoch;
  private final LinkedHashSet<Tid> recentList;
  private final LinkedHashSet<Tid> oldList;
  private final LinkedHashMap<Long, SwapReceipt> receipts = new LinkedHashMap<>();

  private LockMode lockMode;
  private @Nullable LockId holder;
  private LockMode modeBeforeLock = LockMode.UNL;

  /** The state after a restart: what was in memory only is gone, a lock counts as expired. */
  SlotState(DurableSlot durable) {
    epoch = durable.epoch();
    opMode = durable.opMode();
    consistentSet = durable.consistentSet();
    targetEpoch = durable.targetEpoch();
    recentList = new LinkedHashSet<>(durable.recentList());
    oldList = new LinkedHashSet<>(durable.oldList());
    durable.receipts().forEach(receipt -> receipts.put(receipt.tid().client(), receipt));
    lockMode = durable.isLocked() ? LockMode.EXP : LockMode.UNL;
  }

  DurableSlot durable() {
    return new DurableSlot(
        epoch,
        opMode,
        consistentSet,
        targetEpoch,
        List.copyOf(recentList),
        List.copyOf(oldList),
        List.copyOf(receipts.values()),
        lockMode != LockMode.UNL);
  }

  long epoch() {
    return epoch;
  }

  OpMode opMode() {
    return opMode;
  }

  LockMode lockMode() {
    return lockMode;
  }

  LockMode modeBeforeLock() {
    return modeBeforeLock;
  }

  @Nullable LockId holder() {
    return holder;
  }

  Set<Integer> consistentSet() {
    return consistentSet;
  }

  long targetEpoch() {
    return targetEpoch;
  }

  Set<Tid> recentList() {
    return recentList;
  }

  Set<Tid> oldList() {
    return oldList;
  }

  boolean isHeldBy(LockId caller) {
    return lockMode.isHeld() && caller.equals(holder);
  }

  boolean hasSeen(Tid tid) {
    return recentList.contains(tid) || oldList.contains(tid);
  }

  /** As {@link DurableSlot#isQuiescent}. */
  boolean isQuiescent() {
    return opMode == OpMode.NORM && lockMode == LockMode.UNL && tids() == 0 && receipts.isEmpty();
  }

  /** Tids in both lists. */
  int tids() {
    return recentList.size() + oldList.size();
  }

  /** Receipts of other clients than the one that has a tid. */
  int receiptsBeside(Tid tid) {
    return receipts.size() - (receipts.containsKey(tid.client()) ? 1 : 0);
  }

  /** Fig. 5 lines 31 and 32: the tid with the largest time, that is the last. */
  @Nullable Tid latest() {
    Tid last = null;
    for (Tid tid : recentList) {
      last = tid;
    }
    return last;
  }

  Collection<SwapReceipt> receipts() {
    return Collections.unmodifiableCollection(receipts.values());
  }

  /** Takes receipts of clients out; see {@link SlotMachine#forgetReceipts}. */
  List<SwapReceipt> forgetReceipts(LongPredicate clients) {
    List<SwapReceipt> forgotten =
        receipts.values().stream().filter(each -> clients.test(each.tid().client())).toList();
    forgotten.forEach(each -> receipts.remove(each.tid().client()));
    return forgotten;
  }

  @Nullable SwapReceipt receipt(Tid tid) {
    SwapReceipt receipt = receipts.get(tid.client());
    return receipt != null && receipt.tid().equals(tid) ? receipt : null;
  }

  // Changes of memory only.

  void hold(LockMode mode, LockId caller) {
    if (!caller.equals(holder)) {
      modeBeforeLock = lockMode;
    }
    lockMode = mode;
    holder = caller;
  }

  void expire() {
    lockMode = LockMode.EXP;
    holder = null;
  }

  // Changes that a log record names, played back after a restart.

  void replay(LogRecord record) {
    if (record instanceof LogRecord.Swapped swapped) {
      swapped(swapped.receipt());
    } else if (record instanceof LogRecord.Added added) {
      added(added.tids());
    } else if (record instanceof LogRecord.Locked) {
      locked();
    } else if (record instanceof LogRecord.Unlocked) {
      unlocked();
    } else if (record instanceof LogRecord.Reconstructed done) {
      reconstructed(done.consistentSet(), done.targetEpoch());
    } else if (record instanceof LogRecord.Finalized done) {
      finalized(done.epoch(), done.isStillLocked());
    } else if (record instanceof LogRecord.Discarded gc) {
      discarded(gc.tids());
    } else if (record instanceof LogRecord.Retired gc) {
      retired(gc.tids());
    }
  }

  void swapped(SwapReceipt receipt) {
    recentList.add(receipt.tid());
    // A client has one write of a block under way, so it has got the answer to the one before.
    receipts.put(receipt.tid().client(), receipt);
  }

  void added(List<Tid> tids) {
    recentList.addAll(tids);
  }

  /** During replay; live, {@link #hold} has been called and this changes nothing. */
  void locked() {
    if (lockMode == LockMode.UNL) {
      expire();
    }
  }

  void unlocked() {
    lockMode = LockMode.UNL;
    holder = null;
  }

  void reconstructed(Set<Integer> set, long target) {
    opMode = OpMode.RECONS;
    consistentSet = set;
    targetEpoch = target;
  }

  void finalized(long newEpoch, boolean isStillLocked) {
    epoch = newEpoch;
    recentList.clear();
    oldList.clear();
    receipts.clear();
    if (opMode == OpMode.RECONS) {
      opMode = OpMode.NORM;
    }
    consistentSet = Set.of();
    targetEpoch = 0;
    if (!isStillLocked) {
      unlocked();
    }
  }

  void discarded(List<Tid> tids) {
    tids.forEach(oldList::remove);
  }

  void retired(List<Tid> tids) {
    for (Tid tid : new ArrayList<>(tids)) {
      if (recentList.remove(tid)) {
        oldList.add(tid);
        if (receipt(tid) != null) {
          receipts.remove(tid.client());
        }
      }
    }
  }
}
