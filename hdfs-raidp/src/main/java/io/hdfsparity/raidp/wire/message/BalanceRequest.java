/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import java.util.OptionalLong;

/**
 * Asks that disks get their share of protected blocks, or how far that is.
 *
 * @param thresholdPercent how far the utilization of a disk may be from the mean, in percentage
 *     points
 * @param throttleBytesPerSecond of bytes that are copied; 0: no limit; empty: the same
 */
public record BalanceRequest(
    Action action, double thresholdPercent, OptionalLong throttleBytesPerSecond) {
  /** As of HDFS's Balancer. */
  public static final double DEFAULT_THRESHOLD = 10;

  /** What is asked. */
  public enum Action {
    /** Starts a run, or joins the one that is running. */
    START,
    /** Starts nothing. */
    WATCH,
    /** Says what would be moved. */
    PLAN,
    /** Ends the run that is running. */
    STOP
  }

  /**
   * @throws IllegalArgumentException for a threshold or a throttle that cannot be kept
   */
  public BalanceRequest {
    AdoptRequest.requireThrottle("balance", throttleBytesPerSecond);
    if (!(thresholdPercent >= 1 && thresholdPercent <= 100)) {
      throw new IllegalArgumentException(
          "Cannot balance: threshold=" + thresholdPercent + ", expected 1 to 100 percent");
    }
  }
}
