/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.core.check.Printable;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.channel.secure.ForgedException;
import io.hdfsparity.ecupdate.channel.secure.HandshakeFormat;
import io.hdfsparity.ecupdate.channel.secure.Opening;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/**
 * Protects a connection at the node, if the client or the node wants that.
 *
 * <pre>
 *   DETECTING --an opening--&gt; OPENING --whole--&gt; ANSWERING --the client has the secret--&gt; KEYED
 *     |                         |                   |                                       |
 *     |                         +-------------------+-- anything wrong ---------------------+--&gt; ENDED
 *     +-- in clear: ENDED where protection is required, else this handler leaves the pipeline
 * </pre>
 *
 * <p>Invariants: before there are keys nothing is sent in clear but the acceptance and why the
 * connection ends; after them, nothing. The time until the hello has opened is the connection's
 * ({@link ServerConnection}); until then at most an opening, and what one read brings, is held.
 *
 * <p>All but {@link #answer} on the thread of its loop.
 */
final class ServerProtection extends RecordHandler {
  private enum Phase {
    DETECTING,
    OPENING,
    ANSWERING,
    KEYED,
    ENDED
  }

  private static final System.Logger LOG = System.getLogger(ServerProtection.class.getName());

  private final ServerShared shared;
  private final ConnectionProof proof;
  private final ServerOutput output;
  private Phase phase = Phase.DETECTING;
  private final Deadline deadline = new Deadline(this::late);

  /** A time has passed for the rest of a record, of which a pause may have taken a part. */
  private boolean isOverdue;

  ServerProtection(ServerShared shared, ConnectionProof proof) {
    this.shared = shared;
    this.proof = proof;
    this.output = new ServerOutput(shared.limits().maxPayloadBytes());
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    switch (phase) {
      case DETECTING -> detect(ctx, in);
      case OPENING -> readOpening(ctx, in);
      case ANSWERING -> {}
      case KEYED -> readRecords(ctx, in, out);
      case ENDED -> in.skipBytes(in.readableBytes());
    }
  }

  private void detect(ChannelHandlerContext ctx, ByteBuf in) {
    if (in.readableBytes() < Integer.BYTES) {
      return;
    }
    int magic = in.getInt(in.readerIndex());
    if (magic == HandshakeFormat.MAGIC) {
      phase = Phase.OPENING;
      readOpening(ctx, in);
    } else if (magic == ControlCodec.MAGIC && shared.access().isProtectionRequired()) {
      refuse(ctx, ConnectionProof.refusedClear());
    } else {
      ctx.pipeline().remove(this);
    }
  }

  private void readOpening(ChannelHandlerContext ctx, ByteBuf in) {
    Opening opening;
    ByteBuffer bytes = in.nioBuffer();
    int before = bytes.remaining();
    try {
      opening = Opening.decode(bytes);
    } catch (FormatException e) {
      refuse(ctx, ChannelError.MALFORMED, String.valueOf(e.getMessage()));
      return;
    }
    if (opening == null) {
      return;
    }
    in.skipBytes(before - bytes.remaining());
    phase = Phase.ANSWERING;
    ctx.channel().config().setAutoRead(false);
    try {
      shared.threads().handshakes().execute(() -> answer(ctx, opening));
    } catch (RejectedExecutionException e) {
      refuse(ctx, ChannelError.SHUTDOWN, "the node stops");
    }
  }

  /** On a thread for handshakes. */
  private void answer(ChannelHandlerContext ctx, Opening opening) {
    try {
      Bytes key = shared.access().secret(opening.name());
      Opening.Acceptance acceptance = opening.accept(key, new SecureRandom());
      later(ctx, () -> accept(ctx, opening, acceptance));
    } catch (AccessRefusedException e) {
      later(ctx, () -> refuse(ctx, e));
    } catch (ForgedException e) {
      LOG.log(Level.DEBUG, "The opening of a connection was not made with its secret", e);
      String reason = "Cannot authorize: expected an opening made with the password of the token";
      later(ctx, () -> refuse(ctx, ChannelError.FORBIDDEN, reason));
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.WARNING, "Cannot look for the secret of " + ctx.channel().remoteAddress(), e);
      later(ctx, () -> refuse(ctx, ChannelError.INTERNAL, "Cannot look for the secret: " + e));
    }
  }

  private void accept(ChannelHandlerContext ctx, Opening opening, Opening.Acceptance acceptance) {
    if (phase != Phase.ANSWERING) {
      return;
    }
    proof.proven(opening.name());
    start(acceptance.records());
    phase = Phase.KEYED;
    ctx.writeAndFlush(Unpooled.wrappedBuffer(acceptance.message().toArray()));
    ctx.channel().config().setAutoRead(true);
    try {
      channelRead(ctx, Unpooled.EMPTY_BUFFER); // what has arrived already
    } catch (Exception e) {
      ctx.fireExceptionCaught(e);
    }
  }

  private void readRecords(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    try {
      if (readRecord(ctx, in, out)) {
        expectNothing();
      } else {
        expect(ctx);
      }
    } catch (FormatException | ForgedException e) {
      end(ctx, String.valueOf(e.getMessage()));
    }
  }

  /** The rest of a record. */
  private void expect(ChannelHandlerContext ctx) {
    deadline.expect(ctx, shared.timeouts().frameMs());
  }

  private void expectNothing() {
    deadline.expectNothing();
    isOverdue = false;
  }

  private void late(ChannelHandlerContext ctx, long timeoutMs) {
    if (phase != Phase.KEYED) {
      return;
    }
    boolean isReading = ctx.channel().config().isAutoRead();
    if (isReading && isOverdue) {
      end(ctx, "no whole record in ms=" + timeoutMs);
    } else {
      isOverdue = isReading;
      expect(ctx);
    }
  }

  /** Somebody has changed what the peer sent, or the peer is broken: it gets no answer. */
  private void end(ChannelHandlerContext ctx, String reason) {
    phase = Phase.ENDED;
    expectNothing();
    LOG.log(
        Level.WARNING,
        "Closing the protected connection of " + ctx.channel().remoteAddress() + ": " + reason);
    ctx.close();
  }

  private void refuse(ChannelHandlerContext ctx, AccessRefusedException why) {
    refuse(ctx, why.error(), String.valueOf(why.getMessage()));
  }

  /** Says why in clear and closes: there are no keys. */
  private void refuse(ChannelHandlerContext ctx, ChannelError error, String reason) {
    if (phase == Phase.ENDED) {
      return;
    }
    phase = Phase.ENDED;
    ctx.channel().config().setAutoRead(true);
    String printable = Printable.of(reason); // it may quote who has proven nothing
    LOG.log(
        Level.INFO,
        () ->
            "Refusing the connection of "
                + ctx.channel().remoteAddress()
                + ": "
                + error
                + ", "
                + printable);
    output.end(ctx, new Control.ConnectionEnd(error, printable));
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise)
      throws Exception {
    switch (phase) {
      case KEYED -> super.write(ctx, message, promise);
      case ENDED -> {
        ReferenceCountUtil.release(message);
        promise.tryFailure(new ClosedChannelException());
      }
      default -> {
        // The connection says why it ends: nothing else is written before its hello.
        phase = Phase.ENDED;
        ctx.write(message, promise);
      }
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    phase = Phase.ENDED;
    expectNothing();
    super.channelInactive(ctx);
  }

  private static void later(ChannelHandlerContext ctx, Runnable task) {
    try {
      ctx.executor().execute(task);
    } catch (RejectedExecutionException e) {
      LOG.log(Level.DEBUG, "The node stops; dropped what was left of " + ctx.channel(), e);
    }
  }
}
