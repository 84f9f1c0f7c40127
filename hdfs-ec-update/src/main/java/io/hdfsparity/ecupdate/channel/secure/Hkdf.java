/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel.secure;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** SHA-256, HMAC, and the key derivation of Noise (its HKDF). Stateless, thread-safe. */
final class Hkdf {
  static final int HASH_BYTES = 32;

  private Hkdf() {}

  static byte[] sha256(byte[] first, byte[] second) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(first);
      return digest.digest(second);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java runtime has SHA-256", e);
    }
  }

  /** HMAC-SHA256. The key must not be empty. */
  static byte[] hmac(byte[] key, byte[]... data) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      for (byte[] part : data) {
        mac.update(part);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java runtime has HmacSHA256", e);
    }
  }

  /**
   * Keys from a chaining key and input.
   *
   * @param outputs 1 to 3
   * @return so many keys of 32 bytes
   */
  static byte[][] derive(byte[] chainingKey, byte[] input, int outputs) {
    byte[] pseudorandom = hmac(chainingKey, input);
    byte[][] keys = new byte[outputs][];
    byte[] previous = new byte[0];
    for (int i = 0; i < outputs; i++) {
      previous = hmac(pseudorandom, previous, new byte[] {(byte) (i + 1)});
      keys[i] = previous;
    }
    Arrays.fill(pseudorandom, (byte) 0);
    return keys;
  }
}
