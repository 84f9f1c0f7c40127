/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.ecupdate.updater.LockedGroupReader;

/**
 * How much a node takes on. Immutable.
 *
 * @param maxPayloadBytes longest payload of a frame: more than a cell, by some KB
 * @param maxOutstanding requests of a connection of which the answer has not left
 * @param maxConnections at a time
 * @param maxUserConnections of these, of one user
 * @param inFlightBytes of requests and their answers, over all connections; beyond it nobody is
 *     read from until answers have left
 * @param userInFlightBytes of these, of one user
 * @param maxUserLocks that one user may hold, or has asked for
 * @param workers threads that carry out requests
 */
public record ServerLimits(
    int maxPayloadBytes,
    int maxOutstanding,
    int maxConnections,
    int maxUserConnections,
    long inFlightBytes,
    long userInFlightBytes,
    long maxUserLocks,
    int workers) {
  private static final String DOING = "limit the update channel";

  public ServerLimits {
    Checks.argument(maxPayloadBytes > 0, DOING, "maxPayloadBytes", maxPayloadBytes, "> 0");
    Checks.argument(maxOutstanding > 0, DOING, "maxOutstanding", maxOutstanding, "> 0");
    Checks.argument(maxConnections > 0, DOING, "maxConnections", maxConnections, "> 0");
    Checks.argument(maxUserConnections > 0, DOING, "maxUserConnections", maxUserConnections, "> 0");
    Checks.argument(maxUserLocks > 0, DOING, "maxUserLocks", maxUserLocks, "> 0");
    Checks.argument(workers > 0, DOING, "workers", workers, "> 0");
    long longest = (long) maxPayloadBytes + FrameCodec.HEADER_BYTES;
    Checks.argument(
        inFlightBytes >= longest, DOING, "inFlightBytes", inFlightBytes, ">= " + longest);
    Checks.argument(
        userInFlightBytes >= longest,
        DOING,
        "userInFlightBytes",
        userInFlightBytes,
        ">= " + longest);
  }

  /**
   * For cells of up to 1 MB, the largest of the policies that Hadoop comes with. A user may take
   * half of a node, and hold as many groups at once as an updater rewrites.
   */
  public static ServerLimits standard() {
    return new ServerLimits(
        (1 << 20) + (64 << 10),
        64,
        4096,
        2048,
        128L << 20,
        64L << 20,
        4L * LockedGroupReader.MAX_STRIPES + (1 << 14),
        16);
  }

  /** Workers that requests of one user may occupy: others find one, unless there is one only. */
  int maxUserWorkers() {
    return Math.max(1, workers * 3 / 4);
  }

  /** With other bounds that a site may set. */
  public ServerLimits with(
      int connections, int userConnections, long bytes, long userBytes, long userLocks) {
    return new ServerLimits(
        maxPayloadBytes,
        maxOutstanding,
        connections,
        userConnections,
        bytes,
        userBytes,
        userLocks,
        workers);
  }
}
