/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.availability;

import io.hdfsparity.core.check.Checks;

/**
 * The figures of the paper's Table 4, and what follows from them.
 *
 * @param totalBytes Z, data in the redundancy set
 * @param nodeBytes S, data of a storage node
 * @param rebuildBytesPerHour γ, what a node's rebuild achieves
 * @param mttfHours of a node
 */
public record StorageModel(
    long totalBytes, long nodeBytes, long rebuildBytesPerHour, double mttfHours) {
  private static final long GB = 1_000_000_000;

  /** What share of a disk's mean time to failure a node has (paper, section 5.2, citing [34]). */
  public static final double NODE_SHARE_OF_DISK_MTTF = 0.2;

  /** Hours of a year of 365.25 days: those with which the paper's years come out. */
  public static final double HOURS_PER_YEAR = 8766;

  /** Table 4 as printed. */
  public static final StorageModel PAPER =
      new StorageModel(4_000 * GB, 1_000 * GB, 200 * GB, NODE_SHARE_OF_DISK_MTTF * 100_000);

  public StorageModel {
    checkPositive("totalBytes", totalBytes);
    checkPositive("nodeBytes", nodeBytes);
    checkPositive("rebuildBytesPerHour", rebuildBytesPerHour);
    Checks.argument(
        totalBytes >= nodeBytes,
        "define a storage model",
        "totalBytes",
        totalBytes,
        "at least nodeBytes=" + nodeBytes);
  }

  private static void checkPositive(String name, long value) {
    Checks.argument(value > 0, "define a storage model", name, value, "more than 0");
  }

  /** MTTR of a node: S / γ, in hours. */
  public double mttrHours() {
    return (double) nodeBytes / rebuildBytesPerHour;
  }

  public Rates rates() {
    return new Rates(mttfHours, mttrHours());
  }

  /** k = Z / S, rounded up. */
  public int dataNodes() {
    return Math.toIntExact((totalBytes + nodeBytes - 1) / nodeBytes);
  }
}
