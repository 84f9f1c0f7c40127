/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

/**
 * Bounds of an adoption.
 *
 * @param blocksInHand of the files that are looked at at once, one file more at most
 * @param blocksInFlight that DataNodes are asked to cover at once
 * @param bytesInFlight the same in bytes, one block more at most
 * @param filesSetAside that wait for another look; beyond it a file gets none
 * @param copies blocks that need a copy and are in flight at once
 * @param bytesPerSecond that are covered, and once more those that are copied; 0: no limit
 */
public record AdoptionLimits(
    int blocksInHand,
    int blocksInFlight,
    long bytesInFlight,
    int filesSetAside,
    int copies,
    long bytesPerSecond) {
  /** About 20 MB of memory. Copies out of a DataNode have a limit of their own. */
  public static AdoptionLimits of(long bytesPerSecond) {
    return new AdoptionLimits(20_000, 2_000, 64L << 30, 100_000, 100, bytesPerSecond);
  }
}
