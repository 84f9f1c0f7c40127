/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.trace;

import io.hdfsparity.benchmarks.macro.BadOption;
import io.hdfsparity.core.check.Checks;
import java.util.List;

/**
 * A volume of the MSR Cambridge traces as the PLR paper's Table 2 tells of it. A GB is 2^30 bytes.
 * Immutable.
 *
 * @param name of the volume
 * @param writes write requests
 * @param workingSetKib different KB that are read or written
 * @param updatedWorkingSetShare part of them that is written after it was read or written, 0..1
 * @param updateShare part of the writes to a place that was read or written before, 0..1
 */
public record VolumeStatistics(
    String name,
    long writes,
    long workingSetKib,
    double updatedWorkingSetShare,
    double updateShare) {
  private static final double PERCENT = 100;

  /** Table 2. */
  public static final List<VolumeStatistics> TABLE_2 =
      List.of(
          of("src22", 805_955, 20.17, 99.57, 99.68),
          of("mds0", 1_067_061, 3.09, 29.27, 95.77),
          of("rsrch0", 1_300_030, 0.36, 69.53, 97.41),
          of("usr0", 1_333_406, 2.44, 42.54, 96.08),
          of("web0", 1_423_458, 7.26, 37.25, 96.23),
          of("ts0", 1_485_042, 0.91, 49.84, 95.65),
          of("stg0", 1_722_478, 6.31, 21.04, 97.82),
          of("hm0", 2_575_568, 2.31, 73.16, 93.21),
          of("prn1", 2_769_610, 80.9, 18.55, 73.43),
          of("proj0", 3_697_143, 3.16, 56.67, 98.89));

  private static VolumeStatistics of(
      String name, long writes, double gib, double updatedPercent, double updatePercent) {
    return new VolumeStatistics(
        name,
        writes,
        Math.round(gib * (1 << 20)),
        updatedPercent / PERCENT,
        updatePercent / PERCENT);
  }

  /** The volume of a name. */
  public static VolumeStatistics named(String name) {
    return TABLE_2.stream()
        .filter(each -> each.name.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new BadOption(
                    "volumes",
                    name,
                    "some of " + TABLE_2.stream().map(VolumeStatistics::name).toList()));
  }

  /** So many writes, to a part of the working set that is as much smaller. */
  public VolumeStatistics capped(long maxWrites) {
    Checks.argument(maxWrites > 0, "generate a trace", "writes", maxWrites, "> 0");
    double part = Math.min(1, (double) maxWrites / writes);
    return new VolumeStatistics(
        name,
        Math.round(writes * part),
        Math.max(1, Math.round(workingSetKib * part)),
        updatedWorkingSetShare,
        updateShare);
  }
}
