/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Degraded;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * In which order superchunks get their copies, so that as many as possible are whole as soon as
 * possible: those with both sides in service first; of these the ones that copies are under way
 * for, so that a superchunk is finished before the next one is begun; then the ones that lack
 * fewest blocks, so that a single lost replica does not wait behind a lost disk. Who has to wait
 * for a node that is busy delays nobody: the limits are by node.
 *
 * <p>A round looks at a limited number. A superchunk that got no copy in its last turn takes no
 * place of others: a quarter of the turns is for such ones, by rotation. They have no second side,
 * or a node that is away or busy.
 *
 * <p>Stateless.
 */
final class RepairOrder {
  private final LongPredicate isPaired;
  private final LongPredicate isUnderWay;
  private final LongPredicate wasBarren;
  private final LongPredicate isFailing;

  /**
   * @param isPaired whether both sides of a superchunk are in service
   * @param isUnderWay whether there are copies under way for it
   * @param wasBarren whether it got no copy in its last turn
   * @param isFailing whether its last copies have failed: it comes after all others, or it would
   *     hold all streams of its source time after time
   */
  RepairOrder(
      LongPredicate isPaired,
      LongPredicate isUnderWay,
      LongPredicate wasBarren,
      LongPredicate isFailing) {
    this.isPaired = isPaired;
    this.isUnderWay = isUnderWay;
    this.wasBarren = wasBarren;
    this.isFailing = isFailing;
  }

  /**
   * The superchunks of a round.
   *
   * @param turns how many at most
   * @param round number of the round
   */
  List<Long> of(List<Degraded> degraded, int turns, long round) {
    Comparator<Degraded> first =
        Comparator.<Degraded, Boolean>comparing(each -> !isPaired.test(each.superchunkId()))
            .thenComparing(each -> isFailing.test(each.superchunkId()))
            .thenComparing(each -> !isUnderWay.test(each.superchunkId()))
            .thenComparing(Degraded::blocks)
            .thenComparing(Degraded::superchunkId);
    List<Degraded> ready = new ArrayList<>();
    List<Degraded> waiting = new ArrayList<>();
    for (Degraded each : degraded) {
      boolean isReady =
          isPaired.test(each.superchunkId())
              && !wasBarren.test(each.superchunkId())
              && !isFailing.test(each.superchunkId());
      (isReady ? ready : waiting).add(each);
    }
    ready.sort(first);
    waiting.sort(Comparator.comparing(Degraded::superchunkId));
    int ofWaiting = Math.min(waiting.size(), Math.max(turns / 4, turns - ready.size()));
    List<Degraded> chosen =
        new ArrayList<>(ready.subList(0, Math.min(ready.size(), turns - ofWaiting)));
    for (int i = 0; i < ofWaiting; i++) {
      chosen.add(waiting.get((int) Math.floorMod(round * ofWaiting + i, (long) waiting.size())));
    }
    chosen.sort(first);
    return chosen.stream().map(Degraded::superchunkId).toList();
  }
}
