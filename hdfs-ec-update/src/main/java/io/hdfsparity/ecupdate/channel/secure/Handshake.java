/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel.secure;

import io.hdfsparity.core.check.Checks;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One end of a handshake after the Noise Protocol Framework, revision 34: pattern NNpsk0.
 *
 * <pre>
 *   client                                   node
 *     | -- psk, e: ephemeral key, payload --&gt; |   sealed by the shared secret
 *     | &lt;-- e, ee: ephemeral key, payload --- |   sealed by secret and both ephemeral keys
 *     split: a key for each direction
 * </pre>
 *
 * <p>The node knows after the first message that somebody once sent it who has the secret; it may
 * be a replay. It knows that the peer is there when the first record opens. The client knows it
 * from the second message. All that either has sent is in the hash that both messages are bound to.
 *
 * <p>Not thread-safe; for one handshake.
 */
final class Handshake {
  static final int MESSAGE_BYTES = Ephemeral.KEY_BYTES + CipherState.TAG_BYTES;

  private static final byte[] NAME =
      "Noise_NNpsk0_25519_AESGCM_SHA256".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NOTHING = {};

  /** Null until this end has written. */
  private @Nullable Ephemeral own;

  /** Public key that the client has sent; empty at the client. */
  private byte[] peer = NOTHING;

  private byte[] chainingKey = NAME.clone();
  private byte[] hash = NAME.clone();
  private byte[] key = NOTHING;

  private Handshake(byte[] prologue, byte[] psk) {
    Checks.argument(
        psk.length == Hkdf.HASH_BYTES,
        "shake hands",
        "psk bytes",
        psk.length,
        "= " + Hkdf.HASH_BYTES);
    mixHash(prologue);
    byte[][] keys = Hkdf.derive(chainingKey, psk, 3);
    chainingKey = keys[0];
    mixHash(keys[1]);
    key = keys[2];
  }

  /**
   * Begins.
   *
   * @param prologue what both ends have to have seen alike
   * @param psk the shared secret, 32 bytes
   */
  static Handshake begin(byte[] prologue, byte[] psk) {
    return new Handshake(prologue, psk);
  }

  /**
   * At the client: the first message.
   *
   * @param ephemeral used for nothing else
   */
  byte[] writeFirst(Ephemeral ephemeral, byte[] payload) {
    own = ephemeral;
    mixEphemeral(ephemeral.publicKey());
    return join(ephemeral.publicKey(), seal(payload));
  }

  /** At the node: reads the first message; returns its payload. Nothing is done on the curve. */
  byte[] readFirst(byte[] message) throws ForgedException {
    peer = peerOf(message);
    mixEphemeral(peer);
    return open(message);
  }

  /**
   * At the node: the answer to a first message that was read.
   *
   * @param ephemeral used for nothing else
   */
  byte[] writeSecond(Ephemeral ephemeral, byte[] payload) throws ForgedException {
    mixEphemeral(ephemeral.publicKey());
    mixKey(ephemeral.agree(peer));
    return join(ephemeral.publicKey(), seal(payload));
  }

  /** At the client: reads the answer; returns its payload. */
  byte[] readSecond(byte[] message) throws ForgedException {
    Ephemeral ephemeral = own;
    if (ephemeral == null) {
      throw new IllegalStateException("Cannot read an answer: nothing was sent");
    }
    byte[] node = peerOf(message);
    mixEphemeral(node);
    mixKey(ephemeral.agree(node));
    return open(message);
  }

  /** Keys of 32 bytes: from client to node, from node to client. */
  byte[][] split() {
    return Hkdf.derive(chainingKey, NOTHING, 2);
  }

  /** For tests: of all that was said. */
  byte[] hash() {
    return hash.clone();
  }

  private static byte[] peerOf(byte[] message) throws ForgedException {
    if (message.length < MESSAGE_BYTES) {
      throw new ForgedException(
          "Cannot shake hands: message bytes=" + message.length + ", expected >= " + MESSAGE_BYTES);
    }
    return Arrays.copyOf(message, Ephemeral.KEY_BYTES);
  }

  private void mixHash(byte[] data) {
    hash = Hkdf.sha256(hash, data);
  }

  private void mixKey(byte[] input) {
    byte[][] keys = Hkdf.derive(chainingKey, input, 2);
    chainingKey = keys[0];
    key = keys[1];
  }

  private void mixEphemeral(byte[] publicKey) {
    mixHash(publicKey);
    mixKey(publicKey);
  }

  /** Each key of a handshake seals one payload. */
  private byte[] seal(byte[] payload) {
    byte[] sealed = new byte[payload.length + CipherState.TAG_BYTES];
    CipherState.sealing(key).seal(hash, ByteBuffer.wrap(payload), ByteBuffer.wrap(sealed));
    mixHash(sealed);
    return sealed;
  }

  private byte[] open(byte[] message) throws ForgedException {
    byte[] sealed = Arrays.copyOfRange(message, Ephemeral.KEY_BYTES, message.length);
    byte[] payload = new byte[sealed.length - CipherState.TAG_BYTES];
    CipherState.opening(key).open(hash, ByteBuffer.wrap(sealed), ByteBuffer.wrap(payload));
    mixHash(sealed);
    return payload;
  }

  private static byte[] join(byte[] first, byte[] second) {
    byte[] joined = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, joined, first.length, second.length);
    return joined;
  }
}
