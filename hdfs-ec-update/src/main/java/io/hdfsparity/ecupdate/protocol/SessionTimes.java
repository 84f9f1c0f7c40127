/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import io.hdfsparity.bridge.refusal.Refusal;

/**
 * Times and limits that the table of sessions goes by. Immutable.
 *
 * @param leaseMs of a session, unless renewed
 * @param validMs how long a DataNode goes by an answer
 * @param reportEveryMs how often DataNodes report
 * @param maxSessions open or not yet fenced
 * @param maxPerUser of these, of one user
 */
public record SessionTimes(
    long leaseMs, long validMs, long reportEveryMs, int maxSessions, int maxPerUser) {
  /** A client that renews so often may miss two answers. */
  private static final int RENEWALS = 3;

  /** Part by which the clocks of two machines can differ in speed, and some. */
  private static final int DRIFT = 8;

  private static final long LATE_MS = 60_000;

  /** What a client learns. */
  public LeaseTimes lease() {
    return new LeaseTimes(leaseMs, Math.max(1, leaseMs / RENEWALS));
  }

  /** After so long, on this NameNode's clock, no DataNode goes by an answer any more. */
  public long fenceMs() {
    return validMs + validMs / DRIFT;
  }

  /**
   * For so long a NameNode that has become active holds all files, and clients may attach: half a
   * lease, so that each has asked meanwhile, though one NameNode does not answer; at least {@link
   * #fenceMs} and at most twice that, for all changes of form wait.
   */
  public long graceMs() {
    return Math.max(fenceMs(), Math.min(leaseMs / 2, 2 * fenceMs()));
  }

  /**
   * A DataNode that has not confirmed the end of a session for so long is named to people: it has
   * been asked many times by then, and one that is silent does not count any more.
   */
  public long lateMs() {
    return Math.max(LATE_MS, 2 * fenceMs());
  }

  /**
   * Why a session is not opened or attached beside all others.
   *
   * @param open sessions of all users
   * @param ending of all users: they are over, and DataNodes have not confirmed it
   */
  public Refusal tooMany(String path, int open, int ending) {
    return RefusalKind.TOO_MANY_SESSIONS.because(
        "sessions",
        open + " open, " + ending + " over and not confirmed by all DataNodes",
        "at most " + maxSessions + ", and " + maxPerUser + " of a user",
        path);
  }
}
