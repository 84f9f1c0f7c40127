/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.netty.channel.EventLoopGroup;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Threads of a node's channel. Thread-safe.
 *
 * @param acceptor takes connections
 * @param loops read and write connections; nothing that may block
 * @param workers execute requests
 * @param entries judge tokens, and expire locks
 * @param handshakes compute keys of protected connections; not behind tokens, for which a NameNode
 *     may be asked
 */
record ServerThreads(
    EventLoopGroup acceptor,
    EventLoopGroup loops,
    ExecutorService workers,
    ExecutorService entries,
    ExecutorService handshakes) {
  /** Runs on {@code entries} after a time, unless the node stops before. */
  void onEntriesAfter(long delayMs, Runnable task) {
    if (!loops.isShuttingDown()) {
      loops.next().schedule(() -> entries.execute(task), delayMs, TimeUnit.MILLISECONDS);
    }
  }

  /** Lets no task begin that was not given yet; does not wait. */
  void shutDown() {
    workers.shutdown();
    entries.shutdown();
    handshakes.shutdown();
    acceptor.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
