/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ParityLoadTest {
  private static final List<String> NODES = List.of("a", "b", "c", "d", "e");

  private static List<String> parity(int[] order, int dataUnits, List<String> nodes) {
    return Arrays.stream(order).skip(dataUnits).mapToObj(nodes::get).toList();
  }

  @Test
  void parityGoesRound() {
    ParityLoad load = new ParityLoad(100);
    assertThat(parity(load.place(1, 0, 10, 3, NODES), 3, NODES)).containsExactly("d", "e");
    assertThat(parity(load.place(1, 1, 10, 3, NODES), 3, NODES)).containsExactly("b", "c");
    assertThat(parity(load.place(1, 2, 10, 3, NODES), 3, NODES)).containsExactly("a", "e");
    assertThat(load.loadOf("e")).isEqualTo(20);
    assertThat(load.loadOf("f")).isZero();
    assertThat(load.statistics().getMax()).isEqualTo(20);
    assertThat(load.statistics().getCount()).isEqualTo(5);
  }

  @Test
  void aGroupThatIsNotUpdatedStaysAsItWas() {
    ParityLoad load = new ParityLoad(100);
    load.place(1, 0, 10, 3, NODES);
    assertThat(load.place(1, 1, 0, 3, NODES)).containsExactly(0, 1, 2, 3, 4);
    assertThat(load.groupCount()).isEqualTo(1);
  }

  @Test
  void aGroupThatIsPlacedAgainCountsOnce() {
    ParityLoad load = new ParityLoad(100);
    load.place(1, 0, 10, 3, NODES);
    load.place(1, 0, 7, 3, NODES.subList(0, 4));
    assertThat(load.groupCount()).isEqualTo(1);
    assertThat(load.loadOf("d")).isEqualTo(7);
    assertThat(load.loadOf("e")).isZero();
    assertThat(load.statistics().getCount()).isEqualTo(1);
  }

  @Test
  void filesThatAreGoneAreForgotten() {
    ParityLoad load = new ParityLoad(100);
    load.place(1, 0, 10, 3, NODES);
    load.place(2, 0, 4, 3, NODES);
    load.keep(file -> file == 2);
    assertThat(load.groupCount()).isEqualTo(1);
    assertThat(load.statistics().getSum()).isEqualTo(8);
    load.keep(file -> false);
    assertThat(load.statistics().getCount()).isZero();
  }

  @Test
  void whereThereAreTooManyGroupsTheOldestFileGoesFirstButNeverTheOneBeingWritten() {
    ParityLoad load = new ParityLoad(3);
    load.place(1, 0, 1, 3, NODES);
    load.place(1, 1, 1, 3, NODES);
    load.place(2, 0, 100, 3, NODES);
    load.place(3, 0, 10_000, 3, NODES);
    assertThat(load.statistics().getSum()).isEqualTo(20_200);
    for (int group = 1; group < 10; group++) {
      load.place(3, group, 10_000, 3, NODES);
    }
    assertThat(load.groupCount()).isEqualTo(10);
    assertThat(load.statistics().getSum()).isEqualTo(200_000);
  }

  @Test
  void whereAllNodesAreToChooseFromLoadsDifferByNoMoreThanOneUnits() {
    SeededRuns.of(200)
        .check(
            random -> {
              ParityLoad load = new ParityLoad(1000);
              List<String> nodes = new ArrayList<>(NODES);
              int data = 1 + random.nextInt(NODES.size() - 1);
              int most = 1 + random.nextInt(1000);
              for (int group = 0; group < 40; group++) {
                Collections.shuffle(nodes, random);
                load.place(1, group, 1 + random.nextInt(most), data, nodes);
                assertThat(spread(load)).isLessThanOrEqualTo(most);
              }
            });
  }

  private static long spread(ParityLoad load) {
    return load.statistics().getMax() - NODES.stream().mapToLong(load::loadOf).min().orElseThrow();
  }

  /** The twin adds up all groups each time. */
  @Test
  void theLoadOfANodeIsThatOfItsParityUnits() {
    SeededRuns.of(100)
        .check(
            random -> {
              ParityLoad load = new ParityLoad(1000);
              Map<List<Integer>, Map<String, Long>> twin = new HashMap<>();
              for (int step = 0; step < 60; step++) {
                int file = random.nextInt(4);
                int group = random.nextInt(5);
                long rate = random.nextInt(20);
                List<String> nodes = new ArrayList<>(NODES);
                Collections.shuffle(nodes, random);
                nodes = nodes.subList(0, 3 + random.nextInt(3));
                Map<String, Long> units = new HashMap<>();
                for (String node : parity(load.place(file, group, rate, 3, nodes), 3, nodes)) {
                  units.put(node, rate);
                }
                twin.put(List.of(file, group), units);
                if (random.nextInt(10) == 0) {
                  int gone = random.nextInt(4);
                  load.keep(each -> each != gone);
                  twin.keySet().removeIf(each -> each.get(0) == gone);
                }
                for (String node : NODES) {
                  assertThat(load.loadOf(node))
                      .isEqualTo(
                          twin.values().stream()
                              .mapToLong(each -> each.getOrDefault(node, 0L))
                              .sum());
                }
              }
            });
  }
}
