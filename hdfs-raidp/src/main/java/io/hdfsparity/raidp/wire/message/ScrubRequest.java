/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import io.hdfsparity.core.check.ErrorMessage;
import java.util.Optional;

/**
 * What a DataNode shall check. Immutable.
 *
 * @param diskId one disk; empty: all
 * @param repair put right what can be
 * @param verifyFiles read replicas and compare with their checksums, not the parity alone
 * @param action what to do
 * @param throttleBytesPerSecond how much a node reads at most, 0: no limit
 */
public record ScrubRequest(
    Optional<String> diskId,
    boolean repair,
    boolean verifyFiles,
    Action action,
    long throttleBytesPerSecond) {
  /** What to do. */
  public enum Action {
    /** Check, and answer when it is done. */
    RUN,
    /** Tell how far the check that runs is. */
    WATCH,
    /** End the check that runs. */
    STOP
  }

  public ScrubRequest {
    if (throttleBytesPerSecond < 0) {
      throw new IllegalArgumentException(
          ErrorMessage.to("scrub")
              .value("throttleBytesPerSecond", throttleBytesPerSecond)
              .expected("0 or more")
              .message());
    }
  }

  /** A check without a limit. */
  public ScrubRequest(Optional<String> diskId, boolean repair, boolean verifyFiles) {
    this(diskId, repair, verifyFiles, Action.RUN, 0);
  }

  /** Asks how far a check is. */
  public static ScrubRequest watch() {
    return new ScrubRequest(Optional.empty(), false, false, Action.WATCH, 0);
  }

  /** Ends a check. */
  public static ScrubRequest stop() {
    return new ScrubRequest(Optional.empty(), false, false, Action.STOP, 0);
  }
}
