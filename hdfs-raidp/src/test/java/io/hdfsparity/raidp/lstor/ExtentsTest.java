/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Against lists of single units. */
class ExtentsTest {
  private static final int UNITS = 30;

  /** Disjoint runs, in any order. */
  private static List<Run> runs(Random random) {
    List<Run> runs = new ArrayList<>();
    for (int start = random.nextInt(4); start < UNITS; start += random.nextInt(4)) {
      int count = 1 + random.nextInt(5);
      runs.add(new Run(start, count));
      start += count;
    }
    Collections.shuffle(runs, random);
    return runs.subList(0, random.nextInt(runs.size() + 1));
  }

  private static List<Integer> units(List<Run> runs) {
    List<Integer> units = new ArrayList<>();
    for (Run run : runs) {
      for (int unit = run.start(); unit < run.end(); unit++) {
        units.add(unit);
      }
    }
    return units;
  }

  @Test
  void beginningAndRestAreThoseOfTheUnits() {
    SeededRuns.of(500)
        .check(
            random -> {
              List<Run> runs = runs(random);
              List<Integer> all = units(runs);
              int at = random.nextInt(all.size() + 3);
              int cut = Math.min(at, all.size());
              assertThat(units(Extents.trim(runs, at))).isEqualTo(all.subList(0, cut));
              assertThat(units(Extents.skip(runs, at))).isEqualTo(all.subList(cut, all.size()));
              assertThat(Extents.isPrefix(Extents.trim(runs, at), runs)).isTrue();
              assertThat(Extents.append(Extents.trim(runs, at), Extents.skip(runs, at)))
                  .isEqualTo(Extents.normalize(runs));
            });
  }

  @Test
  void aPrefixHasTheSameUnitsInTheSameOrder() {
    SeededRuns.of(500)
        .check(
            random -> {
              List<Run> longer = runs(random);
              List<Run> shorter =
                  random.nextBoolean()
                      ? runs(random)
                      : Extents.skip(longer, random.nextInt(1 + Extents.units(longer)));
              List<Integer> some = units(shorter);
              List<Integer> all = units(longer);
              assertThat(Extents.isPrefix(shorter, longer))
                  .isEqualTo(some.size() <= all.size() && all.subList(0, some.size()).equals(some));
            });
    assertThat(Extents.isPrefix(List.of(), List.of())).isTrue();
    assertThat(Extents.isPrefix(List.of(new Run(3, 1), new Run(4, 1)), List.of(new Run(3, 9))))
        .isTrue();
    assertThat(Extents.isPrefix(List.of(new Run(4, 1), new Run(3, 1)), List.of(new Run(3, 9))))
        .isFalse();
  }

  @Test
  void theCommonPrefixEndsAtTheFirstUnitThatDiffers() {
    SeededRuns.of(500)
        .check(
            random -> {
              List<Run> a = runs(random);
              int shared = random.nextInt(1 + Extents.units(a));
              List<Run> b =
                  random.nextInt(4) == 0
                      ? runs(random)
                      : Extents.append(Extents.trim(a, shared), List.of(new Run(10_000, 2)));
              List<Integer> expected = new ArrayList<>();
              for (int i = 0;
                  i < Math.min(units(a).size(), units(b).size())
                      && units(a).get(i).equals(units(b).get(i));
                  i++) {
                expected.add(units(a).get(i));
              }
              assertThat(units(Extents.commonPrefix(a, b))).isEqualTo(expected);
            });
  }

  @Test
  void whatIsNotTakenIsLeft() {
    SeededRuns.of(500)
        .check(
            random -> {
              List<Run> runs = runs(random);
              List<Run> taken = runs(random);
              List<Integer> left = units(runs);
              left.removeAll(units(taken));
              Collections.sort(left);
              assertThat(units(Extents.without(runs, taken))).isEqualTo(left);
            });
  }
}
