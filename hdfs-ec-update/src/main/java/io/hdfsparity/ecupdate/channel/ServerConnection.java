/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.core.check.Printable;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.ecupdate.ajx.Request;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection, at the node.
 *
 * <pre>
 *   HELLO --whole and in time--&gt; ENTERING --token good, admitted, earlier one ended--&gt; OPEN
 *     |                             |                                                |
 *     +------ anything wrong -------+------------------------------------------------+--&gt; CLOSED
 * </pre>
 *
 * <p>Invariants: while ENTERING, while memory or the peer's window is short, nothing is read; bytes
 * are charged to the user when they have arrived, whatever a header announces, and no more are held
 * than were charged, but for what one read brings; a request that has not begun when the connection
 * ends never begins.
 *
 * <p>All but {@link #serve} on the thread of its event loop.
 */
final class ServerConnection extends ByteToMessageDecoder {
  private enum Phase {
    HELLO,
    ENTERING,
    OPEN,
    CLOSED
  }

  private static final System.Logger LOG = System.getLogger(ServerConnection.class.getName());
  private final ServerShared shared;
  private final ConnectionProof proof;
  private final ServerOutput output;
  private final ActiveRequests requests = new ActiveRequests();
  private Phase phase = Phase.HELLO;
  private String peer = "";
  private String blockPool = "";
  private ChannelAccess.@Nullable Grant grant;
  private ConnectionPermits.@Nullable Permit permit;

  /** Null before it is known whose connection it is. */
  private @Nullable IncomingFrame frame;

  /** Requests of which the answer has not left. */
  private int outstanding;

  private final Deadline deadline = new Deadline(this::late);

  ServerConnection(ServerShared shared, ConnectionProof proof) {
    this.shared = shared;
    this.proof = proof;
    this.output = new ServerOutput(shared.limits().maxPayloadBytes());
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    peer = String.valueOf(ctx.channel().remoteAddress());
    int max = shared.limits().maxConnections();
    if (shared.connections().incrementAndGet() > max) {
      refuse(ctx, ChannelError.BUSY, "connections, expected <= " + max);
      return;
    }
    deadline.expect(ctx, shared.timeouts().handshakeMs());
    ctx.fireChannelActive();
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    try {
      switch (phase) {
        case HELLO -> readHello(ctx, in);
        case ENTERING -> {}
        case OPEN -> readRequest(ctx, in);
        case CLOSED -> in.skipBytes(in.readableBytes());
      }
    } catch (FormatException e) {
      refuse(ctx, ChannelError.MALFORMED, String.valueOf(e.getMessage()));
    }
  }

  private void readHello(ChannelHandlerContext ctx, ByteBuf in) throws FormatException {
    ByteBuffer bytes = in.nioBuffer();
    int before = bytes.remaining();
    Control control = ControlCodec.decode(bytes);
    if (control == null) {
      return;
    }
    in.skipBytes(before - bytes.remaining());
    if (!(control instanceof Control.Hello hello)) {
      throw new CorruptFormatException(
          "Cannot open a connection: frame=" + control + ", expected hello");
    }
    phase = Phase.ENTERING;
    blockPool = hello.blockPool();
    peer = Printable.of(hello.client()) + " at " + peer;
    deadline.expectNothing();
    deadline.expect(ctx, shared.timeouts().handshakeMs());
    updateReading(ctx);
    onEntries(ctx, () -> judge(ctx, hello));
  }

  private void onEntries(ChannelHandlerContext ctx, Runnable task) {
    try {
      shared.threads().entries().execute(task);
    } catch (RejectedExecutionException e) {
      refuse(ctx, ChannelError.SHUTDOWN, "the node stops");
    }
  }

  private void judge(ChannelHandlerContext ctx, Control.Hello hello) {
    if (!ctx.channel().isActive()) {
      return; // closed while it waited for a thread
    }
    try {
      enter(ctx, hello, proof.judge(hello));
    } catch (AccessRefusedException e) {
      later(ctx, () -> refuse(ctx, e.error(), String.valueOf(e.getMessage())));
    } catch (IOException | RuntimeException | Error e) {
      LOG.log(Level.WARNING, "Cannot judge the token of " + peer, e);
      later(ctx, () -> refuse(ctx, ChannelError.INTERNAL, "Cannot judge the token: " + e));
    }
  }

  private void enter(ChannelHandlerContext ctx, Control.Hello hello, ChannelAccess.Grant judged) {
    ConnectionPermits.Permit granted =
        shared
            .permits()
            .acquire(
                new ConnectionPermits.Name(judged.owner(), hello.client()),
                requests,
                () ->
                    later(
                        ctx,
                        () -> refuse(ctx, ChannelError.SUPERSEDED, "the client connected again")),
                () -> new HeldLocks(shared.users(), judged.user()));
    // After that: an earlier connection of the client makes room for this one, sooner or later.
    FrameBudget budget = shared.users().enter(judged.user());
    if (budget == null) {
      shared.ended(granted);
      int max = shared.limits().maxUserConnections();
      later(
          ctx, () -> refuse(ctx, ChannelError.BUSY, "connections of one user, expected <= " + max));
    } else {
      later(ctx, () -> identified(judged, granted, budget));
      shared
          .access()
          .admit(judged)
          .whenComplete((done, failure) -> later(ctx, () -> admitted(ctx, granted, failure)));
    }
  }

  private void identified(
      ChannelAccess.Grant judged, ConnectionPermits.Permit granted, FrameBudget budget) {
    if (phase != Phase.ENTERING) {
      shared.ended(granted);
      shared.users().leave(judged.user());
      return;
    }
    deadline.expectNothing();
    grant = judged;
    permit = granted;
    frame = new IncomingFrame(budget, shared.timeouts(), deadline::expectNothing);
  }

  private void admitted(
      ChannelHandlerContext ctx, ConnectionPermits.Permit granted, @Nullable Throwable failure) {
    if (phase != Phase.ENTERING) {
      return;
    }
    if (failure instanceof AccessRefusedException refused) {
      refuse(ctx, refused.error(), String.valueOf(refused.getMessage()));
      return;
    } else if (failure != null) {
      LOG.log(Level.WARNING, "Cannot admit " + peer, failure);
      refuse(ctx, ChannelError.INTERNAL, "Cannot admit: " + failure);
      return;
    }
    granted
        .before()
        .copy()
        .orTimeout(shared.timeouts().handshakeMs(), TimeUnit.MILLISECONDS)
        .whenComplete((done, late) -> later(ctx, () -> open(ctx, late == null)));
  }

  private void open(ChannelHandlerContext ctx, boolean isAlone) {
    if (phase != Phase.ENTERING) {
      return;
    }
    if (!isAlone) {
      refuse(ctx, ChannelError.BUSY, "a request of an earlier connection is still being executed");
      return;
    }
    phase = Phase.OPEN;
    ServerLimits limits = shared.limits();
    output.write(ctx, new Control.Welcome(limits.maxOutstanding(), limits.maxPayloadBytes()));
    readOn(ctx);
  }

  private void readRequest(ChannelHandlerContext ctx, ByteBuf in) throws FormatException {
    IncomingFrame incoming = frame;
    if (incoming == null || incoming.isAwaitingMemory()) {
      return;
    }
    int frameBytes = output.codec().frameBytes(in.nioBuffer());
    if (frameBytes < 0) {
      deadline.expect(ctx, shared.timeouts().frameMs());
      return;
    }
    int arrived = Math.min(in.readableBytes(), frameBytes);
    if (!incoming.charge(arrived, bytes -> later(ctx, () -> charged(ctx, incoming, bytes)))) {
      updateReading(ctx);
      return;
    }
    if (arrived < frameBytes) {
      deadline.expect(ctx, incoming.timeoutMs(System.nanoTime()));
      return;
    }
    deadline.expectNothing();
    Message message = output.codec().decode(in.nioBuffer());
    in.skipBytes(frameBytes);
    if (!(message instanceof Message.Ask ask)) {
      throw new CorruptFormatException(
          "Cannot answer: message=" + message + ", expected a request");
    }
    accept(ctx, incoming, ask);
  }

  /** The memory for what has arrived of a frame has become available. */
  private void charged(ChannelHandlerContext ctx, IncomingFrame incoming, long bytes) {
    if (phase == Phase.OPEN) {
      incoming.charged(bytes);
      readOn(ctx);
    } else {
      incoming.refund(bytes);
    }
  }

  /** Handles what has arrived already, and reads more. */
  private void readOn(ChannelHandlerContext ctx) {
    updateReading(ctx);
    try {
      channelRead(ctx, Unpooled.EMPTY_BUFFER);
    } catch (Exception | Error e) {
      exceptionCaught(ctx, e);
    }
  }

  private void accept(ChannelHandlerContext ctx, IncomingFrame incoming, Message.Ask ask) {
    ConnectionPermits.Permit held = permit;
    ChannelAccess.Grant granted = grant;
    int max = shared.limits().maxOutstanding();
    if (outstanding >= max) {
      refuse(ctx, ChannelError.OVERRUN, "requests without an answer, expected <= " + max);
    } else if (held == null
        || granted == null
        || !RequestRules.isAllowed(ask, granted, blockPool)) {
      refuse(
          ctx,
          ChannelError.FORBIDDEN,
          "replica="
              + ask.slot().replica()
              + ", expected one that the token allows to "
              + RequestRules.use(ask.request())
              + ", by a client of its session");
    } else if (ask.request() instanceof Request.TryLock
        && !shared.users().mayLock(granted.user())) {
      outstanding++;
      String reason =
          "Cannot lock: locks of one user, expected <= "
              + shared.limits().maxUserLocks()
              + "; try again";
      send(ctx, new Message.Failure(ask.call(), reason), incoming.handOver(0));
    } else {
      int maxBytes = shared.limits().maxPayloadBytes();
      MemoryCharge charge = incoming.handOver(RequestRules.memoryBytes(ask.request(), maxBytes));
      outstanding++;
      boolean isTaken = false;
      try {
        shared.users().execute(granted.user(), () -> serve(ctx, held, granted, ask, charge));
        isTaken = true;
      } catch (RejectedExecutionException e) {
        refuse(ctx, ChannelError.SHUTDOWN, "the node stops");
      } finally {
        if (!isTaken) {
          charge.release();
        }
      }
    }
  }

  /** On a worker's thread. */
  private void serve(
      ChannelHandlerContext ctx,
      ConnectionPermits.Permit held,
      ChannelAccess.Grant granted,
      Message.Ask ask,
      MemoryCharge charge) {
    if (requests.enter()) {
      try {
        shared.executor().execute(ask, granted, held, answer -> send(ctx, answer, charge));
      } finally {
        requests.leave();
      }
    } else {
      charge.release();
    }
  }

  private void send(ChannelHandlerContext ctx, Message message, MemoryCharge charge) {
    later(ctx, () -> reply(ctx, message, charge));
  }

  private void reply(ChannelHandlerContext ctx, Message message, MemoryCharge charge) {
    boolean isTaken = false;
    try {
      if (phase == Phase.OPEN) {
        output.write(ctx, message).whenComplete((sent, e) -> left(charge));
        isTaken = true;
      }
    } catch (RuntimeException | Error e) {
      exceptionCaught(ctx, e);
    } finally {
      if (!isTaken) {
        charge.release();
      }
    }
  }

  /** An answer has left: one that a peer does not take counts as one that it waits for. */
  private void left(MemoryCharge charge) {
    outstanding--;
    charge.release();
  }

  /** On the thread of the loop, unless it is being shut down: then nobody waits. */
  private static void later(ChannelHandlerContext ctx, Runnable task) {
    try {
      ctx.executor().execute(task);
    } catch (RejectedExecutionException e) {
      LOG.log(Level.DEBUG, "The node stops; dropped what was left of " + ctx.channel(), e);
    }
  }

  private void updateReading(ChannelHandlerContext ctx) {
    boolean isReading =
        phase == Phase.HELLO
            || phase == Phase.CLOSED
            || phase == Phase.OPEN && !isAwaitingMemory() && ctx.channel().isWritable();
    ctx.channel().config().setAutoRead(isReading);
  }

  private boolean isAwaitingMemory() {
    return frame != null && frame.isAwaitingMemory();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    updateReading(ctx);
    ctx.fireChannelWritabilityChanged();
  }

  private void late(ChannelHandlerContext ctx, long timeoutMs) {
    IncomingFrame incoming = frame;
    if (phase == Phase.ENTERING) {
      refuse(ctx, ChannelError.BUSY, "the token was not judged in ms=" + timeoutMs);
    } else if (phase == Phase.OPEN && !ctx.channel().isWritable()) {
      deadline.expect(ctx, timeoutMs); // we did not read
    } else if (incoming != null && incoming.hasOverdraftLeft(System.nanoTime())) {
      deadline.expect(ctx, incoming.timeoutMs(System.nanoTime())); // more has arrived
    } else {
      refuse(ctx, ChannelError.SLOW, "no whole frame in ms=" + timeoutMs);
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof IdleStateEvent
        && phase == Phase.OPEN
        && outstanding == 0
        && !isAwaitingMemory()) {
      refuse(ctx, ChannelError.IDLE, "no request in ms=" + shared.timeouts().idleMs());
    }
    ctx.fireUserEventTriggered(event);
  }

  /** The node stops. */
  void shutDown(ChannelHandlerContext ctx) {
    refuse(ctx, ChannelError.SHUTDOWN, "the node stops");
  }

  /** Says why and closes. */
  private void refuse(ChannelHandlerContext ctx, ChannelError error, String reason) {
    if (phase == Phase.CLOSED) {
      return;
    }
    phase = Phase.CLOSED;
    requests.close();
    deadline.expectNothing();
    updateReading(ctx);
    LOG.log(
        error.isUsual() ? Level.DEBUG : Level.INFO,
        () -> "Closing the connection of " + peer + ": " + error + ", " + reason);
    try {
      output.end(ctx, new Control.ConnectionEnd(error, reason));
    } catch (RuntimeException | Error e) {
      LOG.log(Level.WARNING, "Cannot say why the connection of " + peer + " ends", e);
      ctx.close();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    phase = Phase.CLOSED;
    requests.close();
    deadline.expectNothing();
    shared.connections().decrementAndGet();
    if (grant != null && frame != null) {
      frame.release();
      shared.users().leave(grant.user());
      frame = null;
    }
    if (permit != null) {
      shared.ended(permit);
      permit = null;
    }
    super.channelInactive(ctx);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof IOException) {
      LOG.log(Level.DEBUG, "The connection of " + peer + " broke", cause);
      ctx.close();
      return;
    }
    LOG.log(Level.WARNING, "The connection of " + peer + " failed", cause);
    if (phase == Phase.CLOSED || cause instanceof io.netty.handler.timeout.WriteTimeoutException) {
      ctx.close();
    } else {
      refuse(ctx, ChannelError.INTERNAL, cause.toString());
    }
  }
}
