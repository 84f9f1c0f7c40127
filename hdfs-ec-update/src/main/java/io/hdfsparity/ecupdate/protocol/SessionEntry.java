/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import java.util.HashSet;
import java.util.Set;

/** A session as its NameNode's table has it. Guarded by the table. */
final class SessionEntry {
  final boolean attached;
  final SessionOwner owner;
  private final long openedMs;
  Lease lease;
  long deadlineMs;

  /** Of the first set that does not list the session; 0 while it is open. */
  long endVersion;

  /** When it ended, on the table's clock; of no meaning while it is open. */
  long endedMs;

  /**
   * Its file's first block group, by all ids that this has had: when the file is gone, they tell
   * whose block it is now. HDFS joins files with all their blocks.
   */
  final Set<Long> firstGroup = new HashSet<>();

  final HealingAttempts healings = new HealingAttempts();

  SessionEntry(Lease lease, long nowMs, long leaseMs, boolean attached) {
    this.lease = lease;
    this.attached = attached;
    this.owner = lease.owner();
    this.openedMs = nowMs;
    this.deadlineMs = nowMs + leaseMs;
  }

  boolean isOpen() {
    return lease.ended().isEmpty();
  }

  /** For people. */
  SessionStatus status(long nowMs) {
    return new SessionStatus(
        lease.id(),
        lease.path(),
        lease.user(),
        lease.client(),
        nowMs - openedMs,
        isOpen() ? Math.max(0, deadlineMs - nowMs) : 0,
        lease.ended().map(end -> end.refusal().kind()).orElse(""),
        new SessionStatus.Grant(lease.sharing(), attached));
  }
}
