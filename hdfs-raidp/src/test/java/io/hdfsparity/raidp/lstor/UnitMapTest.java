/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The allocator: what it plans is free, complete, and in as few pieces as can be. */
class UnitMapTest {
  @Test
  void plansFitAndAreAsFewAsPossible() {
    SeededRuns.of(500)
        .check(
            random -> {
              int units = 1 + random.nextInt(120);
              UnitMap map = new UnitMap(units);
              BitSet taken = new BitSet();
              int density = 1 + random.nextInt(6);
              for (int unit = 0; unit < units; unit++) {
                if (random.nextInt(density) == 0) {
                  map.take(List.of(new Run(unit, 1)));
                  taken.set(unit);
                }
              }
              int free = units - taken.cardinality();
              assertThat(map.freeUnits()).isEqualTo(free);
              int wanted = 1 + random.nextInt(units);
              int pieces = fewestPieces(taken, units, wanted);
              if (wanted > free || pieces > SlotEntry.MAX_RUNS) {
                assertThatThrownBy(() -> map.plan(0, wanted))
                    .isInstanceOf(LstorException.NoSpace.class);
                return;
              }
              List<Run> plan = map.plan(0, wanted);
              assertThat(Extents.units(plan)).isEqualTo(wanted);
              assertThat(Extents.unitsOf(plan).cardinality()).isEqualTo(wanted);
              assertThat(Extents.unitsOf(plan).intersects(taken)).isFalse();
              assertThat(Extents.unitsOf(plan).length()).isLessThanOrEqualTo(units);
              assertThat(plan).hasSize(pieces).isEqualTo(Extents.normalize(plan));
              if (pieces == 1) {
                assertThat(plan.get(0).start())
                    .as("first fit")
                    .isEqualTo(firstFit(taken, units, wanted));
              }
              assertThat(map.isFree(plan)).isTrue();
              map.take(plan);
              assertThat(map.isFree(plan)).isFalse();
              assertThat(map.freeUnits()).isEqualTo(free - wanted);
              map.release(plan);
              assertThat(map.freeUnits()).isEqualTo(free);
            });
  }

  @Test
  void extentsMapBytesAsAWalkOverUnitsDoes() {
    SeededRuns.of(300)
        .check(
            random -> {
              List<Run> runs = new ArrayList<>();
              List<Integer> units = new ArrayList<>();
              for (int i = 0; i <= random.nextInt(6); i++) {
                Run run = new Run(i * 10 + random.nextInt(5), 1 + random.nextInt(5));
                runs.add(random.nextInt(runs.size() + 1), run);
              }
              runs.forEach(
                  run -> {
                    for (int unit = run.start(); unit < run.end(); unit++) {
                      units.add(unit);
                    }
                  });
              int perUnit = 1 + random.nextInt(20);
              int total = units.size() * perUnit;
              int position = random.nextInt(total);
              int length = random.nextInt(total - position + 1);
              int at = position;
              for (Extents.Segment segment : Extents.segments(runs, perUnit, position, length)) {
                assertThat(segment.position()).isEqualTo(at);
                for (int i = 0; i < segment.lengthBytes(); i++, at++) {
                  assertThat(segment.regionOffset() + i)
                      .isEqualTo((long) units.get(at / perUnit) * perUnit + at % perUnit);
                }
              }
              assertThat(at).isEqualTo(position + length);
              int keep = random.nextInt(units.size() + 2);
              assertThat(Extents.units(Extents.trim(runs, keep)))
                  .isEqualTo(Math.min(keep, units.size()));
              assertThatThrownBy(
                      () -> Extents.segments(runs, perUnit, position, total - position + 1))
                  .isInstanceOf(IllegalArgumentException.class);
            });
  }

  private static int fewestPieces(BitSet taken, int units, int wanted) {
    List<Integer> gaps = new ArrayList<>();
    int gap = 0;
    for (int unit = 0; unit <= units; unit++) {
      if (unit < units && !taken.get(unit)) {
        gap++;
      } else if (gap > 0) {
        gaps.add(gap);
        gap = 0;
      }
    }
    gaps.sort((a, b) -> b - a);
    int pieces = 0;
    int left = wanted;
    while (left > 0 && pieces < gaps.size()) {
      left -= gaps.get(pieces++);
    }
    return pieces;
  }

  private static int firstFit(BitSet taken, int units, int wanted) {
    int gap = 0;
    for (int unit = 0; unit < units; unit++) {
      gap = taken.get(unit) ? 0 : gap + 1;
      if (gap == wanted) {
        return unit - wanted + 1;
      }
    }
    throw new AssertionError("no gap of " + wanted);
  }
}
