/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.config;

import io.hdfsparity.raidp.lstor.Coefficient;

/** How the manager chooses the {@link Coefficient} of a side of a superchunk (ADR 0034). */
public enum Coefficients {
  /** 2 on one side, 1 on the other: any three failed disks can be decoded. */
  THREE,
  /** 1 on both sides, as in the paper: any two failed disks can be decoded. */
  TWO;

  /** Coefficient of the side that decides on extents in a new superchunk. */
  public int ofLeader() {
    return this == THREE ? Coefficient.TWO : Coefficient.ONE;
  }

  /**
   * Coefficient of a side without blocks.
   *
   * @param partner coefficient of the other side, which stays as it is
   */
  public int ofNewSide(int partner) {
    return this == THREE ? Coefficient.other(partner) : Coefficient.ONE;
  }
}
