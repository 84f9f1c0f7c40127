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
import io.hdfsparity.caso.correlation.CorrelationOptions;
import io.hdfsparity.caso.correlation.TimeWindows;
import io.hdfsparity.caso.trace.CellRequest;
import io.hdfsparity.caso.trace.RequestSlice;
import io.hdfsparity.caso.trace.RequestTable;
import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.trace.Access;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HeldBackOrganizerTest {
  private static final CorrelationAnalysis ANALYSIS =
      new CorrelationAnalysis(CorrelationOptions.DEFAULT);

  private static HeldBackOrganizer organizer(int k, long seed) {
    return new HeldBackOrganizer(k, ANALYSIS, seed);
  }

  private static Organization search(long seed, Organization base, TimeWindows windows) {
    return new ExchangeSearch(seed, SearchBounds.DEFAULT)
        .improve(base, windows, RequestSlice.none());
  }

  private static long stripes(TimeWindows windows, Organization organization) {
    return StripeWrites.of(windows, organization).stripes();
  }

  /** One-to-one: what is stored in a cell's place is that cell, and no two share a place. */
  private static void requireOneToOne(Organization organization, long cells) {
    Set<Long> places = new HashSet<>();
    for (long cell = 0; cell < cells; cell++) {
      long place = organization.storedCell(cell);
      assertThat(organization.logicalCell(place)).isEqualTo(cell);
      assertThat(places.add(place)).isTrue();
    }
  }

  @Test
  void searchNeverCostsStripeWritesAndStaysOneToOne() {
    SeededRuns.of(200)
        .check(
            random -> {
              TimeWindows windows =
                  TimeWindows.of(
                      Traces.table(Traces.random(random, Access.WRITE, 150)),
                      1 + random.nextInt(20));
              int k = 2 + random.nextInt(6);
              long seed = random.nextLong();
              Organization greedy =
                  new PaperGreedy(k, Remainder.LAST_GROUP).organize(ANALYSIS.analyse(windows));
              for (Organization base : new Organization[] {new SequentialOrganization(k), greedy}) {
                Organization better = search(seed, base, windows);
                assertThat(stripes(windows, better)).isLessThanOrEqualTo(stripes(windows, base));
                requireOneToOne(better, 200);
                Organization again = search(seed, base, windows);
                for (long cell = 0; cell < 200; cell++) {
                  assertThat(again.storedCell(cell)).isEqualTo(better.storedCell(cell));
                }
              }
            });
  }

  @Test
  void searchBringsTogetherWhatIsWrittenTogether() {
    long[][] rows = new long[20][];
    for (int row = 0; row < rows.length; row++) {
      rows[row] = new long[] {1, 100, 200};
    }
    TimeWindows windows = Traces.windows(rows);
    Organization base = new SequentialOrganization(4);
    assertThat(stripes(windows, base)).isEqualTo(60);
    assertThat(stripes(windows, search(1, base, windows))).isEqualTo(20);
  }

  @Test
  void aPatternThatLastsIsUsed() {
    long[][] rows = new long[60][];
    for (int row = 0; row < rows.length; row++) {
      long group = row % 5;
      rows[row] = new long[] {group, 1000 + 7 * group, 5000 + 9 * group};
    }
    HeldBackOrganizer.Choice choice = organizer(3, 1).organize(Traces.windows(rows));
    assertThat(choice.method()).isNotEqualTo(Method.SEQUENTIAL);
    assertThat(stripes(Traces.windows(rows), choice.organization())).isEqualTo(60);
    assertThat(choice.estimatedGain()).isBetween(0.6, 0.7);
  }

  @Test
  void noiseLeavesTheOrderOfAddresses() {
    for (int seed = 0; seed < 10; seed++) {
      Random random = new Random(seed);
      long[][] rows = new long[200][];
      for (int row = 0; row < rows.length; row++) {
        rows[row] = random.longs(4, 0, 400).distinct().toArray();
      }
      HeldBackOrganizer.Choice choice = organizer(4, seed).organize(Traces.windows(rows));
      assertThat(choice.method())
          .describedAs("seed %d, %s", seed, choice.trials())
          .isEqualTo(Method.SEQUENTIAL);
    }
  }

  @Test
  void sequentialWritesStayInOrder() {
    RequestTable.Builder builder = new RequestTable.Builder();
    Random random = new Random(5);
    for (int time = 0; time < 500; time++) {
      builder.add(new CellRequest(time, Access.WRITE, 4L * random.nextInt(50), 4));
    }
    HeldBackOrganizer.Choice choice = organizer(4, 1).organize(TimeWindows.of(builder.build(), 1));
    assertThat(choice.method()).isEqualTo(Method.SEQUENTIAL);
    assertThat(choice.organization()).isEqualTo(new SequentialOrganization(4));
    assertThat(choice.estimatedGain()).isZero();
  }

  @Test
  void zeroOneAndHugeRequests() {
    for (long[][] rows : new long[][][] {{}, {{3}}, {{3}, {4}}, {{3, 3, 3}, {3}, {3}}}) {
      HeldBackOrganizer.Choice choice = organizer(4, 1).organize(Traces.windows(rows));
      assertThat(choice.method()).isEqualTo(Method.SEQUENTIAL);
    }
    RequestTable.Builder builder = new RequestTable.Builder();
    for (int time = 0; time < 6; time++) {
      builder.add(new CellRequest(time, Access.WRITE, 3, 100_000));
    }
    assertThat(organizer(4, 1).organize(TimeWindows.of(builder.build(), 1)).method())
        .isEqualTo(Method.SEQUENTIAL);
  }

  @Test
  void sameSeedSameChoice() {
    SeededRuns.of(20)
        .check(
            random -> {
              TimeWindows windows =
                  TimeWindows.of(Traces.table(Traces.random(random, Access.WRITE, 200)), 15);
              HeldBackOrganizer.Choice one = organizer(3, 7).organize(windows);
              HeldBackOrganizer.Choice other = organizer(3, 7).organize(windows);
              assertThat(one.method()).isEqualTo(other.method());
              assertThat(one.trials()).isEqualTo(other.trials());
              for (long cell = 0; cell < 100; cell++) {
                assertThat(one.organization().storedCell(cell))
                    .isEqualTo(other.organization().storedCell(cell));
              }
            });
  }

  @Test
  void placesThatAreNotThoseOfTheCellsAreRefused() {
    SequentialOrganization base = new SequentialOrganization(4);
    assertThatThrownBy(() -> new ExchangedOrganization(base, new long[] {1, 2}, new long[] {2, 3}))
        .hasMessageContaining("Cannot exchange cells");
    assertThatThrownBy(() -> new ExchangedOrganization(base, new long[] {2, 1}, new long[] {2, 1}))
        .hasMessageContaining("expected ascending");
  }

  /** Writes want cells apart that reads want together: reads are not made worse. */
  @Test
  void degradedReadsStayNoWorse() {
    SeededRuns.of(60)
        .check(
            random -> {
              int k = 2 + random.nextInt(5);
              RequestTable.Builder writes = new RequestTable.Builder();
              RequestTable.Builder reads = new RequestTable.Builder();
              for (int time = 0; time < 300; time++) {
                int group = random.nextInt(8);
                for (int i = 0; i < 3; i++) {
                  writes.add(
                      new CellRequest(time, Access.WRITE, group + 40L * i + random.nextInt(2), 1));
                }
                if (random.nextInt(3) == 0) {
                  reads.add(
                      new CellRequest(
                          time, Access.READ, random.nextInt(120), 1 + random.nextInt(9)));
                }
              }
              RequestSlice read = RequestSlice.all(reads.build());
              HeldBackOrganizer.Choice choice =
                  organizer(k, 1).organize(TimeWindows.of(writes.build(), 1), read);
              assertThat(DegradedReads.of(read, choice.organization()).additional())
                  .isLessThanOrEqualTo(
                      DegradedReads.of(read, new SequentialOrganization(k)).additional());
              assertThat(choice.estimatedReadGain()).isGreaterThanOrEqualTo(-0.01);
            });
  }

  /** As good as without reads where they are of other cells. */
  @Test
  void readsOfOtherCellsKeepWhatTheyHave() {
    RequestTable.Builder writes = new RequestTable.Builder();
    RequestTable.Builder reads = new RequestTable.Builder();
    for (int time = 0; time < 60; time++) {
      long group = time % 5;
      for (long cell : new long[] {group, 1000 + 7 * group, 5000 + 9 * group}) {
        writes.add(new CellRequest(time, Access.WRITE, cell, 1));
      }
      reads.add(new CellRequest(time, Access.READ, 2000 + time, 4));
    }
    TimeWindows windows = TimeWindows.of(writes.build(), 1);
    RequestSlice read = RequestSlice.all(reads.build());
    HeldBackOrganizer.Choice choice = organizer(3, 1).organize(windows, read);
    assertThat(stripes(windows, choice.organization())).isEqualTo(60);
    assertThat(choice.estimatedReadGain()).isZero();
    assertThat(DegradedReads.of(read, choice.organization()))
        .isEqualTo(DegradedReads.of(read, new SequentialOrganization(3)));
  }
}
