/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.caso.Traces;
import io.hdfsparity.caso.correlation.TimeWindows;
import io.hdfsparity.caso.trace.RequestSlice;
import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.trace.Access;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ReorganizerTest {
  private static final int K = 3;
  private static final int CELLS = 80;

  private static Reorganizer.Change reorganize(
      Organization present, TimeWindows windows, RequestSlice reads) {
    return new Reorganizer(1, SearchBounds.DEFAULT, stage -> {})
        .reorganize(present, windows, reads);
  }

  /** Triples of cells far apart, in turn, a window each. */
  private static long[][] triples(int windows, long... firstCells) {
    long[][] rows = new long[windows][];
    for (int row = 0; row < windows; row++) {
      long first = firstCells[row % firstCells.length];
      rows[row] = new long[] {first, first + 100, first + 200};
    }
    return rows;
  }

  private static Organization organized(long[][] rows) {
    return reorganize(new SequentialOrganization(K), Traces.windows(rows), RequestSlice.none())
        .organization();
  }

  /** Some cells exchange their places. */
  private static Organization random(Random random, Organization base, int cells) {
    long[] moved = LongStream.range(0, cells).filter(c -> random.nextInt(4) == 0).toArray();
    long[] places = Arrays.stream(moved).map(base::storedCell).toArray();
    for (int i = places.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      long place = places[i];
      places[i] = places[j];
      places[j] = place;
    }
    return new ExchangedOrganization(base, moved, places);
  }

  @Test
  void whatIsUsedInAnotherWayIsChangedAndNothingElse() {
    Organization present = organized(triples(60, 0, 10, 20, 30));
    TimeWindows newer = Traces.windows(triples(60, 30, 43, 56));
    long before = StripeWrites.of(newer, present).stripes();
    Reorganizer.Change change = reorganize(present, newer, RequestSlice.none());
    assertThat(before).isEqualTo(20 + 2 * 60);
    assertThat(StripeWrites.of(newer, change.organization()).stripes()).isEqualTo(60);
    assertThat(change.estimatedGain()).isBetween(0.5, 0.6);
    // Two triples had to change, from at most three stripes each to one.
    assertThat(change.stripes()).isBetween(4L, 6L);
    Set<Long> touched = new HashSet<>();
    for (long cell = 0; cell < 400; cell++) {
      if (change.organization().storedCell(cell) != present.storedCell(cell)) {
        touched.add(present.stripe(cell));
        touched.add(change.organization().stripe(cell));
      }
    }
    assertThat((long) touched.size()).isLessThanOrEqualTo(change.stripes());
    for (long first : new long[] {0, 10, 20, 30}) {
      for (long cell : new long[] {first, first + 100, first + 200}) {
        assertThat(change.organization().storedCell(cell)).isEqualTo(present.storedCell(cell));
      }
    }
  }

  @Test
  void whatIsUsedAsBeforeStays() {
    Organization present = organized(triples(60, 0, 10, 20, 30));
    assertThat(present).isNotEqualTo(new SequentialOrganization(K));
    TimeWindows same = Traces.windows(triples(90, 0, 10, 20, 30));
    Reorganizer.Change change = reorganize(present, same, RequestSlice.none());
    assertThat(change.organization()).isSameAs(present);
    assertThat(change.stripes()).isZero();
    assertThat(change.estimatedGain()).isZero();
  }

  @Test
  void noiseChangesNothing() {
    Organization present = organized(triples(60, 0, 10, 20, 30));
    for (int seed = 0; seed < 10; seed++) {
      Random random = new Random(seed);
      long[][] rows = new long[200][];
      for (int row = 0; row < rows.length; row++) {
        rows[row] = random.longs(4, 0, 400).distinct().toArray();
      }
      assertThat(reorganize(present, Traces.windows(rows), RequestSlice.none()).organization())
          .as("seed %d", seed)
          .isSameAs(present);
    }
  }

  /** Against each group by itself, counted with no other cell moved. */
  @Test
  void onlyStripesThatGainAreTaken() {
    SeededRuns.of(200)
        .check(
            random -> {
              int k = 2 + random.nextInt(4);
              Organization present = random(random, new SequentialOrganization(k), CELLS);
              Organization wanted = present;
              // Of few cells each, so that there are several groups.
              for (int i = random.nextInt(6); i > 0; i--) {
                wanted = exchanged(wanted, random.nextInt(60), random.nextInt(60));
              }
              TimeWindows windows =
                  TimeWindows.of(
                      Traces.table(Traces.random(random, Access.WRITE, 150)),
                      1 + random.nextInt(20));
              RequestSlice reads =
                  RequestSlice.all(
                      Traces.table(Traces.random(random, Access.READ, 1 + random.nextInt(50))));
              Organization expected = expected(present, wanted, windows, reads);
              GainingStripes.GainingResult taken =
                  GainingStripes.of(present, wanted, windows, reads);
              Set<Long> changed = new HashSet<>();
              for (long cell = 0; cell < CELLS; cell++) {
                long place = taken.organization().storedCell(cell);
                assertThat(place).isEqualTo(expected.storedCell(cell));
                assertThat(taken.organization().logicalCell(place)).isEqualTo(cell);
                if (place != present.storedCell(cell)) {
                  changed.add(present.stripe(cell));
                }
              }
              assertThat((long) changed.size()).isEqualTo(taken.stripes());
              assertThat(DegradedReads.of(reads, taken.organization()).additional())
                  .isLessThanOrEqualTo(DegradedReads.of(reads, present).additional());
            });
  }

  private static Organization exchanged(Organization base, long one, long two) {
    if (one == two) {
      return base;
    }
    long[] cells = {Math.min(one, two), Math.max(one, two)};
    long[] places = {base.storedCell(cells[1]), base.storedCell(cells[0])};
    return new ExchangedOrganization(base, cells, places);
  }

  private static Organization expected(
      Organization present, Organization wanted, TimeWindows windows, RequestSlice reads) {
    Organization result = present;
    for (Set<Long> group : groups(present, wanted)) {
      Organization alone = only(present, wanted, group);
      long before = StripeWrites.of(windows, present).stripes();
      long saved = before - StripeWrites.of(windows, alone).stripes();
      long[] ofGroup = {0};
      windows.forEach(
          (cells, count) ->
              ofGroup[0] +=
                  Arrays.stream(cells, 0, count)
                      .map(present::stripe)
                      .distinct()
                      .filter(group::contains)
                      .count());
      long readsBefore = DegradedReads.of(reads, present).additional();
      long readsAfter = DegradedReads.of(reads, alone).additional();
      if (saved >= 2 && saved * 50 >= ofGroup[0] && readsAfter <= readsBefore) {
        result = only(result, wanted, group);
      }
    }
    return result;
  }

  private static Organization only(Organization base, Organization wanted, Set<Long> group) {
    long[] cells =
        LongStream.range(0, CELLS).filter(cell -> group.contains(base.stripe(cell))).toArray();
    long[] places = Arrays.stream(cells).map(wanted::storedCell).toArray();
    return new ExchangedOrganization(base, cells, places);
  }

  /** Stripes between which cells move, merged until nothing changes. */
  private static List<Set<Long>> groups(Organization present, Organization wanted) {
    List<Set<Long>> groups = new ArrayList<>();
    for (long cell = 0; cell < CELLS; cell++) {
      if (present.storedCell(cell) == wanted.storedCell(cell)) {
        continue;
      }
      Set<Long> merged = new HashSet<>(Set.of(present.stripe(cell)));
      merged.add(wanted.stripe(cell));
      for (Set<Long> other : List.copyOf(groups)) {
        if (other.stream().anyMatch(merged::contains)) {
          merged.addAll(other);
          groups.remove(other);
        }
      }
      groups.add(merged);
    }
    return groups;
  }
}
