/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel.secure;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPrivateKeySpec;
import java.security.spec.XECPublicKeySpec;
import javax.crypto.KeyAgreement;

/**
 * A key pair of X25519 (RFC 7748) that lives as long as a handshake: who learns the token's
 * password later cannot read what was recorded. Immutable, thread-safe.
 */
final class Ephemeral {
  /** Of a public key, and of what two pairs agree on. */
  static final int KEY_BYTES = 32;

  private static final String CURVE = "X25519";
  private static final byte[] BASE_POINT = new byte[KEY_BYTES];

  static {
    BASE_POINT[0] = 9;
  }

  private final PrivateKey privateKey;
  private final byte[] publicKey;

  private Ephemeral(PrivateKey privateKey, byte[] publicKey) {
    this.privateKey = privateKey;
    this.publicKey = publicKey;
  }

  static Ephemeral random(SecureRandom random) {
    byte[] scalar = new byte[KEY_BYTES];
    random.nextBytes(scalar);
    return of(scalar);
  }

  /**
   * Of a scalar.
   *
   * @param scalar 32 bytes, unguessable
   */
  static Ephemeral of(byte[] scalar) {
    try {
      PrivateKey key =
          KeyFactory.getInstance(CURVE)
              .generatePrivate(new XECPrivateKeySpec(NamedParameterSpec.X25519, scalar));
      return new Ephemeral(key, multiply(key, BASE_POINT));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java runtime has " + CURVE, e);
    }
  }

  byte[] publicKey() {
    return publicKey.clone();
  }

  /**
   * What both pairs agree on.
   *
   * @param peer public key, 32 bytes
   * @throws ForgedException if it is a point of small order, with which anybody would agree on zero
   */
  byte[] agree(byte[] peer) throws ForgedException {
    try {
      byte[] shared = multiply(privateKey, peer);
      byte any = 0;
      for (byte each : shared) {
        any |= each;
      }
      if (any == 0) {
        throw new ForgedException("Cannot agree on a key: the peer's point has a small order");
      }
      return shared;
    } catch (InvalidKeyException e) {
      throw new ForgedException("Cannot agree on a key: the peer's point is none of use", e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java runtime has " + CURVE, e);
    }
  }

  private static byte[] multiply(PrivateKey scalar, byte[] point) throws GeneralSecurityException {
    KeyAgreement agreement = KeyAgreement.getInstance(CURVE);
    agreement.init(scalar);
    agreement.doPhase(publicKey(point), true);
    return agreement.generateSecret();
  }

  /** The u-coordinate is little-endian, and its top bit does not count. */
  private static PublicKey publicKey(byte[] point) throws GeneralSecurityException {
    byte[] bigEndian = new byte[KEY_BYTES];
    for (int i = 0; i < KEY_BYTES; i++) {
      bigEndian[i] = point[KEY_BYTES - 1 - i];
    }
    bigEndian[0] &= 0x7f;
    return KeyFactory.getInstance(CURVE)
        .generatePublic(
            new XECPublicKeySpec(NamedParameterSpec.X25519, new BigInteger(1, bigEndian)));
  }
}
