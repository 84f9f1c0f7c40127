/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hdfsparity.caso.correlation.CorrelationAnalysis;
import io.hdfsparity.caso.correlation.CorrelationGraph;
import io.hdfsparity.caso.correlation.CorrelationOptions;
import io.hdfsparity.caso.correlation.TimeWindows;
import io.hdfsparity.caso.trace.CellRequest;
import io.hdfsparity.caso.trace.MsrLine;
import io.hdfsparity.caso.trace.RequestTable;
import io.hdfsparity.core.trace.Access;
import io.hdfsparity.core.trace.ByteRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WorkloadGeneratorTest {
  private static List<ByteRequest> all(Workload workload, long requests, long seed) {
    WorkloadGenerator generator = new WorkloadGenerator(workload, requests, seed);
    List<ByteRequest> all = new ArrayList<>();
    for (Optional<ByteRequest> next = generator.next(); next.isPresent(); next = generator.next()) {
      all.add(next.get());
    }
    assertThat(generator.next()).isEmpty();
    return all;
  }

  @ParameterizedTest
  @EnumSource(Workload.class)
  void hasTheStatisticsOfTableTwo(Workload workload) {
    long requests = Math.min(workload.reads() + workload.writes(), 200_000);
    double scale = (double) requests / (workload.reads() + workload.writes());
    List<ByteRequest> all = all(workload, requests, 7);
    assertThat(all).hasSize((int) requests);
    for (Access access : Access.values()) {
      long expected = access == Access.READ ? workload.reads() : workload.writes();
      List<ByteRequest> some = all.stream().filter(r -> r.access() == access).toList();
      assertThat((double) some.size()).isCloseTo(expected * scale, within(1.0));
      // A mean of 200 is within 10 %, of a dozen it is not.
      if (some.size() >= 200) {
        double mean = some.stream().mapToLong(ByteRequest::sizeBytes).average().orElseThrow();
        assertThat(mean)
            .isCloseTo(
                access == Access.READ ? workload.averageReadBytes() : workload.averageWriteBytes(),
                Percentage.withPercentage(10));
      }
    }
    for (int i = 1; i < all.size(); i++) {
      assertThat(all.get(i).timeTicks()).isGreaterThanOrEqualTo(all.get(i - 1).timeTicks());
    }
  }

  @Test
  void sameSeedSameTraceOnAnyMachine() {
    List<ByteRequest> all = all(Workload.RSRCH_1, 1000, 5);
    assertThat(all(Workload.RSRCH_1, 1000, 5)).isEqualTo(all);
    assertThat(all(Workload.RSRCH_1, 1000, 6)).isNotEqualTo(all);
    assertThat(all.get(0).line())
        .isEqualTo("128166388721502660,generated,0,Write,11655794688,512,0");
    assertThat(all.get(999).line())
        .isEqualTo("128172665491038259,generated,0,Write,5798715392,5632,0");
  }

  @Test
  void requestsStayInASmallerVolume() {
    long volumeBytes = 3L << 20;
    WorkloadGenerator generator = new WorkloadGenerator(Workload.WEB_3, 5000, 1, volumeBytes);
    long end = 0;
    for (Optional<ByteRequest> next = generator.next(); next.isPresent(); next = generator.next()) {
      assertThat(next.get().offsetBytes()).isBetween(0L, volumeBytes - 1);
      end = Math.max(end, next.get().offsetBytes() + next.get().sizeBytes());
    }
    assertThat(end).isBetween(volumeBytes, volumeBytes + WorkloadGenerator.MAX_BYTES);
  }

  @Test
  void whatIsWrittenTogetherRecurs() throws Exception {
    RequestTable.Builder writes = new RequestTable.Builder();
    MsrLine format = new MsrLine(4096);
    for (ByteRequest request : all(Workload.WDEV_2, 20_000, 1)) {
      CellRequest cells = format.parse(request.line());
      if (cells.access() == Access.WRITE) {
        writes.add(cells);
      }
    }
    RequestTable table = writes.build();
    CorrelationGraph graph =
        new CorrelationAnalysis(CorrelationOptions.DEFAULT).analyse(TimeWindows.of(table, 10_000));
    long correlated = 0;
    for (int write = 0; write < table.size(); write++) {
      correlated += graph.vertex(table.firstCell(write)) >= 0 ? 1 : 0;
    }
    assertThat((double) correlated / table.size()).isGreaterThan(0.9);
  }
}
