/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.caso.trace.CellRequest;
import io.hdfsparity.caso.trace.RequestSlice;
import io.hdfsparity.caso.trace.RequestTable;
import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.trace.Access;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ExpectedReadsTest {
  private static final long UNITS = 1 << 20;

  private static RequestSlice reads(long... firstsAndCounts) {
    RequestTable.Builder reads = new RequestTable.Builder();
    for (int i = 0; i < firstsAndCounts.length; i += 2) {
      reads.add(new CellRequest(i, Access.READ, firstsAndCounts[i], (int) firstsAndCounts[i + 1]));
    }
    return RequestSlice.all(reads.build());
  }

  @Test
  void readsOfWrittenNeighboursAreSpreadOverThese() {
    // Written neighbours: 10 and 11, 11 and 12, 20 and 21; of three reads one is of such.
    ExpectedReads expected =
        ExpectedReads.of(new long[] {10, 11, 12, 20, 21, 30}, reads(10, 2, 50, 2, 98, 2), 9, 4);
    assertThat(expected.written(300)).containsExactly(0, 100, 0, 0, 0);
    // The other two are over the other 97 of 100 addresses.
    assertThat(expected.elsewhere(970)[1]).isEqualTo(20);
    assertThat(expected.elsewhere(970)[2]).isZero();
  }

  @Test
  void withoutWrittenCellsAllAreElsewhere() {
    ExpectedReads expected = ExpectedReads.of(new long[0], reads(0, 3, 7, 3), 9, 4);
    assertThat(expected.written(UNITS)).containsOnly(0);
    assertThat(expected.elsewhere(100)).startsWith(0, 40, 20, 0);
  }

  /** A few reads in a large volume are not rounded away. */
  @Test
  void fewReadsCount() {
    long[] expected =
        ExpectedReads.of(new long[] {1 << 22}, reads(100, 2, 5000, 2, 90_000, 3), 255, 8)
            .elsewhere(ReadObjective.PAIR);
    assertThat(expected[1]).isPositive();
  }

  @Test
  void equalsTheTwin() {
    SeededRuns.of(200)
        .check(
            random -> {
              long[] cells =
                  random.longs(1 + random.nextInt(60), 0, 100).sorted().distinct().toArray();
              int longest = 1 + random.nextInt(12);
              int maxWritten = 1 + random.nextInt(longest);
              RequestTable.Builder made = new RequestTable.Builder();
              for (int i = random.nextInt(20); i >= 0; i--) {
                made.add(
                    new CellRequest(i, Access.READ, random.nextInt(110), 1 + random.nextInt(15)));
              }
              RequestSlice reads = RequestSlice.all(made.build());
              long[] written = new long[maxWritten + 1];
              long[] all = new long[longest + 1];
              long end = cells[cells.length - 1] + 1;
              for (int read = reads.from(); read < reads.to(); read++) {
                long first = reads.requests().firstCell(read);
                long last = first + reads.requests().cellCount(read) - 1;
                end = Math.max(end, last + 1);
                for (long one = first; one <= last; one++) {
                  for (long other = one + 1; other <= last && other - one <= longest; other++) {
                    int distance = (int) (other - one);
                    all[distance]++;
                    if (distance <= maxWritten
                        && Arrays.binarySearch(cells, one) >= 0
                        && Arrays.binarySearch(cells, other) >= 0) {
                      written[distance]++;
                    }
                  }
                }
              }
              ExpectedReads expected = ExpectedReads.of(cells, reads, longest, maxWritten);
              for (int distance = 1; distance <= longest; distance++) {
                long pairs = 0;
                for (long cell : cells) {
                  pairs += Arrays.binarySearch(cells, cell + distance) >= 0 ? 1 : 0;
                }
                boolean isLooked = distance <= maxWritten;
                double elsewhere = all[distance] - (isLooked ? written[distance] : 0);
                double places = Math.max(1, end - (isLooked ? pairs : 0));
                assertThat(expected.elsewhere(UNITS)[distance])
                    .isEqualTo(Math.round(UNITS * elsewhere / places));
                if (isLooked) {
                  assertThat(expected.written(UNITS)[distance])
                      .isEqualTo(
                          pairs == 0 ? 0 : Math.round((double) UNITS * written[distance] / pairs));
                }
              }
            });
  }
}
