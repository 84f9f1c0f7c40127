/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.availability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.hdfsparity.core.check.SeededRuns;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LossChainTest {
  private static final StorageModel PAPER = StorageModel.PAPER;
  private static final MathContext DIGITS = new MathContext(200);

  @Test
  void theParametersOfTable4FollowFromEachOther() {
    assertThat(PAPER.mttfHours()).isEqualTo(20_000);
    assertThat(PAPER.mttrHours()).isEqualTo(5);
    assertThat(PAPER.rates().failuresPerHour()).isEqualTo(5e-5);
    assertThat(PAPER.rates().repairsPerHour()).isEqualTo(0.2);
    assertThat(PAPER.dataNodes()).isEqualTo(4);
  }

  /** Hours to as many digits as are printed, rounded; years of 365.25 days, to three digits. */
  @ParameterizedTest
  @CsvSource({
    "0, 5e3, 1, 0.57, 2",
    "1, 4e6, 1, 4.56e2, 3",
    "2, 2.7e9, 2, 3.04e5, 3",
    "3, 1.5e12, 2, 1.74e8, 3"
  })
  void theFormulasGiveTheNumbersOfTable5(
      int parity, String hours, int hourDigits, String years, int yearDigits) {
    double mttdl = LossChain.approximateHours(RedundancySet.coded(4, parity), PAPER.rates());
    assertThat(rounded(mttdl, hourDigits)).isEqualByComparingTo(hours);
    assertThat(rounded(mttdl / StorageModel.HOURS_PER_YEAR, yearDigits))
        .isEqualByComparingTo(years);
  }

  private static BigDecimal rounded(double value, int digits) {
    return new BigDecimal(value).round(new MathContext(digits, RoundingMode.HALF_UP));
  }

  /** The paper prints 66.6 for 66.67: it cuts off, here it is rounded. */
  @ParameterizedTest
  @CsvSource({"0, 100.0, 100.0", "1, 80.0, 80.0", "2, 66.7, 66.6", "3, 57.1, 57.1"})
  void theUtilizationOfTable5(int parity, double here, double printed) {
    double percent = 100 * RedundancySet.coded(4, parity).utilization();
    assertThat(Math.round(percent * 10) / 10.0).isEqualTo(here);
    assertThat(Math.floor(percent * 10 + 1e-9) / 10.0).isEqualTo(printed);
  }

  /** Exact values, worked out by hand for r = 1: (μ + (2k+1)λ) / (k(k+1)λ²). */
  @Test
  void theChainIsALittleMoreThanTheFormula() {
    double exact =
        LossChain.mttdlHours(RedundancySet.coded(4, 1), PAPER.rates(), RepairDiscipline.CONCURRENT);
    assertThat(exact).isCloseTo((0.2 + 9 * 5e-5) / (20 * 25e-10), within(1e-6));
    for (int parity = 0; parity <= 3; parity++) {
      RedundancySet set = RedundancySet.coded(4, parity);
      assertThat(LossChain.mttdlHours(set, PAPER.rates(), RepairDiscipline.CONCURRENT))
          .isGreaterThanOrEqualTo(LossChain.approximateHours(set, PAPER.rates()))
          .isCloseTo(LossChain.approximateHours(set, PAPER.rates()), withinPercentage(1));
    }
  }

  @ParameterizedTest
  @EnumSource
  void equalsAnExactSolverOnRandomChains(RepairDiscipline repair) {
    SeededRuns.of(200)
        .check(
            random -> {
              int nodes = 1 + random.nextInt(20);
              RedundancySet set = new RedundancySet(nodes, random.nextInt(Math.min(nodes, 8)));
              Rates rates =
                  new Rates(
                      Math.pow(10, random.nextDouble() * 12 - 3),
                      Math.pow(10, random.nextDouble() * 12 - 6));
              double exact = solved(set, rates, repair).doubleValue();
              assertThat(LossChain.mttdlHours(set, rates, repair))
                  .as("%s %s", set, rates)
                  .isCloseTo(exact, within(exact * 1e-13));
            });
  }

  /** Walks the chain many times; the mean of 40,000 walks is good to about a percent. */
  @ParameterizedTest
  @EnumSource
  void equalsAWalk(RepairDiscipline repair) {
    Random random = new Random(7);
    RedundancySet set = new RedundancySet(5, 2);
    Rates rates = new Rates(10, 2);
    double total = 0;
    int walks = 40_000;
    for (int i = 0; i < walks; i++) {
      int failed = 0;
      while (failed <= set.tolerated()) {
        double fail = (set.nodes() - failed) / rates.mttfHours();
        double mend =
            failed == 0
                ? 0
                : (repair == RepairDiscipline.PARALLEL ? failed : 1) / rates.mttrHours();
        total -= Math.log(1 - random.nextDouble()) / (fail + mend);
        if (random.nextDouble() < fail / (fail + mend)) {
          failed++;
        } else {
          failed = repair == RepairDiscipline.CONCURRENT ? 0 : failed - 1;
        }
      }
    }
    assertThat(total / walks)
        .isCloseTo(LossChain.mttdlHours(set, rates, repair), withinPercentage(2));
  }

  /**
   * The dumb twin: the mean times to absorption t solve {@code (rates out of i) t(i) - Σ rate(i, j)
   * t(j) = 1}, by Gauss with 200 digits.
   */
  private static BigDecimal solved(RedundancySet set, Rates rates, RepairDiscipline repair) {
    int states = set.tolerated() + 1;
    BigDecimal lambda = new BigDecimal(rates.failuresPerHour());
    BigDecimal mu = new BigDecimal(rates.repairsPerHour());
    BigDecimal[][] m = new BigDecimal[states][states + 1];
    for (int i = 0; i < states; i++) {
      java.util.Arrays.fill(m[i], BigDecimal.ZERO);
      BigDecimal fail = lambda.multiply(BigDecimal.valueOf(set.nodes() - i));
      BigDecimal mend =
          i == 0
              ? BigDecimal.ZERO
              : mu.multiply(BigDecimal.valueOf(repair == RepairDiscipline.PARALLEL ? i : 1));
      m[i][i] = fail.add(mend);
      if (i + 1 < states) {
        m[i][i + 1] = m[i][i + 1].subtract(fail);
      }
      if (i > 0) {
        int to = repair == RepairDiscipline.CONCURRENT ? 0 : i - 1;
        m[i][to] = m[i][to].subtract(mend);
      }
      m[i][states] = BigDecimal.ONE;
    }
    for (int column = 0; column < states; column++) {
      for (int row = 0; row < states; row++) {
        if (row == column) {
          continue;
        }
        BigDecimal factor = m[row][column].divide(m[column][column], DIGITS);
        for (int j = column; j <= states; j++) {
          m[row][j] = m[row][j].subtract(factor.multiply(m[column][j]), DIGITS);
        }
      }
    }
    return m[0][states].divide(m[0][0], DIGITS);
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> new RedundancySet(4, 4))
        .hasMessage("Cannot define a redundancy set: tolerated=4, expected 0 to nodes - 1 = 3");
    assertThatThrownBy(() -> new RedundancySet(0, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Rates(0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Rates(1, Double.NaN)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new StorageModel(1, 2, 3, 4))
        .hasMessageContaining("totalBytes=1, expected at least nodeBytes=2");
  }
}
