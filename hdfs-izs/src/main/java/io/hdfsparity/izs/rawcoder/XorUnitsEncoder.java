/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.rawcoder;

import java.nio.ByteBuffer;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.BufferRawEncoder;

/** Encoder whose one parity unit is the XOR of the data units. Thread-safe. */
final class XorUnitsEncoder extends BufferRawEncoder {
  private final UnitSum sum;

  XorUnitsEncoder(ErasureCoderOptions options, UnitSum sum) {
    super(options);
    this.sum = sum;
  }

  @Override
  protected void encodeBuffers(ByteBuffer[] inputs, ByteBuffer[] outputs) {
    sum.compute(inputs, outputs[0]);
  }
}
