/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode;

import io.hdfsparity.bridge.level.LevelOutcome;
import io.hdfsparity.izs.level.LevelStatus;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Counts since the start. Thread-safe. */
final class LevelCounters {
  final LongAdder filesChanged = new LongAdder();
  final LongAdder filesRefused = new LongAdder();
  final LongAdder callsRefused = new LongAdder();
  final LongAdder groupsChanged = new LongAdder();
  final LongAdder unitsDropped = new LongAdder();
  final LongAdder surplusSwept = new LongAdder();
  final LongAdder interruptedChangesCompleted = new LongAdder();
  final LongAdder failedSweeps = new LongAdder();

  LevelStatus.Changes changes(long restoredLocations) {
    return new LevelStatus.Changes(
        filesChanged.sum(),
        filesRefused.sum(),
        groupsChanged.sum(),
        unitsDropped.sum(),
        surplusSwept.sum(),
        interruptedChangesCompleted.sum(),
        restoredLocations);
  }

  void count(List<LevelOutcome> outcomes) {
    for (LevelOutcome each : outcomes) {
      if (each.changed()) {
        filesChanged.increment();
        groupsChanged.add(each.groups());
      } else if (each.refusal().isPresent()) {
        filesRefused.increment();
      }
    }
  }
}
