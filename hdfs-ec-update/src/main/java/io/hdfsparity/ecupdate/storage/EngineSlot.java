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
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;

/**
 * One cell in memory: its machine, and the lock under which it handles a request and its record
 * gets its place in the log. All but key and lock is used under the lock.
 */
final class EngineSlot {
  private final SlotKey key;
  private final SlotMachine machine;
  private final ReentrantLock lock = new ReentrantLock();
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

  /** The holder of the lock expires if he is one of these clients. */
  void expireLock(LongPredicate clients) {
    lock.lock();
    try {
      LockId holder = machine.holder();
      if (holder != null && clients.test(holder.client())) {
        machine.expireLock(holder);
      }
    } finally {
      lock.unlock();
    }
  }
}
