/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.ecupdate.channel.secure.ForgedException;
import io.hdfsparity.ecupdate.channel.secure.Records;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageCodec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the socket and the frames of a protected connection: seals what is written, and
 * hands on what opens. A connection in clear has none. On the thread of the connection's loop.
 */
abstract class RecordHandler extends ByteToMessageCodec<ByteBuf> {
  private @Nullable Records records;

  /** From now on there are records. */
  final void start(Records agreed) {
    records = agreed;
  }

  private Records records() {
    Records agreed = records;
    if (agreed == null) {
      throw new IllegalStateException("Cannot use records before the handshake");
    }
    return agreed;
  }

  /** Only after {@link #start}. */
  @Override
  protected final void encode(ChannelHandlerContext ctx, ByteBuf message, ByteBuf out) {
    int whole = message.readableBytes() / Records.MAX_PLAIN_BYTES;
    out.ensureWritable(
        whole * Records.recordBytes(Records.MAX_PLAIN_BYTES)
            + Records.recordBytes(message.readableBytes() % Records.MAX_PLAIN_BYTES));
    while (message.isReadable()) {
      int plainBytes = Math.min(message.readableBytes(), Records.MAX_PLAIN_BYTES);
      int recordBytes = Records.recordBytes(plainBytes);
      try {
        records()
            .seal(
                message.nioBuffer(message.readerIndex(), plainBytes),
                out.nioBuffer(out.writerIndex(), recordBytes));
      } catch (IllegalStateException e) {
        ctx.close(); // what follows would not open at the peer
        throw e;
      }
      out.writerIndex(out.writerIndex() + recordBytes);
      message.skipBytes(plainBytes);
    }
  }

  /**
   * Opens a record.
   *
   * @return false if it is not whole yet
   * @throws FormatException if no record begins here
   * @throws ForgedException if it is not the next one of the peer
   */
  final boolean readRecord(ChannelHandlerContext ctx, ByteBuf in, List<Object> out)
      throws FormatException, ForgedException {
    if (in.readableBytes() < Records.HEADER_BYTES) {
      return false;
    }
    int header = in.getUnsignedShort(in.readerIndex());
    int plainBytes = Records.plainBytes(header);
    if (in.readableBytes() < Records.HEADER_BYTES + header) {
      return false;
    }
    ByteBuf plain = ctx.alloc().heapBuffer(plainBytes, plainBytes);
    boolean isOpen = false;
    try {
      records()
          .open(
              in.nioBuffer(in.readerIndex() + Records.HEADER_BYTES, header),
              plain.nioBuffer(0, plainBytes));
      isOpen = true;
    } finally {
      if (!isOpen) {
        plain.release();
      }
    }
    in.skipBytes(Records.HEADER_BYTES + header);
    out.add(plain.writerIndex(plainBytes));
    return true;
  }
}
