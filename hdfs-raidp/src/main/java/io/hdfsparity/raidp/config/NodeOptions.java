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
 * @param disks those with frames
 * @param frames sizes of a frame and of what is in it
 * @param lstor what an Lstor holds back, and for how long
 * @param settling when and how parity is brought in line with replicas
 * @param reportIntervalMs pause between two reports
 * @param leftoverReportIntervalMs minimum time between two full block reports for want of units
 * @param peerTimeoutMs time limit of a call to another daemon
 */
public record NodeOptions(
    List<Disk> disks,
    Frames frames,
    LstorLimits lstor,
    Settling settling,
    long reportIntervalMs,
    long leftoverReportIntervalMs,
    int peerTimeoutMs) {
  public NodeOptions {
    disks = List.copyOf(disks);
  }

  /**
   * Where a disk is.
   *
   * @param root directly above its data directories
   * @param lstorDir directory of its Lstor
   */
  public record Disk(Path root, Path lstorDir) {}

  /**
   * Sizes.
   *
   * @param frameBytes data bytes of a frame
   * @param unitBytes allocation unit
   * @param maxBlockBytes largest block
   * @param perVolume frames that a new volume gets
   */
  public record Frames(long frameBytes, int unitBytes, long maxBlockBytes, int perVolume) {
    /** Allocation units of a frame. */
    public int unitsPerFrame() {
      return (int) (frameBytes / unitBytes);
    }
  }

  /**
   * Limits of an Lstor.
   *
   * @param journalBytes bound on covered bytes of a disk about which partners have not answered
   * @param journalWaitTimeoutMs how long a write waits below that bound
   * @param ringBytes redo ring of a new Lstor file
   */
  public record LstorLimits(long journalBytes, long journalWaitTimeoutMs, long ringBytes) {}

  /**
   * How parity follows.
   *
   * @param mode when deleted bytes leave the parity
   * @param granularity what is covered at a time
   * @param idleAfterMs quiet time that makes a disk idle
   */
  public record Settling(Mode mode, Granularity granularity, long idleAfterMs) {}
}
