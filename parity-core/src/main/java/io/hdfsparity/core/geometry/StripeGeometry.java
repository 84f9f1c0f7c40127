/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.geometry;

import io.hdfsparity.core.check.Checks;

/**
 * How the bytes of a block group lie in its internal blocks: cell by cell over the data units,
 * stripe after stripe, as in Hadoop's {@code StripedBlockUtil}. Immutable.
 *
 * @param dataUnits k
 * @param parityUnits m
 * @param cellBytes size of a cell
 */
public record StripeGeometry(int dataUnits, int parityUnits, int cellBytes) {
  public StripeGeometry {
    Checks.argument(dataUnits > 0, "make a stripe geometry", "dataUnits", dataUnits, "> 0");
    Checks.argument(parityUnits >= 0, "make a stripe geometry", "parityUnits", parityUnits, ">= 0");
    Checks.argument(
        (long) dataUnits + parityUnits <= 256,
        "make a stripe geometry",
        "units",
        (long) dataUnits + parityUnits,
        "<= 256");
    Checks.argument(cellBytes > 0, "make a stripe geometry", "cellBytes", cellBytes, "> 0");
  }

  /** Data units and parity units. */
  public int totalUnits() {
    return dataUnits + parityUnits;
  }

  /** Data bytes of a full stripe. */
  public long stripeDataBytes() {
    return (long) dataUnits * cellBytes;
  }

  /** Stripes that hold a group of so many data bytes, the last one perhaps in part. */
  public long stripeCount(long groupDataBytes) {
    Checks.argument(groupDataBytes >= 0, "count stripes", "groupDataBytes", groupDataBytes, ">= 0");
    return groupDataBytes / stripeDataBytes() + (groupDataBytes % stripeDataBytes() == 0 ? 0 : 1);
  }

  /** Where a byte of the group's data lies. */
  public CellPosition cellOf(long groupOffset) {
    Checks.argument(groupOffset >= 0, "find a cell", "groupOffset", groupOffset, ">= 0");
    long inStripe = groupOffset % stripeDataBytes();
    return new CellPosition(
        groupOffset / stripeDataBytes(),
        (int) (inStripe / cellBytes),
        (int) (inStripe % cellBytes));
  }

  /** The inverse of {@link #cellOf}: the offset in the group's data of a byte of a data unit. */
  public long groupOffset(CellPosition position) {
    Checks.index("find a group offset", "unitIndex", position.unitIndex(), dataUnits);
    Checks.index(
        "find a group offset", "offsetInCellBytes", position.offsetInCellBytes(), cellBytes);
    return position.stripeIndex() * stripeDataBytes()
        + (long) position.unitIndex() * cellBytes
        + position.offsetInCellBytes();
  }

  /** The offset of a position in the internal block of its unit. */
  public long blockOffset(CellPosition position) {
    Checks.index("find a block offset", "unitIndex", position.unitIndex(), totalUnits());
    Checks.index(
        "find a block offset", "offsetInCellBytes", position.offsetInCellBytes(), cellBytes);
    return position.stripeIndex() * cellBytes + position.offsetInCellBytes();
  }

  /** The group's data that lies in one stripe, cut at the end of the group. */
  public ByteRange stripeRange(long stripeIndex, long groupDataBytes) {
    Checks.argument(
        stripeIndex >= 0 && stripeIndex < stripeCount(groupDataBytes),
        "find a stripe",
        "stripeIndex",
        stripeIndex,
        "0.." + (stripeCount(groupDataBytes) - 1));
    long from = stripeIndex * stripeDataBytes();
    return ByteRange.between(from, Math.min(groupDataBytes, from + stripeDataBytes()));
  }

  /**
   * Length of the internal block of a unit, in bytes. A parity unit is as long as the longest data
   * unit, which is the first.
   */
  public long blockBytes(int unitIndex, long groupDataBytes) {
    Checks.index("find a block length", "unitIndex", unitIndex, totalUnits());
    Checks.argument(
        groupDataBytes >= 0, "find a block length", "groupDataBytes", groupDataBytes, ">= 0");
    int effectiveUnit = unitIndex < dataUnits ? unitIndex : 0;
    long fullStripes = groupDataBytes / stripeDataBytes();
    long inLast = groupDataBytes % stripeDataBytes() - (long) effectiveUnit * cellBytes;
    return fullStripes * cellBytes + Math.max(0, Math.min(cellBytes, inLast));
  }
}
