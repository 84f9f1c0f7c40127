/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.ByteBoxes;
import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.core.framing.NotOursException;
import io.hdfsparity.core.framing.TooNewException;
import io.hdfsparity.ecupdate.ajx.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Frames about a connection: golden bytes, and input that means harm. */
class ControlCodecTest {
  private static List<Control> all() {
    List<Control> all = new ArrayList<>();
    all.add(
        new Control.Hello(
            "BP-1", "client-1", Bytes.copyOf(new byte[] {0, (byte) 255, 7, (byte) 128})));
    all.add(new Control.Welcome(64, 1 << 20));
    for (ChannelError error : ChannelError.values()) {
      all.add(new Control.ConnectionEnd(error, error.name()));
    }
    return all;
  }

  /** The golden bytes were made by another program, from the document. */
  @Test
  void writesAndReadsTheGoldenBytes() throws Exception {
    try (InputStream in = getClass().getResourceAsStream("/golden/v1/ec-update-channel.bin")) {
      assertThat(in).isNotNull();
      ByteBuffer golden = ByteBuffer.wrap(in.readAllBytes());
      for (Control control : all()) {
        ByteBuffer frame = ControlCodec.encode(control);
        assertThat(golden.slice(golden.position(), frame.remaining())).isEqualTo(frame);
        assertThat(ControlCodec.decode(golden)).isEqualTo(control);
      }
      Message failure = new Message.Failure(7, "Cannot serve updates: disk");
      FrameCodec codec = new FrameCodec(1024);
      assertThat(codec.encode(failure)).isEqualTo(golden.slice());
      assertThat(codec.frameBytes(golden)).isEqualTo(golden.remaining());
      assertThat(codec.decode(golden)).isEqualTo(failure);
      assertThat(golden.remaining()).isZero();
    }
  }

  @Test
  void aFrameThatIsNotWholeIsWaitedFor() throws Exception {
    for (Control control : all()) {
      byte[] frame = ControlCodec.encode(control).array();
      for (int length = 0; length < frame.length; length++) {
        ByteBuffer part = ByteBuffer.wrap(frame, 0, length);
        assertThat(ControlCodec.decode(part)).isNull();
        assertThat(part.position()).isZero();
      }
    }
  }

  @Test
  void anyBitThatIsWrongIsFound() {
    for (Control control : all()) {
      byte[] frame = ControlCodec.encode(control).array();
      for (int bit = 0; bit < 8 * frame.length; bit++) {
        byte[] damaged = frame.clone();
        damaged[bit / 8] ^= (byte) (1 << bit % 8);
        assertThatThrownBy(() -> ControlCodec.decode(ByteBuffer.wrap(damaged)))
            .as("%s bit %d", control, bit)
            .isInstanceOf(FormatException.class);
      }
    }
  }

  private static int crc(byte[] bytes, int lengthBytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, lengthBytes);
    return (int) crc.getValue();
  }

  static byte[] forged(int version, int kind, int payloadBytes, byte[] payload) {
    ByteBuffer frame = ByteBuffer.allocate(ControlCodec.HEADER_BYTES + payload.length);
    frame.putInt(ControlCodec.MAGIC).putShort((short) version).putShort((short) kind);
    frame.putInt(payloadBytes).putInt(crc(payload, payload.length));
    frame.putInt(crc(frame.array(), 16)).put(payload);
    return frame.array();
  }

  @Test
  void whatIsInOrderButWrongIsNamed() {
    assertThatThrownBy(() -> ControlCodec.decode(ByteBuffer.wrap(forged(2, 1, 0, new byte[0]))))
        .isInstanceOf(TooNewException.class)
        .hasMessageContaining("version=2");
    for (int length : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 32769}) {
      byte[] frame = forged(1, 1, length, new byte[0]);
      assertThatThrownBy(() -> ControlCodec.decode(ByteBuffer.wrap(frame)))
          .isInstanceOf(CorruptFormatException.class)
          .hasMessageContaining("payloadBytes=" + length);
    }
    assertThatThrownBy(() -> ControlCodec.decode(ByteBuffer.wrap(new byte[] {'E', 'C', 'X'})))
        .as("as soon as it is certain")
        .isInstanceOf(NotOursException.class);
  }

  @Test
  void whateverIsInAPayloadIsAFrameOrRefused() {
    List<byte[]> frames = all().stream().map(c -> ControlCodec.encode(c).array()).toList();
    SeededRuns.of(5_000)
        .check(
            random -> {
              byte[] frame = frames.get(random.nextInt(frames.size()));
              byte[] payload = new byte[frame.length - ControlCodec.HEADER_BYTES];
              System.arraycopy(frame, ControlCodec.HEADER_BYTES, payload, 0, payload.length);
              for (int i = 0; i <= random.nextInt(4); i++) {
                payload[random.nextInt(payload.length)] = (byte) random.nextInt();
              }
              byte[] sent = forged(1, 1 + random.nextInt(3), payload.length, payload);
              try {
                Control control = ControlCodec.decode(ByteBuffer.wrap(sent));
                assertThat(control).isNotNull();
              } catch (CorruptFormatException e) {
                assertThat(e).hasMessageContaining("payloadBytes=");
              }
            });
  }

  @Test
  void whatIsTooLongIsNotSent() {
    assertThatThrownBy(() -> new Control.Hello("BP", "c", Bytes.zeros(ControlCodec.MAX_TOKEN + 1)))
        .hasMessageContaining("token bytes=16385");
    assertThatThrownBy(() -> new Control.Hello("BP", "c".repeat(256), Bytes.zeros(1)))
        .hasMessageContaining("client=256 characters");
  }

  @Test
  void theTokenIsNotShown() {
    Control hello = new Control.Hello("BP", "c", Bytes.copyOf(new byte[] {0x5e, (byte) 0xc4}));
    assertThat(hello.toString()).doesNotContain("5ec4");
  }

  @Test
  void theDocumentShowsTheSameBoxAsTheCode() throws IOException {
    assertThat(ByteBoxes.page("ec-update-wire.md")).contains(ByteBoxes.of(ControlCodec.class));
  }
}
