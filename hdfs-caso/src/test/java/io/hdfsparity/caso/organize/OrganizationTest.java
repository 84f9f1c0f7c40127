/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.caso.Traces;
import io.hdfsparity.caso.correlation.CorrelationAnalysis;
import io.hdfsparity.caso.correlation.CorrelationGraph;
import io.hdfsparity.caso.correlation.CorrelationOptions;
import io.hdfsparity.caso.correlation.TimeWindows;
import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.trace.Access;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class OrganizationTest {
  private static final CorrelationAnalysis ANALYSIS =
      new CorrelationAnalysis(CorrelationOptions.DEFAULT);

  private static CorrelationGraph figure4() {
    return ANALYSIS.analyse(Traces.windows(Traces.FIGURE_4));
  }

  private static CorrelationGraph randomGraph(Random random) {
    return ANALYSIS.analyse(
        TimeWindows.of(
            Traces.table(Traces.random(random, Access.WRITE, 200)), 1 + random.nextInt(20)));
  }

  @Test
  void figure6() {
    for (Remainder remainder : Remainder.values()) {
      CorrelationGraph graph = figure4();
      GroupedOrganization organization = new PaperGreedy(3, remainder).organize(graph);
      assertThat(organization.groupCount()).isEqualTo(3);
      assertThat(organization.group(0)).containsExactly(3, 1, 2);
      assertThat(organization.group(1)).containsExactly(7, 5, 4);
      assertThat(organization.group(2)).containsExactlyInAnyOrder(6, 8, 9);
      long sum = 0;
      for (int group = 0; group < 3; group++) {
        sum += graph.inside(organization.group(group));
      }
      assertThat(sum).isEqualTo(17);
    }
  }

  @Test
  void figure5IsWorse() {
    CorrelationGraph graph = figure4();
    assertThat(graph.inside(1, 2, 4) + graph.inside(5, 7, 8) + graph.inside(3, 6, 9)).isEqualTo(14);
  }

  @Test
  void figure7() {
    GroupedOrganization organization = new PaperGreedy(3, Remainder.LAST_GROUP).organize(figure4());
    // The paper has no cell 0; here it is the first uncorrelated one, and stripes count from 0.
    assertThat(organization.stripe(0)).isEqualTo(3);
    for (long cell = 10; cell < 40; cell++) {
      assertThat(organization.stripe(cell)).isEqualTo(3 + (cell - 9) / 3);
      assertThat(organization.storedCell(cell)).isEqualTo(cell);
    }
  }

  @Test
  void theRemainderIsPaddedOrGoesByAddress() {
    long[][] rows = {{1, 2, 3, 4, 5}, {1, 2, 3, 4, 5}};
    CorrelationGraph graph = ANALYSIS.analyse(Traces.windows(rows));
    GroupedOrganization padded = new PaperGreedy(3, Remainder.LAST_GROUP).organize(graph);
    assertThat(padded.groupCount()).isEqualTo(2);
    assertThat(padded.group(0)).containsExactly(5, 4, 1);
    assertThat(padded.group(1)).containsExactly(2, 3);
    assertThat(padded.logicalCell(5)).isEqualTo(Organization.PADDING);
    assertThat(padded.storedCell(0)).isEqualTo(6);
    assertThat(padded.storedCell(6)).isEqualTo(7);
    GroupedOrganization byAddress = new PaperGreedy(3, Remainder.ADDRESS_ORDER).organize(graph);
    assertThat(byAddress.groupCount()).isEqualTo(1);
    assertThat(byAddress.storedCell(0)).isEqualTo(3);
    assertThat(byAddress.storedCell(2)).isEqualTo(4);
    assertThat(byAddress.storedCell(6)).isEqualTo(6);
  }

  @Test
  void fewerCellsThanAStripeAreOneGroup() {
    CorrelationGraph graph = ANALYSIS.analyse(Traces.windows(new long[][] {{8, 9}, {8, 9}}));
    GroupedOrganization organization = new PaperGreedy(6, Remainder.LAST_GROUP).organize(graph);
    assertThat(organization.groupCount()).isEqualTo(1);
    assertThat(organization.group(0)).containsExactly(8, 9);
    assertThat(new PaperGreedy(6, Remainder.ADDRESS_ORDER).organize(graph).groupCount()).isZero();
  }

  @Test
  void aGraphWithoutVerticesIsTheSequentialOrder() {
    CorrelationGraph graph = ANALYSIS.analyse(Traces.windows(new long[][] {{1}, {2, 3}}));
    for (Remainder remainder : Remainder.values()) {
      GroupedOrganization organization = new PaperGreedy(4, remainder).organize(graph);
      SequentialOrganization sequential = new SequentialOrganization(4);
      for (long cell = 0; cell < 100; cell++) {
        assertThat(organization.storedCell(cell)).isEqualTo(sequential.storedCell(cell));
        assertThat(organization.stripe(cell)).isEqualTo(cell / 4);
      }
    }
  }

  /** Algorithm 1 as it is printed, with the ties of PaperGreedy's Javadoc. */
  private static List<List<Long>> algorithm1(CorrelationGraph graph, int k, Remainder remainder) {
    TreeSet<Long> free = new TreeSet<>();
    for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
      free.add(graph.cell(vertex));
    }
    int stripes =
        remainder == Remainder.LAST_GROUP ? (free.size() + k - 1) / k - 1 : free.size() / k;
    List<List<Long>> groups = new ArrayList<>();
    for (int i = 0; i < stripes; i++) {
      List<Long> group = new ArrayList<>();
      int degree = 0;
      for (long high : free.descendingSet()) {
        for (long low : free.headSet(high, false).descendingSet()) {
          if (graph.degreeOf(low, high) > degree) {
            degree = graph.degreeOf(low, high);
            group = new ArrayList<>(List.of(high, low));
          }
        }
      }
      if (group.isEmpty() && remainder == Remainder.ADDRESS_ORDER) {
        break;
      }
      free.removeAll(group);
      while (group.size() < k) {
        long best = -1;
        long bestSum = -1;
        for (long cell : free) {
          long sum = 0;
          for (long member : group) {
            sum += graph.degreeOf(cell, member);
          }
          if (sum > bestSum) {
            best = cell;
            bestSum = sum;
          }
        }
        free.remove(best);
        group.add(best);
      }
      groups.add(group);
    }
    if (remainder == Remainder.LAST_GROUP && !free.isEmpty()) {
      groups.add(new ArrayList<>(free));
    }
    return groups;
  }

  @Test
  void theGreedyIsAlgorithm1() {
    SeededRuns.of(200)
        .check(
            random -> {
              CorrelationGraph graph = randomGraph(random);
              int k = 2 + random.nextInt(7);
              for (Remainder remainder : Remainder.values()) {
                GroupedOrganization organization = new PaperGreedy(k, remainder).organize(graph);
                List<List<Long>> groups = new ArrayList<>();
                for (int group = 0; group < organization.groupCount(); group++) {
                  groups.add(Arrays.stream(organization.group(group)).boxed().toList());
                }
                assertThat(groups).isEqualTo(algorithm1(graph, k, remainder));
              }
            });
  }

  @Test
  void anOrganizationIsOneToOneAndFollowsAlgorithm2() {
    SeededRuns.of(200)
        .check(
            random -> {
              int k = 1 + random.nextInt(6);
              Set<Long> used = new HashSet<>();
              long[] groups = new long[k * random.nextInt(5)];
              for (int i = 0; i < groups.length; i++) {
                long cell = random.nextInt(60);
                groups[i] = used.add(cell) ? cell : Organization.PADDING;
              }
              GroupedOrganization organization = new GroupedOrganization(k, groups);
              assertThat(organization.groupedCellCount()).isEqualTo(used.size());
              long rank = 0;
              for (long cell = 0; cell < 100; cell++) {
                long stored = organization.storedCell(cell);
                assertThat(organization.logicalCell(stored)).isEqualTo(cell);
                if (!used.contains(cell)) {
                  rank++;
                  // λ + ceil((i - n_c) / k), and stripes from 0 instead of 1.
                  assertThat(organization.stripe(cell))
                      .isEqualTo(organization.groupCount() + (rank + k - 1) / k - 1);
                }
              }
              for (int place = 0; place < groups.length; place++) {
                assertThat(organization.logicalCell(place)).isEqualTo(groups[place]);
              }
            });
  }

  @Test
  void badGroupsAreRefused() {
    assertThatThrownBy(() -> new GroupedOrganization(2, new long[] {1, 2, 1, 3}))
        .hasMessageContaining("cell=1, expected in one group");
    assertThatThrownBy(() -> new GroupedOrganization(2, new long[] {1}))
        .hasMessageContaining("groups.length=1, expected a multiple of dataCells=2");
    assertThatThrownBy(() -> new GroupedOrganization(2, new long[] {1, -2}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PaperGreedy(1, Remainder.LAST_GROUP))
        .hasMessageContaining("dataCells=1, expected >= 2");
  }
}
