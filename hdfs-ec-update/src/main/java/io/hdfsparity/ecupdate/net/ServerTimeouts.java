/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.net;

import io.hdfsparity.core.check.Checks;

/**
 * How long a node waits. Immutable; all in milliseconds.
 *
 * @param handshakeMs until a connection has said who it is, and until an earlier one of the same
 *     client has ended
 * @param frameMs from the first byte of a frame to its last
 * @param idleMs without any request or answer
 * @param writeMs until a peer has taken an answer
 * @param lockGraceMs until the locks of a client expire whose connection has ended
 */
public record ServerTimeouts(
    long handshakeMs, long frameMs, long idleMs, long writeMs, long lockGraceMs) {
  public ServerTimeouts {
    check("handshakeMs", handshakeMs);
    check("frameMs", frameMs);
    check("idleMs", idleMs);
    check("writeMs", writeMs);
    check("lockGraceMs", lockGraceMs);
  }

  private static void check(String name, long value) {
    Checks.argument(value > 0, "limit the update channel", name, value, "> 0");
  }

  /** For a network of a data center. */
  public static ServerTimeouts standard() {
    return new ServerTimeouts(10_000, 30_000, 300_000, 30_000, 30_000);
  }
}
