/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel.secure;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.core.framing.NotOursException;
import io.hdfsparity.core.framing.TooNewException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The two messages that begin a protected connection. Big-endian.
 *
 * <pre>
 * HANDSHAKE MESSAGE
 * +------+-----+-------------------------------------------------------------------+
 * |    0 |   4 | magic "ECUS"                                                      |
 * |    4 |   2 | version                                                           |
 * |    6 |   2 | kind: 1 opening, 2 acceptance                                     |
 * |    8 |   2 | nameBytes: 1 to 8192; of an acceptance 0                          |
 * |   10 |     | name: what the secret is found by                                 |
 * |      |  32 | ephemeral: public key of X25519                                   |
 * |      |  16 | tag                                                               |
 * +------+-----+-------------------------------------------------------------------+
 * </pre>
 *
 * <p>There is no CRC: the tag covers every byte from 0 on, and depends on the secret. Stateless,
 * thread-safe.
 */
public final class HandshakeFormat {
  public static final int MAGIC = 0x45435553;

  static final int VERSION = 1;
  static final int OPENING = 1;
  static final int ACCEPTANCE = 2;
  static final int HEADER_BYTES = 10;

  /** Of an acceptance. */
  static final int ACCEPTANCE_BYTES = HEADER_BYTES + Handshake.MESSAGE_BYTES;

  private HandshakeFormat() {}

  /** What comes before the ephemeral key: the prologue of the handshake. */
  static byte[] prologue(byte[] name) {
    return header(OPENING, name.length, name);
  }

  static byte[] acceptance(byte[] message) {
    return header(ACCEPTANCE, 0, message);
  }

  private static byte[] header(int kind, int nameBytes, byte[] rest) {
    return ByteBuffer.allocate(HEADER_BYTES + rest.length)
        .putInt(MAGIC)
        .putShort((short) VERSION)
        .putShort((short) kind)
        .putShort((short) nameBytes)
        .put(rest)
        .array();
  }

  /**
   * The opening at the position of {@code src}, which moves behind it.
   *
   * @return null if it is not whole yet; {@code src} is unchanged then, and nothing was allocated
   * @throws FormatException if what is there is no opening
   */
  static @Nullable Opening decodeOpening(ByteBuffer src) throws FormatException {
    if (src.remaining() < HEADER_BYTES) {
      return null;
    }
    int nameBytes = check(src, OPENING);
    if (nameBytes < 1 || nameBytes > Secret.MAX_NAME_BYTES) {
      throw corrupt("nameBytes", nameBytes, "1.." + Secret.MAX_NAME_BYTES);
    }
    int prologueBytes = HEADER_BYTES + nameBytes;
    if (src.remaining() < prologueBytes + Handshake.MESSAGE_BYTES) {
      return null;
    }
    byte[] prologue = new byte[prologueBytes];
    byte[] message = new byte[Handshake.MESSAGE_BYTES];
    src.get(prologue).get(message);
    return new Opening(prologue, message);
  }

  /**
   * The message of an acceptance at the position of {@code src}, which moves behind it.
   *
   * @return null if it is not whole yet; {@code src} is unchanged then
   */
  static byte @Nullable [] decodeAcceptance(ByteBuffer src) throws FormatException {
    if (src.remaining() < ACCEPTANCE_BYTES) {
      return null;
    }
    int nameBytes = check(src, ACCEPTANCE);
    if (nameBytes != 0) {
      throw corrupt("nameBytes", nameBytes, "0");
    }
    byte[] message = new byte[Handshake.MESSAGE_BYTES];
    src.position(src.position() + HEADER_BYTES).get(message);
    return message;
  }

  /** Bytes of the name. */
  private static int check(ByteBuffer src, int expectedKind) throws FormatException {
    int at = src.position();
    if (src.getInt(at) != MAGIC) {
      throw new NotOursException(
          refusal()
              .value("magic", "0x" + Integer.toHexString(src.getInt(at)))
              .expected("0x" + Integer.toHexString(MAGIC))
              .message());
    }
    int version = Short.toUnsignedInt(src.getShort(at + 4));
    if (version > VERSION) {
      throw new TooNewException(
          refusal().value("version", version).expected("1.." + VERSION).message());
    }
    int kind = Short.toUnsignedInt(src.getShort(at + 6));
    if (version < 1 || kind != expectedKind) {
      throw corrupt("kind", kind, String.valueOf(expectedKind));
    }
    return Short.toUnsignedInt(src.getShort(at + 8));
  }

  private static ErrorMessage refusal() {
    return ErrorMessage.to("read a handshake of the update channel");
  }

  private static CorruptFormatException corrupt(String name, int value, String rule) {
    return new CorruptFormatException(refusal().value(name, value).expected(rule).message());
  }
}
