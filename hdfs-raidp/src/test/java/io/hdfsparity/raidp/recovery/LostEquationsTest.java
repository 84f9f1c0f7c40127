/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.gf.Gf256;
import io.hdfsparity.raidp.recovery.LostEquations.Pair;
import io.hdfsparity.raidp.recovery.LostEquations.Side;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Equations of dead disks, compared with ranks that are computed from minors. */
class LostEquationsTest {
  private static Pair pair(long id, String first, String second) {
    return new Pair(id, new Side(first, 1), new Side(second, 2));
  }

  private static final LostEquations TRIANGLE =
      new LostEquations(List.of(pair(1, "A", "B"), pair(2, "B", "C"), pair(3, "C", "A")));

  @Test
  void threeDisksAreSolvedByThreeLstors() {
    Set<String> all = Set.of("A", "B", "C");
    assertThat(TRIANGLE.undetermined(all, all)).isEmpty();
    assertThat(TRIANGLE.undetermined(all, Set.of("A", "B"))).containsExactly(1L, 2L, 3L);
  }

  @Test
  void twoDisksAreSolvedByOneLstor() {
    assertThat(TRIANGLE.undetermined(Set.of("A", "B"), Set.of("B"))).isEmpty();
    assertThat(TRIANGLE.undetermined(Set.of("A", "B"), Set.of())).containsExactly(1L);
  }

  @Test
  void plainXorDoesNotSolveThree() {
    LostEquations xor =
        new LostEquations(
            List.of(
                new Pair(1, new Side("A", 1), new Side("B", 1)),
                new Pair(2, new Side("B", 1), new Side("C", 1)),
                new Pair(3, new Side("C", 1), new Side("A", 1))));
    Set<String> all = Set.of("A", "B", "C");
    assertThat(xor.undetermined(all, all)).containsExactly(1L, 2L, 3L);
  }

  @Test
  void namesThoseThatShare() {
    assertThat(TRIANGLE.neighbours(List.of("A"))).containsExactly("B", "C");
    assertThat(TRIANGLE.neighbours(List.of("A", "B"))).containsExactly("C");
  }

  @Test
  void agreesWithRanksFromMinors() {
    int[] counts = new int[2];
    SeededRuns.of(300)
        .check(
            random -> {
              List<Pair> pairs = randomPairs(random);
              Set<String> dead = some(random, 0.7);
              Set<String> readable = some(random, 0.7);
              readable.retainAll(dead);
              Set<Long> expected = twin(pairs, List.copyOf(dead), readable);
              assertThat(new LostEquations(pairs).undetermined(dead, readable)).isEqualTo(expected);
              counts[expected.isEmpty() ? 0 : 1]++;
            });
    if (!SeededRuns.isFresh()) {
      assertThat(counts[0]).isGreaterThan(20);
      assertThat(counts[1]).isGreaterThan(20);
    }
  }

  private static List<Pair> randomPairs(Random random) {
    List<Pair> pairs = new ArrayList<>();
    for (int a = 0; a < 6; a++) {
      for (int b = a + 1; b < 6; b++) {
        if (random.nextInt(3) == 0) {
          boolean swap = random.nextBoolean();
          Side one = new Side("d" + a, swap ? 2 : 1);
          Side other = new Side("d" + b, swap ? 1 : 2);
          pairs.add(new Pair(10L * a + b, one, other));
        }
      }
    }
    return pairs;
  }

  private static Set<String> some(Random random, double share) {
    Set<String> disks = new HashSet<>();
    for (int d = 0; d < 6; d++) {
      if (random.nextDouble() < share) {
        disks.add("d" + d);
      }
    }
    return disks;
  }

  /** An unknown is determined if and only if the rank falls when its column is taken out. */
  private static Set<Long> twin(List<Pair> pairs, List<String> dead, Set<String> readable) {
    List<Pair> lost =
        pairs.stream()
            .filter(p -> dead.contains(p.first().disk()) && dead.contains(p.second().disk()))
            .toList();
    List<String> rows = dead.stream().filter(readable::contains).toList();
    int[][] matrix = new int[rows.size()][lost.size()];
    for (int r = 0; r < rows.size(); r++) {
      for (int c = 0; c < lost.size(); c++) {
        for (Side side : List.of(lost.get(c).first(), lost.get(c).second())) {
          if (side.disk().equals(rows.get(r))) {
            matrix[r][c] = side.coefficient();
          }
        }
      }
    }
    Set<Long> undetermined = new TreeSet<>();
    for (int c = 0; c < lost.size(); c++) {
      List<Integer> without = new ArrayList<>();
      for (int other = 0; other < lost.size(); other++) {
        if (other != c) {
          without.add(other);
        }
      }
      List<Integer> all = new ArrayList<>(without);
      all.add(c);
      if (rank(matrix, without) == rank(matrix, all)) {
        undetermined.add(lost.get(c).id());
      }
    }
    return undetermined;
  }

  /** Size of the largest square part with a determinant that is not 0. */
  private static int rank(int[][] matrix, List<Integer> columns) {
    int best = 0;
    for (int rowSet = 0; rowSet < 1 << matrix.length; rowSet++) {
      for (int columnSet = 0; columnSet < 1 << columns.size(); columnSet++) {
        int size = Integer.bitCount(rowSet);
        if (size > best && size == Integer.bitCount(columnSet)) {
          List<Integer> chosen = new ArrayList<>();
          for (int c = 0; c < columns.size(); c++) {
            if ((columnSet >> c & 1) == 1) {
              chosen.add(columns.get(c));
            }
          }
          if (determinant(matrix, rowSet, chosen) != 0) {
            best = size;
          }
        }
      }
    }
    return best;
  }

  /** By the first of the rows. In GF(2^8) there are no signs. */
  private static int determinant(int[][] matrix, int rowSet, List<Integer> columns) {
    if (columns.isEmpty()) {
      return 1;
    }
    int row = Integer.numberOfTrailingZeros(rowSet);
    int sum = 0;
    for (int i = 0; i < columns.size(); i++) {
      int element = matrix[row][columns.get(i)];
      if (element != 0) {
        List<Integer> rest = new ArrayList<>(columns);
        rest.remove(i);
        sum ^= Gf256.multiply(element, determinant(matrix, rowSet & rowSet - 1, rest));
      }
    }
    return sum;
  }
}
