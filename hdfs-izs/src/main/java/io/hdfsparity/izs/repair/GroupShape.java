/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.repair;

import io.hdfsparity.core.check.Checks;

/**
 * How the bytes of a striped block group lie in its units. Cells go round the data units; the cells
 * of one round are a stripe, and each stripe is one codeword. Parity cells of the last stripe are
 * as long as its first data cell. Immutable.
 *
 * @param dataUnits k
 * @param parityUnits r
 * @param cellBytes length of a cell that is not the last
 * @param groupBytes of data, at least 1
 */
public record GroupShape(int dataUnits, int parityUnits, int cellBytes, long groupBytes) {
  public GroupShape {
    Checks.argument(dataUnits > 0, "shape a block group", "dataUnits", dataUnits, "> 0");
    Checks.argument(parityUnits > 0, "shape a block group", "parityUnits", parityUnits, "> 0");
    Checks.argument(cellBytes > 0, "shape a block group", "cellBytes", cellBytes, "> 0");
    Checks.argument(groupBytes > 0, "shape a block group", "groupBytes", groupBytes, "> 0");
  }

  /** k + r. */
  public int units() {
    return dataUnits + parityUnits;
  }

  private long stripeBytes() {
    return (long) dataUnits * cellBytes;
  }

  /** At least 1. */
  public long stripes() {
    return (groupBytes - 1) / stripeBytes() + 1;
  }

  /** Whether all cells of the stripe have their full length. */
  public boolean isFull(long stripe) {
    return (stripe + 1) * stripeBytes() <= groupBytes;
  }

  /** Length of a unit's cell: 0..cellBytes. */
  public int cellBytes(int unit, long stripe) {
    Checks.index("shape a block group", "unit", unit, units());
    Checks.argument(
        stripe >= 0 && stripe < stripes(),
        "shape a block group",
        "stripe",
        stripe,
        "0.." + (stripes() - 1));
    int place = unit < dataUnits ? unit : 0;
    long left = groupBytes - stripe * stripeBytes() - (long) place * cellBytes;
    return (int) Math.max(0, Math.min(cellBytes, left));
  }

  /** Length of the stripe's codeword, that of its parity cells: 1..cellBytes. */
  public int codewordBytes(long stripe) {
    return cellBytes(dataUnits, stripe);
  }

  /** Where the cells of a stripe start in the units, in bytes. */
  public long cellOffset(long stripe) {
    return stripe * cellBytes;
  }

  /** Length of a unit's internal block. */
  public long blockBytes(int unit) {
    return cellOffset(stripes() - 1) + cellBytes(unit, stripes() - 1);
  }
}
