/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.caso.Traces;
import io.hdfsparity.caso.correlation.CorrelationAnalysis;
import io.hdfsparity.caso.correlation.CorrelationOptions;
import io.hdfsparity.caso.correlation.TimeWindows;
import io.hdfsparity.caso.trace.CellRequest;
import io.hdfsparity.caso.trace.RequestSlice;
import io.hdfsparity.caso.trace.RequestTable;
import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.trace.Access;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExchangeSearchTest {
  private static final CorrelationAnalysis ANALYSIS =
      new CorrelationAnalysis(CorrelationOptions.DEFAULT);

  private static void requireEqualsTheTwin(
      TimeWindows windows, RequestSlice reads, int k, long seed, long cells) {
    GroupedOrganization greedy =
        new PaperGreedy(k, Remainder.LAST_GROUP).organize(ANALYSIS.analyse(windows));
    for (Organization base :
        new Organization[] {new SequentialOrganization(k), greedy, InPlaceGroups.of(greedy)}) {
      Organization fast =
          new ExchangeSearch(seed, SearchBounds.DEFAULT).improve(base, windows, reads);
      Organization dumb = new BoxedExchangeSearch(seed).improve(base, windows, reads);
      for (long cell = 0; cell < cells; cell++) {
        assertThat(fast.storedCell(cell)).isEqualTo(dumb.storedCell(cell));
      }
    }
  }

  @Test
  void equalsTheTwin() {
    SeededRuns.of(400)
        .check(
            random ->
                requireEqualsTheTwin(
                    TimeWindows.of(
                        Traces.table(Traces.random(random, Access.WRITE, 150)),
                        1 + random.nextInt(20)),
                    random.nextBoolean()
                        ? RequestSlice.none()
                        : RequestSlice.all(Traces.table(Traces.random(random, Access.READ, 60))),
                    2 + random.nextInt(6),
                    random.nextLong(),
                    200));
  }

  /** Few cells that come in most windows, among many that recur. */
  @Test
  void equalsTheTwinWithHotCells() {
    SeededRuns.of(60)
        .check(
            random -> {
              List<CellRequest> requests = new ArrayList<>();
              for (int time = 0; time < 300; time++) {
                for (long hot = 0; hot < 3; hot++) {
                  if (random.nextInt(4) > 0) {
                    requests.add(new CellRequest(time, Access.WRITE, 17 * hot, 1));
                  }
                }
                int pattern = random.nextInt(20);
                for (int i = 0; i < 4; i++) {
                  requests.add(
                      new CellRequest(time, Access.WRITE, 40 + (pattern * 31 + i * 57) % 300, 1));
                }
              }
              requireEqualsTheTwin(
                  TimeWindows.of(Traces.table(requests), 1),
                  RequestSlice.none(),
                  2 + random.nextInt(7),
                  random.nextLong(),
                  400);
            });
  }

  /** A cell in every one of 100,000 windows, with others that all want to join it: not squared. */
  @Test
  void aHotCellDoesNotCostASquare() {
    RequestTable.Builder builder = new RequestTable.Builder();
    Random random = new Random(3);
    for (int time = 0; time < 100_000; time++) {
      builder.add(new CellRequest(time, Access.WRITE, 0, 1));
      for (int i = 0; i < 3; i++) {
        builder.add(new CellRequest(time, Access.WRITE, 1000L + random.nextInt(50_000), 1));
      }
    }
    TimeWindows windows = TimeWindows.of(builder.build(), 1);
    Organization base = new SequentialOrganization(8);
    long begin = System.nanoTime();
    Organization better =
        new ExchangeSearch(1, SearchBounds.DEFAULT).improve(base, windows, RequestSlice.none());
    assertThat((System.nanoTime() - begin) / 1_000_000).isLessThan(240_000);
    assertThat(StripeWrites.of(windows, better).stripes())
        .isLessThan(StripeWrites.of(windows, base).stripes());
  }

  /** Two patterns, one after the other: the older one is not forgotten, whatever the bound. */
  @Test
  void shardsSeeAllOfTheTrace() {
    long[][] rows = new long[400][];
    for (int row = 0; row < rows.length; row++) {
      rows[row] = row < 20 ? new long[] {1, 100, 200} : new long[] {1001, 1100, 1200};
    }
    TimeWindows windows = Traces.windows(rows);
    Organization base = new SequentialOrganization(4);
    for (int bound : new int[] {2000, 1200, 1150}) {
      Organization better =
          new ExchangeSearch(1, new SearchBounds(bound, 1 << 20))
              .improve(base, windows, RequestSlice.none());
      assertThat(StripeWrites.of(windows, better).stripes()).as("bound %d", bound).isEqualTo(400);
    }
    assertThat(new SearchBounds(2000, 1 << 20).shards(base, windows, 1024)).hasSize(1);
    assertThat(new SearchBounds(1150, 1 << 20).shards(base, windows, 1024)).hasSize(2);
  }

  @Test
  void shardsNeverCostStripeWritesOrReads() {
    SeededRuns.of(200)
        .check(
            random -> {
              TimeWindows windows =
                  TimeWindows.of(
                      Traces.table(Traces.random(random, Access.WRITE, 150)),
                      1 + random.nextInt(20));
              RequestSlice reads =
                  random.nextBoolean()
                      ? RequestSlice.none()
                      : RequestSlice.all(Traces.table(Traces.random(random, Access.READ, 60)));
              Organization base = new SequentialOrganization(2 + random.nextInt(6));
              Organization better =
                  new ExchangeSearch(random.nextLong(), new SearchBounds(40, 1 << 20))
                      .improve(base, windows, reads);
              if (reads.count() == 0) {
                assertThat(StripeWrites.of(windows, better).stripes())
                    .isLessThanOrEqualTo(StripeWrites.of(windows, base).stripes());
              }
              for (long cell = 0; cell < 200; cell++) {
                assertThat(better.logicalCell(better.storedCell(cell))).isEqualTo(cell);
              }
            });
  }

  /** Windows with the most cells are the first to be left out. */
  @Test
  void pairsAreBounded() {
    long[][] rows = new long[100][];
    for (int row = 0; row < rows.length; row++) {
      rows[row] = new long[1 + row % 10];
      Arrays.setAll(rows[row], i -> 3L * i);
    }
    TimeWindows windows = Traces.windows(rows);
    assertThat(new SearchBounds(10, 1 << 20).maxWindowCells(windows)).isEqualTo(1024);
    // Ten windows each of 2 to 5 cells have 540 pairs, those of 6 cells 360 more.
    assertThat(new SearchBounds(10, 540).maxWindowCells(windows)).isEqualTo(5);
    assertThat(new SearchBounds(10, 899).maxWindowCells(windows)).isEqualTo(5);
    assertThat(new SearchBounds(10, 900).maxWindowCells(windows)).isEqualTo(6);
  }
}
