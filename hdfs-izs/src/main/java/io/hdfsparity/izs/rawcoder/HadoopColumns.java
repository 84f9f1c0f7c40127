/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.rawcoder;

import io.hdfsparity.izs.verify.ColumnCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.apache.hadoop.io.erasurecode.ErasureCodeConstants;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.jspecify.annotations.Nullable;

/**
 * A codec of Hadoop's, whose bytes at one offset of all columns are a codeword: rs, rs-legacy, xor.
 * As thread-safe as Hadoop's coders are: for one thread. Native coders keep memory until they are
 * released, which nothing but {@link #close} does.
 */
public final class HadoopColumns implements ColumnCode {
  private final boolean isXor;
  private final RawErasureEncoder encoder;
  private final RawErasureDecoder decoder;

  /** Coders as Hadoop makes them for a codec. */
  public HadoopColumns(Configuration conf, String codec, int dataUnits, int parityUnits) {
    ErasureCoderOptions options = new ErasureCoderOptions(dataUnits, parityUnits);
    isXor = codec.equals(ErasureCodeConstants.XOR_CODEC_NAME);
    encoder = CodecUtil.createRawEncoder(conf, codec, options);
    decoder = CodecUtil.createRawDecoder(conf, codec, options);
  }

  /** Coders of one code, which are released with this. */
  HadoopColumns(boolean isXor, RawErasureEncoder encoder, RawErasureDecoder decoder) {
    this.isXor = isXor;
    this.encoder = encoder;
    this.decoder = decoder;
  }

  @Override
  public void close() {
    encoder.release();
    decoder.release();
  }

  @Override
  public int dataUnits() {
    return encoder.getNumDataUnits();
  }

  @Override
  public int parityUnits() {
    return encoder.getNumParityUnits();
  }

  @Override
  public int rows() {
    return 1;
  }

  @Override
  public boolean isXor(int parity) {
    return isXor;
  }

  @Override
  public void encode(ByteBuffer[] data, ByteBuffer[] parity) throws IOException {
    encoder.encode(own(data), own(parity));
  }

  @Override
  public void decode(@Nullable ByteBuffer[] columns, int[] wanted, ByteBuffer[] outputs)
      throws IOException {
    @Nullable ByteBuffer[] inputs = new ByteBuffer[columns.length];
    for (int i = 0; i < columns.length; i++) {
      ByteBuffer column = columns[i];
      inputs[i] = column == null ? null : column.duplicate();
    }
    decoder.decode(inputs, wanted, own(outputs));
  }

  /** Hadoop's coders move positions. */
  private static ByteBuffer[] own(ByteBuffer[] columns) {
    return Arrays.stream(columns).map(ByteBuffer::duplicate).toArray(ByteBuffer[]::new);
  }
}
