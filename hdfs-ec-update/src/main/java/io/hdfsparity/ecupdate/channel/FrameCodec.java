/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.core.framing.NotOursException;
import io.hdfsparity.core.framing.TooNewException;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
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
 * Frames of a stream. Big-endian; CRCs are CRC32C.
 *
 * <pre>
 * FRAME
 * +------+-----+-------------------------------------------------------------------+
 * |    0 |   4 | magic "ECUA"                                                      |
 * |    4 |   2 | version                                                           |
 * |    6 |   2 | kind: 1 request, 2 reply, 3 refusal, 4 failure                    |
 * |    8 |   4 | payloadBytes                                                      |
 * |   12 |   8 | call                                                              |
 * |   20 |   4 | payloadCrc: of the payload                                        |
 * |   24 |   4 | headerCrc: of bytes 0 to 23                                       |
 * |   28 |     | payload                                                           |
 * +------+-----+-------------------------------------------------------------------+
 * </pre>
 *
 * <p>A length is believed only when the header's CRC is right and it is within the limit, so nobody
 * makes the reader allocate more. After any {@link FormatException} the stream is out of step: the
 * connection has to be closed. Immutable, thread-safe.
 */
final class FrameCodec {
  /** Bytes of a frame before its payload. */
  static final int HEADER_BYTES = 28;

  static final int MAGIC = 0x45435541;
  static final int VERSION = 1;
  private static final int REQUEST = 1;
  private static final int REPLY = 2;
  private static final int REFUSAL = 3;
  private static final int FAILURE = 4;
  private static final int HEADER_CRC = 24;
  private static final int MAX_REASON = 4096;
  private static final int EXPECTED_REST_BYTES = 228;
  private static final int COPIED_BYTES = 1024;

  private final int maxPayloadBytes;

  /**
   * A codec.
   *
   * @param maxPayloadBytes longest payload that is written or read
   */
  FrameCodec(int maxPayloadBytes) {
    Checks.argument(
        maxPayloadBytes > 0, "frame messages", "maxPayloadBytes", maxPayloadBytes, "> 0");
    this.maxPayloadBytes = maxPayloadBytes;
  }

  /**
   * A whole frame, from 0 to its limit.
   *
   * @throws IllegalArgumentException if the payload is longer than the limit
   */
  ByteBuffer encode(Message message) {
    FrameBytes bytes = new FrameBytes(HEADER_BYTES + expectedBytes(message));
    writePayload(message, bytes);
    int payloadBytes = bytes.size() - HEADER_BYTES;
    Checks.argument(
        payloadBytes <= maxPayloadBytes,
        "send a message",
        "payloadBytes",
        payloadBytes,
        "<= " + maxPayloadBytes);
    ByteBuffer frame = bytes.frame();
    CRC32C crc = new CRC32C();
    crc.update(frame.slice(HEADER_BYTES, payloadBytes));
    frame.putInt(MAGIC).putShort((short) VERSION).putShort((short) kind(message));
    frame.putInt(payloadBytes).putLong(message.call()).putInt((int) crc.getValue());
    frame.putInt(crc(frame.array(), HEADER_CRC));
    return frame.rewind();
  }

  private static int kind(Message message) {
    if (message instanceof Message.Ask) {
      return REQUEST;
    }
    if (message instanceof Message.Answer) {
      return REPLY;
    }
    return message instanceof Message.Refusal ? REFUSAL : FAILURE;
  }

  /** Room for a header, then a payload. What is long is handed out without being copied. */
  private static final class FrameBytes extends ByteArrayOutputStream {
    FrameBytes(int expectedBytes) {
      super(expectedBytes);
      count = HEADER_BYTES;
    }

    ByteBuffer frame() {
      return count <= COPIED_BYTES
          ? ByteBuffer.wrap(toByteArray())
          : ByteBuffer.wrap(buf, 0, count);
    }
  }

  /** About what the payload takes, so that what is long is not copied while it grows. */
  private static int expectedBytes(Message message) {
    Bytes longest = null;
    if (message instanceof Message.Ask ask) {
      longest = bytes(ask.request());
    } else if (message instanceof Message.Answer answer) {
      longest = bytes(answer.reply());
    }
    return EXPECTED_REST_BYTES + (longest == null ? 0 : longest.length());
  }

  private static @Nullable Bytes bytes(Request request) {
    if (request instanceof Request.Swap swap) {
      return swap.patch().bytes();
    } else if (request instanceof Request.Add add) {
      return add.delta().bytes();
    } else if (request instanceof Request.AddAll add) {
      return add.delta().bytes();
    }
    return request instanceof Request.Reconstruct reconstruct ? reconstruct.block() : null;
  }

  private static @Nullable Bytes bytes(Reply reply) {
    if (reply instanceof Reply.SwapReply swapped) {
      return swapped.previous();
    } else if (reply instanceof Reply.ReadReply read) {
      return read.bytes();
    }
    return reply instanceof Reply.StateReply state ? state.block() : null;
  }

  private static void writePayload(Message message, FrameBytes bytes) {
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      if (message instanceof Message.Ask ask) {
        RequestCodec.write(ask.slot(), ask.request(), out);
      } else if (message instanceof Message.Answer answer) {
        ReplyCodec.write(answer.reply(), out);
      } else if (message instanceof Message.Refusal refusal) {
        writeReason(refusal.reason(), out);
      } else if (message instanceof Message.Failure failure) {
        writeReason(failure.reason(), out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // no I/O behind it
    }
  }

  private static void writeReason(String reason, DataOutputStream out) throws IOException {
    out.writeUTF(reason.substring(0, Math.min(reason.length(), MAX_REASON)));
  }

  /**
   * Length of the frame at the position of {@code src}, which stays there: known before the frame
   * has come, so that room can be made for it.
   *
   * @return bytes with the header; -1 if the header is not whole yet
   * @throws FormatException if what is there is no frame: the stream cannot be used any more
   */
  int frameBytes(ByteBuffer src) throws FormatException {
    if (src.remaining() < HEADER_BYTES) {
      return -1;
    }
    byte[] header = new byte[HEADER_BYTES];
    src.get(src.position(), header);
    ByteBuffer fields = ByteBuffer.wrap(header);
    check(header, fields);
    return HEADER_BYTES + fields.getInt(8);
  }

  /**
   * The next message, from the position of {@code src}, which moves behind it.
   *
   * @return null if there is no whole frame yet; {@code src} is unchanged then
   * @throws FormatException if what is there is no frame: the stream cannot be used any more
   */
  @Nullable Message decode(ByteBuffer src) throws FormatException {
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
    int crc = fields.getInt(20);
    if (crc(payload, payloadBytes) != crc) {
      throw corrupt("payloadCrc", crc, "" + crc(payload, payloadBytes));
    }
    Message message = message(fields.getShort(6), fields.getLong(12), payload);
    src.position(src.position() + HEADER_BYTES + payloadBytes);
    return message;
  }

  /** In an order that holds in every version there will be. */
  private void check(byte[] header, ByteBuffer fields) throws FormatException {
    if (fields.getInt(0) != MAGIC) {
      throw new NotOursException(
          refusal()
              .value("magic", "0x" + Integer.toHexString(fields.getInt(0)))
              .expected("0x" + Integer.toHexString(MAGIC))
              .message());
    }
    if (fields.getInt(HEADER_CRC) != crc(header, HEADER_CRC)) {
      throw corrupt("headerCrc", fields.getInt(HEADER_CRC), "" + crc(header, HEADER_CRC));
    }
    int version = Short.toUnsignedInt(fields.getShort(4));
    if (version > VERSION) {
      throw new TooNewException(
          refusal().value("version", version).expected("1.." + VERSION).message());
    }
    int payloadBytes = fields.getInt(8);
    if (version < 1 || payloadBytes < 0 || payloadBytes > maxPayloadBytes) {
      throw corrupt("payloadBytes", payloadBytes, "0.." + maxPayloadBytes);
    }
  }

  private static Message message(int kind, long call, byte[] payload) throws FormatException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(payload))) {
      Message message =
          switch (kind) {
            case REQUEST -> new Message.Ask(call, RequestCodec.readSlot(in), RequestCodec.read(in));
            case REPLY -> new Message.Answer(call, ReplyCodec.read(in));
            case REFUSAL -> new Message.Refusal(call, in.readUTF());
            case FAILURE -> new Message.Failure(call, in.readUTF());
            default -> throw new StreamCorruptedException("kind=" + kind + ", expected 1..4");
          };
      if (in.available() > 0) {
        throw new StreamCorruptedException("bytes left=" + in.available() + ", expected 0");
      }
      return message;
    } catch (IOException | IllegalArgumentException | ArithmeticException e) {
      CorruptFormatException corrupt =
          corrupt("payloadBytes", payload.length, "a message (" + e.getMessage() + ")");
      corrupt.initCause(e);
      throw corrupt;
    }
  }

  private static ErrorMessage refusal() {
    return ErrorMessage.to("read a message");
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
