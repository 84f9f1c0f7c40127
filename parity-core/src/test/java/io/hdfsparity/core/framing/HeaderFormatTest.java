/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.framing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderFormatTest {
  private static final String OWNER = "CID-golden é";
  private static final HeaderFormat FORMAT = new HeaderFormat("GOLDEN", 1, 1);

  @Test
  void goldenHeaderIsReadAndWrittenUnchanged() throws Exception {
    byte[] golden = Golden.bytes("header.bin");
    HeaderFormat.Header header = FORMAT.decode(ByteBuffer.wrap(golden), OWNER, "test");
    assertThat(header.version()).isEqualTo(1);
    assertThat(header.owner()).isEqualTo(OWNER);
    assertThat(header.headerBytes()).isEqualTo(golden.length);
    assertThat(header.payload().remaining()).isEqualTo(32);
    for (int i = 0; i < 32; i++) {
      assertThat(header.payload().get(i)).isEqualTo((byte) i);
    }
    assertThat(bytes(FORMAT.encode(OWNER, header.payload()))).isEqualTo(golden);
  }

  @Test
  void goldenEmptyHeaderIsReadAndWrittenUnchanged() throws Exception {
    byte[] golden = Golden.bytes("header-empty.bin");
    assertThat(golden).hasSize(HeaderFormat.MIN_HEADER_BYTES);
    assertThat(FORMAT.decode(ByteBuffer.wrap(golden), "", "test").payload().remaining()).isZero();
    assertThat(bytes(FORMAT.encode("", ByteBuffer.allocate(0)))).isEqualTo(golden);
  }

  @Test
  void tooOldAndTooNewAreTold() throws Exception {
    ByteBuffer zero = ByteBuffer.wrap(Golden.bytes("header-version-0.bin"));
    ByteBuffer two = ByteBuffer.wrap(Golden.bytes("header-version-2.bin"));
    assertThatThrownBy(() -> FORMAT.decode(zero, OWNER, "x offset=0"))
        .isInstanceOf(TooOldException.class)
        .hasMessage("Cannot read header of GOLDEN: version=0, expected 1..1, at=x offset=0");
    assertThatThrownBy(() -> FORMAT.decode(two, OWNER, "x"))
        .isInstanceOf(TooNewException.class)
        .hasMessage("Cannot read header of GOLDEN: version=2, expected 1..1, at=x");
    assertThat(two.position()).isZero();
    assertThat(new HeaderFormat("GOLDEN", 1, 2).decode(two, OWNER, "x").version()).isEqualTo(2);
  }

  @Test
  void foreignOwnerIsTold() throws Exception {
    ByteBuffer header = ByteBuffer.wrap(Golden.bytes("header.bin"));
    assertThatThrownBy(() -> FORMAT.decode(header, "CID-other", "x"))
        .isInstanceOf(ForeignOwnerException.class)
        .hasMessageContaining("owner=" + OWNER + ", expected CID-other");
    assertThat(header.position()).isZero();
    assertThat(FORMAT.decode(header, "x").owner()).isEqualTo(OWNER);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 8, 100})
  void otherFilesAreNotOurs(int length) {
    assertThatThrownBy(() -> FORMAT.decode(ByteBuffer.allocate(length), OWNER, "x"))
        .isInstanceOf(NotOursException.class)
        .isNotInstanceOf(ForeignOwnerException.class);
  }

  @Test
  void everyCutIsTold() throws Exception {
    byte[] golden = Golden.bytes("header.bin");
    for (int length = 0; length < golden.length; length++) {
      ByteBuffer cut = ByteBuffer.wrap(golden, 0, length);
      assertThatThrownBy(() -> FORMAT.decode(cut, OWNER, "x"))
          .as("length %d", length)
          .isInstanceOf(
              length < HeaderFormat.MAGIC_BYTES
                  ? NotOursException.class
                  : CorruptFormatException.class);
    }
  }

  @Test
  void everyFlippedBitIsToldAsDamageNotAsAnotherVersionOrOwner() throws Exception {
    byte[] golden = Golden.bytes("header.bin");
    for (int bit = 0; bit < golden.length * 8; bit++) {
      byte[] damaged = golden.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> FORMAT.decode(ByteBuffer.wrap(damaged), OWNER, "x"))
          .as("bit %d", bit)
          .isInstanceOf(
              bit / 8 < HeaderFormat.MAGIC_BYTES
                  ? NotOursException.class
                  : CorruptFormatException.class);
    }
  }

  @Test
  void whatIsWrittenIsRead() {
    SeededRuns.of(200)
        .check(
            random -> {
              byte[] payload = new byte[random.nextInt(2000)];
              random.nextBytes(payload);
              String owner = "o".repeat(random.nextInt(300));
              ByteBuffer file = ByteBuffer.allocateDirect(4000);
              int start = random.nextInt(100);
              file.position(start).put(FORMAT.encode(owner, ByteBuffer.wrap(payload)));
              int end = file.position();
              file.position(start);
              HeaderFormat.Header header = FORMAT.decode(file, owner, "x");
              assertThat(file.position()).isEqualTo(end);
              assertThat(header.payload()).isEqualTo(ByteBuffer.wrap(payload));
            });
  }

  @Test
  void badDefinitionsAreRefused() {
    assertThatThrownBy(() -> new HeaderFormat("", 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new HeaderFormat("NINECHARS", 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new HeaderFormat("A", 2, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> FORMAT.encode("", ByteBuffer.allocate(1 << 16)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }
}
