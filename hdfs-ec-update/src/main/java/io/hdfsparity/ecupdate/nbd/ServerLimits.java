/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import io.hdfsparity.core.check.Checks;

/**
 * What clients may take of a server. Immutable.
 *
 * @param maxConnections that use an export, at a time; further ones are closed at once
 * @param maxInFlight requests of a connection that are carried out at a time; more are not read
 * @param maxPayloadBytes of a read or write
 * @param maxBufferedBytes of requests of all connections at a time; more are not read
 * @param maxBufferedBytesEach the same of one connection
 * @param handshakeMs after which a connection that has chosen no export is closed
 * @param stallMs after which a connection is closed if others wait for memory and its client has
 *     not taken or sent a whole piece (128 KiB) of a reply, or of a payload that it has announced
 * @param stopMs how long requests that are under way are waited for when the server is closed
 */
public record ServerLimits(
    int maxConnections,
    int maxInFlight,
    int maxPayloadBytes,
    int maxBufferedBytes,
    int maxBufferedBytesEach,
    long handshakeMs,
    long stallMs,
    long stopMs) {
  private static final String DOING = "serve block devices";

  /** What servers should take of clients that do not ask: section "Size constraints". */
  private static final int DEFAULT_PAYLOAD_BYTES = 1 << 25;

  public ServerLimits {
    Checks.argument(maxConnections > 0, DOING, "maxConnections", maxConnections, "> 0");
    Checks.argument(maxInFlight > 0, DOING, "maxInFlight", maxInFlight, "> 0");
    Checks.argument(maxPayloadBytes >= 4096, DOING, "maxPayloadBytes", maxPayloadBytes, ">= 4096");
    Checks.argument(
        maxBufferedBytesEach >= maxPayloadBytes,
        DOING,
        "maxBufferedBytesEach",
        maxBufferedBytesEach,
        ">= " + maxPayloadBytes);
    Checks.argument(
        maxBufferedBytes >= maxBufferedBytesEach,
        DOING,
        "maxBufferedBytes",
        maxBufferedBytes,
        ">= " + maxBufferedBytesEach);
    Checks.argument(handshakeMs > 0, DOING, "handshakeMs", handshakeMs, "> 0");
    Checks.argument(stallMs > 0, DOING, "stallMs", stallMs, "> 0");
    Checks.argument(stopMs > 0, DOING, "stopMs", stopMs, "> 0");
  }

  /**
   * Connections that have chosen no export yet, at a time: as many again. For a further one another
   * one of them is closed, as anybody can open them.
   */
  int maxHandshakes() {
    return maxConnections;
  }

  /**
   * Bytes of requests of one export at a time: an equal part of all, so that exports do not wait
   * for each other; but no less than a connection may have.
   *
   * @param exports of the server
   */
  int maxBufferedBytesOfExport(int exports) {
    return Math.max(maxBufferedBytesEach, maxBufferedBytes / Math.max(1, exports));
  }

  /** 64 connections of 16 requests; a request, and a connection, of 32 MiB, 128 MiB in all. */
  public static ServerLimits standard() {
    return new ServerLimits(
        64, 16, DEFAULT_PAYLOAD_BYTES, 1 << 27, DEFAULT_PAYLOAD_BYTES, 30_000, 30_000, 10_000);
  }
}
