/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.rawcoder;

import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.izs.codec.IzsCodec;
import io.hdfsparity.izs.codec.IzsFamily;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;

/**
 * Makes coders of codec {@value #CODEC} on the best kernel of this machine. Hadoop makes one by
 * {@code ServiceLoader}; nothing is loaded until a coder is asked for. Stateless, thread-safe.
 */
public final class IzsRawErasureCoderFactory implements RawErasureCoderFactory {
  /** Name in erasure coding policies. */
  public static final String CODEC = "izs";

  /** Name in {@code io.erasurecode.codec.izs.rawcoders}. */
  public static final String CODER = "izs";

  /**
   * An encoder.
   *
   * @throws IllegalArgumentException if {@link IzsFamily} does not offer such a code
   */
  @Override
  public RawErasureEncoder createEncoder(ErasureCoderOptions options) {
    return new IzsRawEncoder(options, codec(Kernels.best(), options));
  }

  /**
   * An {@link IzsRawDecoder}.
   *
   * @throws IllegalArgumentException if {@link IzsFamily} does not offer such a code
   */
  @Override
  public RawErasureDecoder createDecoder(ErasureCoderOptions options) {
    Kernel kernel = Kernels.best();
    return new IzsRawDecoder(options, codec(kernel, options), kernel);
  }

  private static IzsCodec codec(Kernel kernel, ErasureCoderOptions options) {
    return new IzsCodec(
        kernel, IzsFamily.code(options.getNumDataUnits(), options.getNumParityUnits()));
  }

  @Override
  public String getCoderName() {
    return CODER;
  }

  @Override
  public String getCodecName() {
    return CODEC;
  }
}
