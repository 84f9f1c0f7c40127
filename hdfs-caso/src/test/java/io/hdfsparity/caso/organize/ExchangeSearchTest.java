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
import io.hdfsparity.caso.trace.Access;
import io.hdfsparity.caso.trace.CellRequest;
import io.hdfsparity.caso.trace.RequestTable;
import io.hdfsparity.core.check.SeededRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExchangeSearchTest {
  private static final CorrelationAnalysis ANALYSIS =
      new CorrelationAnalysis(CorrelationOptions.DEFAULT);

  private static void requireEqualsTheTwin(TimeWindows windows, int k, long seed, long cells) {
    Organization greedy =
        new PaperGreedy(k, Remainder.LAST_GROUP).organize(ANALYSIS.analyse(windows));
    for (Organization base : new Organization[] {new SequentialOrganization(k), greedy}) {
      Organization fast = new ExchangeSearch(seed).improve(base, windows);
      Organization dumb = new BoxedExchangeSearch(seed).improve(base, windows);
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
    Organization better = new ExchangeSearch(1).improve(base, windows);
    assertThat((System.nanoTime() - begin) / 1_000_000).isLessThan(60_000);
    assertThat(StripeWrites.of(windows, better).stripes())
        .isLessThan(StripeWrites.of(windows, base).stripes());
  }
}
