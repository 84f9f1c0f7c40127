/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ShiftedConstructionTest {
  /** Paper, Fig. 3, number by number. */
  @Test
  void drawsFigure3() {
    int[][] figure3 = {
      {1, 2, 3, 4, 5, 6, 7},
      {7, 1, 2, 3, 4, 5, 6},
      {8, 9, 10, 11, 12, 13, 14},
      {13, 14, 8, 9, 10, 11, 12},
      {15, 16, 17, 18, 19, 20, 21},
      {19, 20, 21, 15, 16, 17, 18},
    };

    assertThat(ShiftedConstruction.of(7, 6).orElseThrow().table()).isDeepEqualTo(figure3);
  }

  @Test
  void plannerTakesItForSevenDisks() throws LayoutRefusedException {
    LayoutPlan plan =
        LayoutPlanner.plan(
            RandomShapes.even(7, 1, 1, 6),
            LayoutOptions.defaults().withSpare(SpareRule.frames(0)).withSparePeers(0));

    assertThat(plan.method()).isEqualTo(LayoutPlan.Method.SHIFTED);
    assertThat(plan.added()).hasSize(21);
    int[][] table = new int[6][7];
    for (SuperchunkPair pair : plan.added()) {
      for (FrameId id : new FrameId[] {pair.leader(), pair.follower()}) {
        Disk disk = plan.layout().shape().diskOf(id).orElseThrow();
        int column = plan.layout().shape().disks().indexOf(disk);
        table[plan.layout().shape().frame(id).orElseThrow().index()][column] = (int) pair.id();
      }
    }
    assertThat(table).isDeepEqualTo(ShiftedConstruction.of(7, 6).orElseThrow().table());
  }

  @Test
  void keepsTheRulesForEverySize() {
    int made = 0;
    for (int columns = 2; columns <= 24; columns++) {
      for (int groups = 2; groups <= columns; groups++) {
        for (int rows = 1; rows < columns; rows++) {
          int g = groups;
          made += ShiftedConstruction.of(columns, rows, groups).map(c -> check(c, g)).orElse(0);
        }
      }
    }
    assertThat(made).isGreaterThan(400);
  }

  @Test
  void fillsTheTriangleOfAllPairs() {
    // N(N-1)/2 superchunks, the most that 1-sharing allows, for odd and even N.
    for (int n = 2; n <= 20; n++) {
      assertThat(ShiftedConstruction.of(n, n - 1).orElseThrow().superchunks())
          .as("N=%d", n)
          .isEqualTo(n * (n - 1) / 2);
    }
  }

  @Test
  void isEmptyWhereThereIsNone() {
    assertThat(ShiftedConstruction.of(7, 7)).isEmpty();
    assertThat(ShiftedConstruction.of(7, 5)).as("odd rows of odd columns").isEmpty();
    assertThat(ShiftedConstruction.of(8, 5, 3)).as("groups of unequal size").isEmpty();
    assertThat(ShiftedConstruction.of(1, 1)).isEmpty();
  }

  private static int check(ShiftedConstruction c, int groups) {
    String name = "columns=" + c.columns() + " rows=" + c.rows() + " groups=" + groups;
    int[] seen = new int[c.superchunks() + 1];
    for (int[] row : c.table()) {
      for (int id : row) {
        seen[id]++;
      }
    }
    assertThat(seen[0]).as(name).isZero();
    assertThat(Arrays.stream(seen).skip(1)).as(name).allMatch(count -> count == 2);
    Set<Set<Integer>> sharing = new HashSet<>();
    for (ShiftedConstruction.Cell cell : c.cells()) {
      assertThat(cell.columnA() % groups).as(name).isNotEqualTo(cell.columnB() % groups);
      assertThat(sharing.add(Set.of(cell.columnA(), cell.columnB()))).as(name).isTrue();
    }
    return 1;
  }
}
