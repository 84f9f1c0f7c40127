/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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
   * @param storageType of its volume; blocks stay on disks of one type
   * @param capacityBytes that can be protected on it, more than 0
   * @param usedBytes of superchunks on it
   */
  public record BalanceDisk(
      DiskId id, NodeId node, String storageType, long capacityBytes, long usedBytes) {
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

  /** The same for each storage type: its disks, and the superchunks that have both sides there. */
  public List<BalanceSpec> byStorageType() {
    Map<String, List<BalanceDisk>> byType = new TreeMap<>();
    Map<DiskId, String> types = new HashMap<>();
    for (BalanceDisk disk : disks) {
      byType.computeIfAbsent(disk.storageType(), type -> new ArrayList<>()).add(disk);
      types.put(disk.id(), disk.storageType());
    }
    Map<String, List<BalanceSuperchunk>> chunks = new HashMap<>();
    for (BalanceSuperchunk each : superchunks) {
      String type = types.get(each.a());
      if (type != null && type.equals(types.get(each.b()))) {
        chunks.computeIfAbsent(type, unused -> new ArrayList<>()).add(each);
      }
    }
    return byType.entrySet().stream()
        .map(
            each ->
                new BalanceSpec(
                    each.getValue(),
                    chunks.getOrDefault(each.getKey(), List.of()),
                    thresholdPercent,
                    minMoveBytes))
        .toList();
  }

  /** Protected bytes of all disks in percent of what they can hold. */
  public double meanPercent() {
    double used = disks.stream().mapToDouble(BalanceDisk::usedBytes).sum();
    double capacity = disks.stream().mapToDouble(BalanceDisk::capacityBytes).sum();
    return capacity > 0 ? 100 * used / capacity : 0;
  }

  /** How far the disk is from the mean of its storage type that is furthest from it, in percent. */
  public double distancePercent() {
    return byStorageType().stream()
        .flatMapToDouble(
            ofType ->
                ofType.disks().stream()
                    .mapToDouble(disk -> Math.abs(percent(disk) - ofType.meanPercent())))
        .max()
        .orElse(0);
  }

  private static double percent(BalanceDisk disk) {
    return 100.0 * disk.usedBytes() / disk.capacityBytes();
  }

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
