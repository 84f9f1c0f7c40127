/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.gf.Kernels;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Codewords under golden/v1, written once by an implementation of docs/formats/izs-codeword.md in
 * another language. They are never regenerated: a test that fails on them means that files of users
 * would be decoded to other bytes.
 */
class GoldenCodewordTest {
  static List<ZigzagCode> codes() {
    return CodewordTwin.codes();
  }

  @ParameterizedTest
  @MethodSource("codes")
  void goldenCodewordsAreEncodedUnchanged(ZigzagCode code) throws IOException {
    List<byte[][]> codewords = read(code);
    assertThat(codewords).hasSize(3);
    IzsCodec codec = new IzsCodec(Kernels.best(), code);
    int k = code.dataColumns();
    for (byte[][] golden : codewords) {
      ByteBuffer[] data = new ByteBuffer[k];
      ByteBuffer[] parity = new ByteBuffer[code.parityColumns()];
      for (int j = 0; j < k; j++) {
        data[j] = ByteBuffer.wrap(golden[j]);
      }
      for (int g = 0; g < parity.length; g++) {
        parity[g] = ByteBuffer.allocate(golden[0].length);
      }
      codec.encode(data, parity);
      for (int g = 0; g < parity.length; g++) {
        assertThat(parity[g].array()).as("%s parity %d", code, g).isEqualTo(golden[k + g]);
      }
    }
  }

  private static List<byte[][]> read(ZigzagCode code) throws IOException {
    String name =
        code.rows() == 4 ? "izs-2-duplication-4-2.hex" : "izs-" + code.dataColumns() + "-3.hex";
    List<byte[][]> codewords = new ArrayList<>();
    int column = 0;
    for (String line : lines(name)) {
      String[] words = line.split(" ");
      if (words[0].equals("codeword")) {
        codewords.add(new byte[code.dataColumns() + 3][]);
        column = 0;
      } else if (!words[0].equals("#")) {
        codewords.get(codewords.size() - 1)[column++] = HexFormat.of().parseHex(words[2]);
      }
    }
    return codewords;
  }

  private static List<String> lines(String name) throws IOException {
    try (InputStream in = GoldenCodewordTest.class.getResourceAsStream("/golden/v1/" + name)) {
      byte[] bytes = Objects.requireNonNull(in, name).readAllBytes();
      return new String(bytes, StandardCharsets.UTF_8).lines().toList();
    }
  }
}
