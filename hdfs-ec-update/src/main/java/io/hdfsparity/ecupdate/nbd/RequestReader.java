/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Reads requests from a client. Used by one thread, but {@link #waitedMs} by any. */
final class RequestReader {
  /** 32 bits magic, 16 flags, 16 type, 64 cookie, 64 offset, 32 length. */
  static final int HEADER_BYTES = 28;

  private static final int SKIP_BYTES = 1 << 16;

  /** Of a payload, which tells a slow client from one that sends a byte now and then. */
  static final int PIECE_BYTES = 1 << 17;

  private final DataInputStream in;
  private final ClientWait wait;

  RequestReader(DataInputStream in) {
    this(in, System::nanoTime);
  }

  /**
   * @param nanoTime as of {@link System#nanoTime}
   */
  RequestReader(DataInputStream in, LongSupplier nanoTime) {
    this.in = in;
    wait = new ClientWait(nanoTime);
  }

  /**
   * The next header.
   *
   * @return empty: the client has closed its side, between two requests
   * @throws NbdProtocolException if it is none
   * @throws EOFException if the client has closed its side in the middle of it
   */
  Optional<Request> next() throws IOException {
    byte[] header = in.readNBytes(HEADER_BYTES);
    if (header.length == 0) {
      return Optional.empty();
    }
    if (header.length < HEADER_BYTES) {
      throw new EOFException("Cannot read a request: the connection ended in its header");
    }
    ByteBuffer box = ByteBuffer.wrap(header);
    int magic = box.getInt();
    if (magic != NbdConstants.REQUEST_MAGIC) {
      throw new NbdProtocolException(
          "magic of a request",
          Integer.toHexString(magic),
          Integer.toHexString(NbdConstants.REQUEST_MAGIC));
    }
    int flags = Short.toUnsignedInt(box.getShort());
    int type = Short.toUnsignedInt(box.getShort());
    long cookie = box.getLong();
    long offset = box.getLong();
    long lengthBytes = Integer.toUnsignedLong(box.getInt());
    return Optional.of(new Request(flags, type, cookie, offset, lengthBytes));
  }

  /**
   * The bytes behind a header.
   *
   * @param lengthBytes that were judged to be not too many
   */
  byte[] payload(int lengthBytes) throws IOException {
    byte[] payload = new byte[lengthBytes];
    for (int at = 0; at < lengthBytes; ) {
      int from = at;
      int piece = Math.min(PIECE_BYTES, lengthBytes - from);
      int step = wait.during(() -> in.readNBytes(payload, from, piece));
      if (step < piece) {
        throw new EOFException("Cannot read a request: the connection ended in its payload");
      }
      at += step;
    }
    return payload;
  }

  /** How long the client has taken for a piece of a payload, in milliseconds; 0 if none is due. */
  long waitedMs() {
    return wait.ms();
  }

  /** Reads past bytes of a request that is refused, in small pieces. */
  void skip(long lengthBytes) throws IOException {
    byte[] piece = new byte[(int) Math.min(SKIP_BYTES, lengthBytes)];
    for (long left = lengthBytes; left > 0; ) {
      int step = (int) Math.min(piece.length, left);
      in.readFully(piece, 0, step);
      left -= step;
    }
  }
}
