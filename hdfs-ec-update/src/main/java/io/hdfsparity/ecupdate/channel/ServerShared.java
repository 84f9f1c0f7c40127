/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import java.util.concurrent.atomic.AtomicInteger;

/** What the connections of a node have in common. Thread-safe. */
record ServerShared(
    ServerLimits limits,
    ServerTimeouts timeouts,
    ChannelAccess access,
    RequestExecutor executor,
    UserShares users,
    ConnectionPermits permits,
    AtomicInteger connections,
    ServerThreads threads) {

  /** The connection of a permit is gone: its requests end, and later its locks. */
  void ended(ConnectionPermits.Permit permit) {
    permits
        .end(permit)
        .thenRun(
            () -> {
              if (permit.locks().size() == 0) {
                permits.release(permit);
              } else {
                // Not at once: the client may only have lost its connection.
                threads.onEntriesAfter(timeouts.lockGraceMs(), () -> expire(permit));
              }
            });
  }

  private void expire(ConnectionPermits.Permit permit) {
    if (permits.release(permit)) {
      executor.expireLocks(permit.locks().takeAll());
    }
  }
}
