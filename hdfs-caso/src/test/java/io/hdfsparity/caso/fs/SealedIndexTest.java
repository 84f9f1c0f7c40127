/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.framing.CorruptFormatException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class SealedIndexTest {
  private static final String KEY = "000102030405060708090a0b0c0d0e0f";
  private static final byte[] INDEX = "an index".getBytes(StandardCharsets.US_ASCII);

  /** Of version 1, by another implementation: openssl's library, by Python's cryptography. */
  private static final String GOLDEN =
      "4341534f5345414c00000001000000000000400628b8a73af7ffc3f4923771a0d2f2a3959793456941423a2f";

  @Test
  void goldenBytes() throws CorruptFormatException {
    assertThat(HexFormat.of().formatHex(SealedIndex.seal(INDEX, KEY, 16390))).isEqualTo(GOLDEN);
    byte[] sealed = HexFormat.of().parseHex(GOLDEN);
    assertThat(SealedIndex.open(sealed, KEY, 16390, "/i")).isEqualTo(INDEX);
  }

  @Test
  void anyOtherByteIsRefused() {
    byte[] sealed = SealedIndex.seal(INDEX, KEY, 16390);
    for (int at = 0; at < sealed.length; at++) {
      byte[] damaged = sealed.clone();
      damaged[at] ^= 1;
      assertRefused(damaged, KEY, 16390);
      assertRefused(Arrays.copyOf(sealed, at), KEY, 16390);
    }
    assertRefused(Arrays.copyOf(sealed, sealed.length + 1), KEY, 16390);
    assertRefused(sealed, KEY, 16391);
    assertRefused(sealed, SealedIndex.newKey(new SecureRandom()), 16390);
  }

  private static void assertRefused(byte[] sealed, String key, long fileId) {
    assertThatThrownBy(() -> SealedIndex.open(sealed, key, fileId, "/i"))
        .isInstanceOf(CorruptFormatException.class)
        .hasMessageContaining("file=/i");
  }

  /** Who has no key learns nothing of what is in it. */
  @Test
  void equalIndexesAreSealedToOtherBytes() {
    SecureRandom random = new SecureRandom();
    byte[] one = SealedIndex.seal(INDEX, SealedIndex.newKey(random), 1);
    byte[] other = SealedIndex.seal(INDEX, SealedIndex.newKey(random), 1);
    assertThat(one).isNotEqualTo(other);
    assertThat(new String(one, StandardCharsets.ISO_8859_1)).doesNotContain("an index");
  }
}
