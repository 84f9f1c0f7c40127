/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.format;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Frame around the small identity files. All numbers big-endian.
 *
 * <pre>
 *   offset   size  field
 *   0        8     magic, 8 ASCII characters
 *   8        4     version of the payload, 1..
 *   12       4     payload length n, 0..65536, or more where a format says so
 *   16       n     payload
 *   16 + n   4     CRC32C of bytes [0, 16 + n)
 * </pre>
 *
 * <p>A text in a payload is a 2-byte length and that many bytes of UTF-8. Pure; thread-safe.
 */
final class IdentityCodec {
  static final int HEADER_BYTES = 16;
  static final int CRC_BYTES = 4;
  private static final int MAX_PAYLOAD_BYTES = 65536;

  private IdentityCodec() {}

  /** Writes a payload. */
  interface PayloadWriter {
    void writeTo(DataOutputStream out) throws IOException;
  }

  static byte[] encode(String magic, int version, PayloadWriter payload) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      payload.writeTo(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new IllegalStateException("Cannot encode in memory", e);
    }
    ByteBuffer file = ByteBuffer.allocate(HEADER_BYTES + bytes.size() + CRC_BYTES);
    file.put(magic.getBytes(StandardCharsets.US_ASCII)).putInt(version).putInt(bytes.size());
    file.put(bytes.toByteArray());
    file.putInt(crc(file.array(), file.position()));
    return file.array();
  }

  /** Payload of a small file after all checks. */
  static DataInputStream decode(Path path, String magic, int oldest, int newest)
      throws IOException {
    return decode(path, magic, oldest, newest, MAX_PAYLOAD_BYTES);
  }

  /** Payload of a file after all checks. */
  static DataInputStream decode(
      Path path, String magic, int oldest, int newest, int maxPayloadBytes) throws IOException {
    byte[] file = Files.readAllBytes(path);
    if (file.length < HEADER_BYTES + CRC_BYTES) {
      throw new IdentityFileException.Corrupt(
          "Cannot read identity: bytes="
              + file.length
              + ", expected at least "
              + (HEADER_BYTES + CRC_BYTES)
              + ", file="
              + path
              + " offset=0");
    }
    ByteBuffer in = ByteBuffer.wrap(file);
    byte[] found = new byte[8];
    in.get(found);
    if (!new String(found, StandardCharsets.ISO_8859_1).equals(magic)) {
      throw new IdentityFileException.Corrupt(
          "Cannot read identity: magic="
              + new String(found, StandardCharsets.ISO_8859_1)
              + ", expected "
              + magic
              + ", file="
              + path
              + " offset=0");
    }
    int version = in.getInt();
    int length = in.getInt();
    if (length < 0
        || length > maxPayloadBytes
        || file.length != HEADER_BYTES + length + CRC_BYTES) {
      throw new IdentityFileException.Corrupt(
          "Cannot read identity: payloadBytes="
              + length
              + " fileBytes="
              + file.length
              + ", expected fileBytes = payloadBytes + "
              + (HEADER_BYTES + CRC_BYTES)
              + ", file="
              + path
              + " offset=12");
    }
    int stored = in.getInt(HEADER_BYTES + length);
    int computed = crc(file, HEADER_BYTES + length);
    if (stored != computed) {
      throw new IdentityFileException.Corrupt(
          "Cannot read identity: crc32c="
              + Integer.toHexString(stored)
              + ", expected "
              + Integer.toHexString(computed)
              + ", file="
              + path
              + " offset="
              + (HEADER_BYTES + length));
    }
    // After the CRC, so that a flipped version byte is called corrupt and not a foreign version.
    if (version < oldest || version > newest) {
      String message =
          "Cannot read identity: version="
              + version
              + ", expected "
              + oldest
              + ".."
              + newest
              + ", file="
              + path
              + " offset=8";
      throw version < oldest
          ? new IdentityFileException.TooOld(message)
          : new IdentityFileException.TooNew(message);
    }
    return new DataInputStream(new ByteArrayInputStream(file, HEADER_BYTES, length));
  }

  static void writeText(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeShort(bytes.length);
    out.write(bytes);
  }

  static String readText(DataInputStream in) throws IOException {
    byte[] bytes = new byte[in.readUnsignedShort()];
    in.readFully(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static int crc(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
