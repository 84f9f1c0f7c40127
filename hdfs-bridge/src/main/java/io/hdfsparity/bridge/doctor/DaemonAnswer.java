/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.doctor;

import io.hdfsparity.bridge.status.DaemonStatus;
import java.util.Optional;

/**
 * What came of asking a daemon: a status or a failure. Immutable.
 *
 * @param address of the suite's server in it, as host:port
 * @param askedMs since the epoch, by the clock of this host
 * @param answeredMs the same
 */
public record DaemonAnswer(
    DaemonKind kind,
    String address,
    Optional<DaemonStatus> status,
    Optional<CallFailure> failure,
    long askedMs,
    long answeredMs) {
  /**
   * @throws IllegalArgumentException unless there is one of both
   */
  public DaemonAnswer {
    if (status.isPresent() == failure.isPresent()) {
      throw new IllegalArgumentException(
          "Cannot make an answer: status=" + status + ", failure=" + failure + ", expected one");
    }
  }

  /** Of a daemon that has answered. */
  public static DaemonAnswer of(
      DaemonKind kind, String address, DaemonStatus status, long askedMs, long answeredMs) {
    return new DaemonAnswer(
        kind, address, Optional.of(status), Optional.empty(), askedMs, answeredMs);
  }

  /** Of a daemon that has not. */
  public static DaemonAnswer failed(DaemonKind kind, String address, CallFailure failure) {
    return new DaemonAnswer(kind, address, Optional.empty(), Optional.of(failure), 0, 0);
  }

  /** For findings. */
  public String place() {
    return kind.words() + " " + address;
  }

  /** How far its clock is ahead of this host's, in ms; 0 where the call took longer. */
  public long clockAheadMs() {
    return status
        .map(
            each ->
                each.clockMs() < askedMs
                    ? each.clockMs() - askedMs
                    : Math.max(0, each.clockMs() - answeredMs))
        .orElse(0L);
  }
}
