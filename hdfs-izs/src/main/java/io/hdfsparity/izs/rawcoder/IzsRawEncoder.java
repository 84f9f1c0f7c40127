/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.rawcoder;

import io.hdfsparity.izs.codec.IzsCodec;
import java.nio.ByteBuffer;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.BufferRawEncoder;

/**
 * Encoder of codec {@code izs}. What one call encodes is one codeword: normally a cell of each
 * unit, in the last stripe of a block group as much as the parity cell holds. Thread-safe.
 */
public final class IzsRawEncoder extends BufferRawEncoder {
  private final IzsCodec codec;

  IzsRawEncoder(ErasureCoderOptions options, IzsCodec codec) {
    super(options);
    this.codec = codec;
  }

  @Override
  protected void encodeBuffers(ByteBuffer[] inputs, ByteBuffer[] outputs) {
    codec.encode(inputs, outputs);
  }
}
