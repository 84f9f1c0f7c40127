/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.net;

import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.wal.SlotKey;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Locks that a client may hold at this node, as far as its requests tell. May name more than it
 * holds, never fewer. Thread-safe.
 */
final class HeldLocks {
  private record Held(SlotKey slot, long client) {}

  private final Set<Held> held = new LinkedHashSet<>();

  /** Before a request is executed. */
  synchronized void asked(SlotKey slot, Request request) {
    if (request instanceof Request.TryLock lock) {
      held.add(new Held(slot, lock.caller().client()));
    }
  }

  /** After it was answered. */
  synchronized void answered(SlotKey slot, Request request, Reply reply) {
    if (request instanceof Request.TryLock lock
        && reply instanceof Reply.LockReply answer
        && !answer.isGranted()) {
      held.remove(new Held(slot, lock.caller().client()));
    } else if (request instanceof Request.SetLock lock
        && (lock.mode() == LockMode.UNL || lock.mode() == LockMode.EXP)) {
      held.remove(new Held(slot, lock.caller().client()));
    } else if (request instanceof Request.FinalizeRecovery finish
        && finish.lockAfter() == Request.LockAfter.RELEASED) {
      held.remove(new Held(slot, finish.caller().client()));
    }
  }

  synchronized int size() {
    return held.size();
  }

  /** Clients that may hold a lock. */
  synchronized Set<Long> clients() {
    Set<Long> clients = new LinkedHashSet<>();
    held.forEach(lock -> clients.add(lock.client));
    return clients;
  }
}
