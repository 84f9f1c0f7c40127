/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.rawcoder;

import io.hdfsparity.core.erasure.LinearCode;
import java.nio.ByteBuffer;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.BufferRawEncoder;

/** Encoder by a linear code that treats each byte alike, at any offset. Thread-safe. */
final class LinearRawEncoder extends BufferRawEncoder {
  private final LinearCode code;

  LinearRawEncoder(ErasureCoderOptions options, LinearCode code) {
    super(options);
    this.code = code;
  }

  @Override
  protected void encodeBuffers(ByteBuffer[] inputs, ByteBuffer[] outputs) {
    code.encode(inputs, outputs);
  }
}
