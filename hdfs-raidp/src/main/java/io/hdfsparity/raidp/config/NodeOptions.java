/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.config;

import java.nio.file.Path;
import java.util.List;

/**
 * What the agent in a DataNode is configured with. Immutable, validated.
 *
 * @param diskRoots one a disk
 * @param lstorDirs directory of the Lstor of the disk with the same index
 * @param frameBytes data bytes of a frame
 * @param unitBytes allocation unit
 * @param maxBlockBytes largest block
 * @param journalBytes bound on covered but unacknowledged bytes of a disk
 * @param journalWaitTimeoutMs how long a write waits below that bound
 * @param lstorRingBytes redo ring of a new Lstor file
 * @param mode when deleted bytes leave the parity
 * @param idleAfterMs quiet time that makes a disk idle
 * @param leftoverReportIntervalMs least time between two full block reports for want of units
 * @param granularity what is covered at a time
 * @param reportIntervalMs pause between two reports
 * @param peerTimeoutMs time limit of a call to another daemon
 */
public record NodeOptions(
    List<Path> diskRoots,
    List<Path> lstorDirs,
    long frameBytes,
    int unitBytes,
    long maxBlockBytes,
    long journalBytes,
    long journalWaitTimeoutMs,
    long lstorRingBytes,
    Mode mode,
    long idleAfterMs,
    long leftoverReportIntervalMs,
    Granularity granularity,
    long reportIntervalMs,
    int peerTimeoutMs) {
  public NodeOptions {
    diskRoots = List.copyOf(diskRoots);
    lstorDirs = List.copyOf(lstorDirs);
  }

  /** Allocation units of a frame. */
  public int unitsPerFrame() {
    return (int) (frameBytes / unitBytes);
  }
}
