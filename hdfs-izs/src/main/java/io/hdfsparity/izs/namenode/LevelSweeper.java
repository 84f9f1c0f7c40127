/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.StripedGroups.StorageReports;
import org.apache.hadoop.hdfs.server.blockmanagement.StripedGroups.SurplusUnit;
import org.apache.hadoop.hdfs.server.namenode.StripedLevels;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cleans up after changes, in the active NameNode out of safe mode: drops units that no policy has.
 * A node that was away brings them back, or a failover came between a change and the deletion. They
 * count as live, and would hide that another unit is missing. A storage is looked through once
 * after each of its full reports. A unit can also come by itself, when it was under way to another
 * node as the level was lowered: moved by the Balancer, or by a rebuild that took so long that HDFS
 * had given it up. So for {@link #WATCHED_ROUNDS} rounds after a change, and after becoming active,
 * all storages are looked through every {@link #ROUNDS_BETWEEN_LOOKS} rounds.
 *
 * <p><b>Crash</b> or failover at any point: what was not dropped is found again by the next active
 * NameNode, which looks through every storage once; what was dropped may be deleted, for the policy
 * that does not have it is durable.
 *
 * <p>Used by one thread.
 */
final class LevelSweeper {
  private static final Logger LOG = LoggerFactory.getLogger(LevelSweeper.class);

  /** Units dropped under one hold of the lock. */
  private static final int DROP_BATCH = 500;

  /** Rounds after a change for which units may still come by themselves. */
  private static final int WATCHED_ROUNDS = 120;

  /** Rounds between two looks through all storages meanwhile. */
  private static final int ROUNDS_BETWEEN_LOOKS = 20;

  private final StripedLevels levels;
  private final LevelCounters counters;
  private final Map<String, StorageReports> lookedAt = new HashMap<>();
  private int watchedRounds = WATCHED_ROUNDS;
  private int roundsSinceLook;
  private long changesSeen;

  LevelSweeper(StripedLevels levels, LevelCounters counters) {
    this.levels = levels;
    this.counters = counters;
  }

  /** One round; does nothing on a standby, which forgets what it has looked at. */
  void round() throws IOException {
    levels.checkLowered();
    if (!levels.isWritable()) {
      lookedAt.clear();
      watchedRounds = WATCHED_ROUNDS;
      return;
    }
    forgetWhenDue();
    List<StorageReports> storages = levels.storages();
    Set<String> alive = new HashSet<>();
    for (StorageReports storage : storages) {
      alive.add(storage.storageId());
      if (!storage.equals(lookedAt.get(storage.storageId()))) {
        sweep(storage);
        lookedAt.put(storage.storageId(), storage);
      }
    }
    lookedAt.keySet().retainAll(alive);
  }

  /** Has all storages looked through again while units may come by themselves. */
  private void forgetWhenDue() {
    long changes = counters.filesChanged.sum();
    if (changes != changesSeen) {
      changesSeen = changes;
      watchedRounds = WATCHED_ROUNDS;
    }
    roundsSinceLook++;
    if (watchedRounds > 0) {
      watchedRounds--;
      if (roundsSinceLook >= ROUNDS_BETWEEN_LOOKS || watchedRounds == 0) {
        lookedAt.clear();
        roundsSinceLook = 0;
      }
    }
  }

  private void sweep(StorageReports storage) throws IOException {
    List<SurplusUnit> surplus = levels.surplus(storage);
    for (int from = 0; from < surplus.size(); from += DROP_BATCH) {
      int dropped = levels.drop(surplus.subList(from, Math.min(surplus.size(), from + DROP_BATCH)));
      counters.surplusSwept.add(dropped);
      LOG.info("Dropped {} surplus units in storage {}", dropped, storage.storageId());
    }
  }
}
