/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.rawcoder;

import io.hdfsparity.core.check.Checks;
import org.apache.hadoop.io.erasurecode.ErasureCodeConstants;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;

/**
 * Makes coders of Hadoop's own codec {@code xor} that work by ISA-L without libhadoop. Their bytes
 * are those of Hadoop's Java and native coders. Used where {@code
 * io.erasurecode.codec.xor.rawcoders=xor_native,xor_isal,xor_java}. Stateless, thread-safe.
 */
public final class IsalXorRawErasureCoderFactory implements RawErasureCoderFactory {
  /** Name in {@code io.erasurecode.codec.xor.rawcoders}. */
  public static final String CODER = "xor_isal";

  /**
   * An encoder.
   *
   * @throws UnsupportedOperationException if this machine has no ISA-L
   * @throws IllegalArgumentException unless there is one parity unit
   */
  @Override
  public RawErasureEncoder createEncoder(ErasureCoderOptions options) {
    return new XorUnitsEncoder(checked(options), new UnitSum(IsalKernelChoice.isal(CODER)));
  }

  /**
   * A decoder.
   *
   * @throws UnsupportedOperationException if this machine has no ISA-L
   * @throws IllegalArgumentException unless there is one parity unit
   */
  @Override
  public RawErasureDecoder createDecoder(ErasureCoderOptions options) {
    return new XorUnitsDecoder(checked(options), new UnitSum(IsalKernelChoice.isal(CODER)));
  }

  private static ErasureCoderOptions checked(ErasureCoderOptions options) {
    Checks.argument(
        options.getNumParityUnits() == 1,
        "make coder " + CODER,
        "parityUnits",
        options.getNumParityUnits(),
        "1");
    return options;
  }

  @Override
  public String getCoderName() {
    return CODER;
  }

  @Override
  public String getCodecName() {
    return ErasureCodeConstants.XOR_CODEC_NAME;
  }
}
