/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel.secure;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Dumb twin of {@link Records}, from the document: finds key and nonce of each record from its
 * number alone, and keeps nothing.
 */
final class TwinRecords {
  private TwinRecords() {}

  /** Record {@code number} of a direction. */
  static byte[] seal(byte[] firstKey, long number, long recordsAKey, byte[] plain)
      throws GeneralSecurityException {
    byte[] key = firstKey;
    for (long changes = number / recordsAKey; changes > 0; changes--) {
      byte[] nonce = new byte[12];
      Arrays.fill(nonce, 4, 12, (byte) 0xff);
      key = Arrays.copyOf(gcm(key, nonce, new byte[32]), 32);
    }
    byte[] nonce = new byte[12];
    for (int i = 0; i < 8; i++) {
      nonce[11 - i] = (byte) (number >>> 8 * i);
    }
    byte[] sealed = gcm(key, nonce, plain);
    ByteArrayOutputStream record = new ByteArrayOutputStream();
    record.write(sealed.length >>> 8);
    record.write(sealed.length);
    record.writeBytes(sealed);
    return record.toByteArray();
  }

  private static byte[] gcm(byte[] key, byte[] nonce, byte[] plain)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, nonce));
    return cipher.doFinal(plain);
  }

  /** What a whole record carries. */
  static byte[] open(Records records, byte[] record) throws ForgedException {
    ByteBuffer sealed = ByteBuffer.wrap(record, 2, record.length - 2);
    byte[] plain = new byte[record.length - 2 - CipherState.TAG_BYTES];
    records.open(sealed, ByteBuffer.wrap(plain));
    return plain;
  }

  /** A whole record. */
  static byte[] seal(Records records, byte[] plain) {
    byte[] record = new byte[Records.recordBytes(plain.length)];
    records.seal(ByteBuffer.wrap(plain), ByteBuffer.wrap(record));
    return record;
  }
}
