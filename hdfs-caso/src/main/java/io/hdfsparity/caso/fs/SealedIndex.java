/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.framing.CorruptFormatException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The file of an index on the cluster, which anybody may read who knows its inode: a layout index
 * ({@link io.hdfsparity.caso.layout.LayoutFormat}), encrypted with a key that stands in the
 * extended attribute of the file that it is of. HDFS gives that attribute to who may read the file.
 * So permissions of the index are those of the file at each moment, also after chmod, chown and in
 * snapshots. The same words stand in docs/formats/caso-layout.md.
 *
 * <pre>
 * offset  bytes  field
 * 0       8      magic "CASOSEAL"
 * 8       4      version, 1
 * 12      8      inode of the file, big-endian
 * 20      n      AES-128 in GCM mode of a layout index; nonce 0, as each key seals one index only;
 *                the 20 bytes before it are authenticated, too
 * 20 + n  16     tag of GCM
 * </pre>
 *
 * <p>Stateless.
 */
final class SealedIndex {
  private static final byte[] MAGIC = "CASOSEAL".getBytes(StandardCharsets.US_ASCII);
  private static final int VERSION = 1;
  private static final int HEADER_BYTES = MAGIC.length + Integer.BYTES + Long.BYTES;
  private static final int KEY_BYTES = 16;
  private static final int TAG_BITS = 128;
  private static final byte[] NONCE = new byte[12];

  private SealedIndex() {}

  /** A key that nothing was sealed with. */
  static String newKey(SecureRandom random) {
    byte[] key = new byte[KEY_BYTES];
    random.nextBytes(key);
    return HexFormat.of().formatHex(key);
  }

  /**
   * Encrypts an index.
   *
   * @param keyHex never used for another index
   * @param fileId inode of the file that it is of
   */
  static byte[] seal(byte[] index, String keyHex, long fileId) {
    byte[] header = header(fileId);
    try {
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, keyHex, header).doFinal(index);
      return ByteBuffer.allocate(header.length + sealed.length).put(header).put(sealed).array();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Cannot seal an index: expected AES/GCM in the JDK", e);
    }
  }

  private static byte[] header(long fileId) {
    return ByteBuffer.allocate(HEADER_BYTES).put(MAGIC).putInt(VERSION).putLong(fileId).array();
  }

  private static Cipher cipher(int mode, String keyHex, byte[] header)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        mode,
        new SecretKeySpec(HexFormat.of().parseHex(keyHex), "AES"),
        new GCMParameterSpec(TAG_BITS, NONCE));
    cipher.updateAAD(header);
    return cipher;
  }

  /**
   * Decrypts an index.
   *
   * @param place for messages
   * @throws CorruptFormatException if it is damaged, of another version, another file's, or sealed
   *     with another key
   */
  static byte[] open(byte[] sealed, String keyHex, long fileId, String place)
      throws CorruptFormatException {
    byte[] header = header(fileId);
    if (sealed.length < HEADER_BYTES + TAG_BITS / Byte.SIZE
        || !Arrays.equals(sealed, 0, HEADER_BYTES, header, 0, HEADER_BYTES)) {
      throw damaged("header", "another", "CASOSEAL, version 1, inode " + fileId, place);
    }
    try {
      return cipher(Cipher.DECRYPT_MODE, keyHex, header)
          .doFinal(sealed, HEADER_BYTES, sealed.length - HEADER_BYTES);
    } catch (AEADBadTagException e) {
      CorruptFormatException damaged =
          damaged("tag", "another", "bytes that the key of the file's attribute has sealed", place);
      damaged.initCause(e);
      throw damaged;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Cannot open an index: expected AES/GCM in the JDK", e);
    }
  }

  private static CorruptFormatException damaged(
      String name, String value, String rule, String place) {
    return new CorruptFormatException(
        ErrorMessage.to("read a sealed index")
            .value(name, value)
            .expected(rule)
            .where("file", place)
            .message());
  }
}
