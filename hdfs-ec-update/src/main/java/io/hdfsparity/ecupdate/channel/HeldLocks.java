/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Locks that a client may hold at this node, as far as its requests tell: those that were granted,
 * and those of which that is not known yet. May name more than it holds, never fewer. What the node
 * has refused is forgotten. Counts to the user's share. Thread-safe.
 */
final class HeldLocks {
  private final Set<HeldLock> held = new HashSet<>();
  private final UserShares users;
  private final String user;

  HeldLocks(UserShares users, String user) {
    this.users = users;
    this.user = user;
  }

  /**
   * Before a request is executed.
   *
   * @return whether it asks for a lock that was not known before
   */
  synchronized boolean asked(SlotKey slot, Request request) {
    boolean isNew =
        request instanceof Request.TryLock lock && held.add(new HeldLock(slot, lock.caller()));
    if (isNew) {
      users.locked(user, 1);
    }
    return isNew;
  }

  /**
   * It was refused, and nothing has changed.
   *
   * @param isNew what {@link #asked} has said of it
   */
  synchronized void refused(SlotKey slot, Request request, boolean isNew) {
    if (isNew && request instanceof Request.TryLock lock) {
      remove(new HeldLock(slot, lock.caller()));
    }
  }

  /** After it was answered. */
  synchronized void answered(SlotKey slot, Request request, Reply reply) {
    if (request instanceof Request.TryLock lock
        && reply instanceof Reply.LockReply answer
        && !answer.isGranted()) {
      remove(new HeldLock(slot, lock.caller()));
    } else if (request instanceof Request.SetLock lock
        && (lock.mode() == LockMode.UNL || lock.mode() == LockMode.EXP)) {
      remove(new HeldLock(slot, lock.caller()));
    } else if (request instanceof Request.FinalizeRecovery finish
        && finish.lockAfter() == Request.LockAfter.RELEASED) {
      remove(new HeldLock(slot, finish.caller()));
    }
  }

  private void remove(HeldLock lock) {
    if (held.remove(lock)) {
      users.locked(user, -1);
    }
  }

  synchronized int size() {
    return held.size();
  }

  /** All of them, which are forgotten. */
  synchronized List<HeldLock> takeAll() {
    List<HeldLock> all = List.copyOf(held);
    held.clear();
    users.locked(user, -all.size());
    return all;
  }
}
