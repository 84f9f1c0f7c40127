/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.availability;

import io.hdfsparity.core.check.Checks;

/**
 * Failure and repair of one node; both times are exponentially distributed (paper, section 5.2).
 *
 * @param mttfHours mean time to failure of a node
 * @param mttrHours mean time to repair of a node
 */
public record Rates(double mttfHours, double mttrHours) {
  public Rates {
    checkHours("mttfHours", mttfHours);
    checkHours("mttrHours", mttrHours);
  }

  private static void checkHours(String name, double hours) {
    Checks.argument(
        hours >= 1e-9 && hours <= 1e15, "define rates", name, hours, "hours from 1e-9 to 1e15");
  }

  /** λ, failures an hour. */
  public double failuresPerHour() {
    return 1 / mttfHours;
  }

  /** μ, repairs an hour. */
  public double repairsPerHour() {
    return 1 / mttrHours;
  }
}
