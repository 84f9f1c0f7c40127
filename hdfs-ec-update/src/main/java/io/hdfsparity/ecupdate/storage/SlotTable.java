/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.ecupdate.ajx.DurableSlot;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.SlotMachine;
import io.hdfsparity.ecupdate.ajx.SwapReceipt;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * The slots of a replica that have a machine. One is made when somebody asks for the slot, from
 * what is kept of it, and retired when the slot is quiescent and kept again. Thread-safe.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>a slot that is not quiescent, or of which the log has a record that is not kept elsewhere,
 *       has a machine: what is kept of the others is the replica's {@link ReplicaState};
 *   <li>a machine that is retired is not in the table any more, and its state is the kept one;
 *   <li>a request is executed by a machine that is in the table, under the slot's lock.
 * </ul>
 */
final class SlotTable {
  private final ReplicaKey key;
  private final ReplicaLayout layout;
  private final VersionedBytes bytes;
  private final IntFunction<DurableSlot> kept;
  private final ConcurrentHashMap<Integer, EngineSlot> slots = new ConcurrentHashMap<>();

  /**
   * A table without machines.
   *
   * @param kept what is kept of the slots that have none
   */
  SlotTable(
      ReplicaKey key, ReplicaLayout layout, VersionedBytes bytes, IntFunction<DurableSlot> kept) {
    this.key = key;
    this.layout = layout;
    this.bytes = bytes;
    this.kept = kept;
  }

  /** Those that have a machine. */
  Collection<EngineSlot> all() {
    return slots.values();
  }

  /** A slot, which may be retired before its lock is held. */
  EngineSlot get(int stripe) {
    Checks.argument(
        stripe >= 0 && stripe < layout.stripes(),
        "serve a slot",
        "stripe",
        stripe,
        "0 <= stripe < " + layout.stripes());
    return slots.computeIfAbsent(stripe, s -> make(s, kept.apply(s)));
  }

  /** A slot whose lock is held by the caller, who has to unlock it. */
  EngineSlot lock(int stripe) {
    while (true) {
      EngineSlot slot = get(stripe);
      slot.lock().lock();
      if (!slot.isRetired()) {
        slot.expireFailedHolders();
        return slot;
      }
      slot.lock().unlock();
    }
  }

  /** State of a slot; makes no machine. */
  DurableSlot durable(int stripe) {
    while (true) {
      EngineSlot slot = slots.get(stripe);
      if (slot == null) {
        return kept.apply(stripe);
      }
      slot.lock().lock();
      try {
        if (!slot.isRetired()) {
          return slot.machine().durable();
        }
      } finally {
        slot.lock().unlock();
      }
    }
  }

  /** Puts a slot as recovery found it. */
  void put(int stripe, DurableSlot durable) {
    slots.put(stripe, make(stripe, durable));
  }

  private EngineSlot make(int stripe, DurableSlot durable) {
    CellContent content = new CellContent(layout, bytes, stripe);
    return new EngineSlot(
        new SlotKey(key, stripe),
        new SlotMachine(layout.codeOf(stripe), layout.block(), durable, content));
  }

  /**
   * The holder of a lock is taken for failed: it expires, if he still has it. Does not wait, as
   * {@link EngineSlot#expireLock}.
   */
  void expireLock(int stripe, LockId held) {
    EngineSlot slot = slots.get(stripe);
    if (slot != null) { // else it has none: locks are not kept
      slot.expireLock(held::equals);
    }
  }

  /**
   * Retires machines of quiescent slots.
   *
   * @param isKept whether the state of a slot is the kept one, and the log has nothing of it that
   *     is not; asked under the slot's lock
   */
  void retire(Predicate<EngineSlot> isKept) {
    for (EngineSlot slot : slots.values()) {
      slot.lock().lock();
      try {
        slot.expireFailedHolders();
        if (slot.machine().isQuiescent() && isKept.test(slot)) {
          slot.retire();
          slots.remove(slot.key().stripe(), slot);
        }
      } finally {
        slot.lock().unlock();
      }
    }
  }

  /** Whether no request is being executed. Does not wait. */
  boolean isQuiet() {
    for (EngineSlot slot : slots.values()) {
      if (!slot.lock().tryLock()) {
        return false;
      }
      slot.lock().unlock();
    }
    return true;
  }

  /** Counts the receipts of all slots. */
  void charge(ReceiptBudget budget) {
    slots.values().forEach(slot -> budget.charge(slot.machine().receipts()));
  }

  /** Forgets all receipts, each once whoever else does. */
  void forgetAllReceipts(ReceiptBudget budget) {
    slots.values().forEach(slot -> budget.release(slot.forgetReceipts(client -> true)));
  }

  /**
   * Forgets receipts of clients, but for those of slots that are in use just now. Does not wait.
   *
   * @return whether there were any
   */
  boolean forgetReceipts(LongPredicate clients, ReceiptBudget budget) {
    boolean isAny = false;
    for (EngineSlot slot : slots.values()) {
      List<SwapReceipt> forgotten = slot.forgetReceiptsUnlessBusy(clients);
      budget.release(forgotten);
      isAny |= !forgotten.isEmpty();
    }
    return isAny;
  }

  /** Waits until all requests that are under way now have been executed. */
  void awaitQuiet() {
    for (EngineSlot slot : slots.values()) {
      slot.lock().lock();
      slot.lock().unlock();
    }
  }
}
