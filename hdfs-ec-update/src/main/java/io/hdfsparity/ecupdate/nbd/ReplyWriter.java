/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes replies to a client, each in one piece (specification, sections "Simple reply message" and
 * "Structured reply chunk message"). When one breaks off nothing follows it: the client would take
 * that for the rest of it. Thread-safe.
 */
final class ReplyWriter {
  private static final int SIMPLE_BYTES = 16;
  private static final int CHUNK_BYTES = 20;
  private static final int MAX_MESSAGE_BYTES = 1024;

  /** Data that goes into one packet with its header. */
  private static final int MAX_JOINED_BYTES = 1 << 16;

  /** Of a write, which tells a slow client from one that takes nothing. */
  private static final int PIECE_BYTES = 1 << 17;

  private final OutputStream out;
  private final ReplyForm form;
  private final ClientWait wait = new ClientWait(System::nanoTime);

  /** A reply has broken off; guarded by this. */
  private boolean isBroken;

  ReplyWriter(OutputStream out, ReplyForm form) {
    this.out = out;
    this.form = form;
  }

  /** A request without an answer's data has been carried out. */
  void done(Request request) throws IOException {
    if (form == ReplyForm.STRUCTURED) {
      send(chunk(request, NbdConstants.REPLY_TYPE_NONE, 0, 0), new byte[0]);
    } else {
      send(simple(request, 0), new byte[0]);
    }
  }

  /** A read has been carried out. */
  void data(Request request, byte[] data) throws IOException {
    if (form == ReplyForm.SIMPLE) {
      send(simple(request, 0), data);
    } else if (data.length == 0) {
      done(request); // a chunk of data has at least one byte
    } else {
      ByteBuffer header =
          chunk(request, NbdConstants.REPLY_TYPE_OFFSET_DATA, Long.BYTES + data.length, Long.BYTES);
      send(header.putLong(request.offset()), data);
    }
  }

  /** A request has failed; clients with structured replies learn why. */
  void error(Request request, NbdError error, String message) throws IOException {
    if (form == ReplyForm.SIMPLE) {
      send(simple(request, error.number()), new byte[0]);
      return;
    }
    byte[] text = message.getBytes(StandardCharsets.UTF_8);
    // A character that is cut in two is shown as one that is unknown.
    text = Arrays.copyOf(text, Math.min(text.length, MAX_MESSAGE_BYTES));
    int fixed = Integer.BYTES + Short.BYTES;
    ByteBuffer header = chunk(request, NbdConstants.REPLY_TYPE_ERROR, fixed + text.length, fixed);
    send(header.putInt(error.number()).putShort((short) text.length), text);
  }

  private static ByteBuffer simple(Request request, int error) {
    return ByteBuffer.allocate(SIMPLE_BYTES)
        .putInt(NbdConstants.SIMPLE_REPLY_MAGIC)
        .putInt(error)
        .putLong(request.cookie());
  }

  private static ByteBuffer chunk(Request request, int type, int payloadBytes, int roomBytes) {
    return ByteBuffer.allocate(CHUNK_BYTES + roomBytes)
        .putInt(NbdConstants.STRUCTURED_REPLY_MAGIC)
        .putShort((short) NbdConstants.REPLY_FLAG_DONE)
        .putShort((short) type)
        .putLong(request.cookie())
        .putInt(payloadBytes);
  }

  private void send(ByteBuffer header, byte[] payload) throws IOException {
    int headerBytes = header.position();
    int joined = payload.length <= MAX_JOINED_BYTES ? payload.length : 0;
    byte[] first = Arrays.copyOf(header.array(), headerBytes + joined);
    System.arraycopy(payload, 0, first, headerBytes, joined);
    synchronized (this) {
      if (isBroken) {
        throw new IOException("Cannot send a reply: the one before it broke off");
      }
      isBroken = true;
      write(first, 0);
      write(payload, joined);
      isBroken = false;
    }
  }

  private void write(byte[] bytes, int begin) throws IOException {
    for (int at = begin; at < bytes.length; ) {
      int from = at;
      int length = Math.min(PIECE_BYTES, bytes.length - from);
      at +=
          wait.during(
              () -> {
                out.write(bytes, from, length);
                out.flush();
                return length;
              });
    }
  }

  /** How long the client has taken no byte of a reply, in milliseconds; 0 if none is due. */
  long waitedMs() {
    return wait.ms();
  }
}
