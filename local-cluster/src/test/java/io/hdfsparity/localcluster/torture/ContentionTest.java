/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import io.hdfsparity.localcluster.torture.plan.FaultKind;
import io.hdfsparity.localcluster.torture.plan.FaultPlanner;
import io.hdfsparity.localcluster.torture.plan.Feature;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ContentionTest {
  private static final List<Integer> USED = List.of(0, 3, 6, 9, 12, 15, 18, 21);
  private static final List<Integer> HOT = List.of(0, 9, 18);

  private static Contention of(FaultKind kind) {
    return Contention.of(
        FaultPlanner.plan(1, 1, Set.of(Feature.ECUPDATE), Set.of(kind), 6), USED, HOT);
  }

  private static List<Integer> drawn(Contention contention) {
    SplittableRandom random = new SplittableRandom(7);
    return Stream.generate(() -> contention.next(random)).limit(4_000).toList();
  }

  @Test
  void oldSchedulesStillGiveTheSameOperations() {
    Contention usual = of(FaultKind.KILL);
    SplittableRandom random = new SplittableRandom(7);
    assertThat(drawn(usual))
        .isEqualTo(
            Stream.generate(() -> USED.get(random.nextInt(USED.size()))).limit(4_000).toList());
    assertThat(usual.updaters()).isEqualTo(3);
    assertThat(usual.options(UpdaterOptions.standard())).isEqualTo(UpdaterOptions.standard());
  }

  @ParameterizedTest
  @EnumSource(
      value = FaultKind.class,
      names = {"REFUSE_READERS", "REPLY_LOSS", "SLOW_LINK"})
  void clientsMeetAtHotCellsWhereSomeAreImpeded(FaultKind kind) {
    Contention high = of(kind);
    List<Integer> drawn = drawn(high);
    assertThat(drawn).containsAll(USED);
    for (int hot : HOT) {
      assertThat(Collections.frequency(drawn, hot)).isBetween(1_000, 1_300);
    }
    assertThat(high.updaters()).isEqualTo(6);
    assertThat(high.options(UpdaterOptions.standard()).collectAfter()).isEqualTo(1);
  }
}
