/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.workload;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What is published of the workloads of the paper (Table II; they are volumes of MSR Cambridge).
 *
 * <p>The share of writes that go to correlated cells stands in the text for wdev_1 and wdev_2 only
 * (section III-A). The other ones are ours: half where section IV-B says that uncorrelated cells
 * have a large share, four fifths elsewhere.
 */
public enum Workload {
  WDEV_1(0, 0, 1_055, 5.13, 0.70),
  WDEV_2(189, 6.12, 181_076, 8.16, 0.98),
  WDEV_3(11, 63.27, 670, 2.03, 0.5),
  WEB_1(87_057, 45.90, 73_833, 9.22, 0.5),
  WEB_3(10_049, 74.89, 21_330, 20.83, 0.8),
  RSRCH_0(99_779, 11.47, 948_796, 8.74, 0.8),
  RSRCH_1(42, 6.72, 13_737, 6.19, 0.5),
  RSRCH_2(136_364, 4, 71_222, 4.25, 0.5),
  SRC2_1(643_669, 60.31, 14_104, 13.34, 0.8);

  private final long reads;
  private final double averageReadKib;
  private final long writes;
  private final double averageWriteKib;
  private final double correlatedShare;

  Workload(
      long reads,
      double averageReadKib,
      long writes,
      double averageWriteKib,
      double correlatedShare) {
    this.reads = reads;
    this.averageReadKib = averageReadKib;
    this.writes = writes;
    this.averageWriteKib = averageWriteKib;
    this.correlatedShare = correlatedShare;
  }

  /** The one of a name such as wdev_1. */
  public static Optional<Workload> named(String name) {
    return Arrays.stream(values()).filter(workload -> workload.word().equals(name)).findFirst();
  }

  /** Its name in the paper. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Number of read requests. */
  public long reads() {
    return reads;
  }

  /** Number of write requests. */
  public long writes() {
    return writes;
  }

  /** Average size of a read, in bytes; the paper's KB are taken as 1024. */
  public double averageReadBytes() {
    return 1024 * averageReadKib;
  }

  /** Average size of a write, in bytes. */
  public double averageWriteBytes() {
    return 1024 * averageWriteKib;
  }

  /** Share of writes that belong to a pattern. */
  public double correlatedShare() {
    return correlatedShare;
  }
}
