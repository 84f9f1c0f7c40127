/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.ForeignOwnerException;
import io.hdfsparity.core.framing.FormatException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ForecastFormatTest {
  private static final long FILE = 16390;

  /** What golden/v1/caso-forecast.bin is, which was written by another implementation. */
  private static final ParityForecast GOLDEN = new ParityForecast(new long[] {0, 131070, 2});

  private static byte[] golden() throws IOException {
    try (InputStream in =
        ForecastFormatTest.class.getResourceAsStream("/golden/v1/caso-forecast.bin")) {
      return Objects.requireNonNull(in).readAllBytes();
    }
  }

  @Test
  void goldenBytes() throws IOException {
    assertThat(ForecastFormat.encode(GOLDEN, FILE)).isEqualTo(golden());
    for (int group = 0; group < 5; group++) {
      assertThat(ForecastFormat.milliUpdatesPerDay(golden(), FILE, group))
          .isEqualTo(GOLDEN.milliUpdatesPerDay(group));
    }
  }

  @Test
  void eachFigureComesBackAsExactAsItsValuesAre() {
    SeededRuns.of(50)
        .check(
            random -> {
              long[] rates = new long[random.nextInt(ForecastFormat.MAX_VALUES)];
              long bound = 1 + (random.nextLong() >>> 1) % ParityForecast.MAX_RATE;
              Arrays.setAll(rates, i -> (random.nextLong() >>> 1) % bound);
              byte[] bytes = ForecastFormat.encode(new ParityForecast(rates), FILE);
              for (int group = 0; group < rates.length; group++) {
                assertThat(ForecastFormat.milliUpdatesPerDay(bytes, FILE, group) - rates[group])
                    .isBetween(-bound / 0xffff - 1, bound / 0xffff + 1);
              }
            });
  }

  @Test
  void manyGroupsShareAverages() throws FormatException {
    long[] rates = new long[3 * ForecastFormat.MAX_VALUES + 1];
    Arrays.setAll(rates, i -> i % 4 * 10L);
    byte[] bytes = ForecastFormat.encode(new ParityForecast(rates), FILE);
    assertThat(bytes).hasSizeLessThan(4500);
    assertThat(ForecastFormat.milliUpdatesPerDay(bytes, FILE, 0)).isEqualTo(15);
    assertThat(ForecastFormat.milliUpdatesPerDay(bytes, FILE, 4097)).isEqualTo(15);
    assertThat(ForecastFormat.milliUpdatesPerDay(bytes, FILE, rates.length - 1)).isZero();
    assertThat(ForecastFormat.milliUpdatesPerDay(bytes, FILE, rates.length)).isZero();
  }

  @Test
  void anyOtherBitIsRefused() throws IOException {
    for (int bit = 0; bit < 8 * golden().length; bit++) {
      byte[] damaged = golden();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> ForecastFormat.milliUpdatesPerDay(damaged, FILE, 1))
          .as("bit %d", bit)
          .isInstanceOf(FormatException.class);
    }
    byte[] longer = Arrays.copyOf(golden(), golden().length + 1);
    assertThatThrownBy(() -> ForecastFormat.milliUpdatesPerDay(longer, FILE, 1))
        .isInstanceOf(CorruptFormatException.class);
    byte[] cut = Arrays.copyOf(golden(), golden().length - 1);
    assertThatThrownBy(() -> ForecastFormat.milliUpdatesPerDay(cut, FILE, 1))
        .isInstanceOf(CorruptFormatException.class);
  }

  @Test
  void thatOfAnotherFileIsRefused() {
    assertThatThrownBy(() -> ForecastFormat.milliUpdatesPerDay(golden(), FILE + 1, 1))
        .isInstanceOf(ForeignOwnerException.class);
  }
}
