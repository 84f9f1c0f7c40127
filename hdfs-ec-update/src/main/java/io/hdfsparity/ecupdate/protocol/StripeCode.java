/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

/**
 * How the stripes of a file are coded. Immutable.
 *
 * @param codec as in {@code rs}
 * @param dataUnits k
 * @param parityUnits r
 * @param cellBytes size of a cell
 */
public record StripeCode(String codec, int dataUnits, int parityUnits, int cellBytes) {
  /** Data bytes of a whole stripe. */
  public long stripeBytes() {
    return (long) dataUnits * cellBytes;
  }
}
