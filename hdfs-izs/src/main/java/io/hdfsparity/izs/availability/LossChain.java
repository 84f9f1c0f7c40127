/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.availability;

/**
 * The absorbing Markov chain of the paper's Fig. 4, for any set, rates and repair: state i is i
 * failed nodes, state {@code tolerated + 1} is data loss. From state i, {@code n - i} nodes may
 * fail, each at rate λ; repair leads down as {@link RepairDiscipline} says.
 *
 * <p>Solved by first passages: h(i), the mean time from state i until state i + 1 is first reached,
 * satisfies {@code h(i) = (1 + repair(i) · (h(target) + ... + h(i - 1))) / fail(i)}, and the mean
 * time to data loss is the sum of all h. There is no subtraction and every term is positive, so the
 * result is good to a few units in the last place however far apart the rates are; a general solver
 * of linear equations would lose as many digits as μ/λ has for each tolerated failure. Stateless.
 */
public final class LossChain {
  private LossChain() {}

  /** Mean time to data loss from the state without failures, in hours. */
  public static double mttdlHours(RedundancySet set, Rates rates, RepairDiscipline repair) {
    double[] passage = new double[set.tolerated() + 1];
    double total = 0;
    for (int failed = 0; failed <= set.tolerated(); failed++) {
      double failuresPerHour = (set.nodes() - failed) * rates.failuresPerHour();
      double back = 0;
      if (failed > 0) {
        for (int i = repair.target(failed); i < failed; i++) {
          back += passage[i];
        }
        back *= repair.weight(failed) * rates.repairsPerHour();
      }
      passage[failed] = (1 + back) / failuresPerHour;
      total += passage[failed];
    }
    return total;
  }

  /**
   * The paper's approximation for λ ≪ μ and concurrent repair: {@code μ^r / (k(k+1)...(k+r)
   * λ^(r+1))} with {@code k + r = n}; equations (4), (5) and (6) for r = 1, 2, 3. For r = 0 it is
   * {@code 1 / (k λ)}, exact.
   */
  public static double approximateHours(RedundancySet set, Rates rates) {
    double hours = 1;
    for (int failed = 0; failed <= set.tolerated(); failed++) {
      hours /= (set.nodes() - failed) * rates.failuresPerHour();
      if (failed > 0) {
        hours *= rates.repairsPerHour();
      }
    }
    return hours;
  }
}
