/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.level;

/**
 * State of one NameNode as to levels. Immutable.
 *
 * @param active it is the active one
 * @param readiness what changes of level ask of a NameNode
 * @param changes since its start
 * @param backlog of the cluster
 * @param verification of parity
 */
public record LevelStatus(
    boolean active,
    Readiness readiness,
    Changes changes,
    Backlog backlog,
    VerifyStatus verification) {
  /**
   * What changes of level ask of every NameNode.
   *
   * @param guarded its map of blocks is guarded; required
   * @param clientsGuarded clients that do not compute a file's codec are refused to write it;
   *     required
   * @param replayAsserts it runs with assertions that a replay of a change does not pass
   * @param upgradeOpen an upgrade is not finalized
   */
  public record Readiness(
      boolean guarded, boolean clientsGuarded, boolean replayAsserts, boolean upgradeOpen) {}

  /**
   * Counts since the NameNode's start.
   *
   * @param filesChanged files whose level was changed
   * @param filesRefused files that kept theirs for a reason
   * @param groupsChanged block groups of the changed files
   * @param unitsDropped units that changes dropped
   * @param surplusSwept surplus units that were found later
   * @param interruptedChangesCompleted files that a crash left in the middle of a change
   * @param restoredLocations locations of units that a replay would have forgotten
   */
  public record Changes(
      long filesChanged,
      long filesRefused,
      long groupsChanged,
      long unitsDropped,
      long surplusSwept,
      long interruptedChangesCompleted,
      long restoredLocations) {}

  /**
   * What is still to be done.
   *
   * @param groupsLackingUnits groups of the cluster that wait for a unit
   * @param queuedDeletes deletions of units that are queued for DataNodes
   */
  public record Backlog(long groupsLackingUnits, long queuedDeletes) {}
}
