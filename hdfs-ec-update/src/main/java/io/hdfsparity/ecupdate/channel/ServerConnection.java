/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.core.check.Printable;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
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
 * are taken from the user's memory when they have come, whatever a header announces, and no more
 * are held than were taken, but for what one read brings; a request that has not begun when the
 * connection ends never begins.
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

  /** Memory of a request and its answer. */
  private record Charge(FrameBudget share, long bytes) {
    void give() {
      share.give(bytes);
    }
  }

  private static final System.Logger LOG = System.getLogger(ServerConnection.class.getName());
  private static final long LINGER_MS = 500;

  private final ServerShared shared;
  private final ActiveRequests gate = new ActiveRequests();
  private Phase phase = Phase.HELLO;
  private String peer = "";
  private String blockPool = "";
  private ChannelAccess.@Nullable Grant grant;
  private ConnectionPermits.@Nullable Permit sitter;

  /** The user's; null before it is known whose connection it is. */
  private @Nullable FrameBudget memory;

  private int outstanding;
  private long chargedBytes;
  private boolean isAwaitingMemory;
  private @Nullable Overdraft overdraft;
  private @Nullable Future<?> deadline;

  ServerConnection(ServerShared shared) {
    this.shared = shared;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    peer = String.valueOf(ctx.channel().remoteAddress());
    int most = shared.limits().maxConnections();
    if (shared.connections().incrementAndGet() > most) {
      refuse(ctx, ChannelError.BUSY, "connections, expected <= " + most);
      return;
    }
    expect(ctx, shared.timeouts().handshakeMs());
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
    expectNothing();
    updateReading(ctx);
    onEntries(ctx, () -> judge(ctx, hello));
  }

  private void onEntries(ChannelHandlerContext ctx, Runnable task) {
    try {
      shared.entries().execute(task);
    } catch (RejectedExecutionException e) {
      refuse(ctx, ChannelError.SHUTDOWN, "the node stops");
    }
  }

  private void judge(ChannelHandlerContext ctx, Control.Hello hello) {
    ChannelAccess.Grant judged;
    try {
      judged = shared.access().judge(hello.blockPool(), hello.client(), hello.token());
    } catch (AccessRefusedException e) {
      later(ctx, () -> refuse(ctx, e.error(), String.valueOf(e.getMessage())));
      return;
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.WARNING, "Cannot judge the token of " + peer, e);
      later(ctx, () -> refuse(ctx, ChannelError.INTERNAL, "Cannot judge the token: " + e));
      return;
    }
    ConnectionPermits.Permit seated =
        shared
            .seats()
            .sit(
                new ConnectionPermits.Name(judged.owner(), hello.client()),
                gate,
                () ->
                    later(
                        ctx,
                        () -> refuse(ctx, ChannelError.SUPERSEDED, "the client connected again")),
                () -> new HeldLocks(shared.users(), judged.user()));
    // After that: an earlier connection of the client makes room for this one, sooner or later.
    FrameBudget share = shared.users().enter(judged.user());
    if (share == null) {
      shared.ended(seated);
      int most = shared.limits().maxUserConnections();
      later(
          ctx,
          () -> refuse(ctx, ChannelError.BUSY, "connections of one user, expected <= " + most));
    } else {
      later(ctx, () -> seated(judged, seated, share));
      shared
          .access()
          .admit(judged)
          .whenComplete((done, failure) -> later(ctx, () -> admitted(ctx, seated, failure)));
    }
  }

  private void seated(
      ChannelAccess.Grant judged, ConnectionPermits.Permit seated, FrameBudget share) {
    if (phase != Phase.ENTERING) {
      shared.ended(seated);
      shared.users().leave(judged.user());
      return;
    }
    grant = judged;
    sitter = seated;
    memory = share;
  }

  private void admitted(
      ChannelHandlerContext ctx, ConnectionPermits.Permit seated, @Nullable Throwable failure) {
    if (phase != Phase.ENTERING) {
      return;
    }
    if (failure instanceof AccessRefusedException refused) {
      refuse(ctx, refused.error(), String.valueOf(refused.getMessage()));
      return;
    } else if (failure != null) {
      LOG.log(Level.WARNING, "Cannot let in " + peer, failure);
      refuse(ctx, ChannelError.INTERNAL, "Cannot let in: " + failure);
      return;
    }
    seated
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
    write(
        ctx,
        ControlCodec.encode(
            new Control.Welcome(limits.maxOutstanding(), limits.maxPayloadBytes())));
    readOn(ctx);
  }

  private void readRequest(ChannelHandlerContext ctx, ByteBuf in) throws FormatException {
    FrameBudget share = memory;
    if (isAwaitingMemory || share == null) {
      return;
    }
    int frameBytes = shared.codec().frameBytes(in.nioBuffer());
    if (frameBytes < 0) {
      expect(ctx, shared.timeouts().frameMs());
      return;
    }
    long come = Math.min(in.readableBytes(), frameBytes);
    long more = come - chargedBytes;
    if (more > 0) {
      Runnable then = () -> later(ctx, () -> taken(ctx, share, more));
      if (!share.take(this, chargedBytes > 0, more, then)) {
        isAwaitingMemory = true;
        overdraft = null;
        expectNothing();
        updateReading(ctx);
        return;
      }
      noteOverdraft(share);
      chargedBytes = come;
    }
    if (come < frameBytes) {
      expectRest(ctx);
      return;
    }
    expectNothing();
    overdraft = null;
    share.frameEnded(this);
    Message message = shared.codec().decode(in.nioBuffer());
    in.skipBytes(frameBytes);
    if (!(message instanceof Message.Ask ask)) {
      throw new CorruptFormatException(
          "Cannot answer: message=" + message + ", expected a request");
    }
    accept(ctx, share, ask);
  }

  /** Bytes have been taken: perhaps more than there were. */
  private void noteOverdraft(FrameBudget share) {
    if (overdraft == null && share.isOverdrawn(this)) {
      ServerTimeouts timeouts = shared.timeouts();
      overdraft =
          new Overdraft(
              System.nanoTime(),
              chargedBytes,
              timeouts.overdraftMs(),
              timeouts.overdraftBytesPerSecond());
      expectNothing();
    }
  }

  private void expectRest(ChannelHandlerContext ctx) {
    Overdraft beyond = overdraft;
    long frameMs = shared.timeouts().frameMs();
    expect(
        ctx,
        beyond == null
            ? frameMs
            : Math.min(frameMs, Math.max(1, beyond.leftMs(System.nanoTime(), chargedBytes))));
  }

  /** The memory for what has come of a frame is there, at last. */
  private void taken(ChannelHandlerContext ctx, FrameBudget share, long bytes) {
    isAwaitingMemory = false;
    if (phase != Phase.OPEN) {
      share.give(bytes);
      share.frameEnded(this);
      return;
    }
    noteOverdraft(share);
    chargedBytes += bytes;
    readOn(ctx);
  }

  /** Goes on with what has come already, and reads more. */
  private void readOn(ChannelHandlerContext ctx) {
    updateReading(ctx);
    try {
      channelRead(ctx, Unpooled.EMPTY_BUFFER);
    } catch (Exception e) {
      exceptionCaught(ctx, e);
    }
  }

  private void accept(ChannelHandlerContext ctx, FrameBudget share, Message.Ask ask) {
    ConnectionPermits.Permit self = sitter;
    ChannelAccess.Grant granted = grant;
    int most = shared.limits().maxOutstanding();
    if (outstanding >= most) {
      refuse(ctx, ChannelError.OVERRUN, "requests without an answer, expected <= " + most);
    } else if (self == null
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
      Charge charge = new Charge(share, chargedBytes);
      chargedBytes = 0;
      outstanding++;
      String reason =
          "Cannot lock: locks of one user, expected <= "
              + shared.limits().maxUserLocks()
              + "; try again";
      send(ctx, new Message.Failure(ask.call(), reason), charge);
    } else {
      int maxBytes = shared.limits().maxPayloadBytes();
      long charge = chargedBytes + RequestRules.replyBytes(ask.request(), maxBytes);
      share.takeAnyway(charge - chargedBytes);
      chargedBytes = 0;
      outstanding++;
      try {
        shared
            .users()
            .execute(
                granted.user(), () -> serve(ctx, self, granted, ask, new Charge(share, charge)));
      } catch (RejectedExecutionException e) {
        share.give(charge);
        refuse(ctx, ChannelError.SHUTDOWN, "the node stops");
      }
    }
  }

  /** On a worker's thread. */
  private void serve(
      ChannelHandlerContext ctx,
      ConnectionPermits.Permit self,
      ChannelAccess.Grant granted,
      Message.Ask ask,
      Charge charge) {
    if (!gate.enter()) {
      charge.give();
      return;
    }
    shared.running().begin(granted);
    try {
      // Again: whoever takes a right away waits only for those who have begun.
      if (!RequestRules.isPermitted(ask, granted)) {
        send(ctx, new Message.Failure(ask.call(), "the token's right has been taken away"), charge);
        return;
      }
      handle(self, ask)
          .whenComplete(
              (reply, failure) -> {
                if (failure == null) {
                  self.locks().answered(ask.slot(), ask.request(), reply);
                  send(ctx, new Message.Answer(ask.call(), reply), charge);
                } else {
                  send(ctx, new Message.Failure(ask.call(), String.valueOf(failure)), charge);
                }
              });
    } catch (IllegalArgumentException e) {
      send(ctx, new Message.Refusal(ask.call(), String.valueOf(e.getMessage())), charge);
    } catch (IOException | RuntimeException | Error e) {
      send(ctx, new Message.Failure(ask.call(), e.toString()), charge);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      send(ctx, new Message.Failure(ask.call(), "the node stops"), charge);
    } finally {
      shared.running().end(granted);
      gate.leave();
    }
  }

  private CompletableFuture<Reply> handle(ConnectionPermits.Permit self, Message.Ask ask)
      throws IOException, InterruptedException {
    boolean isNewLock = self.locks().asked(ask.slot(), ask.request());
    try {
      return shared.service().handle(ask.slot(), ask.request());
    } catch (IllegalArgumentException e) {
      self.locks().refused(ask.slot(), ask.request(), isNewLock);
      throw e;
    }
  }

  private void send(ChannelHandlerContext ctx, Message message, Charge charge) {
    later(
        ctx,
        () -> {
          outstanding--;
          if (phase != Phase.OPEN) {
            charge.give();
            return;
          }
          write(ctx, encode(message)).whenComplete((sent, e) -> charge.give());
        });
  }

  private ByteBuffer encode(Message message) {
    try {
      return shared.codec().encode(message);
    } catch (IllegalArgumentException e) {
      return shared
          .codec()
          .encode(new Message.Failure(message.call(), String.valueOf(e.getMessage())));
    }
  }

  private static CompletableFuture<Void> write(ChannelHandlerContext ctx, ByteBuffer frame) {
    CompletableFuture<Void> sent = new CompletableFuture<>();
    ctx.writeAndFlush(Unpooled.wrappedBuffer(frame)).addListener(done -> sent.complete(null));
    return sent;
  }

  /** On the thread of the loop, unless it is being shut down: then nobody waits any more. */
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
            || phase == Phase.OPEN && !isAwaitingMemory && ctx.channel().isWritable();
    ctx.channel().config().setAutoRead(isReading);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    updateReading(ctx);
    ctx.fireChannelWritabilityChanged();
  }

  /** From now on, unless that is being waited for already. */
  private void expect(ChannelHandlerContext ctx, long timeoutMs) {
    if (deadline == null) {
      deadline =
          ctx.executor().schedule(() -> late(ctx, timeoutMs), timeoutMs, TimeUnit.MILLISECONDS);
    }
  }

  private void expectNothing() {
    if (deadline != null) {
      deadline.cancel(false);
      deadline = null;
    }
  }

  private void late(ChannelHandlerContext ctx, long timeoutMs) {
    deadline = null;
    Overdraft beyond = overdraft;
    if (phase == Phase.OPEN && !ctx.channel().isWritable()) {
      expect(ctx, timeoutMs); // we did not read
    } else if (beyond != null && beyond.leftMs(System.nanoTime(), chargedBytes) > 0) {
      expectRest(ctx); // more has come
    } else {
      refuse(ctx, ChannelError.SLOW, "no whole frame in ms=" + timeoutMs);
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof IdleStateEvent
        && phase == Phase.OPEN
        && outstanding == 0
        && !isAwaitingMemory) {
      refuse(ctx, ChannelError.IDLE, "no request in ms=" + shared.timeouts().idleMs());
    }
    ctx.fireUserEventTriggered(event);
  }

  /** The node stops. */
  void shutDown(ChannelHandlerContext ctx) {
    refuse(ctx, ChannelError.SHUTDOWN, "the node stops");
  }

  /**
   * Says why and closes. What still comes is thrown away for a moment: if it were not read, the
   * peer's system could drop what we have said.
   */
  private void refuse(ChannelHandlerContext ctx, ChannelError error, String reason) {
    if (phase == Phase.CLOSED) {
      return;
    }
    phase = Phase.CLOSED;
    gate.close();
    expectNothing();
    updateReading(ctx);
    boolean isUsual =
        error == ChannelError.SUPERSEDED
            || error == ChannelError.IDLE
            || error == ChannelError.SHUTDOWN;
    LOG.log(
        isUsual ? Level.DEBUG : Level.INFO,
        () -> "Closing the connection of " + peer + ": " + error + ", " + reason);
    write(ctx, ControlCodec.encode(new Control.Goodbye(error, reason)))
        .thenRun(
            () -> {
              if (error == ChannelError.SHUTDOWN
                  || !(ctx.channel() instanceof DuplexChannel both)) {
                ctx.close();
                return;
              }
              both.shutdownOutput();
              ctx.executor().schedule(() -> ctx.close(), LINGER_MS, TimeUnit.MILLISECONDS);
            });
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    phase = Phase.CLOSED;
    gate.close();
    expectNothing();
    shared.connections().decrementAndGet();
    if (grant != null && memory != null) {
      memory.give(chargedBytes);
      memory.frameEnded(this);
      shared.users().leave(grant.user());
      memory = null;
    }
    chargedBytes = 0;
    if (sitter != null) {
      shared.ended(sitter);
      sitter = null;
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
