/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.caso.Traces;
import io.hdfsparity.caso.correlation.CorrelationAnalysis;
import io.hdfsparity.caso.correlation.CorrelationOptions;
import io.hdfsparity.caso.correlation.TimeWindows;
import io.hdfsparity.caso.organize.ExchangedOrganization;
import io.hdfsparity.caso.organize.GroupedOrganization;
import io.hdfsparity.caso.organize.Organization;
import io.hdfsparity.caso.organize.PaperGreedy;
import io.hdfsparity.caso.organize.Remainder;
import io.hdfsparity.caso.organize.SequentialOrganization;
import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.trace.Access;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StoredOrderTest {
  /** A random one-to-one map with padding, and its runs. */
  static StoredOrder random(Random random) {
    int stored = random.nextInt(60);
    int[] places = random.ints(0, stored == 0 ? 1 : stored).distinct().limit(stored).toArray();
    int cells = stored == 0 ? 0 : random.nextInt(stored + 1);
    if (random.nextBoolean()) {
      java.util.Arrays.sort(places, 0, cells);
    }
    long[] starts = new long[cells];
    long[] counts = new long[cells];
    int runs = 0;
    for (int cell = 0; cell < cells; cell++) {
      if (runs > 0 && starts[runs - 1] + counts[runs - 1] == places[cell]) {
        counts[runs - 1]++;
      } else {
        starts[runs] = places[cell];
        counts[runs++] = 1;
      }
    }
    StoredOrder order =
        new StoredOrder(
            java.util.Arrays.copyOf(starts, runs), java.util.Arrays.copyOf(counts, runs), stored);
    for (int cell = 0; cell < cells; cell++) {
      assertThat(order.storedCell(cell)).isEqualTo(places[cell]);
    }
    assertThat(order.cellCount()).isEqualTo(cells);
    return order;
  }

  /** What is stored in a cell's place is that cell, and all other places are padding. */
  static void requireRoundTrip(StoredOrder order) {
    Map<Long, Long> logicalAt = new HashMap<>();
    for (long cell = 0; cell < order.cellCount(); cell++) {
      assertThat(logicalAt.put(order.storedCell(cell), cell)).isNull();
    }
    for (long place = 0; place < order.storedCellCount(); place++) {
      assertThat(order.logicalCell(place))
          .isEqualTo(logicalAt.getOrDefault(place, Organization.PADDING));
    }
  }

  @Test
  void anyOneToOneMapRoundTrips() {
    SeededRuns.of(500).check(random -> requireRoundTrip(random(random)));
  }

  @Test
  void anOrganizationKeepsItsStripes() {
    SeededRuns.of(300)
        .check(
            random -> {
              TimeWindows windows =
                  TimeWindows.of(
                      Traces.table(Traces.random(random, Access.WRITE, 120)),
                      1 + random.nextInt(20));
              int k = 2 + random.nextInt(6);
              GroupedOrganization greedy =
                  new PaperGreedy(k, Remainder.values()[random.nextInt(2)])
                      .organize(
                          new CorrelationAnalysis(CorrelationOptions.DEFAULT).analyse(windows));
              Organization organization =
                  random.nextInt(4) == 0
                      ? new SequentialOrganization(k)
                      : exchanged(greedy, random);
              long cells = random.nextInt(120);
              StoredOrder order = StoredOrder.of(organization, cells);
              assertThat(order.cellCount()).isEqualTo(cells);
              requireRoundTrip(order);
              Map<Long, Long> stripes = new HashMap<>();
              for (long cell = 0; cell < cells; cell++) {
                long stripe = order.storedCell(cell) / k;
                Long known = stripes.putIfAbsent(stripe, organization.stripe(cell));
                assertThat(known).isIn(null, organization.stripe(cell));
                assertThat(order.storedCell(cell) % k).isEqualTo(organization.storedCell(cell) % k);
              }
              assertThat(stripes.values()).doesNotHaveDuplicates();
              // No stripe without a cell.
              assertThat((long) stripes.size()).isEqualTo((order.storedCellCount() + k - 1) / k);
            });
  }

  private static Organization exchanged(Organization base, Random random) {
    int a = random.nextInt(100);
    int b = 100 + random.nextInt(20);
    return new ExchangedOrganization(
        base, new long[] {a, b}, new long[] {base.storedCell(b), base.storedCell(a)});
  }

  @Test
  void addressesFarApartCostNoMoreThanTheirRuns() {
    Organization organization =
        new GroupedOrganization(3, new long[] {5, 1L << 50, 1L << 60, 7, -1, -1});
    StoredOrder order = StoredOrder.of(organization, 1L << 55);
    assertThat(order.runCount()).isEqualTo(7);
    assertThat(order.storedCell(1L << 50)).isEqualTo(1);
    assertThat(order.logicalCell(order.storedCellCount() - 1)).isEqualTo((1L << 55) - 1);
    assertThat(order.logicalCell(2)).isEqualTo(Organization.PADDING);
  }

  @Test
  void theOrderOfAddressesIsOneRun() {
    StoredOrder order = StoredOrder.of(new SequentialOrganization(6), 1L << 40);
    assertThat(order.runCount()).isEqualTo(1);
    assertThat(order.storedCellCount()).isEqualTo(1L << 40);
    assertThat(StoredOrder.of(new SequentialOrganization(6), 0).runCount()).isZero();
  }

  @Test
  void runsThatAreNoOrderAreRefused() {
    assertRefused("in one run", new long[] {0, 1}, new long[] {2, 1}, 3);
    assertRefused("in one run", new long[] {4, 4}, new long[] {1, 1}, 9);
    assertRefused("count=0, expected > 0", new long[] {0}, new long[] {0}, 3);
    assertRefused("storedCell=-1", new long[] {-1}, new long[] {1}, 3);
    assertRefused("storedCell=2", new long[] {2}, new long[] {2}, 3);
    assertRefused("storedCell=1", new long[] {1}, new long[] {Long.MAX_VALUE}, 3);
    assertRefused("not to continue", new long[] {0, 1}, new long[] {1, 1}, 3);
    assertRefused("counts.length=1", new long[] {0, 1}, new long[] {1}, 3);
    StoredOrder order = new StoredOrder(new long[] {1}, new long[] {1}, 2);
    assertThatThrownBy(() -> order.storedCell(1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> order.storedCell(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> order.logicalCell(2)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  private static void assertRefused(String reason, long[] starts, long[] counts, long stored) {
    assertThatThrownBy(() -> new StoredOrder(starts, counts, stored))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason);
  }
}
