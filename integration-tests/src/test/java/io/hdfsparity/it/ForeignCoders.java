/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.izs.codec.IzsCodec;
import io.hdfsparity.izs.codec.IzsFamily;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.BufferRawEncoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;

/**
 * A coder of codec izs that computes something else, for clients that say {@link #use} in their
 * configuration and {@link #as} around the call that makes the stream. Everybody else gets none,
 * and so the next one.
 */
public final class ForeignCoders implements RawErasureCoderFactory {
  private static final String CODER = "izs_foreign";
  private static final ThreadLocal<Kind> KIND = new ThreadLocal<>();

  /** What is computed. */
  enum Kind {
    /** Reed-Solomon's parity. */
    REED_SOLOMON,
    /** Only the last parity unit is wrong. */
    LAST_WRONG,
    /** Right parity, of data whose unit 1 has another first byte in each codeword. */
    OTHER_DATA,
    /** The same in the second codeword only, which is no sample of a group of 5 stripes. */
    OTHER_DATA_IN_STRIPE_1
  }

  /** Something that makes a stream. */
  interface Making<T> {
    T make() throws IOException;
  }

  static Configuration use(Configuration conf) {
    Configuration client = new Configuration(conf);
    client.set("io.erasurecode.codec.izs.rawcoders", CODER);
    client.set("io.erasurecode.codec.rs.rawcoders", ForeignRsCoders.CODER);
    return client;
  }

  static <T> T as(Kind kind, Making<T> making) throws IOException {
    KIND.set(kind);
    try {
      return making.make();
    } finally {
      KIND.remove();
    }
  }

  @Override
  public RawErasureEncoder createEncoder(ErasureCoderOptions options) {
    Kind kind = KIND.get();
    if (kind == null) {
      throw new IllegalStateException("not asked for");
    }
    return kind == Kind.REED_SOLOMON
        ? new RSRawErasureCoderFactory().createEncoder(options)
        : new Skewed(options, kind);
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
    return "izs";
  }

  private static final class Skewed extends BufferRawEncoder {
    private final IzsCodec codec;
    private final Kind kind;
    private int stripe;

    Skewed(ErasureCoderOptions options, Kind kind) {
      super(options);
      this.kind = kind;
      codec =
          new IzsCodec(
              Kernels.best(),
              IzsFamily.code(options.getNumDataUnits(), options.getNumParityUnits()));
    }

    @Override
    protected void encodeBuffers(ByteBuffer[] inputs, ByteBuffer[] outputs) {
      ByteBuffer[] data = inputs.clone();
      boolean isOther = stripe++ == 1 && kind == Kind.OTHER_DATA_IN_STRIPE_1;
      if (kind == Kind.OTHER_DATA || isOther) {
        ByteBuffer other = ByteBuffer.allocateDirect(data[1].remaining());
        other.put(data[1].duplicate()).flip();
        other.put(0, (byte) (other.get(0) ^ 1));
        data[1] = other;
      }
      codec.encode(data, outputs);
      if (kind == Kind.LAST_WRONG) {
        ByteBuffer last = outputs[outputs.length - 1];
        last.put(last.limit() - 1, (byte) (last.get(last.limit() - 1) ^ 1));
      }
    }
  }
}
