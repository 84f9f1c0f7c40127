/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import java.util.List;

/**
 * Result of a scrub of one node, or how far it is. Immutable.
 *
 * @param bytesRead bytes of replicas and parity that were read
 * @param blocks replicas in superchunks that were checked
 * @param disks disks that were checked
 * @param findings what is wrong
 * @param unitsDone units of parity compared so far
 * @param unitsTotal units of parity that rows cover
 */
public record ScrubReport(
    long bytesRead,
    int blocks,
    int disks,
    List<ScrubFinding> findings,
    long unitsDone,
    long unitsTotal) {
  public ScrubReport {
    findings = List.copyOf(findings);
  }

  /** A result without units. */
  public ScrubReport(long bytesRead, int blocks, int disks, List<ScrubFinding> findings) {
    this(bytesRead, blocks, disks, findings, 0, 0);
  }
}
