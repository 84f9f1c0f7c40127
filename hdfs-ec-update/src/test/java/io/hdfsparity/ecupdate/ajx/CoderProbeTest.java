/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.ecupdate.config.ConfiguredCoder;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.junit.jupiter.api.Test;

/** Codes of Hadoop's own coders, and of some that were made for this test. */
class CoderProbeTest {
  private static final int CELL_BYTES = 64 * 1024;

  private final Configuration conf = new Configuration(false);

  private CodeTable learn(String codec, int dataUnits, int parityUnits) throws IOException {
    try (CoderProbe coder = ConfiguredCoder.probe(conf, codec, dataUnits, parityUnits)) {
      return coder.learn(CELL_BYTES);
    }
  }

  @Test
  void thoseOfReedSolomonAreCauchys() throws IOException {
    for (int[] shape : new int[][] {{3, 2}, {6, 3}, {10, 4}}) {
      assertThat(learn("rs", shape[0], shape[1]))
          .isEqualTo(CodeTable.plain(GfMatrix.cauchyParity(shape[0], shape[1])));
    }
  }

  @Test
  void anotherCoderOfTheSameCodecIsToldByItsCrc() throws IOException {
    CodeTable standard = learn("rs", 3, 2);
    conf.set(CodecUtil.IO_ERASURECODE_CODEC_RS_RAWCODERS_KEY, "rs_java");
    assertThat(learn("rs", 3, 2).crc()).isEqualTo(standard.crc());
    assertThat(learn("rs-legacy", 3, 2).crc()).isNotEqualTo(standard.crc());
  }

  @Test
  void rowsThatMoveAreFound() throws IOException {
    CodeTable table = learn(ToyCoders.ROWS, 3, 2);
    assertThat(table.coefficients()).isEqualTo(ToyCoders.COEFFICIENTS);
    assertThat(table.rowMap().rows()).isEqualTo(ToyCoders.ROW_COUNT);
    for (int parity = 0; parity < 2; parity++) {
      for (int data = 0; data < 3; data++) {
        for (int row = 0; row < ToyCoders.ROW_COUNT; row++) {
          assertThat(table.rowMap().target(parity, data, row))
              .isEqualTo(ToyCoders.target(parity, data, row));
        }
      }
    }
  }

  @Test
  void allLengthsThatAreUsedAreTried() throws IOException {
    try (CoderProbe coder = ConfiguredCoder.probe(conf, ToyCoders.FITFUL, 3, 2)) {
      CodeTable table = coder.learn(CELL_BYTES);
      coder.require(table, ToyCoders.FITFUL_BYTES - 1);
      assertThatThrownBy(() -> coder.require(table, ToyCoders.FITFUL_BYTES))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("codes " + ToyCoders.FITFUL_BYTES + " bytes as it does others");
      assertThatThrownBy(() -> coder.require(table, (1 << 20) + 1)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void parityOfMoreThanOneByteOfAUnitIsRefused() {
    assertThatThrownBy(() -> learn(ToyCoders.MIXED, 3, 2))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("codec=" + ToyCoders.MIXED)
        .hasMessageContaining("write the file again");
  }

  @Test
  void aCodecThatIsNotThereIsRefused() {
    assertThatThrownBy(() -> learn("nothing", 3, 2))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("codec=nothing");
  }
}
