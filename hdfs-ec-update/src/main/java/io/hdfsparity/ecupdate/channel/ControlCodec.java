/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.core.framing.NotOursException;
import io.hdfsparity.core.framing.TooNewException;
import io.hdfsparity.ecupdate.ajx.RecordCodec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Frames about a connection. Big-endian; CRCs are CRC32C.
 *
 * <pre>
 * CONTROL FRAME
 * +------+-----+-------------------------------------------------------------------+
 * |    0 |   4 | magic "ECUH"                                                      |
 * |    4 |   2 | version                                                           |
 * |    6 |   2 | kind: 1 hello, 2 welcome, 3 end                               |
 * |    8 |   4 | payloadBytes                                                      |
 * |   12 |   4 | payloadCrc: of the payload                                        |
 * |   16 |   4 | headerCrc: of bytes 0 to 15                                       |
 * |   20 |     | payload                                                           |
 * +------+-----+-------------------------------------------------------------------+
 * </pre>
 *
 * <p>Stateless, thread-safe.
 */
final class ControlCodec {
  /** Bytes of a frame before its payload. */
  static final int HEADER_BYTES = 20;

  static final int MAGIC = 0x45435548;
  static final int VERSION = 1;

  /** Longest block pool and client name, in characters. */
  static final int MAX_NAME = 255;

  /** Longest token, in bytes. */
  static final int MAX_TOKEN = 16384;

  private static final int MAX_REASON = 2048;
  private static final int MAX_PAYLOAD = 32768;
  private static final int HELLO = 1;
  private static final int WELCOME = 2;
  private static final int CONNECTION_END = 3;
  private static final int HEADER_CRC = 16;

  private ControlCodec() {}

  /** A whole frame, from 0 to its limit. */
  static ByteBuffer encode(Control control) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int kind;
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      kind = write(control, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // no I/O behind it
    }
    byte[] payload = bytes.toByteArray();
    ByteBuffer frame = ByteBuffer.allocate(HEADER_BYTES + payload.length);
    frame.putInt(MAGIC).putShort((short) VERSION).putShort((short) kind);
    frame.putInt(payload.length).putInt(crc(payload, payload.length));
    return frame.putInt(crc(frame.array(), HEADER_CRC)).put(payload).flip();
  }

  private static int write(Control control, DataOutputStream out) throws IOException {
    if (control instanceof Control.Hello hello) {
      out.writeUTF(hello.blockPool());
      out.writeUTF(hello.client());
      RecordCodec.write(hello.token(), out);
      return HELLO;
    } else if (control instanceof Control.Welcome welcome) {
      out.writeInt(welcome.maxOutstanding());
      out.writeInt(welcome.maxPayloadBytes());
      return WELCOME;
    } else if (control instanceof Control.ConnectionEnd end) {
      out.writeShort(end.error().ordinal() + 1);
      String reason = end.reason();
      out.writeUTF(reason.substring(0, Math.min(reason.length(), MAX_REASON)));
      return CONNECTION_END;
    }
    throw new IllegalArgumentException("Cannot send: control=" + control);
  }

  /**
   * The next frame, from the position of {@code src}, which moves behind it.
   *
   * @return null if there is no whole frame yet; {@code src} is unchanged then
   * @throws FormatException if what is there is no such frame
   */
  static @Nullable Control decode(ByteBuffer src) throws FormatException {
    checkMagic(src);
    if (src.remaining() < HEADER_BYTES) {
      return null;
    }
    byte[] header = new byte[HEADER_BYTES];
    src.get(src.position(), header);
    ByteBuffer fields = ByteBuffer.wrap(header);
    check(header, fields);
    int payloadBytes = fields.getInt(8);
    if (src.remaining() < HEADER_BYTES + payloadBytes) {
      return null;
    }
    byte[] payload = new byte[payloadBytes];
    src.get(src.position() + HEADER_BYTES, payload);
    int crc = fields.getInt(12);
    if (crc(payload, payload.length) != crc) {
      throw corrupt("payloadCrc", crc, "" + crc(payload, payload.length));
    }
    Control control = read(fields.getShort(6), payload);
    src.position(src.position() + HEADER_BYTES + payload.length);
    return control;
  }

  /** As early as there are bytes: who speaks another protocol is not waited for. */
  private static void checkMagic(ByteBuffer src) throws NotOursException {
    int there = Math.min(Integer.BYTES, src.remaining());
    for (int i = 0; i < there; i++) {
      int expected = MAGIC >>> 8 * (Integer.BYTES - 1 - i) & 0xff;
      int found = src.get(src.position() + i) & 0xff;
      if (found != expected) {
        throw new NotOursException(
            refusal()
                .value("byte " + i + " of magic", "0x" + Integer.toHexString(found))
                .expected("0x" + Integer.toHexString(expected))
                .message());
      }
    }
  }

  /** In an order that holds in every version there will be. */
  private static void check(byte[] header, ByteBuffer fields) throws FormatException {
    if (fields.getInt(HEADER_CRC) != crc(header, HEADER_CRC)) {
      throw corrupt("headerCrc", fields.getInt(HEADER_CRC), "" + crc(header, HEADER_CRC));
    }
    int version = Short.toUnsignedInt(fields.getShort(4));
    if (version > VERSION) {
      throw new TooNewException(
          refusal().value("version", version).expected("1.." + VERSION).message());
    }
    int payloadBytes = fields.getInt(8);
    if (version < 1 || payloadBytes < 0 || payloadBytes > MAX_PAYLOAD) {
      throw corrupt("payloadBytes", payloadBytes, "0.." + MAX_PAYLOAD);
    }
  }

  private static Control read(int kind, byte[] payload) throws FormatException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(payload))) {
      Control control =
          switch (kind) {
            case HELLO -> new Control.Hello(in.readUTF(), in.readUTF(), RecordCodec.readBytes(in));
            case WELCOME -> new Control.Welcome(in.readInt(), in.readInt());
            case CONNECTION_END -> new Control.ConnectionEnd(readError(in), in.readUTF());
            default -> throw new StreamCorruptedException("kind=" + kind + ", expected 1..3");
          };
      if (in.available() > 0) {
        throw new StreamCorruptedException("bytes left=" + in.available() + ", expected 0");
      }
      return control;
    } catch (IOException | IllegalArgumentException e) {
      CorruptFormatException corrupt =
          corrupt("payloadBytes", payload.length, "a frame (" + e.getMessage() + ")");
      corrupt.initCause(e);
      throw corrupt;
    }
  }

  private static ChannelError readError(DataInputStream in) throws IOException {
    int error = in.readUnsignedShort();
    ChannelError[] all = ChannelError.values();
    if (error < 1 || error > all.length) {
      throw new StreamCorruptedException("error=" + error + ", expected 1.." + all.length);
    }
    return all[error - 1];
  }

  private static ErrorMessage refusal() {
    return ErrorMessage.to("read a frame about the connection");
  }

  private static CorruptFormatException corrupt(String name, int value, String rule) {
    return new CorruptFormatException(refusal().value(name, value).expected(rule).message());
  }

  private static int crc(byte[] bytes, int lengthBytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, lengthBytes);
    return (int) crc.getValue();
  }
}
