/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.core.framing.FormatException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.ByteBuffer;
import java.util.List;

/** One connection, at the client: reads frames, and tells its lane. On the thread of its loop. */
final class ClientConnection extends ByteToMessageDecoder {
  private final RequestPipeline lane;
  private final FrameCodec codec;

  ClientConnection(RequestPipeline lane, FrameCodec codec) {
    this.lane = lane;
    this.codec = codec;
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out)
      throws FormatException {
    if (in.readableBytes() < Integer.BYTES) {
      return;
    }
    ByteBuffer bytes = in.nioBuffer();
    int before = bytes.remaining();
    if (bytes.getInt(bytes.position()) == ControlCodec.MAGIC) {
      Control control = ControlCodec.decode(bytes);
      in.skipBytes(before - bytes.remaining());
      if (control != null) {
        lane.received(ctx.channel(), control);
      }
      return;
    }
    Message message = codec.decode(bytes);
    in.skipBytes(before - bytes.remaining());
    if (message != null) {
      lane.received(ctx.channel(), message);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    lane.sendOn();
    ctx.fireChannelWritabilityChanged();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    super.channelInactive(ctx);
    lane.broke(ctx.channel(), "the connection was closed");
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    lane.broke(ctx.channel(), cause.toString());
  }
}
