/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel.secure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The handshake against the published test vector of Noise's implementers, and against liars. */
class HandshakeTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final byte[] NOTHING = {};
  private static final byte[] PROLOGUE = HEX.parseHex("4a6f686e2047616c74");
  private static final byte[] PSK =
      HEX.parseHex("54686973206973206d7920417573747269616e20706572737065637469766521");
  private static final byte[] CLIENT_SCALAR =
      HEX.parseHex("893e28b9dc6ca8d611ab664754b8ceb7bac5117349a4439a6b0569da977c464a");
  private static final byte[] NODE_SCALAR =
      HEX.parseHex("bbdb4cdbd309f1a1f2e1456967fe288cadd6f712d65dc7b7793d5e63da6b375b");

  private static Handshake client(byte[] psk) {
    return Handshake.begin(PROLOGUE, psk);
  }

  private static Handshake node(byte[] psk) {
    return Handshake.begin(PROLOGUE, psk);
  }

  private static byte[] first(Handshake client) {
    return client.writeFirst(Ephemeral.of(CLIENT_SCALAR), NOTHING);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String seal(CipherState state, String text) {
    ByteBuffer sealed = ByteBuffer.allocate(bytes(text).length + CipherState.TAG_BYTES);
    state.seal(NOTHING, ByteBuffer.wrap(bytes(text)), sealed);
    return HEX.formatHex(sealed.array());
  }

  /** Vector Noise_NNpsk0_25519_AESGCM_SHA256 of the cacophony collection. */
  @Test
  void itIsNoise() throws Exception {
    Handshake client = client(PSK);
    Handshake node = node(PSK);
    byte[] first = client.writeFirst(Ephemeral.of(CLIENT_SCALAR), bytes("Ludwig von Mises"));
    assertThat(HEX.formatHex(first))
        .isEqualTo(
            "ca35def5ae56cec33dc2036731ab14896bc4c75dbb07a61f879f8e3afa4c7944"
                + "7c37a89fc17813788d30df2d59501d6066f5f8aecc3406bbd9829f2d24a531b1");
    assertThat(node.readFirst(first)).isEqualTo(bytes("Ludwig von Mises"));
    byte[] second = node.writeSecond(Ephemeral.of(NODE_SCALAR), bytes("Murray Rothbard"));
    assertThat(HEX.formatHex(second))
        .isEqualTo(
            "95ebc60d2b1fa672c1f46a8aa265ef51bfe38e7ccb39ec5be34069f144808843"
                + "2f29d79368ef9de4e1ae7a362fb05bf0ad668e026bf5714554497b3a720461");
    assertThat(client.readSecond(second)).isEqualTo(bytes("Murray Rothbard"));
    assertThat(HEX.formatHex(client.hash()))
        .isEqualTo(HEX.formatHex(node.hash()))
        .isEqualTo("9f3b1f9afd7767767b5b9d1069844a6154fdbdcc36dfb3e31c0fffc5c973d530");
    byte[][] keys = client.split();
    assertThat(node.split()).isDeepEqualTo(keys);
    CipherState toNode = CipherState.sealing(keys[0]);
    CipherState toClient = CipherState.sealing(keys[1]);
    assertThat(seal(toNode, "F. A. Hayek"))
        .isEqualTo("7c01e898a6201f36aecee532e29cd0b7f8ffa29d3366ad0dce39a6");
    assertThat(seal(toClient, "Carl Menger"))
        .isEqualTo("a9ff535aace3db6a1da1a7fb00fe2de2622bb373abad9fb42c00e0");
    assertThat(seal(toNode, "Jean-Baptiste Say"))
        .isEqualTo("6cfc49a3e65472edc2d0152abe5ce950170a8a47c959f30bd48b5f0aacf29adbfd");
    assertThat(seal(toClient, "Eugen B\u00f6hm von Bawerk"))
        .isEqualTo("9bc86e6d974ed21ba04604a94aa68de21677eb409ead070c0cd569b069ee19ba142aa4c1a9");
  }

  @Test
  void anotherSecretIsFoundOutByTheNodeAndByTheClient() throws Exception {
    byte[] other = PSK.clone();
    other[31] ^= 1;
    byte[] first = first(client(PSK));
    Handshake liar = node(other);
    assertThatThrownBy(() -> liar.readFirst(first)).isInstanceOf(ForgedException.class);

    // A node that answers without looking.
    Handshake client = client(PSK);
    first(client);
    byte[] answer = liar.writeSecond(Ephemeral.of(NODE_SCALAR), NOTHING);
    assertThatThrownBy(() -> client.readSecond(answer)).isInstanceOf(ForgedException.class);
  }

  @Test
  void anotherPrologueIsFoundOut() {
    byte[] first = first(client(PSK));
    Handshake node = Handshake.begin(bytes("John Gall"), PSK);
    assertThatThrownBy(() -> node.readFirst(first)).isInstanceOf(ForgedException.class);
  }

  @Test
  void aPointOfSmallOrderIsNoKey() {
    Ephemeral own = Ephemeral.of(CLIENT_SCALAR);
    byte[] one = new byte[32];
    one[0] = 1;
    for (byte[] point : new byte[][] {new byte[32], one}) {
      assertThatThrownBy(() -> own.agree(point)).isInstanceOf(ForgedException.class);
    }
  }

  /** RFC 7748, section 6.1. */
  @Test
  void theCurveIsThatOfTheStandard() throws Exception {
    Ephemeral alice =
        Ephemeral.of(
            HEX.parseHex("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"));
    assertThat(HEX.formatHex(alice.publicKey()))
        .isEqualTo("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a");
    byte[] bob = HEX.parseHex("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f");
    assertThat(HEX.formatHex(alice.agree(bob)))
        .isEqualTo("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742");
  }
}
