/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.core.check.Printable;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.ecupdate.channel.secure.ClientHandshake;
import io.hdfsparity.ecupdate.channel.secure.ForgedException;
import io.hdfsparity.ecupdate.channel.secure.Records;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Protects a connection at the client: shakes hands, and holds back what is written until the node
 * has proven that it has the secret. Nothing but the opening leaves in clear; there is no way back
 * to a connection in clear.
 *
 * <p>On the thread of its loop.
 */
final class ClientProtection extends RecordHandler {
  private enum Phase {
    AWAITING,
    KEYED,
    ENDED
  }

  private record Held(Object message, ChannelPromise promise) {}

  private final ClientHandshake handshake;
  private final Deque<Held> held = new ArrayDeque<>();
  private Phase phase = Phase.AWAITING;

  /** The handshake is used up by one connection. */
  ClientProtection(ClientHandshake handshake) {
    this.handshake = handshake;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    ctx.writeAndFlush(Unpooled.wrappedBuffer(handshake.opening().toArray()));
    ctx.fireChannelActive();
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
    try {
      switch (phase) {
        case AWAITING -> readAcceptance(ctx, in);
        case KEYED -> readRecord(ctx, in, out);
        case ENDED -> in.skipBytes(in.readableBytes());
      }
    } catch (FormatException | ForgedException e) {
      fail(ctx, e);
    }
  }

  private void readAcceptance(ChannelHandlerContext ctx, ByteBuf in) throws Exception {
    if (in.readableBytes() < Integer.BYTES) {
      return;
    }
    ByteBuffer bytes = in.nioBuffer();
    int before = bytes.remaining();
    if (bytes.getInt(bytes.position()) == ControlCodec.MAGIC) {
      refused(ctx, ControlCodec.decode(bytes));
    } else {
      Records records = handshake.accepted(bytes);
      if (records != null) {
        start(records);
        phase = Phase.KEYED;
      }
    }
    in.skipBytes(before - bytes.remaining());
    if (phase == Phase.KEYED) {
      for (Held each = held.poll(); each != null; each = held.poll()) {
        super.write(ctx, each.message(), each.promise());
      }
      ctx.flush();
    }
  }

  /** Nobody knows who says so: it is a reason to try again, and for people, and no more. */
  private void refused(ChannelHandlerContext ctx, @Nullable Control control) {
    if (control instanceof Control.ConnectionEnd end) {
      fail(
          ctx,
          new IOException(
              "Cannot open a protected connection: the peer, which has not proven who it is, says "
                  + end.error()
                  + ", "
                  + Printable.of(end.reason())));
    } else if (control != null) {
      fail(ctx, new IOException("Cannot open a protected connection: the peer answers in clear"));
    }
  }

  private void fail(ChannelHandlerContext ctx, IOException why) {
    phase = Phase.ENDED;
    dropHeld();
    ctx.fireExceptionCaught(why);
    ctx.close();
  }

  private void dropHeld() {
    for (Held each = held.poll(); each != null; each = held.poll()) {
      ReferenceCountUtil.release(each.message());
      each.promise().tryFailure(new ClosedChannelException());
    }
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise)
      throws Exception {
    switch (phase) {
      case AWAITING -> held.add(new Held(message, promise));
      case KEYED -> super.write(ctx, message, promise);
      case ENDED -> {
        ReferenceCountUtil.release(message);
        promise.tryFailure(new ClosedChannelException());
      }
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    phase = Phase.ENDED;
    dropHeld();
    super.channelInactive(ctx);
  }
}
