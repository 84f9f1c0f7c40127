/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import io.hdfsparity.localcluster.torture.plan.FaultKind;
import io.hdfsparity.localcluster.torture.plan.Schedule;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How often clients meet at the same bytes and their parity. Faults between clients and DataNodes
 * impede some clients, and what that does to the others shows only where they meet: with those,
 * most operations are on a few hot cells, one of each data unit at the same place, and there are
 * more updaters. Draws of schedules without them are as they always were. Immutable.
 *
 * @param updaters how many
 * @param used cells
 * @param hot some of them; none: all alike
 */
record Contention(int updaters, List<Integer> used, List<Integer> hot) {
  private static final int USUAL_UPDATERS = 3;
  private static final int MORE_UPDATERS = 6;

  /** Of so many operations one is on any cell. */
  private static final int ANY_IN = 4;

  Contention {
    used = List.copyOf(used);
    hot = List.copyOf(hot);
  }

  /**
   * That of a run.
   *
   * @param used as {@link UsedCells}
   * @param hot a few of them that share parity
   */
  static Contention of(Schedule schedule, List<Integer> used, List<Integer> hot) {
    return FaultKind.ofClients().stream().anyMatch(schedule::has)
        ? new Contention(MORE_UPDATERS, used, hot)
        : new Contention(USUAL_UPDATERS, used, List.of());
  }

  /** The cell of the next operation. */
  int next(SplittableRandom random) {
    List<Integer> cells = hot.isEmpty() || random.nextInt(ANY_IN) == 0 ? used : hot;
    return cells.get(random.nextInt(cells.size()));
  }

  /**
   * How updaters work. Where they often meet, they collect identifiers after each write: otherwise
   * most writes name one before them, which gives what comes late away, and hides whether epochs
   * and locks do.
   */
  UpdaterOptions options(UpdaterOptions usual) {
    return hot.isEmpty() ? usual : usual.withCollectAfter(1);
  }
}
