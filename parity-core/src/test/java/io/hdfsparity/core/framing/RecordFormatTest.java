/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.framing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RecordFormatTest {
  private static final int MAGIC = 0x474f4c44;
  private static final RecordFormat FORMAT = new RecordFormat(MAGIC, 256);

  @Test
  void goldenRecordsAreReadAndWrittenUnchanged() throws Exception {
    byte[] golden = Golden.bytes("records.bin");
    ByteBuffer src = ByteBuffer.wrap(golden);
    ByteBuffer written = ByteBuffer.allocate(golden.length);

    RecordFormat.Record empty = FORMAT.decode(src, "x");
    assertThat(empty.sequence()).isEqualTo(1);
    assertThat(empty.payload().remaining()).isZero();
    FORMAT.encode(empty.sequence(), empty.payload(), written);

    RecordFormat.Record text = FORMAT.decode(src, "x");
    assertThat(text.sequence()).isEqualTo(2);
    assertThat(StandardCharsets.US_ASCII.decode(text.payload().duplicate()).toString())
        .isEqualTo("first payload");
    FORMAT.encode(text.sequence(), text.payload(), written);

    RecordFormat.Record large = FORMAT.decode(src, "x");
    assertThat(large.sequence()).isEqualTo(0x0102030405060708L);
    assertThat(large.payload().remaining()).isEqualTo(256);
    FORMAT.encode(large.sequence(), large.payload(), written);

    assertThat(src.hasRemaining()).isFalse();
    assertThat(written.array()).isEqualTo(golden);
  }

  @Test
  void everyFlippedBitAndEveryCutIsTold() throws Exception {
    ByteBuffer record = ByteBuffer.allocate(RecordFormat.recordBytes(40));
    FORMAT.encode(77, ByteBuffer.allocate(40), record);
    for (int bit = 0; bit < record.capacity() * 8; bit++) {
      byte[] damaged = record.array().clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      ByteBuffer src = ByteBuffer.wrap(damaged);
      assertThatThrownBy(() -> FORMAT.decode(src, "x"))
          .as("bit %d", bit)
          .isInstanceOf(bit < 32 ? NotOursException.class : CorruptFormatException.class);
      assertThat(src.position()).isZero();
    }
    for (int length = 0; length < record.capacity(); length++) {
      ByteBuffer cut = ByteBuffer.wrap(record.array(), 0, length);
      assertThatThrownBy(() -> FORMAT.decode(cut, "x"))
          .as("length %d", length)
          .isInstanceOf(CorruptFormatException.class);
    }
  }

  @Test
  void zerosAreNoRecord() {
    assertThatThrownBy(() -> FORMAT.decode(ByteBuffer.allocate(64), "log offset=512"))
        .isInstanceOf(NotOursException.class)
        .hasMessage("Cannot read a record: magic=0x0, expected 0x474f4c44, at=log offset=512");
  }

  @Test
  void tooLongIsRefused() {
    assertThatThrownBy(() -> FORMAT.encode(1, ByteBuffer.allocate(257), ByteBuffer.allocate(1000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot write a record: payloadBytes=257, expected <= 256");
    assertThatThrownBy(() -> FORMAT.encode(1, ByteBuffer.allocate(10), ByteBuffer.allocate(29)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
