/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.SlotMachine;
import io.hdfsparity.ecupdate.ajx.SwapReceipt;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * One cell in memory: its machine, and the lock under which it handles a request and its record
 * gets its place in the log. All but key and lock is used under the lock, which is held while the
 * machine reads from the disk: for ever, if that hangs. What ends sessions does not wait for it.
 */
final class EngineSlot {
  private final SlotKey key;
  private final SlotMachine machine;
  private final ReentrantLock lock = new ReentrantLock();

  /** Holders of the machine's lock that are taken for failed, and that it may still have. */
  private final Queue<Predicate<LockId>> failedHolders = new ConcurrentLinkedQueue<>();

  private boolean isRetired;

  EngineSlot(SlotKey key, SlotMachine machine) {
    this.key = key;
    this.machine = machine;
  }

  SlotKey key() {
    return key;
  }

  SlotMachine machine() {
    return machine;
  }

  ReentrantLock lock() {
    return lock;
  }

  /** Whether another machine stands for the cell, or will when somebody asks for it. */
  boolean isRetired() {
    return isRetired;
  }

  void retire() {
    isRetired = true;
  }

  /** Forgets receipts of these clients, and returns them. */
  List<SwapReceipt> forgetReceipts(LongPredicate clients) {
    lock.lock();
    try {
      return machine.forgetReceipts(clients);
    } finally {
      lock.unlock();
    }
  }

  /** As {@link #forgetReceipts}; none if the slot is in use just now. Does not wait. */
  List<SwapReceipt> forgetReceiptsUnlessBusy(LongPredicate clients) {
    if (!lock.tryLock()) {
      return List.of();
    }
    try {
      return machine.forgetReceipts(clients);
    } finally {
      lock.unlock();
    }
  }

  /**
   * The holder of the machine's lock expires if he is one of these: at once, or, if the slot is in
   * use just now, before anything else is asked of it. Does not wait: until then nobody else gets
   * at the slot anyway.
   */
  void expireLock(Predicate<LockId> holders) {
    failedHolders.add(holders);
    if (lock.tryLock()) {
      try {
        expireFailedHolders();
      } finally {
        lock.unlock();
      }
    }
  }

  /** What {@link #expireLock} has left. Under the lock, and before the machine is asked. */
  void expireFailedHolders() {
    Predicate<LockId> failed = failedHolders.poll();
    while (failed != null) {
      LockId holder = machine.holder();
      if (holder != null && failed.test(holder)) {
        machine.expireLock(holder);
      }
      failed = failedHolders.poll();
    }
  }
}
