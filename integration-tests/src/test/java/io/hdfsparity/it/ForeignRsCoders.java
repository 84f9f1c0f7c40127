/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.BufferRawEncoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;

/**
 * A coder of codec rs whose last parity unit is wrong, for clients of {@link ForeignCoders#use}.
 * Everybody else does not name it.
 */
public final class ForeignRsCoders implements RawErasureCoderFactory {
  static final String CODER = "rs_foreign";

  @Override
  public RawErasureEncoder createEncoder(ErasureCoderOptions options) {
    return new LastWrong(options);
  }

  @Override
  public RawErasureDecoder createDecoder(ErasureCoderOptions options) {
    throw new IllegalStateException("never asked for");
  }

  @Override
  public String getCoderName() {
    return CODER;
  }

  @Override
  public String getCodecName() {
    return "rs";
  }

  private static final class LastWrong extends BufferRawEncoder {
    private final RawErasureEncoder right;

    LastWrong(ErasureCoderOptions options) {
      super(options);
      right = new RSRawErasureCoderFactory().createEncoder(options);
    }

    @Override
    protected void encodeBuffers(ByteBuffer[] inputs, ByteBuffer[] outputs) throws IOException {
      ByteBuffer last = outputs[outputs.length - 1];
      int position = last.position();
      right.encode(inputs, outputs);
      last.put(position, (byte) (last.get(position) ^ 1));
    }
  }
}
