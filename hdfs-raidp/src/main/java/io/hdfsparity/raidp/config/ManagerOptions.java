/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.config;

/**
 * What the manager in the NameNode is configured with. Immutable, validated.
 *
 * @param placement rules for new blocks
 * @param reportIntervalMs pause between two reports of an agent
 * @param peerTimeoutMs time limit of a call to a DataNode
 * @param silence what a node without reports counts as
 * @param layout rules of a layout
 * @param recovery how lost disks and missing replicas are made up for
 */
public record ManagerOptions(
    Placement placement,
    long reportIntervalMs,
    int peerTimeoutMs,
    Silence silence,
    Layout layout,
    Recovery recovery) {

  /**
   * Rules for new blocks.
   *
   * @param unitBytes allocation unit
   * @param maxBlockBytes largest block that is placed
   * @param grantLeaseMs life of a grant that no report has matched
   * @param whenFull what becomes of a block that no superchunk has room for
   */
  public record Placement(
      int unitBytes, long maxBlockBytes, long grantLeaseMs, WhenFull whenFull) {}

  /**
   * Limits of a time without reports.
   *
   * @param staleMs after it a node gets no new blocks
   * @param deadMs after it a node counts as dead
   */
  public record Silence(long staleMs, long deadMs) {}

  /**
   * Rules of a layout.
   *
   * @param spareShare of all frames, 0 to 1, that it leaves free
   * @param roomDisks number of failed disks that it leaves room for, 0 to 2
   * @param coefficients of the sides of new superchunks
   */
  public record Layout(double spareShare, int roomDisks, Coefficients coefficients) {}

  /**
   * Defaults of a recovery.
   *
   * @param auto it starts by itself
   * @param pace how its rebuilds run
   * @param repair how missing replicas are copied
   */
  public record Recovery(boolean auto, RebuildPace pace, Repair repair) {}

  /**
   * How missing replicas are copied.
   *
   * @param maxStreams copies out of one node at once
   * @param intervalMs pause between two rounds
   */
  public record Repair(int maxStreams, long intervalMs) {}
}
