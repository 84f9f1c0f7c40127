/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.codec;

import io.hdfsparity.core.check.Refusal;
import io.hdfsparity.core.erasure.LinearCode;
import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.Kernels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;

/**
 * The parity coefficients of a codec, asked of the coder that HDFS itself would encode with: parity
 * that is made from them is what stock clients decode. Stateless.
 */
public final class CoderMatrix {
  private static final int PROBE_BYTES = 4096;
  private static final long SEED = 7;

  private CoderMatrix() {}

  /**
   * One row a parity unit, one column a data unit.
   *
   * @param conf names the coders, as everywhere in HDFS
   * @param codec as in {@code rs}
   * @param cellBytes size of a cell
   * @throws IOException if there is no such codec here, or it is no code in which a byte of parity
   *     depends on the data bytes of the same place only, linearly over GF(256)
   */
  public static GfMatrix of(
      Configuration conf, String codec, int dataUnits, int parityUnits, int cellBytes)
      throws IOException {
    RawErasureEncoder encoder;
    try {
      encoder =
          CodecUtil.createRawEncoder(conf, codec, new ErasureCoderOptions(dataUnits, parityUnits));
    } catch (RuntimeException e) {
      throw new IOException(
          Refusal.to("update in place")
              .value("codec", codec)
              .expected("one that Hadoop has here: " + e)
              .message(),
          e);
    }
    try {
      int lengthBytes = Math.min(PROBE_BYTES, cellBytes);
      GfMatrix matrix = coefficients(encoder, dataUnits, parityUnits, lengthBytes);
      verify(encoder, matrix, lengthBytes, codec);
      return matrix;
    } catch (RuntimeException e) {
      throw new IOException(
          Refusal.to("update in place")
              .value("codec", codec)
              .expected(
                  "one that encodes any " + Math.min(PROBE_BYTES, cellBytes) + " bytes, as rs")
              .message(),
          e);
    } finally {
      encoder.release();
    }
  }

  private static GfMatrix coefficients(
      RawErasureEncoder encoder, int dataUnits, int parityUnits, int lengthBytes)
      throws IOException {
    byte[] elements = new byte[dataUnits * parityUnits];
    for (int unit = 0; unit < dataUnits; unit++) {
      byte[][] data = new byte[dataUnits][lengthBytes];
      byte[][] parity = new byte[parityUnits][lengthBytes];
      Arrays.fill(data[unit], (byte) 1);
      encoder.encode(data, parity);
      for (int row = 0; row < parityUnits; row++) {
        elements[row * dataUnits + unit] = parity[row][0];
      }
    }
    return GfMatrix.of(parityUnits, dataUnits, elements);
  }

  private static void verify(
      RawErasureEncoder encoder, GfMatrix matrix, int lengthBytes, String codec)
      throws IOException {
    byte[][] data = new byte[matrix.columns()][lengthBytes];
    byte[][] parity = new byte[matrix.rows()][lengthBytes];
    byte[][] ours = new byte[matrix.rows()][lengthBytes];
    Random random = new Random(SEED);
    for (byte[] unit : data) {
      random.nextBytes(unit);
    }
    new LinearCode(Kernels.best(), matrix).encode(wrap(data), wrap(ours));
    encoder.encode(data, parity);
    if (!Arrays.deepEquals(parity, ours)) {
      throw new IOException(
          Refusal.to("update in place")
              .value("codec", codec)
              .expected(
                  "one whose parity bytes depend on data bytes of the same place only, as rs; write"
                      + " the file again under such a policy")
              .message());
    }
  }

  private static ByteBuffer[] wrap(byte[][] units) {
    return Arrays.stream(units).map(ByteBuffer::wrap).toArray(ByteBuffer[]::new);
  }

  /** CRC-32 of the coefficients, row by row. */
  public static int crc(GfMatrix matrix) {
    CRC32 crc = new CRC32();
    crc.update(matrix.toBytes());
    return (int) crc.getValue();
  }
}
