/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.SlotMachine;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One cell: its machine, and the lock under which it handles a request and its record gets its
 * place in the log.
 */
record EngineSlot(SlotKey key, SlotMachine machine, ReentrantLock lock) {
  /** The holder of a lock is taken for failed: it expires, if he still has it. */
  void expireLock(LockId held) {
    lock.lock();
    try {
      machine.expireLock(held);
    } finally {
      lock.unlock();
    }
  }
}
