/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.ecupdate.storage.ReservedSpace.Placement;
import org.junit.jupiter.api.Test;

class ReservedSpaceTest {
  private static final ReservedSpaceOptions OPTIONS = new ReservedSpaceOptions(0.3, 100, 800, 0);

  @Test
  void followsTheFormulasOfThePaper() {
    ReservedSpace space = ReservedSpace.initial(OPTIONS).append(400);
    assertThat(space.getUtility()).isCloseTo(0.3 * 400 / 800, within(1e-12)); // u_1 = 0.15
    assertThat(space.computeShrinkSize(0.15)).isEqualTo(600); // floor(0.85 * 8) chunks
    // The paper shrinks before it merges: 400 bytes of deltas lie there, so only 400 can go.
    ReservedSpace next = space.endPeriod();
    assertThat(next.reservedBytes()).isEqualTo(400);
    assertThat(next.usedBytes()).isZero();
    assertThat(next.utility()).isCloseTo(0.15, within(1e-12));
    ReservedSpace after = next.append(100).endPeriod();
    assertThat(after.utility()).isCloseTo(0.3 * 0.25 + 0.7 * 0.15, within(1e-12)); // 0.18
    assertThat(after.reservedBytes()).isEqualTo(400 - 300); // floor(0.82 * 4) = 3 chunks
  }

  /**
   * Lines 5 to 8 of Algorithm 1 read: getUtility, computeShrinkSize, doShrink, doMerge. Merging
   * first would let c go whole, and the space of a busy block with it.
   */
  @Test
  void shrinksBeforeItMergesAsTheAlgorithmDoes() {
    ReservedSpace busy = ReservedSpace.initial(OPTIONS).append(700);
    double utility = busy.getUtility(); // 0.2625: the first period counts for 0.3 only
    long wanted = busy.computeShrinkSize(utility);
    assertThat(wanted).isEqualTo(500);
    assertThat(busy.doMerge().doShrink(wanted).reservedBytes()).as("merged first").isEqualTo(300);
    ReservedSpace next = busy.endPeriod();
    assertThat(next.reservedBytes()).as("as in the paper").isEqualTo(700);
    assertThat(next.usedBytes()).isZero();
    assertThat(next.place(700)).isEqualTo(Placement.APPEND);
    assertThat(next.endPeriod().reservedBytes())
        .as("an idle period later, what could not go: floor((1 - 0.7 * 0.2625) * 7) = 5 chunks")
        .isEqualTo(200);
  }

  @Test
  void unusedSpaceGoesAtOnceWhenNothingIsKnownAndTheLastChunkLateWhenSomethingIs() {
    assertThat(ReservedSpace.initial(OPTIONS).endPeriod().reservedBytes()).isZero();
    ReservedSpace used = ReservedSpace.initial(OPTIONS).append(1).endPeriod();
    for (int period = 0; period < 50; period++) {
      used = used.endPeriod();
    }
    assertThat(used.reservedBytes()).isEqualTo(OPTIONS.chunkBytes());
    for (int period = 0; period < 50; period++) {
      used = used.endPeriod();
    }
    assertThat(used.reservedBytes()).isZero();
  }

  /** A file of a few KB must not have a MB of reserved space for each of its parity units. */
  @Test
  void aShortBlockBeginsWithNoMoreSpaceThanItIsLong() {
    ReservedSpaceOptions options = new ReservedSpaceOptions(0.3, 1 << 20, 4 << 20, 0.5);
    assertThat(options.forBlock(128 << 20)).isEqualTo(options);
    assertThat(options.forBlock(4 << 20)).isEqualTo(options);
    assertThat(options.forBlock((2 << 20) + 1))
        .isEqualTo(new ReservedSpaceOptions(0.3, 1 << 20, 3 << 20, 0.5));
    assertThat(options.forBlock(70_000))
        .isEqualTo(new ReservedSpaceOptions(0.3, 128 << 10, 128 << 10, 0.5));
    assertThat(options.forBlock(0))
        .isEqualTo(new ReservedSpaceOptions(0.3, 64 << 10, 64 << 10, 0.5));
    ReservedSpaceOptions none = new ReservedSpaceOptions(0.3, 100, 0, 0.5);
    assertThat(none.forBlock(70_000)).isEqualTo(none);
    assertThat(OPTIONS.forBlock(0)).as("never more than is asked for").isEqualTo(OPTIONS);
  }

  @Test
  void fullSpaceMergesAndNoSpaceMeansInPlace() {
    ReservedSpace full = ReservedSpace.initial(OPTIONS).append(750);
    assertThat(full.place(50)).isEqualTo(Placement.APPEND);
    assertThat(full.place(51)).isEqualTo(Placement.MERGE_THEN_APPEND);
    assertThat(full.place(801)).isEqualTo(Placement.IN_PLACE);
    assertThat(full.merge().place(51)).isEqualTo(Placement.APPEND);
    assertThat(full.merge().append(600).getUtility()).isCloseTo(0.3, within(1e-12));
    ReservedSpace none = ReservedSpace.initial(OPTIONS).endPeriod();
    assertThat(none.place(1)).isEqualTo(Placement.IN_PLACE);
    assertThat(none.endPeriod().reservedBytes()).isZero();
  }

  @Test
  void shrinkingOnlyKeepsDeltasAndCountsThemAsUsed() {
    ReservedSpace space = ReservedSpace.initial(OPTIONS).append(350).shrink();
    assertThat(space.reservedBytes()).isEqualTo(400);
    assertThat(space.usedBytes()).isEqualTo(350);
    assertThat(space.getUtility())
        .isCloseTo(0.3 * 350 / 400 + 0.7 * 0.3 * 350 / 800, within(1e-12));
  }

  @Test
  void refusesWhatDoesNotFit() {
    ReservedSpace space = ReservedSpace.initial(OPTIONS).append(750);
    assertThatThrownBy(() -> space.append(51)).hasMessageContaining("usedBytes=801");
    assertThatThrownBy(() -> space.doShrink(50)).hasMessageContaining("shrinkBytes=50");
    assertThatThrownBy(() -> new ReservedSpaceOptions(0, 1, 1, 0)).hasMessageContaining("alpha=0");
    assertThatThrownBy(() -> new ReservedSpaceOptions(1, 2, 3, 0))
        .hasMessageContaining("defaultBytes=3");
    assertThatThrownBy(() -> new ReservedSpaceOptions(1, 1, 1, 2))
        .hasMessageContaining("initialUtility=2");
  }

  /** The same in mutable variables and a loop over chunks, as the paper's prose says it. */
  private static final class Twin {
    long reserved = OPTIONS.defaultBytes();
    long lying;
    long came;
    double utility;

    boolean take(long bytes) {
      if (bytes > reserved) {
        return false;
      }
      if (lying + bytes > reserved) {
        lying = 0;
      }
      lying += bytes;
      came += bytes;
      return true;
    }

    void period(boolean isMerging) {
      double use = reserved == 0 ? 0 : Math.min(1.0, Math.max(came, lying) / (double) reserved);
      utility = reserved == 0 ? 0 : 0.3 * use + (1 - 0.3) * utility;
      long wanted = (long) ((1 - utility) * reserved);
      while (wanted >= 100 && reserved - 100 >= lying) {
        wanted -= 100;
        reserved -= 100;
      }
      came = 0;
      if (isMerging) {
        lying = 0;
      }
    }
  }

  @Test
  void agreesWithTheTwin() {
    SeededRuns.of(500)
        .check(
            random -> {
              ReservedSpace space = ReservedSpace.initial(OPTIONS);
              Twin twin = new Twin();
              boolean isMerging = random.nextBoolean();
              for (int step = 0; step < 60; step++) {
                if (random.nextInt(6) == 0) {
                  space = isMerging ? space.endPeriod() : space.shrink();
                  twin.period(isMerging);
                } else {
                  long bytes = 1 + random.nextInt(300);
                  Placement placement = space.place(bytes);
                  assertThat(twin.take(bytes)).isEqualTo(placement != Placement.IN_PLACE);
                  if (placement == Placement.MERGE_THEN_APPEND) {
                    space = space.merge();
                  }
                  if (placement != Placement.IN_PLACE) {
                    space = space.append(bytes);
                  }
                }
                assertThat(space.reservedBytes()).isEqualTo(twin.reserved);
                assertThat(space.usedBytes()).isEqualTo(twin.lying);
              }
            });
  }
}
