/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Writes frames of one connection, at the node. For the thread of its event loop. */
final class ServerOutput {
  private static final System.Logger LOG = System.getLogger(ServerOutput.class.getName());
  private static final long LINGER_MS = 500;

  private final FrameCodec codec;

  /** Writes nothing longer than that. */
  ServerOutput(int maxPayloadBytes) {
    codec = new FrameCodec(maxPayloadBytes);
  }

  /** Reads what it writes. */
  FrameCodec codec() {
    return codec;
  }

  /**
   * Writes an answer; one that is too long, or for which there is no memory, becomes a failure.
   *
   * @return completes when it has left, or never will
   */
  CompletableFuture<Void> write(ChannelHandlerContext ctx, Message message) {
    return write(ctx, encode(message));
  }

  /** Writes what concerns the connection itself. */
  CompletableFuture<Void> write(ChannelHandlerContext ctx, Control control) {
    return write(ctx, ControlCodec.encode(control));
  }

  /**
   * Says why the connection ends, and closes it. What still arrives is discarded for a moment: if
   * it were not read, the peer's system could drop what we have said.
   */
  void end(ChannelHandlerContext ctx, Control.ConnectionEnd end) {
    write(ctx, end)
        .thenRun(
            () -> {
              if (end.error() == ChannelError.SHUTDOWN
                  || !(ctx.channel() instanceof DuplexChannel both)) {
                ctx.close();
                return;
              }
              both.shutdownOutput();
              ctx.executor().schedule(() -> ctx.close(), LINGER_MS, TimeUnit.MILLISECONDS);
            });
  }

  private ByteBuffer encode(Message message) {
    try {
      return codec.encode(message);
    } catch (IllegalArgumentException e) {
      return codec.encode(new Message.Failure(message.call(), String.valueOf(e.getMessage())));
    } catch (Error e) {
      LOG.log(Level.WARNING, "Cannot send an answer; the client may ask again", e);
      return codec.encode(new Message.Failure(message.call(), e.toString()));
    }
  }

  private static CompletableFuture<Void> write(ChannelHandlerContext ctx, ByteBuffer frame) {
    CompletableFuture<Void> sent = new CompletableFuture<>();
    ctx.writeAndFlush(Unpooled.wrappedBuffer(frame)).addListener(done -> sent.complete(null));
    return sent;
  }
}
