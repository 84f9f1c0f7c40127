/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel.secure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.core.framing.NotOursException;
import io.hdfsparity.core.framing.TooNewException;
import io.hdfsparity.ecupdate.ajx.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Openings and acceptances as bytes: golden ones, hostile ones, and changed ones. */
class HandshakeFormatTest {
  private static final Secret SECRET = new Secret(bytes(0x40, 25), bytes(0x80, 20));

  private static Bytes bytes(int from, int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (from + i);
    }
    return Bytes.wrap(bytes);
  }

  private static ClientHandshake client() {
    return ClientHandshake.begin(SECRET, Ephemeral.of(bytes(1, 32).toArray()));
  }

  private static Opening opening() throws FormatException {
    return Opening.decode(client().opening().buffer());
  }

  private static Opening.Acceptance acceptance() throws IOException {
    return opening().accept(SECRET.key(), () -> Ephemeral.of(bytes(0x61, 32).toArray()));
  }

  /** The golden bytes were made by another program, from the document. */
  @Test
  void writesAndReadsTheGoldenBytes() throws Exception {
    ByteBuffer golden;
    try (InputStream in = getClass().getResourceAsStream("/golden/v1/ec-update-secure.bin")) {
      assertThat(in).isNotNull();
      golden = ByteBuffer.wrap(in.readAllBytes());
    }
    ClientHandshake client = client();
    byte[] sent = new byte[client.opening().length()];
    golden.get(sent);
    assertThat(Bytes.wrap(sent)).isEqualTo(client.opening());
    Opening opening = Opening.decode(ByteBuffer.wrap(sent));
    assertThat(opening.name()).isEqualTo(SECRET.name());
    Opening.Acceptance acceptance =
        opening.accept(SECRET.key(), () -> Ephemeral.of(bytes(0x61, 32).toArray()));
    byte[] answered = new byte[HandshakeFormat.ACCEPTANCE_BYTES];
    golden.get(answered);
    assertThat(acceptance.message()).isEqualTo(Bytes.wrap(answered));
    Records toNode = client.accepted(ByteBuffer.wrap(answered));
    for (byte[] plain : new byte[][] {{'h', 'e', 'l', 'l', 'o'}, new byte[100]}) {
      byte[] record = new byte[Records.recordBytes(plain.length)];
      golden.get(record);
      assertThat(TwinRecords.seal(toNode, plain)).isEqualTo(record);
      assertThat(TwinRecords.open(acceptance.records(), record)).isEqualTo(plain);
    }
    byte[] welcome = {'w', 'e', 'l', 'c', 'o', 'm', 'e'};
    byte[] record = new byte[golden.remaining()];
    golden.get(record);
    assertThat(TwinRecords.seal(acceptance.records(), welcome)).isEqualTo(record);
    assertThat(TwinRecords.open(toNode, record)).isEqualTo(welcome);
  }

  @Test
  void whatIsNotWholeIsWaitedFor() throws Exception {
    byte[] whole = client().opening().toArray();
    for (int length = 0; length < whole.length; length++) {
      ByteBuffer part = ByteBuffer.wrap(whole, 0, length);
      assertThat(Opening.decode(part)).isNull();
      assertThat(part.position()).isZero();
    }
    byte[] answer = acceptance().message().toArray();
    for (int length = 0; length < answer.length; length++) {
      assertThat(client().accepted(ByteBuffer.wrap(answer, 0, length))).isNull();
    }
  }

  private static byte[] header(int magic, int version, int kind, int nameBytes) {
    return ByteBuffer.allocate(1000)
        .putInt(magic)
        .putShort((short) version)
        .putShort((short) kind)
        .putShort((short) nameBytes)
        .array();
  }

  @Test
  void hostileHeadersAreRefusedAtOnce() {
    assertThatThrownBy(() -> Opening.decode(ByteBuffer.wrap(header(0x47455420, 1, 1, 5))))
        .isInstanceOf(NotOursException.class);
    assertThatThrownBy(
            () -> Opening.decode(ByteBuffer.wrap(header(HandshakeFormat.MAGIC, 2, 1, 5))))
        .isInstanceOf(TooNewException.class)
        .hasMessageContaining("version=2");
    for (int[] wrong : new int[][] {{0, 1, 5}, {1, 0, 5}, {1, 2, 5}, {1, 3, 5}}) {
      byte[] header = header(HandshakeFormat.MAGIC, wrong[0], wrong[1], wrong[2]);
      assertThatThrownBy(() -> Opening.decode(ByteBuffer.wrap(header)))
          .isInstanceOf(CorruptFormatException.class);
    }
    for (int nameBytes : new int[] {0, 8193, 65_535}) {
      byte[] header = header(HandshakeFormat.MAGIC, 1, 1, nameBytes);
      assertThatThrownBy(() -> Opening.decode(ByteBuffer.wrap(header, 0, 10)))
          .as("before any of the name has come")
          .isInstanceOf(CorruptFormatException.class)
          .hasMessageContaining("nameBytes=" + nameBytes);
    }
    byte[] named = header(HandshakeFormat.MAGIC, 1, 2, 1);
    assertThatThrownBy(() -> client().accepted(ByteBuffer.wrap(named)))
        .isInstanceOf(CorruptFormatException.class);
  }

  /** Of the name and the version too, so nobody agrees on less than both ends have said. */
  @Test
  void anyBitOfAnOpeningCounts() throws Exception {
    byte[] good = client().opening().toArray();
    assertThat(Opening.decode(ByteBuffer.wrap(good)).accept(SECRET.key(), new SecureRandom()))
        .isNotNull();
    for (int bit = 0; bit < 8 * good.length; bit++) {
      byte[] bad = good.clone();
      bad[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(
              () -> {
                Opening opening = Opening.decode(ByteBuffer.wrap(Arrays.copyOf(bad, 9000)));
                opening.accept(SECRET.key(), new SecureRandom());
              })
          .as("bit %d", bit)
          .isInstanceOfAny(FormatException.class, ForgedException.class);
    }
  }

  @Test
  void anyBitOfAnAcceptanceCounts() throws Exception {
    byte[] good = acceptance().message().toArray();
    assertThat(client().accepted(ByteBuffer.wrap(good))).isNotNull();
    for (int bit = 0; bit < 8 * good.length; bit++) {
      byte[] bad = good.clone();
      bad[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> client().accepted(ByteBuffer.wrap(bad)))
          .as("bit %d", bit)
          .isInstanceOfAny(FormatException.class, ForgedException.class);
    }
  }

  @Test
  void anOpeningThatIsSentBackIsNoAcceptance() {
    ClientHandshake client = client();
    assertThatThrownBy(() -> client.accepted(client.opening().buffer()))
        .isInstanceOf(CorruptFormatException.class);
    // With the header of an acceptance before it.
    byte[] sent = client.opening().toArray();
    byte[] message = Arrays.copyOfRange(sent, sent.length - 48, sent.length);
    byte[] reflected = HandshakeFormat.acceptance(message);
    assertThatThrownBy(() -> client.accepted(ByteBuffer.wrap(reflected)))
        .isInstanceOf(ForgedException.class);
  }

  @Test
  void whoDoesNotHaveTheKeyCostsTheNodeNothingOnTheCurve() throws Exception {
    Opening opening = opening();
    assertThatThrownBy(
            () ->
                opening.accept(
                    bytes(0x81, 20),
                    () -> {
                      throw new AssertionError("a key pair is made");
                    }))
        .isInstanceOf(ForgedException.class);
  }

  /** It is answered, but what was recorded with it does not open. */
  @Test
  void aReplayedOpeningLeadsToOtherKeys() throws Exception {
    ClientHandshake client = client();
    Opening.Acceptance first =
        Opening.decode(client.opening().buffer()).accept(SECRET.key(), new SecureRandom());
    byte[] hello =
        TwinRecords.seal(client.accepted(first.message().buffer()), new byte[] {1, 2, 3});
    assertThat(TwinRecords.open(first.records(), hello)).containsExactly(1, 2, 3);
    Opening.Acceptance second =
        Opening.decode(client.opening().buffer()).accept(SECRET.key(), new SecureRandom());
    assertThatThrownBy(() -> TwinRecords.open(second.records(), hello))
        .isInstanceOf(ForgedException.class);
  }
}
