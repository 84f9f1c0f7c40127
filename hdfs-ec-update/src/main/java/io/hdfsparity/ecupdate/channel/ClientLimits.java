/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.core.check.Checks;

/**
 * How a client uses its connections. Immutable; times in milliseconds.
 *
 * @param maxPayloadBytes longest payload of a frame
 * @param maxOutstanding requests of a connection without an answer; the node may allow fewer
 * @param maxWaiting requests that wait for one connection beyond those; more are reported as lost
 *     at once, and come again after a back-off
 * @param connectMs until a connection is open and the node has said welcome
 * @param callMs until a request is answered; after it the connection counts as broken
 * @param idleMs until a connection that nobody uses is closed
 * @param firstBackOffMs pause before a connection is tried again; doubles each time
 * @param maxBackOffMs longest such pause
 */
public record ClientLimits(
    int maxPayloadBytes,
    int maxOutstanding,
    int maxWaiting,
    int connectMs,
    long callMs,
    long idleMs,
    long firstBackOffMs,
    long maxBackOffMs) {
  public ClientLimits {
    check("maxPayloadBytes", maxPayloadBytes);
    check("maxOutstanding", maxOutstanding);
    check("maxWaiting", maxWaiting);
    check("connectMs", connectMs);
    check("callMs", callMs);
    check("idleMs", idleMs);
    check("firstBackOffMs", firstBackOffMs);
    Checks.argument(
        maxBackOffMs >= firstBackOffMs,
        "use the update channel",
        "maxBackOffMs",
        maxBackOffMs,
        ">= firstBackOffMs=" + firstBackOffMs);
  }

  private static void check(String name, long value) {
    Checks.argument(value > 0, "use the update channel", name, value, "> 0");
  }

  /** To go with {@link ServerLimits#standard} and {@link ServerTimeouts#standard}. */
  public static ClientLimits standard() {
    return new ClientLimits((1 << 20) + (64 << 10), 64, 4096, 15_000, 60_000, 120_000, 50, 5_000);
  }
}
