/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.rawcoder;

import io.hdfsparity.core.check.Checks;
import java.nio.ByteBuffer;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.BufferRawDecoder;
import org.jspecify.annotations.Nullable;

/** Decoder where each unit is the XOR of all others. Thread-safe. */
final class XorUnitsDecoder extends BufferRawDecoder {
  private final UnitSum sum;

  XorUnitsDecoder(ErasureCoderOptions options, UnitSum sum) {
    super(options);
    this.sum = sum;
  }

  @Override
  protected void decodeBuffers(
      @Nullable ByteBuffer[] inputs, int[] erasedIndexes, ByteBuffer[] outputs) {
    if (erasedIndexes.length == 0) {
      return;
    }
    Checks.index("decode", "erased unit", erasedIndexes[0], inputs.length);
    ByteBuffer[] others = new ByteBuffer[inputs.length - 1];
    int at = 0;
    for (int unit = 0; unit < inputs.length; unit++) {
      ByteBuffer input = inputs[unit];
      if (unit != erasedIndexes[0]) {
        if (input == null) {
          throw new IllegalArgumentException(
              "Cannot decode: unit=" + unit + " is missing, expected all but the erased one");
        }
        others[at++] = input;
      }
    }
    sum.compute(others, outputs[0]);
  }
}
