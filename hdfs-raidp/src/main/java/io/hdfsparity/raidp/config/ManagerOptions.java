/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.config;

/**
 * What the manager in the NameNode is configured with. Immutable, validated.
 *
 * @param unitBytes allocation unit
 * @param maxBlockBytes largest block that is placed
 * @param reportIntervalMs pause between two reports of an agent
 * @param peerTimeoutMs time limit of a call to a DataNode
 * @param grantLeaseMs life of a grant that no report has matched
 * @param nodeStaleTimeoutMs silence after which a node gets no new blocks
 * @param nodeDeadTimeoutMs silence after which a node counts as dead
 * @param spareShare share of frames that a layout leaves free, 0 to 1
 * @param roomDisks number of failed disks that a layout leaves room for, 0 to 2
 * @param recoveryAuto recovery starts by itself
 * @param recoveryChunkBytes bytes of one rebuild request
 * @param recoveryLock what a rebuild thread locks
 * @param recoveryThrottleBytesPerSecond 0: none
 */
public record ManagerOptions(
    int unitBytes,
    long maxBlockBytes,
    long reportIntervalMs,
    int peerTimeoutMs,
    long grantLeaseMs,
    long nodeStaleTimeoutMs,
    long nodeDeadTimeoutMs,
    double spareShare,
    int roomDisks,
    boolean recoveryAuto,
    int recoveryChunkBytes,
    LockGranularity recoveryLock,
    long recoveryThrottleBytesPerSecond) {}
