/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ParityChoiceTest {
  @Test
  void theLeastLoadedGetParityAndTheOthersKeepTheirOrder() {
    assertThat(ParityChoice.order(new long[] {5, 0, 7, 1, 9}, 3)).containsExactly(0, 2, 4, 1, 3);
  }

  @Test
  void equalLoadsChangeNothing() {
    assertThat(ParityChoice.order(new long[5], 3)).containsExactly(0, 1, 2, 3, 4);
    assertThat(ParityChoice.order(new long[] {4, 4, 4, 4, 4}, 4)).containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  void whereThereIsNoNodeForParityNothingChanges() {
    assertThat(ParityChoice.order(new long[] {3, 1, 2}, 3)).containsExactly(0, 1, 2);
    assertThat(ParityChoice.order(new long[] {3, 1}, 3)).containsExactly(0, 1);
    assertThat(ParityChoice.order(new long[0], 3)).isEmpty();
  }

  /** The twin looks at every set of nodes that could get parity. */
  @Test
  void noOtherSetOfNodesHasLessLoadOrMovesFewerUnits() {
    SeededRuns.of(300)
        .check(
            random -> {
              long[] loads = new long[1 + random.nextInt(9)];
              Arrays.setAll(loads, i -> random.nextInt(4));
              int data = random.nextInt(loads.length + 1);
              int[] order = ParityChoice.order(loads, data);
              assertThat(order).containsExactlyInAnyOrder(all(loads.length));
              assertThat(Arrays.copyOf(order, data)).isSorted();
              int[] parity = Arrays.copyOfRange(order, data, order.length);
              assertThat(parity).isSorted();
              assertThat(cost(mask(parity), loads, data)).isEqualTo(least(loads, data));
            });
  }

  private static int[] all(int count) {
    return IntStream.range(0, count).toArray();
  }

  private static int mask(int[] nodes) {
    return Arrays.stream(nodes).map(node -> 1 << node).sum();
  }

  private static long least(long[] loads, int data) {
    return IntStream.range(0, 1 << loads.length)
        .filter(set -> Integer.bitCount(set) == loads.length - data)
        .mapToLong(set -> cost(set, loads, data))
        .min()
        .orElseThrow();
  }

  /** Load first, then how many of them had no parity. */
  private static long cost(int set, long[] loads, int data) {
    long cost = 0;
    for (int node = 0; node < loads.length; node++) {
      if ((set >> node & 1) == 1) {
        cost += 100 * loads[node] + (node < data ? 1 : 0);
      }
    }
    return cost;
  }
}
