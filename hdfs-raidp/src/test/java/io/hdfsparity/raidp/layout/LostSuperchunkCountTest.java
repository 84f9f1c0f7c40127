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

class LostSuperchunkCountTest {
  private static PairTable everyDiskWithEveryOther() {
    int[] wanted = new int[8];
    Arrays.fill(wanted, 7);
    return PairPlanner.plan(DiskMap.even(8, 1, 1), wanted, 0, PlanProgress.NONE);
  }

  @Test
  void anyThreeDisksLoseNothingIfTheirLstorsLive() {
    PairTable table = everyDiskWithEveryOther();
    for (int a = 0; a < 8; a++) {
      for (int b = a + 1; b < 8; b++) {
        assertThat(LostSuperchunkCount.of(table, new int[] {a, b}, Set.of(), 1)).isZero();
        assertThat(LostSuperchunkCount.of(table, new int[] {a, b}, Set.of(a), 1)).isZero();
        assertThat(LostSuperchunkCount.of(table, new int[] {b, a}, Set.of(a, b), 2)).isOne();
        for (int c = b + 1; c < 8; c++) {
          int[] three = {c, a, b};
          assertThat(LostSuperchunkCount.of(table, three, Set.of(), 2)).isZero();
          assertThat(LostSuperchunkCount.of(table, three, Set.of(), 1)).isEqualTo(3);
          assertThat(LostSuperchunkCount.of(table, three, Set.of(b), 2)).isEqualTo(3);
        }
      }
    }
  }

  @Test
  void aChainIsSolvedFromItsEnds() {
    // Disks of nodes 0 and 1 share, those of nodes 1 and 2 share, those of 0 and 2 do not.
    DiskMap disks = DiskMap.of(new int[] {1, 1, 1}, new int[] {0, 0, 0});
    PairTable chain =
        PairTable.of(disks, new int[] {0, 1, 3}, new int[] {1, 2, 1}, new int[] {1, 0, 2, 1});
    int[] all = {0, 1, 2};
    assertThat(LostSuperchunkCount.of(chain, all, Set.of(), 1)).isZero();
    for (int lost : all) {
      assertThat(LostSuperchunkCount.of(chain, all, Set.of(lost), 1)).isZero();
    }
    assertThat(LostSuperchunkCount.of(chain, all, Set.of(0, 1), 2)).isOne();
    assertThat(LostSuperchunkCount.of(chain, all, Set.of(0, 2), 2)).isEqualTo(2);
    assertThat(LostSuperchunkCount.of(chain, all, new HashSet<>(Set.of(0, 1, 2)), 2)).isEqualTo(2);
  }

  @Test
  void trianglesAreCountedExactlyWhereTheyAreFew() {
    Triangles triangles = Triangles.of(everyDiskWithEveryOther(), 0);
    assertThat(triangles.exact()).isTrue();
    assertThat(triangles.count()).isEqualTo(8 * 7 * 6 / 6);
    assertThat(triangles.example()).hasSize(3);
  }
}
