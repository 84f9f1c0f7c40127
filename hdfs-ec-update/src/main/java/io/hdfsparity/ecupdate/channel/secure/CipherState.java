/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel.secure;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * One direction of a connection: a key, and the number of the next message. AES-256-GCM with tags
 * of 16 bytes; the nonce is 4 zero bytes and the number.
 *
 * <p>Invariant: a number is used once a key. A message that is not the next one of the peer does
 * not open, whatever was done to it; after that nothing opens any more.
 *
 * <p>Not thread-safe.
 */
final class CipherState {
  static final int TAG_BYTES = 16;
  static final int KEY_BYTES = 32;

  private static final String ALGORITHM = "AES/GCM/NoPadding";
  private static final int NONCE_BYTES = 12;

  /** Noise takes this number for new keys, so no message has it. */
  private static final long REKEY_NUMBER = -1;

  private final int mode;
  private final Cipher cipher;
  private SecretKeySpec key;
  private long next;
  private boolean isBroken;

  private CipherState(int mode, byte[] key, long next) {
    this.mode = mode;
    this.key = new SecretKeySpec(key, "AES");
    this.next = next;
    try {
      cipher = Cipher.getInstance(ALGORITHM);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java runtime has " + ALGORITHM, e);
    }
  }

  static CipherState sealing(byte[] key) {
    return new CipherState(Cipher.ENCRYPT_MODE, key, 0);
  }

  static CipherState opening(byte[] key) {
    return new CipherState(Cipher.DECRYPT_MODE, key, 0);
  }

  /** For tests: as after {@code next} messages. */
  static CipherState sealingFrom(byte[] key, long next) {
    return new CipherState(Cipher.ENCRYPT_MODE, key, next);
  }

  /** Number of the next message. */
  long next() {
    return next;
  }

  /**
   * Seals what remains of {@code plain}.
   *
   * @param associated also covered by the tag, and not in the output
   * @param sealed has room for {@link #TAG_BYTES} more than remain
   * @throws IllegalStateException if the numbers are used up
   */
  void seal(byte[] associated, ByteBuffer plain, ByteBuffer sealed) {
    try {
      run(associated, plain, sealed);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Cannot encrypt: " + e, e);
    }
  }

  /**
   * Opens what remains of {@code sealed}, which must be the next message.
   *
   * @param plain has room for {@link #TAG_BYTES} fewer than remain; what it has after an exception
   *     is not to be used
   */
  void open(byte[] associated, ByteBuffer sealed, ByteBuffer plain) throws ForgedException {
    if (isBroken) {
      throw new ForgedException("Cannot decrypt: a message before it was forged");
    }
    isBroken = true;
    try {
      run(associated, sealed, plain);
    } catch (AEADBadTagException e) {
      throw new ForgedException(
          "Cannot decrypt: message=" + next + ", expected the next one, sealed by the peer", e);
    } catch (GeneralSecurityException e) {
      throw new ForgedException("Cannot decrypt: message=" + next + ": " + e, e);
    }
    isBroken = false;
  }

  private void run(byte[] associated, ByteBuffer from, ByteBuffer to)
      throws GeneralSecurityException {
    if (next == Long.MAX_VALUE) {
      throw new IllegalStateException("Cannot number another message: all numbers are used");
    }
    cipher.init(mode, key, nonce(next));
    cipher.updateAAD(associated);
    cipher.doFinal(from, to);
    next++;
  }

  private static GCMParameterSpec nonce(long number) {
    return new GCMParameterSpec(
        8 * TAG_BYTES,
        ByteBuffer.allocate(NONCE_BYTES).putLong(NONCE_BYTES - Long.BYTES, number).array());
  }

  /** Replaces the key by one that it leads to, and that does not lead back: Noise's REKEY. */
  void rekey() {
    try {
      Cipher deriving = Cipher.getInstance(ALGORITHM);
      deriving.init(Cipher.ENCRYPT_MODE, key, nonce(REKEY_NUMBER));
      byte[] sealed = deriving.doFinal(new byte[KEY_BYTES]);
      key = new SecretKeySpec(sealed, 0, KEY_BYTES, "AES");
      Arrays.fill(sealed, (byte) 0);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Cannot derive a key: " + e, e);
    }
  }
}
