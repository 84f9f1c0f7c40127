/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class WrittenGroupsTest {
  /** A set of boxed ids is the twin. */
  @Test
  void hasWhatASetHas() {
    SeededRuns.of(200)
        .check(
            random -> {
              WrittenGroups groups = new WrittenGroups();
              TreeSet<Long> twin = new TreeSet<>();
              for (int step = 0; step < 300; step++) {
                long start = random.nextBoolean() ? Long.MIN_VALUE : -16L * 100;
                long id = start + 16L * random.nextInt(200);
                switch (random.nextInt(8)) {
                  case 0, 1, 2, 3 -> {
                    groups.add(id);
                    twin.add(id);
                  }
                  case 4, 5 -> {
                    groups.remove(id);
                    twin.remove(id);
                  }
                  case 6 -> assertThat(groups.contains(id)).isEqualTo(twin.contains(id));
                  default -> {
                    if (random.nextInt(10) == 0) {
                      groups.clear();
                      twin.clear();
                    }
                  }
                }
                assertThat(groups.size()).isEqualTo(twin.size());
                assertThat(groups.all().toList()).isEqualTo(List.copyOf(twin));
              }
            });
  }

  /** Each is named once before any is named again, whatever is added and removed meanwhile. */
  @Test
  void goesRound() {
    SeededRuns.of(100)
        .check(
            random -> {
              WrittenGroups groups = new WrittenGroups();
              TreeSet<Long> left = new TreeSet<>();
              for (int i = 0; i < 150; i++) {
                left.add(Long.MIN_VALUE + 16L * random.nextInt(5_000));
              }
              left.forEach(groups::add);
              List<Long> named = new ArrayList<>();
              int removed = 0;
              while (named.size() + removed < left.size()) {
                List<Long> next =
                    groups.next(
                        1 + random.nextInt(Math.min(20, left.size() - named.size() - removed)));
                assertThat(next).isNotEmpty();
                named.addAll(next);
                if (random.nextBoolean()) {
                  groups.remove(next.get(0));
                }
                long other = left.first() + 16L * random.nextInt(5_000);
                if (left.contains(other) && groups.contains(other) && !named.contains(other)) {
                  groups.remove(other);
                  removed++;
                }
              }
              assertThat(named).doesNotHaveDuplicates();
              assertThat(left).containsAll(named);
              int size = groups.size();
              assertThat(groups.next(1_000)).hasSize(size).doesNotHaveDuplicates();
            });
  }

  @Test
  void noneIsNamedOfNone() {
    WrittenGroups groups = new WrittenGroups();
    assertThat(groups.next(10)).isEmpty();
    groups.add(Long.MIN_VALUE);
    assertThat(groups.next(10)).containsExactly(Long.MIN_VALUE);
    assertThat(groups.next(10)).containsExactly(Long.MIN_VALUE);
    groups.remove(Long.MIN_VALUE);
    assertThat(groups.next(10)).isEmpty();
  }
}
