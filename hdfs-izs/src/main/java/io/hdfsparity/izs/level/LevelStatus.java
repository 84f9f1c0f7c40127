/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.level;

/**
 * State of one NameNode as to levels. Counts are since its start. Immutable.
 *
 * @param active it is the active one
 * @param guarded its map of blocks is guarded; required on every NameNode
 * @param replayAsserts it runs with assertions that a replay of a change does not pass
 * @param upgradeOpen an upgrade is not finalized
 * @param filesChanged files whose level was changed
 * @param filesRefused files that kept theirs for a reason
 * @param groupsChanged block groups of the changed files
 * @param unitsDropped units that changes dropped
 * @param surplusSwept surplus units that were found later
 * @param tornCompleted files that a crash left in the middle of a change
 * @param restoredPlaces places of units that a replay would have forgotten
 * @param groupsLackingUnits groups of the cluster that wait for a unit
 * @param queuedDeletes deletions of units that DataNodes have still to be told
 * @param clientsGuarded clients that do not compute a file's codec are refused to write it;
 *     required on every NameNode
 * @param verification of parity
 */
public record LevelStatus(
    boolean active,
    boolean guarded,
    boolean replayAsserts,
    boolean upgradeOpen,
    long filesChanged,
    long filesRefused,
    long groupsChanged,
    long unitsDropped,
    long surplusSwept,
    long tornCompleted,
    long restoredPlaces,
    long groupsLackingUnits,
    long queuedDeletes,
    boolean clientsGuarded,
    VerifyStatus verification) {}
