/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.rawcoder;

import io.hdfsparity.core.erasure.LinearCode;
import io.hdfsparity.core.gf.GfMatrix;
import org.apache.hadoop.io.erasurecode.ErasureCodeConstants;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;

/**
 * Makes coders of Hadoop's own codec {@code rs} that work by ISA-L without libhadoop. Their bytes
 * are those of Hadoop's Java and native coders. Used where {@code
 * io.erasurecode.codec.rs.rawcoders=rs_native,rs_isal,rs_java}. Stateless, thread-safe.
 */
public final class IsalRsRawErasureCoderFactory implements RawErasureCoderFactory {
  /** Name in {@code io.erasurecode.codec.rs.rawcoders}. */
  public static final String CODER = "rs_isal";

  /**
   * An encoder.
   *
   * @throws UnsupportedOperationException if this machine has no ISA-L
   */
  @Override
  public RawErasureEncoder createEncoder(ErasureCoderOptions options) {
    return new LinearRawEncoder(options, code(options));
  }

  /**
   * A decoder.
   *
   * @throws UnsupportedOperationException if this machine has no ISA-L
   */
  @Override
  public RawErasureDecoder createDecoder(ErasureCoderOptions options) {
    return new LinearRawDecoder(options, code(options));
  }

  private static LinearCode code(ErasureCoderOptions options) {
    return new LinearCode(
        IsalKernelChoice.isal(CODER),
        GfMatrix.cauchyParity(options.getNumDataUnits(), options.getNumParityUnits()));
  }

  @Override
  public String getCoderName() {
    return CODER;
  }

  @Override
  public String getCodecName() {
    return ErasureCodeConstants.RS_CODEC_NAME;
  }
}
