/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

/**
 * Where a part of a change of a data column goes in one parity column.
 *
 * @param parity number of the parity column: 0..r-1
 * @param deltaOffset first byte of the part, in bytes from the start of the change
 * @param parityOffset where it goes, in bytes from the start of the parity column's part of the
 *     codeword
 * @param lengthBytes at least 1
 * @param coefficient what it is multiplied with: 1..255
 */
public record ParityRun(
    int parity, int deltaOffset, int parityOffset, int lengthBytes, int coefficient) {

  /** Both as one, if {@code next} goes on where this ends. */
  boolean isContinuedBy(ParityRun next) {
    return next.parity == parity
        && next.coefficient == coefficient
        && next.deltaOffset == deltaOffset + lengthBytes
        && next.parityOffset == parityOffset + lengthBytes;
  }

  ParityRun extendedBy(ParityRun next) {
    return new ParityRun(
        parity, deltaOffset, parityOffset, lengthBytes + next.lengthBytes, coefficient);
  }
}
