/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import io.hdfsparity.core.gf.Gf256;
import io.hdfsparity.core.gf.GfMatrix;
import java.nio.ByteBuffer;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.BufferRawEncoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;

/** Codecs for {@link CoderProbeTest}, by ServiceLoader: 3 data units, 2 parity units. */
public abstract class ToyCoders implements RawErasureCoderFactory {
  /** Rows move. */
  static final String ROWS = "toy-rows";

  /** They do, but otherwise in codewords of one length. */
  static final String FITFUL = "toy-fitful";

  /** The last byte of parity depends on all bytes. */
  static final String MIXED = "toy-mixed";

  static final int ROW_COUNT = 4;
  static final int FITFUL_BYTES = 5001;
  static final GfMatrix COEFFICIENTS = GfMatrix.cauchyParity(3, 2);

  private final String codec;

  ToyCoders(String codec) {
    this.codec = codec;
  }

  /** As the service. */
  public static final class Rows extends ToyCoders {
    public Rows() {
      super(ROWS);
    }
  }

  /** As the service. */
  public static final class Fitful extends ToyCoders {
    public Fitful() {
      super(FITFUL);
    }
  }

  /** As the service. */
  public static final class Mixed extends ToyCoders {
    public Mixed() {
      super(MIXED);
    }
  }

  static int target(int parity, int data, int row) {
    return parity == 0 ? row : (row + data) % ROW_COUNT;
  }

  @Override
  public RawErasureEncoder createEncoder(ErasureCoderOptions options) {
    return new Encoder(options, codec);
  }

  @Override
  public RawErasureDecoder createDecoder(ErasureCoderOptions options) {
    throw new UnsupportedOperationException("decode");
  }

  @Override
  public String getCoderName() {
    return codec + "_test";
  }

  @Override
  public String getCodecName() {
    return codec;
  }

  private static final class Encoder extends BufferRawEncoder {
    private final String codec;

    Encoder(ErasureCoderOptions options, String codec) {
      super(options);
      this.codec = codec;
    }

    @Override
    protected void encodeBuffers(ByteBuffer[] inputs, ByteBuffer[] outputs) {
      int lengthBytes = inputs[0].remaining();
      boolean isOdd = codec.equals(FITFUL) && lengthBytes == FITFUL_BYTES;
      int rowBytes = lengthBytes / ROW_COUNT;
      for (int parity = 0; parity < outputs.length; parity++) {
        byte[] out = new byte[lengthBytes];
        for (int data = 0; data < inputs.length; data++) {
          for (int at = 0; at < lengthBytes; at++) {
            boolean isStill = isOdd || at >= rowBytes * ROW_COUNT;
            int to = isStill ? at : target(parity, data, at / rowBytes) * rowBytes + at % rowBytes;
            byte product =
                (byte)
                    Gf256.multiply(
                        COEFFICIENTS.at(parity, data),
                        inputs[data].get(inputs[data].position() + at) & 0xff);
            out[to] ^= product;
            if (codec.equals(MIXED) && to != lengthBytes - 1) {
              out[lengthBytes - 1] ^= product;
            }
          }
        }
        outputs[parity].duplicate().put(out);
      }
    }
  }
}
