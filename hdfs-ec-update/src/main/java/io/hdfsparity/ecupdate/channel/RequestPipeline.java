/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.channel.secure.ClientHandshake;
import io.hdfsparity.ecupdate.updater.Endpoint;
import io.hdfsparity.ecupdate.updater.NodeCalls;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client's way to one endpoint: one connection at a time, and the calls that use it.
 *
 * <pre>
 *   DOWN --a call--&gt; CONNECTING --welcome--&gt; UP --idle--&gt; DOWN
 *     ^                   |                   |
 *     +---- back-off -----+------ broke ------+
 * </pre>
 *
 * <p>Invariant: a call that was sent on a connection that broke is reported as lost only when the
 * node has said welcome again: until then a copy of it may still be executed (ADR 0010).
 *
 * <p>All of it on the thread of its loop.
 */
final class RequestPipeline {
  private enum Phase {
    DOWN,
    CONNECTING,
    UP,
    CLOSED
  }

  private final Endpoint node;
  private final String name;
  private final ClientShared shared;
  private final EventLoop loop;

  private Phase phase = Phase.DOWN;
  private @Nullable Channel channel;
  private int attempts;
  private boolean isBackingOff;
  private boolean isWatched;
  private int maxOutstanding;
  private FrameCodec codec;
  private String trouble = "";
  private long nextCall;
  private long usedNanos;

  private final Deque<Call> waiting = new ArrayDeque<>();

  /** On the connection that is up, by call, oldest first. */
  private final Map<Long, Call> sent = new LinkedHashMap<>();

  /** On connections that broke. */
  private final List<Call> unsure = new ArrayList<>();

  RequestPipeline(Endpoint node, String name, ClientShared shared, EventLoop loop) {
    this.node = node;
    this.name = name;
    this.shared = shared;
    this.loop = loop;
    codec = shared.codec();
  }

  EventLoop loop() {
    return loop;
  }

  /** A call. */
  void call(Call call) {
    if (phase == Phase.CLOSED) {
      call.listener().failed("the client's channels are closed");
      return;
    }
    if (waiting.size() >= shared.limits().maxWaiting()) {
      call.listener().lost("too many calls wait for " + node);
      return;
    }
    waiting.add(call);
    if (phase == Phase.UP) {
      sendOn();
    } else {
      if (!trouble.isEmpty()) {
        call.listener().delayed(trouble);
      }
      connect();
    }
  }

  private boolean isNeeded() {
    return !(waiting.isEmpty() && sent.isEmpty() && unsure.isEmpty());
  }

  private void connect() {
    if (phase != Phase.DOWN || isBackingOff || !isNeeded()) {
      return;
    }
    phase = Phase.CONNECTING;
    try {
      shared.blocking(this::prepare);
    } catch (RuntimeException | Error e) {
      // As when the system gives no thread more: nobody else would ever try again.
      down("Cannot connect to " + node + ": " + e);
    }
  }

  /** On a thread that may block. */
  private void prepare() {
    try {
      Credential credential = shared.tokens().credential(node);
      Control.Hello hello = new Control.Hello(node.blockPool(), name, credential.token());
      List<ChannelHandler> handlers = new ArrayList<>();
      credential
          .secret()
          .map(secret -> ClientHandshake.begin(secret, new SecureRandom()))
          .map(ClientProtection::new)
          .ifPresent(handlers::add);
      handlers.add(new ClientConnection(this, shared.codec()));
      later(() -> connect(hello, handlers));
    } catch (IOException | RuntimeException | Error e) {
      later(() -> down("Cannot get a token for " + node + ": " + e));
    }
  }

  private void connect(Control.Hello hello, List<ChannelHandler> handlers) {
    if (phase != Phase.CONNECTING) {
      return;
    }
    try {
      shared
          .connect(node, loop, handlers)
          .addListener((ChannelFuture connected) -> connected(connected, hello));
    } catch (RuntimeException | Error e) {
      down("Cannot connect to " + node + ": " + e);
    }
  }

  private void connected(ChannelFuture connected, Control.Hello hello) {
    if (!connected.isSuccess()) {
      // Where there is no socket, as with too many open files, this is a thread of Netty's.
      later(() -> down("Cannot connect to " + node + ": " + connected.cause()));
    } else if (phase != Phase.CONNECTING) {
      connected.channel().close();
    } else {
      opened(connected.channel(), hello);
    }
  }

  private void opened(Channel opened, Control.Hello hello) {
    channel = opened;
    try {
      loop.schedule(
          () -> {
            if (phase == Phase.CONNECTING && channel == opened) {
              broke(opened, "no welcome in ms=" + shared.limits().connectMs());
            }
          },
          shared.limits().connectMs(),
          TimeUnit.MILLISECONDS);
      opened.writeAndFlush(Unpooled.wrappedBuffer(ControlCodec.encode(hello)));
    } catch (RuntimeException | Error e) {
      broke(opened, "the hello was not sent: " + e);
    }
  }

  /** The node has said something about the connection. */
  void received(Channel from, Control control) {
    if (from != channel) {
      return;
    }
    if (control instanceof Control.ConnectionEnd end && end.error() == ChannelError.RETIRED) {
      retired(from, end.reason());
    } else if (control instanceof Control.ConnectionEnd end) {
      broke(from, end.error() + ", " + end.reason());
    } else if (control instanceof Control.Welcome welcome && phase == Phase.CONNECTING) {
      phase = Phase.UP;
      attempts = 0;
      trouble = "";
      maxOutstanding = Math.min(welcome.maxOutstanding(), shared.limits().maxOutstanding());
      codec =
          new FrameCodec(Math.min(welcome.maxPayloadBytes(), shared.limits().maxPayloadBytes()));
      List<Call> lost = List.copyOf(unsure);
      unsure.clear();
      lost.forEach(call -> call.listener().lost("the connection to " + node + " broke"));
      watch();
      sendOn();
    } else {
      broke(from, "unexpected " + control);
    }
  }

  /** No connection will be admitted any more: nobody waits for the next one. */
  private void retired(Channel from, String reason) {
    List<Call> left = takeAll();
    broke(from, reason);
    trouble = "";
    left.forEach(call -> call.listener().retired(reason));
  }

  private List<Call> takeAll() {
    List<Call> taken = new ArrayList<>(waiting);
    taken.addAll(sent.values());
    taken.addAll(unsure);
    waiting.clear();
    sent.clear();
    unsure.clear();
    return taken;
  }

  /** Sends what the node allows. */
  void sendOn() {
    Channel up = channel;
    if (phase != Phase.UP || up == null) {
      return;
    }
    while (!waiting.isEmpty() && sent.size() < maxOutstanding && up.isWritable()) {
      Call call = waiting.remove();
      long id = nextCall++;
      ByteBuffer frame;
      try {
        frame = codec.encode(new Message.Ask(id, call.slot(), call.request()));
      } catch (RuntimeException e) {
        call.listener().failed(String.valueOf(e.getMessage()));
        continue;
      } catch (Error e) {
        // As when there is no memory for it: nobody else has the call any more. It may be repeated.
        call.listener().lost("it was not sent: " + e);
        continue;
      }
      usedNanos = System.nanoTime();
      sent.put(id, call.sentAt(usedNanos));
      shared.sentMessages().increment();
      up.writeAndFlush(Unpooled.wrappedBuffer(frame));
    }
  }

  /** The node has answered. */
  void received(Channel from, Message message) {
    if (from != channel) {
      return;
    }
    Call call = sent.remove(message.call());
    if (call == null || message instanceof Message.Ask) {
      broke(from, "an answer to no request: call=" + message.call());
      return;
    }
    shared.receivedMessages().increment();
    NodeCalls.Listener listener = call.listener();
    if (message instanceof Message.Answer answer) {
      listener.answered(answer.reply());
    } else if (message instanceof Message.Refusal refusal) {
      listener.failed(refusal(call, refusal.reason()));
    } else if (message instanceof Message.Failure failure) {
      String why = refusal(call, failure.reason());
      listener.delayed(why);
      listener.lost(why);
    }
    sendOn();
  }

  private String refusal(Call call, String reason) {
    return ErrorMessage.to("ask " + node)
        .value("request", call.request().getClass().getSimpleName())
        .where("replica", call.slot().replica())
        .where("stripe", call.slot().stripe())
        .where("answer", reason)
        .message();
  }

  /** The connection is of no use any more. */
  void broke(Channel which, String why) {
    which.close();
    if (which != channel) {
      return;
    }
    channel = null;
    unsure.addAll(sent.values());
    sent.clear();
    if (phase != Phase.CLOSED) {
      down("The connection to " + node + " broke: " + why);
    }
  }

  private void down(String why) {
    if (phase == Phase.CLOSED) {
      return;
    }
    phase = Phase.DOWN;
    if (!isNeeded()) {
      return;
    }
    trouble = why;
    waiting.forEach(call -> call.listener().delayed(why));
    unsure.forEach(call -> call.listener().delayed(why));
    long pauseMs =
        Math.min(
            shared.limits().maxBackOffMs(),
            shared.limits().firstBackOffMs() << Math.min(attempts, 20));
    attempts++;
    // A half to a whole of it, so that clients that lost a node together come back apart.
    long chosenMs = pauseMs / 2 + ThreadLocalRandom.current().nextLong(pauseMs / 2 + 1);
    loop.schedule(
        () -> {
          isBackingOff = false;
          connect();
        },
        chosenMs,
        TimeUnit.MILLISECONDS);
    isBackingOff = true; // not before: if there is no memory for a timer, the next call connects
  }

  /** Looks now and then for answers that do not come, and whether anybody uses the connection. */
  private void watch() {
    if (isWatched) {
      return;
    }
    isWatched = true;
    long everyMs = Math.max(1, Math.min(shared.limits().callMs(), shared.limits().idleMs()) / 4);
    loop.schedule(this::look, everyMs, TimeUnit.MILLISECONDS);
  }

  private void look() {
    isWatched = false;
    Channel up = channel;
    if (phase != Phase.UP || up == null) {
      return;
    }
    long now = System.nanoTime();
    if (sent.isEmpty()) {
      if (now - usedNanos > TimeUnit.MILLISECONDS.toNanos(shared.limits().idleMs())) {
        broke(up, "idle");
        return;
      }
    } else {
      Call oldest = sent.values().iterator().next();
      if (now - oldest.sentNanos() > TimeUnit.MILLISECONDS.toNanos(shared.limits().callMs())) {
        broke(up, "no answer in ms=" + shared.limits().callMs());
        return;
      }
    }
    watch();
  }

  /** What is done to the replica at this node does not count any more. */
  void giveUp(ReplicaKey replica) {
    List<Call> given = new ArrayList<>();
    take(waiting.iterator(), replica, given);
    take(unsure.iterator(), replica, given);
    for (Map.Entry<Long, Call> call : sent.entrySet()) {
      if (call.getValue().slot().replica().equals(replica)) {
        given.add(call.getValue());
        call.setValue(call.getValue().to(DEAF));
      }
    }
    given.forEach(call -> call.listener().lost("replica " + replica + " has left " + node));
  }

  private static void take(Iterator<Call> calls, ReplicaKey replica, List<Call> given) {
    while (calls.hasNext()) {
      Call call = calls.next();
      if (call.slot().replica().equals(replica)) {
        calls.remove();
        given.add(call);
      }
    }
  }

  /** For ever. */
  void close() {
    if (phase == Phase.CLOSED) {
      return;
    }
    phase = Phase.CLOSED;
    List<Call> left = takeAll();
    if (channel != null) {
      channel.close();
      channel = null;
    }
    left.forEach(call -> call.listener().failed("the client's channels were closed"));
  }

  private void later(Runnable task) {
    shared.later(loop, task);
  }

  /** For a call whose listener has been notified already. */
  private static final NodeCalls.Listener DEAF =
      new NodeCalls.Listener() {
        @Override
        public void answered(io.hdfsparity.ecupdate.ajx.Reply reply) {
          // Notified already.
        }

        @Override
        public void lost(String why) {
          // Notified already.
        }

        @Override
        public void failed(String why) {
          // Notified already.
        }

        @Override
        public void delayed(String why) {
          // Notified already.
        }
      };
}
