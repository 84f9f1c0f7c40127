/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.List;

/**
 * What a balance has to level. Immutable.
 *
 * @param disks that take part: in service, on nodes in service
 * @param superchunks active ones with both sides on such disks
 * @param thresholdPercent how far the utilization of a disk may be from the mean, in percentage
 *     points
 * @param minMoveBytes less is not worth a move
 */
public record BalanceSpec(
    List<BalanceDisk> disks,
    List<BalanceSuperchunk> superchunks,
    double thresholdPercent,
    long minMoveBytes) {
  /**
   * A disk.
   *
   * @param capacityBytes that can be protected on it, more than 0
   * @param usedBytes of superchunks on it
   */
  public record BalanceDisk(DiskId id, NodeId node, long capacityBytes, long usedBytes) {
    public BalanceDisk {
      if (capacityBytes <= 0 || usedBytes < 0) {
        throw new IllegalArgumentException(
            "Cannot balance: disk="
                + id
                + " capacityBytes="
                + capacityBytes
                + " usedBytes="
                + usedBytes
                + ", expected capacityBytes > 0 and usedBytes >= 0");
      }
    }
  }

  /**
   * A superchunk.
   *
   * @param usedBytes on each side
   * @param roomBytes for new blocks on both sides
   */
  public record BalanceSuperchunk(long id, DiskId a, DiskId b, long usedBytes, long roomBytes) {}

  public BalanceSpec {
    disks = List.copyOf(disks);
    superchunks = List.copyOf(superchunks);
    if (!(thresholdPercent > 0 && thresholdPercent <= 100) || minMoveBytes < 1) {
      throw new IllegalArgumentException(
          "Cannot balance: thresholdPercent="
              + thresholdPercent
              + " minMoveBytes="
              + minMoveBytes
              + ", expected a threshold above 0 and up to 100, and minMoveBytes > 0");
    }
  }
}
