/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.config;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.ecupdate.ajx.CoderProbe;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;

/** The coder that Hadoop's configuration names for a codec. Not thread-safe. */
public final class ConfiguredCoder implements CoderProbe.Encoder {
  private final RawErasureEncoder encoder;

  private ConfiguredCoder(RawErasureEncoder encoder) {
    this.encoder = encoder;
  }

  /**
   * Opens the coder that HDFS itself would encode with.
   *
   * @param conf names the coders, as everywhere in HDFS
   * @param codec as in {@code rs}
   * @throws IOException if there is no such codec here
   */
  public static CoderProbe probe(Configuration conf, String codec, int dataUnits, int parityUnits)
      throws IOException {
    RawErasureEncoder encoder;
    try {
      encoder =
          CodecUtil.createRawEncoder(conf, codec, new ErasureCoderOptions(dataUnits, parityUnits));
    } catch (RuntimeException e) {
      throw new IOException(
          ErrorMessage.to("update in place")
              .value("codec", codec)
              .expected("one that Hadoop has here: " + e)
              .message(),
          e);
    }
    return new CoderProbe(codec, dataUnits, parityUnits, new ConfiguredCoder(encoder));
  }

  @Override
  public void encode(byte[][] data, byte[][] parity) throws IOException {
    encoder.encode(data, parity);
  }

  @Override
  public void close() {
    encoder.release();
  }
}
