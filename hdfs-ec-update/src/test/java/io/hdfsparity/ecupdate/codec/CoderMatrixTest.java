/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.gf.GfMatrix;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.junit.jupiter.api.Test;

/** Coefficients of Hadoop's own coders. */
class CoderMatrixTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void thoseOfReedSolomonAreCauchys() throws IOException {
    for (int[] shape : new int[][] {{3, 2}, {6, 3}, {10, 4}}) {
      assertThat(CoderMatrix.of(conf, "rs", shape[0], shape[1], 1 << 20))
          .isEqualTo(GfMatrix.cauchyParity(shape[0], shape[1]));
    }
  }

  @Test
  void anotherCoderOfTheSameCodecIsToldByItsCrc() throws IOException {
    GfMatrix standard = CoderMatrix.of(conf, "rs", 3, 2, 1024);
    conf.set(CodecUtil.IO_ERASURECODE_CODEC_RS_RAWCODERS_KEY, "rs_java");
    assertThat(CoderMatrix.crc(CoderMatrix.of(conf, "rs", 3, 2, 1024)))
        .isEqualTo(CoderMatrix.crc(standard));
    assertThat(CoderMatrix.crc(CoderMatrix.of(conf, "rs-legacy", 3, 2, 1024)))
        .isNotEqualTo(CoderMatrix.crc(standard));
  }

  @Test
  void aCodecThatIsNotThereIsRefused() {
    assertThatThrownBy(() -> CoderMatrix.of(conf, "nothing", 3, 2, 1024))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("codec=nothing");
  }
}
