/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.rawcoder;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.izs.verify.ColumnCode;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawEncoder;
import org.junit.jupiter.api.Test;

class HadoopColumnsTest {
  private static final ErasureCoderOptions OPTIONS = new ErasureCoderOptions(3, 2);

  /** Native coders have no finalizer. */
  @Test
  void closingReleasesBothCoders() {
    List<String> released = new ArrayList<>();
    RSRawEncoder encoder =
        new RSRawEncoder(OPTIONS) {
          @Override
          public void release() {
            released.add("encoder");
          }
        };
    RSRawDecoder decoder =
        new RSRawDecoder(OPTIONS) {
          @Override
          public void release() {
            released.add("decoder");
          }
        };
    try (ColumnCode code = new HadoopColumns(/* isXor= */ false, encoder, decoder)) {
      assertThat(code.parityUnits()).isEqualTo(2);
      assertThat(released).isEmpty();
    }
    assertThat(released).containsExactly("encoder", "decoder");
  }
}
