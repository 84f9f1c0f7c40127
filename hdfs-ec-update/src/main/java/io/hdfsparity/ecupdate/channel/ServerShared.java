/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.netty.channel.EventLoopGroup;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the connections of a node have in common. Thread-safe.
 *
 * @param loops threads of the connections; nothing that may block
 * @param workers carry out requests
 * @param entries judge tokens, and expire locks
 */
record ServerShared(
    ServerLimits limits,
    ServerTimeouts timeouts,
    ChannelAccess access,
    SlotService service,
    FrameCodec codec,
    FrameBudget budget,
    UserShares users,
    ConnectionPermits seats,
    Running running,
    AtomicInteger connections,
    EventLoopGroup loops,
    ExecutorService workers,
    ExecutorService entries) {

  /** The connection of a sitter is gone: its requests end, and later its locks. */
  void ended(ConnectionPermits.Permit sitter) {
    seats
        .end(sitter)
        .thenRun(
            () -> {
              if (sitter.locks().size() == 0) {
                seats.leave(sitter);
              } else if (!loops.isShuttingDown()) {
                // Not at once: the client may only have lost its connection.
                loops
                    .next()
                    .schedule(
                        () -> entries.execute(() -> expire(sitter)),
                        timeouts.lockGraceMs(),
                        TimeUnit.MILLISECONDS);
              }
            });
  }

  private void expire(ConnectionPermits.Permit sitter) {
    if (seats.leave(sitter)) {
      service.expireLocks(sitter.locks().takeAll());
    }
  }
}
