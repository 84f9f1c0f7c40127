/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The time that a connection's peer has for one thing. Used on the thread of its loop. */
final class Deadline {
  private final Passed passed;
  private @Nullable Future<?> pending;

  /** Called when the time has passed, and nothing is waited for any more. */
  @FunctionalInterface
  interface Passed {
    void passed(ChannelHandlerContext ctx, long timeoutMs);
  }

  Deadline(Passed passed) {
    this.passed = passed;
  }

  /** From now on, unless something is being waited for already. */
  void expect(ChannelHandlerContext ctx, long timeoutMs) {
    if (pending == null) {
      pending =
          ctx.executor()
              .schedule(
                  () -> {
                    pending = null;
                    passed.passed(ctx, timeoutMs);
                  },
                  timeoutMs,
                  TimeUnit.MILLISECONDS);
    }
  }

  void expectNothing() {
    if (pending != null) {
      pending.cancel(false);
      pending = null;
    }
  }
}
