/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.core.check.Checks;

/**
 * How long a node waits. Immutable; times in milliseconds.
 *
 * @param handshakeMs until a connection has said who it is, then until its token is judged, and
 *     until an earlier one of the same client has ended
 * @param frameMs from the first byte of a frame to its last
 * @param idleMs without any request or answer
 * @param writeMs until a peer has taken an answer
 * @param lockGraceMs until the locks of a client expire whose connection has ended
 * @param overdraftMs for a frame that goes beyond the memory there is, to begin with
 * @param overdraftBytesPerSecond it has more time for bytes that come, at this rate
 */
public record ServerTimeouts(
    long handshakeMs,
    long frameMs,
    long idleMs,
    long writeMs,
    long lockGraceMs,
    long overdraftMs,
    long overdraftBytesPerSecond) {
  private static final long OVERDRAFT_MS = 1000;

  /** 1 Mbit/s: a frame of 1 MB takes ten seconds. */
  private static final long OVERDRAFT_BYTES_PER_SECOND = 125_000;

  public ServerTimeouts {
    check("overdraftMs", overdraftMs);
    check("overdraftBytesPerSecond", overdraftBytesPerSecond);
    check("handshakeMs", handshakeMs);
    check("frameMs", frameMs);
    check("idleMs", idleMs);
    check("writeMs", writeMs);
    check("lockGraceMs", lockGraceMs);
  }

  /** With the usual time for frames that go beyond the memory. */
  public ServerTimeouts(
      long handshakeMs, long frameMs, long idleMs, long writeMs, long lockGraceMs) {
    this(
        handshakeMs,
        frameMs,
        idleMs,
        writeMs,
        lockGraceMs,
        OVERDRAFT_MS,
        OVERDRAFT_BYTES_PER_SECOND);
  }

  private static void check(String name, long value) {
    Checks.argument(value > 0, "limit the update channel", name, value, "> 0");
  }

  /** For a network of a data center. */
  public static ServerTimeouts standard() {
    return new ServerTimeouts(10_000, 30_000, 300_000, 30_000, 30_000);
  }
}
