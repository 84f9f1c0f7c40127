/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ecupdate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class DiskTest {
  private static final int PAGE = Pages.PAGE_BYTES;

  /** A turn of 10 ms, a page a ms, seeks of 1 ms to the next track and 9 ms on average. */
  private static final Disk DISK = new Disk(1, 9, 10, PAGE, 1000L * PAGE);

  /** File a at place 0, b far behind it; nothing is known of others. */
  private static final Function<String, Extents> PLACES =
      file ->
          Map.of(
                  "a", new Extents(List.of(new Extent(0, 0, 100L * PAGE))),
                  "b", new Extents(List.of(new Extent(0, 500L * PAGE, 100L * PAGE))))
              .getOrDefault(file, new Extents(List.of()));

  private static Disk.Served serve(Io... accesses) {
    return DISK.serve(List.of(accesses), PLACES);
  }

  private static double milliseconds(Disk.Served served) {
    return served.seconds() * 1e3;
  }

  @Test
  void whatGoesOnTakesItsTransferOnly() {
    Disk.Served served =
        serve(new Io('R', 0, 2 * PAGE, "a"), new Io('R', 2 * PAGE, 40 * PAGE, "a"));

    // The arm was anywhere: an average seek and half a turn.
    assertThat(milliseconds(served)).isCloseTo(9 + 5 + 42, within(1e-9));
    assertThat(served.accesses()).isEqualTo(2);
    assertThat(served.discontiguous()).isEqualTo(1);
  }

  @Test
  void anotherPlaceTakesASeekByDistanceAndHalfATurn() {
    Disk.Served served = serve(new Io('R', 0, PAGE, "a"), new Io('R', 0, PAGE, "b"));

    assertThat(milliseconds(served))
        .isCloseTo(9 + 5 + 1 + DISK.seekMs(499L * PAGE) + 5 + 1, within(1e-9));
  }

  @Test
  void randomSeeksTakeTheAverage() {
    double sum = 0;
    int steps = 400;
    for (int from = 0; from < steps; from++) {
      for (int to = 0; to < steps; to++) {
        sum += DISK.seekMs(Math.abs(from - to) * (1000L * PAGE / steps));
      }
    }

    assertThat(sum / steps / steps).isCloseTo(9, within(0.1));
  }

  @Test
  void writesWaitForTheForceOfTheirFileAndGoOutInOrder() {
    Disk.Served served =
        serve(
            new Io('W', PAGE, PAGE, "a"),
            new Io('W', 0, PAGE, "b"),
            new Io('W', 0, PAGE, "a"),
            new Io('F', 0, 0, "a"));

    // a in one go, then, left over, b.
    assertThat(served.discontiguous()).isEqualTo(2);
    assertThat(milliseconds(served))
        .isCloseTo(9 + 5 + 2 + DISK.seekMs(498L * PAGE) + 5 + 1, within(1e-9));
  }

  @Test
  void whatIsAppendedAfterAForceHasMissedItsSector() {
    Disk.Served served =
        serve(
            new Io('W', 0, PAGE, "a"),
            new Io('F', 0, 0, "a"),
            new Io('W', PAGE, PAGE, "a"),
            new Io('F', 0, 0, "a"));

    assertThat(served.discontiguous()).isEqualTo(1);
    assertThat(milliseconds(served)).isCloseTo(9 + 5 + 1 + 5 + 1, within(1e-9));
  }

  @Test
  void whatWasWrittenIsNotRead() {
    Disk.Served served = serve(new Io('W', 0, PAGE, "a"), new Io('R', 0, PAGE, "a"));

    assertThat(served.accesses()).isEqualTo(1);
  }

  @Test
  void whatHasNoPlaceCostsAnAverageSeek() {
    Disk.Served served = serve(new Io('R', 0, PAGE, "?"), new Io('R', 5 * PAGE, PAGE, "?"));

    assertThat(served.discontiguous()).isEqualTo(2);
    assertThat(milliseconds(served)).isCloseTo(2 * (9 + 5 + 1), within(1e-9));
  }
}
