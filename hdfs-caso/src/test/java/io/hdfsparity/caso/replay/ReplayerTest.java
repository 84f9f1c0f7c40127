/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.caso.Traces;
import io.hdfsparity.caso.correlation.CorrelationAnalysis;
import io.hdfsparity.caso.correlation.CorrelationOptions;
import io.hdfsparity.caso.organize.GroupedOrganization;
import io.hdfsparity.caso.organize.Organization;
import io.hdfsparity.caso.organize.PaperGreedy;
import io.hdfsparity.caso.organize.Remainder;
import io.hdfsparity.caso.organize.SequentialOrganization;
import io.hdfsparity.caso.trace.CellRequest;
import io.hdfsparity.caso.trace.RequestTable;
import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.trace.Access;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ReplayerTest {
  private static final RequestTable NONE = Traces.table(List.of());

  private static Set<Long> cells(CellRequest request) {
    Set<Long> cells = new TreeSet<>();
    LongStream.range(request.firstCell(), request.firstCell() + request.cellCount())
        .forEach(cells::add);
    return cells;
  }

  /** Node by node, stripes rotated over k + m nodes, each cell read or not. */
  private static ReplayCounts twin(
      List<CellRequest> writes,
      List<CellRequest> reads,
      long distance,
      double ratio,
      Organization organization,
      int m) {
    TreeMap<Long, Set<Long>> windows = new TreeMap<>();
    TreeMap<Long, Integer> requests = new TreeMap<>();
    for (CellRequest write : writes) {
      long window = write.timeTicks() / distance;
      windows.computeIfAbsent(window, w -> new HashSet<>()).addAll(cells(write));
      requests.merge(window, 1, Integer::sum);
    }
    List<Long> order = List.copyOf(windows.keySet());
    int analysed = (int) (ratio * order.size());
    long beginTicks =
        analysed == 0
            ? 0
            : analysed == order.size() ? Long.MAX_VALUE : order.get(analysed) * distance;
    long cellWrites = 0;
    long parityUpdates = 0;
    int writeRequests = 0;
    for (long window : order.subList(analysed, order.size())) {
      Set<Long> stripes = new HashSet<>();
      windows.get(window).forEach(cell -> stripes.add(organization.stripe(cell)));
      cellWrites += windows.get(window).size();
      parityUpdates += (long) m * stripes.size();
      writeRequests += requests.get(window);
    }
    int k = organization.dataCells();
    long cellReads = 0;
    long additional = 0;
    int readRequests = 0;
    for (CellRequest read : reads) {
      if (read.timeTicks() < beginTicks) {
        continue;
      }
      readRequests++;
      cellReads += read.cellCount();
      for (int lost = 0; lost < k + m; lost++) {
        TreeMap<Long, Set<Long>> nodesOfStripe = new TreeMap<>();
        for (long cell : cells(read)) {
          long stored = organization.storedCell(cell);
          nodesOfStripe
              .computeIfAbsent(stored / k, s -> new HashSet<>())
              .add((stored % k + stored / k) % (k + m));
        }
        for (Set<Long> nodes : nodesOfStripe.values()) {
          if (nodes.contains((long) lost)) {
            additional += k - nodes.size();
          }
        }
      }
    }
    return new ReplayCounts(
        order.size() - analysed,
        writeRequests,
        cellWrites,
        parityUpdates,
        readRequests,
        cellReads,
        additional);
  }

  @Test
  void equalsTheTwin() {
    SeededRuns.of(150)
        .check(
            random -> {
              List<CellRequest> writes = Traces.random(random, Access.WRITE, 80);
              List<CellRequest> reads = Traces.random(random, Access.READ, 40);
              long distance = 1 + random.nextInt(10);
              double ratio = random.nextInt(5) / 4.0;
              int k = 2 + random.nextInt(6);
              int m = 1 + random.nextInt(4);
              TraceSplit split =
                  TraceSplit.of(Traces.table(writes), Traces.table(reads), distance, ratio);
              Organization greedy =
                  new PaperGreedy(k, Remainder.LAST_GROUP)
                      .organize(
                          new CorrelationAnalysis(CorrelationOptions.DEFAULT)
                              .analyse(split.analysed()));
              for (Organization organization : List.of(new SequentialOrganization(k), greedy)) {
                assertThat(new Replayer(m).replay(split, organization))
                    .isEqualTo(twin(writes, reads, distance, ratio, organization, m));
              }
            });
  }

  @Test
  void figure3() {
    // D1 and D5 are written together; RS(4,2). Numbered from 0 here.
    TraceSplit split = TraceSplit.of(Traces.periods(new long[][] {{0, 4}}), NONE, 1, 0);
    Replayer replayer = new Replayer(2);
    assertThat(replayer.replay(split, new SequentialOrganization(4)).parityUpdates()).isEqualTo(4);
    Organization together = new GroupedOrganization(4, new long[] {0, 4, 2, 3});
    assertThat(replayer.replay(split, together).parityUpdates()).isEqualTo(2);
  }

  @Test
  void aTraceWithoutRequestsCostsNothing() {
    TraceSplit split = TraceSplit.of(NONE, NONE, 1, 0.5);
    assertThat(new Replayer(2).replay(split, new SequentialOrganization(4)))
        .isEqualTo(new ReplayCounts(0, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void oneWindowIsReplayedUnlessAllIsAnalysed() {
    RequestTable one = Traces.periods(new long[][] {{3}});
    RequestTable reads = Traces.table(List.of(new CellRequest(9, Access.READ, 3, 2)));
    SequentialOrganization sequential = new SequentialOrganization(4);
    Replayer replayer = new Replayer(2);
    assertThat(replayer.replay(TraceSplit.of(one, reads, 1, 0.5), sequential))
        .isEqualTo(new ReplayCounts(1, 1, 1, 2, 1, 2, 6));
    assertThat(replayer.replay(TraceSplit.of(one, reads, 1, 1), sequential))
        .isEqualTo(new ReplayCounts(0, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void aHugeRequestFillsStripes() {
    RequestTable huge =
        Traces.table(List.of(new CellRequest(0, Access.WRITE, 2, CellRequest.MAX_CELL_COUNT)));
    ReplayCounts counts =
        new Replayer(3).replay(TraceSplit.of(huge, NONE, 1, 0), new SequentialOrganization(4));
    assertThat(counts.cellWrites()).isEqualTo(CellRequest.MAX_CELL_COUNT);
    assertThat(counts.parityUpdates()).isEqualTo(3L * (CellRequest.MAX_CELL_COUNT / 4 + 1));
  }
}
