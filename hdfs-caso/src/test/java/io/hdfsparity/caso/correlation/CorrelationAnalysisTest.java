/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.correlation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.caso.Traces;
import io.hdfsparity.caso.trace.CellRequest;
import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.trace.Access;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CorrelationAnalysisTest {
  private record Pair(long low, long high) {}

  private static CorrelationGraph analyse(TimeWindows windows) {
    return new CorrelationAnalysis(CorrelationOptions.DEFAULT).analyse(windows);
  }

  /** Each request against each other, as the definition reads. */
  private static Map<Pair, Integer> twin(List<CellRequest> requests, long distance, int threshold) {
    TreeMap<Long, TreeSet<Long>> windows = new TreeMap<>();
    for (CellRequest request : requests) {
      for (long cell = request.firstCell();
          cell < request.firstCell() + request.cellCount();
          cell++) {
        windows
            .computeIfAbsent(request.timeTicks() / distance, window -> new TreeSet<>())
            .add(cell);
      }
    }
    Map<Pair, Integer> degrees = new HashMap<>();
    for (TreeSet<Long> window : windows.values()) {
      for (long low : window) {
        for (long high : window.tailSet(low, false)) {
          degrees.merge(new Pair(low, high), 1, Integer::sum);
        }
      }
    }
    degrees.values().removeIf(degree -> degree < threshold);
    return degrees;
  }

  private static Map<Pair, Integer> degrees(CorrelationGraph graph) {
    Map<Pair, Integer> degrees = new HashMap<>();
    for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
      for (int edge = graph.edgesBegin(vertex); edge < graph.edgesEnd(vertex); edge++) {
        long cell = graph.cell(vertex);
        long other = graph.cell(graph.neighbour(edge));
        Integer before =
            degrees.put(new Pair(Math.min(cell, other), Math.max(cell, other)), graph.degree(edge));
        assertThat(before).isIn(null, graph.degree(edge));
        assertThat(graph.degreeOf(cell, other)).isEqualTo(graph.degree(edge));
      }
    }
    assertThat(degrees).hasSize(graph.edgeCount());
    return degrees;
  }

  @Test
  void figure4() {
    CorrelationGraph graph = analyse(Traces.windows(Traces.FIGURE_4));
    assertThat(graph.vertexCount()).isEqualTo(9);
    for (int cell = 1; cell <= 9; cell++) {
      assertThat(graph.cell(cell - 1)).isEqualTo(cell);
    }
    // What sections IV-A and Fig. 5 say of it.
    assertThat(graph.degreeOf(1, 3)).isEqualTo(4);
    assertThat(graph.degreeOf(1, 2) + graph.degreeOf(2, 3)).isEqualTo(6);
    assertThat(graph.degreeOf(1, 4)).isEqualTo(2);
    assertThat(graph.degreeOf(3, 4)).isZero();
    assertThat(graph.degreeOf(1, 5)).isPositive();
    assertThat(graph.degreeOf(3, 6)).isPositive();
    assertThat(graph.inside(1, 2, 4)).isEqualTo(5);
    assertThat(graph.inside(5, 7, 8)).isEqualTo(5);
    assertThat(graph.inside(3, 6, 9)).isEqualTo(4);
    assertThat(graph.vertex(10)).isNegative();
    assertThat(graph.degreeOf(10, 5)).isZero();
  }

  @Test
  void equalsTheTwin() {
    SeededRuns.of(300)
        .check(
            random -> {
              List<CellRequest> requests = Traces.random(random, Access.WRITE, 120);
              long distance = 1 + random.nextInt(20);
              int threshold = 2 + random.nextInt(3);
              CorrelationGraph graph =
                  new CorrelationAnalysis(new CorrelationOptions(threshold, 8192, 1_000_000))
                      .analyse(TimeWindows.of(Traces.table(requests), distance));
              assertThat(degrees(graph)).isEqualTo(twin(requests, distance, threshold));
              for (int vertex = 1; vertex < graph.vertexCount(); vertex++) {
                assertThat(graph.cell(vertex)).isGreaterThan(graph.cell(vertex - 1));
              }
            });
  }

  @Test
  void spillingDoesNotChangeTheGraph(@TempDir Path folder) {
    SeededRuns.of(20)
        .check(
            random -> {
              List<CellRequest> requests = Traces.random(random, Access.WRITE, 120);
              long distance = 1 + random.nextInt(20);
              int threshold = 2 + random.nextInt(3);
              CorrelationOptions options = new CorrelationOptions(threshold, 8192, 1_000_000);
              SpillSpace space =
                  new SpillSpace(folder, 1 + random.nextInt(50), 2 + random.nextInt(4));
              CorrelationGraph graph =
                  new CorrelationAnalysis(options, Optional.of(space))
                      .analyse(TimeWindows.of(Traces.table(requests), distance));
              assertThat(degrees(graph)).isEqualTo(twin(requests, distance, threshold));
            });
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void withASpaceOnlyCorrelatedPairsAreBounded(@TempDir Path folder) {
    long[][] rows = {{1, 2, 3}, {1, 2, 4}, {3, 5, 6}, {4, 5, 6}};
    CorrelationOptions two = new CorrelationOptions(2, 8192, 2);
    CorrelationAnalysis analysis =
        new CorrelationAnalysis(two, Optional.of(new SpillSpace(folder, 3, 2)));
    assertThat(analysis.analyse(Traces.windows(rows)).edgeCount()).isEqualTo(2);
    long[][] more = {{1, 2, 3}, {1, 2, 3}};
    assertThatThrownBy(() -> analysis.analyse(Traces.windows(more)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("pairs=3, expected at most maxPairs=2");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void zeroAndOneRequestCorrelateNothing() {
    assertThat(analyse(Traces.windows(new long[][] {})).vertexCount()).isZero();
    assertThat(analyse(Traces.windows(new long[][] {{4}})).vertexCount()).isZero();
  }

  @Test
  void duplicatesInAWindowCountOnce() {
    assertThat(analyse(Traces.windows(new long[][] {{4, 5, 4, 5, 4, 5}})).edgeCount()).isZero();
    assertThat(analyse(Traces.windows(new long[][] {{4, 5, 4}, {5, 4}})).degreeOf(4, 5))
        .isEqualTo(2);
  }

  @Test
  void theCellsOfALongRequestCorrelate() {
    List<CellRequest> requests = new ArrayList<>();
    for (int time = 0; time < 2; time++) {
      requests.add(new CellRequest(time, Access.WRITE, 7, 1000));
    }
    CorrelationGraph graph = analyse(TimeWindows.of(Traces.table(requests), 1));
    assertThat(graph.vertexCount()).isEqualTo(1000);
    assertThat(graph.edgeCount()).isEqualTo(1000 * 999 / 2);
  }

  @Test
  void aWindowWithTooManyCellsIsLeftOutAndCounted() {
    long[][] rows = {{1, 2, 3}, {1, 2, 3}, {1, 2}, {2, 1, 9}};
    CorrelationGraph graph =
        new CorrelationAnalysis(new CorrelationOptions(2, 2, 100)).analyse(Traces.windows(rows));
    assertThat(graph.leftOutWindowCount()).isEqualTo(2);
    assertThat(degrees(graph)).isEqualTo(Map.of(new Pair(1, 2), 2));
  }

  @Test
  void tooManyPairsAreRefused() {
    long[][] rows = {{1, 2, 3}, {1, 2, 3}};
    CorrelationAnalysis analysis = new CorrelationAnalysis(new CorrelationOptions(2, 8192, 2));
    assertThatThrownBy(() -> analysis.analyse(Traces.windows(rows)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("pairs=3, expected at most maxPairs=2");
  }

  @Test
  void windowsAreCutAtMultiplesOfTheDistance() {
    List<CellRequest> requests = new ArrayList<>();
    for (long time : new long[] {19, 20, 29, 30, 5, 55}) {
      requests.add(new CellRequest(time, Access.WRITE, time, 1));
    }
    TimeWindows windows = TimeWindows.of(Traces.table(requests), 10);
    List<List<Long>> cells = new ArrayList<>();
    windows.forEach(
        (window, count) -> cells.add(java.util.Arrays.stream(window, 0, count).boxed().toList()));
    assertThat(cells)
        .containsExactly(List.of(5L), List.of(19L), List.of(20L, 29L), List.of(30L), List.of(55L));
    assertThat(windows.beginTicks(2)).isEqualTo(20);
    assertThat(windows.slice(2, 4).requestCount()).isEqualTo(3);
    assertThat(windows.slice(2, 4).beginTicks(1)).isEqualTo(30);
    assertThat(windows.analysed(0.5)).isEqualTo(2);
    assertThat(windows.analysed(0)).isZero();
    assertThat(windows.analysed(1)).isEqualTo(5);
  }
}
