/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.level;

/**
 * A block group as the NameNode holds it, taken under its lock. Immutable.
 *
 * @param id of the group
 * @param complete its blocks are final
 * @param filledDataUnits data units that hold bytes; less than k in a group shorter than a stripe
 * @param units by where their replicas are
 * @param corruptReplicas replicas marked as damaged
 * @param pendingRebuilds units that are being rebuilt or copied
 * @param excess a replica is marked as superfluous
 */
public record StripedGroup(
    long id,
    boolean complete,
    int filledDataUnits,
    Units units,
    int corruptReplicas,
    int pendingRebuilds,
    boolean excess) {
  /**
   * Sets of units as bit masks: bit i is unit i, data units first.
   *
   * @param present units of which a replica is known
   * @param repeated units of which more than one replica is known
   * @param draining units that have a replica on a node that leaves or is in maintenance
   * @param stale units that have a replica on a storage that did not report since a failover
   * @param unavailable units that have a replica on a failed storage, or on a node that sends no
   *     heartbeats. HDFS drops such replicas minutes later only
   * @param queuedDeletes units whose deletion is queued for a node
   */
  public record Units(
      int present, int repeated, int draining, int stale, int unavailable, int queuedDeletes) {}

  /** As in {@code hdfs fsck}. */
  public String name() {
    return "blk_" + id;
  }
}
