/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.trace;

/**
 * What the paper's Table 1 says of a trace of writes. A KB is 1,024 bytes, a GB 2^30. Immutable.
 *
 * @param writes write requests
 * @param workingSetKib different KB that are accessed
 * @param updatedWorkingSetShare part of the working set that is written again at least once, 0..1
 * @param updateShare part of the writes whose place was accessed before, 0..1
 * @param files that are accessed
 * @param updatedFileShare part of the files in which something is written again, 0..1
 * @param updateKib average size of a write to a place that was accessed before
 */
public record TraceStatistics(
    long writes,
    long workingSetKib,
    double updatedWorkingSetShare,
    double updateShare,
    long files,
    double updatedFileShare,
    double updateKib) {
  /** Days that the Harvard trace has. */
  public static final int DAYS = 41;

  /** Table 1: the Harvard DEAS03 NFS traces. */
  public static final TraceStatistics HARVARD =
      new TraceStatistics(
          172_702_071L, Math.round(174.73 * (1 << 20)), 0.6839, 0.9156, 2_039_724, 0.1210, 10.58);

  /** A trace of a part of the files, each as busy as before. */
  public TraceStatistics scaled(double part) {
    return new TraceStatistics(
        Math.round(writes * part),
        Math.round(workingSetKib * part),
        updatedWorkingSetShare,
        updateShare,
        Math.round(files * part),
        updatedFileShare,
        updateKib);
  }
}
